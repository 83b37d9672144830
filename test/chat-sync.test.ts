import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EventMessage } from '../contract/message.ts'
import type { Fetch } from '../web/src/api/chat.ts'
import { type ChatState, keyOf, type Outgoing } from '../web/src/chat/model.ts'
import { fromEvent } from '../web/src/chat/store/content.ts'
import { conversationItems } from '../web/src/chat/store/selectors.ts'
import { Hub } from '../web/src/chat/sync/hub.ts'
import { type Kept, type OpenChat, openChat } from '../web/src/chat/sync/open-chat.ts'
import type { TabPort, ToHub, ToTab } from '../web/src/chat/sync/protocol.ts'
import type { EmptiedDraft } from '../web/src/chat/sync/reading.ts'
import { ADA, AT, BEN, idOf, member, message, start, TOPIC, topic } from './support/chat-events.ts'
import { type Answering, refuse, type ScriptedServer, scriptedServer } from './support/chat-server.ts'
import { until } from './support/receiver.ts'

/** The time after which a page gives up a connection without a sign of life. */
const SILENCE_MS = 40_000

const servers: ScriptedServer[] = []
const chats: OpenChat[] = []
afterEach(async () => {
  for (const chat of chats.splice(0)) chat.close()
  for (const server of servers.splice(0)) await server.stop()
})

const page = (...numbers: number[]) => ({
  messages: numbers.map((number) => fromEvent(message(number))),
  hasBefore: false,
  hasAfter: false,
  polls: [],
  tasks: [],
})
const frame = (type: string, position: number | undefined, data: unknown) =>
  `event: ${type}${position === undefined ? '' : `\nid: ${position}`}\ndata: ${JSON.stringify(data)}`
const created = (position: number, number: number, changes: Partial<EventMessage> = {}) =>
  frame('message.created', position, { message: message(number, changes), truncated: false })

/** The usual answers; a test replaces those of its subject. */
const usual =
  (own: Answering = () => undefined): Answering =>
  async (asked, response) => {
    const given = await own(asked, response)
    if (given !== undefined || response.headersSent || response.destroyed) return given
    if (asked.path === '/chat/start') return start()
    if (asked.path === '/chat/members')
      return { members: [member(ADA, 'Ada'), member(BEN, 'Ben')], hasMore: false }
    if (asked.path.endsWith('/history')) return page(1, 2)
    if (asked.path.endsWith('/state')) {
      const { readTo } = JSON.parse(asked.body)
      return {
        topicId: TOPIC,
        readTo,
        unreadAfter: readTo,
        lateReadTo: null,
        unread: 0,
        mentions: 0,
        muted: false,
        favourite: false,
      }
    }
    if (asked.path === '/chat/drafts') return { ...JSON.parse(asked.body), updatedAt: Date.now() }
    return undefined
  }

/** A browser: one hub, any number of tabs. */
async function browser(answer: Answering = usual()) {
  const server = await scriptedServer(answer)
  servers.push(server)
  const fetcher: Fetch = (url, init) => fetch(`${server.url}${url}`, init)
  const stored = new Map<string, Outgoing>()
  const hub = new Hub({
    fetcher,
    storage: () => ({
      load: async () => [...stored.values()],
      put: async (item) => void stored.set(item.localId, item),
      delete: async (localId) => void stored.delete(localId),
    }),
  })
  const openTab = (
    kept: Partial<ChatState> | undefined = undefined,
    keepingNow: Promise<void> = Promise.resolve(),
    emptiedBefore: EmptiedDraft[] = [],
  ) => {
    const saved: ChatState[] = []
    const uploads: Outgoing[] = []
    const emptied = new Map<string, EmptiedDraft>(emptiedBefore.map((place) => [keyOf(place), place]))
    const keeping: Kept = {
      load: async () => kept,
      save: (state) => void saved.push(state),
      flush: () => {},
      forget: async () => {},
      emptied: {
        all: () => [...emptied.values()],
        add: (place) => void emptied.set(keyOf(place), place),
        told: (place, updatedAt) =>
          void (emptied.has(keyOf(place)) && emptied.set(keyOf(place), { ...place, updatedAt })),
        remove: (place) => void emptied.delete(keyOf(place)),
        forget: () => emptied.clear(),
      },
      putOutgoing: async (item) => {
        await keepingNow
        stored.set(item.localId, item)
        return true
      },
    }
    const chat = openChat({
      accountId: 'account',
      organizationId: 'o',
      port: portTo(hub),
      kept: keeping,
      fetcher,
      schedule: (work) => {
        const timer = setTimeout(work, 1)
        return () => clearTimeout(timer)
      },
      upload: (item) => {
        uploads.push(item)
        return { result: new Promise(() => {}), stop: () => {} }
      },
    })
    chats.push(chat)
    const state = () => chat.store.getSnapshot()
    const texts = () =>
      conversationItems(state(), TOPIC).map((item) => item.message?.text ?? `(${item.outgoing?.text})`)
    return { ...chat, state, texts, saved, uploads, emptied }
  }
  return { server, hub, openTab, stored }
}

/** Acts as a MessagePort: messages arrive later, as copies. */
function portTo(hub: Hub): TabPort {
  let toHub: (message: ToHub) => void = () => {}
  let toTab: (message: ToTab) => void = () => {}
  hub.connect({
    post: (message) => void setTimeout(() => toTab(structuredClone(message)), 0),
    listen: (hear) => {
      toHub = hear
    },
  })
  return {
    post: (message) => void setTimeout(() => toHub(structuredClone(message)), 0),
    listen: (hear) => {
      toTab = hear
    },
  }
}

const isLive =
  ({ state }: { state(): ChatState }) =>
  () =>
    state().status === 'ready' && state().connection === 'live'

describe('a browser', () => {
  it('has one connection, however many tabs, and each of them hears everything', async () => {
    const { server, openTab } = await browser()
    const tabs = [openTab(), openTab(), openTab()]
    for (const tab of tabs) {
      await until(isLive(tab))
      await tab.actions.openConversation({ topicId: TOPIC })
    }
    server.send(created(11, 3))
    for (const tab of tabs) await until(() => tab.texts().length === 3)
    expect(server.streams.size).toBe(1)
    expect(server.count('GET', '/stream')).toBe(1)
    expect(server.count('GET', '/chat/members')).toBe(1)
    expect(tabs.map(({ texts }) => texts())).toEqual(Array(3).fill(['Message 1', 'Message 2', 'Message 3']))
    expect([...(tabs[0]?.state().members.keys() ?? [])]).toEqual([ADA, BEN])
  })

  it('gives a tab that comes later what it has missed, from memory', async () => {
    const { server, openTab } = await browser()
    const first = openTab()
    await until(isLive(first))
    await first.actions.openConversation({ topicId: TOPIC })
    const { outbox: _none, ...kept } = first.state()
    server.send(created(11, 3))
    await until(() => first.texts().length === 3)
    const starts = server.count('GET', '/chat/start')
    const later = openTab(kept)
    await until(() => later.texts().length === 3)
    expect(later.state()).toMatchObject({ position: 11, status: 'ready' })
    expect(server.count('GET', '/chat/start')).toBe(starts)
  })

  it('starts with what was kept, and goes on from its position', async () => {
    const { server, openTab } = await browser()
    const { store } = openTab()
    await until(() => store.getSnapshot().status === 'ready')
    const kept = { ...store.getSnapshot(), position: 7 }
    const other = await browser()
    const tab = other.openTab(kept)
    // The kept state may say already that it is live: the first tab was, by then or not.
    await until(() => other.server.count('GET', '/stream') === 1 && isLive(tab)())
    expect(other.server.asked.find(({ path }) => path === '/stream')?.query.get('after')).toBe('7')
    expect(server.count('GET', '/stream')).toBe(1)
  })

  it('writes what is kept in one tab: the one that was looked at last', async () => {
    const { server, openTab } = await browser()
    const [one, other] = [openTab(), openTab()]
    for (const tab of [one, other]) await until(isLive(tab))
    one.wake('front')
    server.send(created(11, 3))
    await until(() => one.saved.at(-1)?.position === 11)
    const before = other.saved.length
    server.send(created(12, 4))
    await until(() => one.saved.at(-1)?.position === 12 && other.state().position === 12)
    expect(other.saved.length).toBe(before)
    one.close()
    server.send(created(13, 5))
    await until(() => other.saved.at(-1)?.position === 13)
  })
})

describe('a connection that breaks', () => {
  it('is resumed where it was: nothing is missing, nothing comes twice, states are read again', async () => {
    const { server, openTab } = await browser()
    const tab = openTab()
    await until(isLive(tab))
    await tab.actions.openConversation({ topicId: TOPIC })
    server.send(created(11, 3))
    await until(() => tab.texts().length === 3)
    await server.stop()
    await until(() => tab.state().connection === 'offline')
    const starts = server.count('GET', '/chat/start')
    await server.start()
    tab.wake('online')
    await until(isLive(tab))
    expect(
      server.asked
        .filter(({ path }) => path === '/stream')
        .at(-1)
        ?.query.get('after'),
    ).toBe('11')
    server.send(created(11, 3))
    server.send(created(12, 4))
    await until(() => tab.texts().length === 4)
    expect(tab.texts()).toEqual(['Message 1', 'Message 2', 'Message 3', 'Message 4'])
    await until(() => server.count('GET', '/chat/start') === starts + 1)
  })

  it('is given up after a silence, and not while there are signs of life', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { server, openTab } = await browser()
    const tab = openTab()
    await until(isLive(tab))
    for (let beat = 0; beat < 10; beat++) {
      vi.advanceTimersByTime(SILENCE_MS - 1)
      server.send(`: still here\nid: ${20 + beat}`)
      await until(() => tab.state().position === 20 + beat)
    }
    expect(server.count('GET', '/stream')).toBe(1)
    vi.advanceTimersByTime(2 * SILENCE_MS)
    await until(() => server.count('GET', '/stream') === 2)
    expect(
      server.asked
        .filter(({ path }) => path === '/stream')
        .at(-1)
        ?.query.get('after'),
    ).toBe('29')
  })

  it('reads everything again if the log no longer reaches back', async () => {
    let position = 10
    let newest = [1, 2]
    const { server, openTab } = await browser(
      usual(({ path }) => {
        if (path === '/chat/start')
          return start({ position, topics: [topic(TOPIC, { unread: newest.length })] })
        if (path.endsWith('/history')) return page(...newest)
      }),
    )
    const tab = openTab()
    await until(isLive(tab))
    await tab.actions.openConversation({ topicId: TOPIC })
    position = 500
    newest = [2, 7, 8]
    server.send('event: reset\nid: 480\ndata: {}')
    // The message is in the new start already, and must not appear twice.
    server.send(created(490, 8))
    server.send(created(501, 9))
    await until(() => tab.texts().length === 4)
    expect(tab.texts()).toEqual(['Message 2', 'Message 7', 'Message 8', 'Message 9'])
    expect(tab.state().position).toBe(501)
    expect(tab.state().topics.get(TOPIC)?.unread).toBe(4)
    expect(tab.state().messages.has(idOf(1))).toBe(false)
  })

  it.each([
    [401, 'sign in first'],
    [404, 'Organization not found'],
  ])('is over when the server answers %d', async (status, text) => {
    let isOver = false
    const { server, openTab } = await browser(
      usual(({ path }, response) => {
        if (isOver && path === '/stream') refuse(response, status, text)
      }),
    )
    const tab = openTab()
    await until(isLive(tab))
    isOver = true
    for (const stream of server.streams) stream.end()
    await until(() => tab.state().connection === 'ended')
    const tries = server.count('GET', '/stream')
    tab.wake('online')
    tab.actions.tellTyping({ topicId: TOPIC })
    await until(() => server.count('POST', '/chat/typing') === 1)
    expect(server.count('GET', '/stream')).toBe(tries)
  })
})

describe('events of topics', () => {
  it('let a topic be read once that the person has just come into', async () => {
    const fresh = topic('10000000-0000-4000-8000-000000000009', { name: 'New', unread: 1 })
    const { server, openTab } = await browser(
      usual(({ path }) => (path === `/chat/topics/${fresh.id}` ? fresh : undefined)),
    )
    const tabs = [openTab(), openTab()]
    for (const tab of tabs) await until(isLive(tab))
    server.send(frame('topic.created', 11, { topicId: fresh.id, actorId: BEN }))
    server.send(
      frame('member.added', 12, { topicId: fresh.id, memberIds: [ADA, BEN], actorId: BEN, createdAt: AT }),
    )
    for (const tab of tabs) await until(() => tab.state().topics.get(fresh.id)?.name === 'New')
    expect(server.count('GET', `/chat/topics/${fresh.id}`)).toBe(1)
  })
})

const isTold = ({ emptied }: { emptied: ReadonlyMap<string, EmptiedDraft> }) =>
  [...emptied.values()].every(({ updatedAt }) => updatedAt !== undefined)

describe('what a person does', () => {
  it('goes out once, and stands in every tab at once', async () => {
    const { server, openTab, stored } = await browser(
      usual(({ path, method }) => {
        if (method === 'POST' && path === '/chat/messages')
          return { id: idOf(5), topicId: TOPIC, createdAt: AT + 5 }
      }),
    )
    const [one, other] = [openTab(), openTab()]
    for (const tab of [one, other]) {
      await until(isLive(tab))
      await tab.actions.openConversation({ topicId: TOPIC })
    }
    one.actions.send({ topicId: TOPIC, text: 'Hello' })
    expect(one.texts()).toEqual(['Message 1', 'Message 2', '(Hello)'])
    for (const tab of [one, other]) await until(() => tab.texts().at(-1) === 'Hello')
    const [sent] = server.asked.filter(({ path }) => path === '/chat/messages')
    expect(JSON.parse(sent?.body ?? '')).toEqual({ topicId: TOPIC, text: 'Hello', externalId: sent?.key })
    server.send(created(11, 5, { senderId: ADA, text: 'Hello', externalId: String(sent?.key) }))
    for (const tab of [one, other]) {
      await until(() => tab.state().position === 11)
      expect(tab.texts()).toEqual(['Message 1', 'Message 2', 'Hello'])
      expect(tab.state().outbox).toEqual([])
    }
    expect(server.count('POST', '/chat/messages')).toBe(1)
    expect(stored.size).toBe(0)
  })

  it('goes out only once it is kept: a late write would bring it back', async () => {
    const { server, openTab, stored } = await browser(
      usual(({ path, method }) => {
        if (method === 'POST' && path === '/chat/messages')
          return { id: idOf(5), topicId: TOPIC, createdAt: AT + 5 }
      }),
    )
    let keepNow = () => {}
    const tab = openTab(undefined, new Promise<void>((resolve) => (keepNow = resolve)))
    await until(isLive(tab))
    tab.actions.send({ topicId: TOPIC, text: 'Hello' })
    // Other requests succeed in the meantime.
    await tab.actions.openConversation({ topicId: TOPIC })
    await tab.actions.jumpToNewest({ topicId: TOPIC })
    expect(tab.texts()).toEqual(['Message 1', 'Message 2', '(Hello)'])
    expect(server.count('POST', '/chat/messages')).toBe(0)
    keepNow()
    await until(() => tab.texts().at(-1) === 'Hello')
    await until(() => stored.size === 0)
    expect(server.count('POST', '/chat/messages')).toBe(1)
  })

  it('is uploaded by a tab, and by another one when that is closed', async () => {
    const { openTab } = await browser()
    const [one, other] = [openTab(), openTab()]
    for (const tab of [one, other]) await until(isLive(tab))
    one.wake('front')
    const files = [{ name: 'a', size: 1, type: '', blob: new Blob(['a']) }]
    one.actions.send({ topicId: TOPIC, text: '', files })
    await until(() => one.uploads.length === 1)
    expect(other.uploads).toEqual([])
    one.close()
    await until(() => other.uploads.length === 1)
    expect(other.uploads[0]?.localId).toBe(one.uploads[0]?.localId)
  })

  it('reading is sent in few requests, and only forward', async () => {
    const { server, openTab } = await browser()
    const tab = openTab()
    await until(isLive(tab))
    for (let number = 1; number <= 20; number++) tab.actions.markRead(TOPIC, idOf(number))
    tab.actions.markRead(TOPIC, idOf(3))
    expect(tab.state().topics.get(TOPIC)?.readTo).toBe(idOf(20))
    await until(() => tab.state().unsavedReads.size === 0)
    const told = server.asked.filter(({ path }) => path.endsWith('/state'))
    expect(told.map(({ body }) => JSON.parse(body))).toEqual([{ readTo: idOf(20) }])
  })

  it('a draft that has been sent is gone at once, in the browser and at the server', async () => {
    const { server, openTab } = await browser()
    const tab = openTab()
    await until(isLive(tab))
    tab.actions.saveDraft({ topicId: TOPIC }, 'Half')
    tab.actions.send({ topicId: TOPIC, text: 'Half and more' })
    expect([...tab.emptied.keys()]).toEqual([TOPIC])
    await until(() => server.count('POST', '/chat/drafts') === 1)
    const told = server.asked.filter(({ path }) => path === '/chat/drafts')
    expect(told.map(({ body }) => JSON.parse(body).text)).toEqual([''])
    await until(() => isTold(tab))
  })

  it('a draft that was sent as the page went is gone in the next one, and the server is told again', async () => {
    const draft = { topicId: TOPIC, text: 'Half', updatedAt: 1 }
    const { server, openTab } = await browser(
      usual(({ path }) => (path === '/chat/start' ? { ...start(), drafts: [draft] } : undefined)),
    )
    const before = openTab()
    await until(isLive(before))
    expect(before.state().drafts.get(TOPIC)?.text).toBe('Half')
    const kept = { ...before.state(), drafts: new Map([[TOPIC, { ...draft, text: 'Half a' }]]) }
    for (const unsaved of [[], [TOPIC]]) {
      const tab = openTab({ ...kept, unsavedDrafts: new Set(unsaved) }, undefined, [{ topicId: TOPIC }])
      await until(isLive(tab))
      expect(tab.state().drafts.get(TOPIC)?.text ?? '').toBe('')
      await until(() => isTold(tab))
    }
    const told = server.asked.filter(({ path }) => path === '/chat/drafts')
    expect(told.length).toBeGreaterThanOrEqual(2)
    expect(new Set(told.map(({ body }) => JSON.parse(body).text))).toEqual(new Set(['']))
  })

  it('a draft that was sent does not come back with an answer from before the server knew it', async () => {
    const draft = { topicId: TOPIC, text: 'Half', updatedAt: 1 }
    const { server, openTab } = await browser(
      usual(async ({ path }) => {
        if (path !== '/chat/start') return undefined
        await until(() => server.count('POST', '/chat/drafts') === 1)
        return { ...start(), drafts: [draft] }
      }),
    )
    const kept = { drafts: new Map([[TOPIC, draft]]), status: 'ready' as const }
    const tab = openTab(kept, undefined, [{ topicId: TOPIC }])
    await until(isLive(tab))
    await until(() => isTold(tab))
    expect(tab.state().drafts.get(TOPIC)?.text).toBe('')
  })

  it('a draft that the server knows to be sent does not come back from what the page kept', async () => {
    const { server, openTab } = await browser()
    const draft = { topicId: TOPIC, text: 'Half', updatedAt: 1 }
    for (const unsaved of [[], [TOPIC]]) {
      const kept = {
        drafts: new Map([[TOPIC, draft]]),
        unsavedDrafts: new Set(unsaved),
        status: 'ready' as const,
      }
      const tab = openTab(kept, undefined, [{ topicId: TOPIC, updatedAt: 2 }])
      await until(isLive(tab))
      expect(tab.state().drafts.get(TOPIC)?.text ?? '').toBe('')
    }
    const newer = { drafts: new Map([[TOPIC, { ...draft, updatedAt: 3 }]]), unsavedDrafts: new Set<string>() }
    const before = openTab({ ...newer, status: 'ready' }, undefined, [{ topicId: TOPIC, updatedAt: 2 }])
    await before.keptRead
    expect(before.state().drafts.get(TOPIC)?.text, 'written on another device since').toBe('Half')
    expect(server.count('POST', '/chat/drafts')).toBe(0)
  })

  it('is sent when the page closes', async () => {
    const { server, openTab } = await browser()
    const tab = openTab()
    await until(isLive(tab))
    tab.actions.markRead(TOPIC, idOf(1))
    tab.actions.saveDraft({ topicId: TOPIC }, 'Half a sent')
    tab.suspend()
    await until(() => server.count('POST', '/chat/drafts') === 1)
    expect(server.count('PATCH', `/chat/topics/${TOPIC}/state`)).toBe(1)
  })

  it('that the server refuses is taken back', async () => {
    const { openTab } = await browser(
      usual(({ method, path }, response) => {
        if (path === '/chat/start')
          return start({ topics: [topic(TOPIC, { readTo: idOf(2), unreadAfter: idOf(2) })] })
        if (method !== 'GET' && path.startsWith('/chat/messages'))
          refuse(response, 403, 'forbidden', { 'X-Error-Code': 'forbidden' })
        if (method === 'PATCH' && path.endsWith('/state')) refuse(response, 404, 'Topic not found')
      }),
    )
    const tab = openTab()
    await until(isLive(tab))
    await tab.actions.openConversation({ topicId: TOPIC })
    const before = tab.state()
    const done = [
      tab.actions.editMessage(idOf(1), 'Mine now'),
      tab.actions.deleteMessage(idOf(2)),
      tab.actions.react(idOf(1), '🎉', true),
      tab.actions.setTopicState(TOPIC, { muted: true }),
      tab.actions.markUnread(TOPIC, idOf(1)),
    ]
    expect(tab.texts()).toEqual(['Mine now'])
    expect(tab.state().topics.get(TOPIC)).toMatchObject({ muted: true, readTo: null, unread: 1 })
    const results = await Promise.allSettled(done)
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(results[0]).toMatchObject({ reason: { failure: { status: 403, code: 'forbidden' } } })
    expect(tab.texts()).toEqual(['Message 1', 'Message 2'])
    expect(tab.state().messages.get(idOf(1))?.reactions).toEqual([])
    expect(tab.state().topics.get(TOPIC)).toEqual(before.topics.get(TOPIC))
  })

  it('that the server refuses keeps counting what came in between', async () => {
    const { server, openTab } = await browser(
      usual(async ({ method, path }, response) => {
        if (path === '/chat/start') return start({ topics: [topic(TOPIC, { unread: 2 })] })
        if (method !== 'PATCH' || !path.endsWith('/state')) return
        server.send(created(11, 3))
        await until(() => tab.texts().length === 3)
        refuse(response, 404, 'Message not found')
      }),
    )
    const tab = openTab()
    await until(isLive(tab))
    await tab.actions.openConversation({ topicId: TOPIC })
    expect(tab.state().topics.get(TOPIC)).toMatchObject({ unread: 2 })
    await expect(tab.actions.markUnread(TOPIC, idOf(2))).rejects.toThrow()
    expect(tab.state().topics.get(TOPIC)).toMatchObject({ unread: 3 })
  })

  it('takes a reaction back whose id is unknown', async () => {
    const reaction = {
      id: '20000000-0000-4000-8000-000000000001',
      messageId: idOf(1),
      reaction: '🎉',
      createdAt: AT,
    }
    const { server, openTab } = await browser(
      usual(({ method, path }, response) => {
        if (method === 'POST' && path.endsWith('/reactions')) return reaction
        if (method === 'DELETE') response.writeHead(204).end()
      }),
    )
    const tab = openTab()
    await until(isLive(tab))
    await tab.actions.openConversation({ topicId: TOPIC })
    await tab.actions.react(idOf(1), '🎉', false)
    expect(server.asked.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/chat/messages/${idOf(1)}/reactions/${reaction.id}`,
    })
  })

  it('a page that was asked for does not lose what comes while it is read', async () => {
    let answerNow = () => {}
    const { server, openTab } = await browser(
      usual(async ({ path }) => {
        if (!path.endsWith('/history')) return undefined
        await new Promise<void>((resolve) => (answerNow = resolve))
        return page(1, 2)
      }),
    )
    const tab = openTab()
    await until(isLive(tab))
    const opened = tab.actions.openConversation({ topicId: TOPIC })
    await until(() => server.count('GET', `/chat/topics/${TOPIC}/history`) === 1)
    server.send(created(11, 3))
    server.send(
      frame('message.deleted', 12, {
        messageId: idOf(1),
        topicId: TOPIC,
        deletedAt: AT,
        deletedBy: BEN,
        message: { id: idOf(1), topicId: TOPIC, senderId: BEN },
      }),
    )
    await until(() => tab.state().position === 12)
    answerNow()
    await opened
    expect(tab.texts()).toEqual(['Message 2', 'Message 3'])
  })
})
