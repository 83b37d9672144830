import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Message } from '../contract/message.ts'
import type { ChatTopic } from '../contract/people/chat-records.ts'
import type { Fetch } from '../web/src/api/chat.ts'
import type { ChatState } from '../web/src/chat/model.ts'
import { conversationItems } from '../web/src/chat/store/selectors.ts'
import { Hub } from '../web/src/chat/sync/hub.ts'
import { type OpenChat, openChat } from '../web/src/chat/sync/open-chat.ts'
import type { ToHub, ToTab } from '../web/src/chat/sync/protocol.ts'
import { organization, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { lastSeq } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { until } from './support/receiver.ts'

const STEPS = 200
const COMPARED_EVERY = 50
const EMOJI = ['👍', '🎉', '👀']
/** Equal seeds give equal stories: `REBUILD_SEED=… npx vitest run test/chat-rebuild.test.ts` */
const SEED = Number(process.env.REBUILD_SEED ?? 1)

let server: TestParley
const open: OpenChat[] = []
beforeAll(async () => {
  server = await startTestParley()
})
afterAll(async () => {
  for (const chat of open) chat.close()
  await server.close()
})

/** A small, fast and portable generator (mulberry32). */
function diceOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  const maybe = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)]
  return { below, maybe }
}

/** A browser of this person, over real HTTP: hub and tab as in a page, with nothing kept. */
function openFor(who: TestPerson): OpenChat {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const fetcher: Fetch = (url, init) =>
    fetch(`${who.url}${url}`, { ...init, headers: { ...init?.headers, cookie, origin: who.url } })
  const hub = new Hub({
    fetcher,
    storage: () => ({ load: async () => [], put: async () => {}, delete: async () => {} }),
  })
  let toHub: (message: ToHub) => void = () => {}
  let toTab: (message: ToTab) => void = () => {}
  hub.connect({
    post: (message) => void setTimeout(() => toTab(message), 0),
    listen: (hear) => {
      toHub = hear
    },
  })
  const chat = openChat({
    accountId: who.accountId,
    organizationId: who.orgId,
    port: {
      post: (message) => void setTimeout(() => toHub(message), 0),
      listen: (hear) => {
        toTab = hear
      },
    },
    kept: {
      load: async () => undefined,
      save: () => {},
      flush: () => {},
      forget: async () => {},
      emptied: { all: () => [], add: () => {}, told: () => {}, remove: () => {}, forget: () => {} },
      putOutgoing: async () => true,
    },
    fetcher,
    schedule: (work) => {
      const timer = setTimeout(work, 1)
      return () => clearTimeout(timer)
    },
    upload: () => ({ result: new Promise(() => {}), stop: () => {} }),
  })
  open.push(chat)
  return chat
}

async function startedFor(who: TestPerson): Promise<OpenChat> {
  const chat = openFor(who)
  const state = () => chat.store.getSnapshot()
  await until(() => state().connection === 'live' && state().members.size > 1)
  for (const { id } of state().topics.values()) await openWhole(chat, id)
  return chat
}

/** Opens every message of the topic, so that no difference stays hidden. */
async function openWhole({ actions, store }: OpenChat, topicId: string): Promise<void> {
  await actions.openConversation({ topicId })
  while (store.getSnapshot().conversations.get(topicId)?.hasBefore) await actions.loadBefore(topicId)
}

/** The state as plain data, without a topic's last change, which no event carries. */
function plain(state: ChatState) {
  const topics = [...state.topics.values()].filter(({ isMember }) => isMember)
  return {
    me: state.me,
    members: [...state.members.values()].sort((one, other) => one.id.localeCompare(other.id)),
    topics: topics.map(plainTopic).sort((one, other) => one.id.localeCompare(other.id)),
    drafts: [...state.drafts.values()].flatMap(({ topicId, text }) => (text ? [[topicId, text]] : [])).sort(),
    messages: Object.fromEntries(
      topics.map(({ id }) => [
        id,
        conversationItems(state, id).map(({ message, outgoing }) =>
          message ? { ...message, reactions: inOneOrder(message.reactions) } : outgoing,
        ),
      ]),
    ),
    cards: Object.fromEntries(
      topics.map(({ id }) => [
        id,
        conversationItems(state, id).flatMap(({ message }) => cardOf(state, message)),
      ]),
    ),
  }
}

/** Sorts reactions: a person's own shows at once, before another's that was a moment earlier. */
const inOneOrder = (reactions: Message['reactions']) =>
  reactions
    .map(({ userIds, ...reaction }) => ({ ...reaction, userIds: [...(userIds ?? [])].sort() }))
    .sort((one, other) => one.emoji.localeCompare(other.emoji))

/**
 * The state of a message's poll or task, or a bot's note to this person about it. Events carry the time of a task's
 * event, reads the time of its change.
 */
function cardOf({ polls, tasks, notes }: ChatState, message: Message | undefined): unknown[] {
  if (message?.senderType === 'bot') return [notes.get(message.id)?.text]
  const poll = polls.get(message?.poll?.id ?? '')
  if (message?.poll) return [poll && { ...poll, own: [...poll.own].sort() }]
  if (!message?.task) return []
  const task = tasks.get(message.task.id)
  return task ? [{ ...task, updatedAt: undefined }] : [task]
}

const plainTopic = ({ updatedAt: _at, archivedAt, memberIds, ...topic }: ChatTopic) => ({
  ...topic,
  isArchived: archivedAt !== null,
  memberIds: memberIds.slice(0, 8).sort(),
})

it(`tells a chat that only listens what one sees that is opened now (REBUILD_SEED=${SEED})`, async () => {
  const dice = diceOf(SEED)
  const orgId = await organization(server)
  const [ada, ben, cyd] = [
    await signInAs(server, { orgId, role: 'owner', name: 'Ada Okafor' }),
    await signInAs(server, { orgId, name: 'Ben Levi' }),
    await signInAs(server, { orgId, name: 'Cyd Ito' }),
  ]
  const bot = await staticBot(server, orgId)
  const people = [ada, ben, cyd]
  const others = [ben.profileId, cyd.profileId, bot.id]
  for (const name of ['General', 'Random']) {
    const { status } = await chatOf(ada).post('topics', { name, members: others, open: true })
    expect(status).toBe(201)
  }
  const listener = await startedFor(ben)
  const happened = new Map<string, number>()

  const state = () => listener.store.getSnapshot()
  const caughtUp = async () => {
    // A browser hears of an event that is not for its person only with the next heartbeat: the last one is for them.
    const joined = [...state().topics.values()].find(({ isMember }) => isMember)
    await did('sent', chatOf(ada).post('messages', { topicId: joined?.id, text: 'The last word' }))
    const position = await lastSeq(server, orgId)
    await until(
      () => state().position >= position && state().outbox.length === 0 && state().unsavedReads.size === 0,
      () =>
        `the listener at ${state().position} of ${position}, ${JSON.stringify([state().outbox, [...state().unsavedReads]])}`,
    )
    // A topic new to a browser is read after its event.
    const { topics }: { topics: ChatTopic[] } = Object((await chatOf(ben).get('start')).body)
    await until(() => topics.every(({ id }) => state().topics.get(id)?.isMember))
    // Drafts are sent after a second without typing.
    await until(() => state().unsavedDrafts.size === 0)
    for (const { id } of state().topics.values()) await openWhole(listener, id)
  }
  /** Refused messages stay until discarded: a reply to one that was deleted a moment before, or into a topic that was left. */
  const wentOut = async () => {
    await until(() => state().outbox.every((sent) => sent.state === 'failed'))
    for (const { localId } of state().outbox) listener.actions.discard(localId)
  }
  const did = async (name: string, work: Promise<{ status: number }>) => {
    const { status } = await work
    expect(status, name).toBeLessThan(500)
    if (status < 300) happened.set(name, (happened.get(name) ?? 0) + 1)
  }
  const own = async (name: string, work: Promise<unknown> | undefined) => {
    await work?.then(
      () => happened.set(name, (happened.get(name) ?? 0) + 1),
      () => {},
    )
  }

  for (let step = 1; step <= STEPS; step++) {
    const topicIds = [...state().topics.keys()]
    const topicId = dice.maybe(topicIds) ?? ''
    const shown = conversationItems(state(), topicId).flatMap(({ message }) => message ?? [])
    const message = dice.maybe(shown.slice(-15))
    const who = dice.maybe(people) ?? ada
    const poll = dice.maybe(shown.filter((one) => one.poll))
    const question = dice.maybe(shown.filter((one) => one.actions))
    const task = dice.maybe(shown.filter((one) => one.task))?.task
    const option = dice.maybe(poll?.poll?.options ?? [])?.id ?? ''
    const author = people.find(({ profileId }) => profileId === message?.senderId)
    const chat = chatOf(who)
    const mention = dice.below(4) === 0 ? ` <@${ben.profileId}>` : ''
    const text = `Step ${step}${mention}`
    const parentId = message && dice.below(3) === 0 ? message.id : undefined
    switch (dice.below(31)) {
      case 0:
      case 1:
      case 2:
        await did('sent', chat.post('messages', { topicId, text, ...(parentId && { parentId }) }))
        break
      case 3:
      case 4:
        await did(
          'sent by the bot',
          bot.post('/v2/messages', { topicId, text, ...(parentId && { parentId }) }),
        )
        break
      case 5:
      case 6:
        listener.actions.send({ topicId, text, ...(parentId && { parentId }) })
        await own('sent here', wentOut())
        break
      case 7:
        if (author) await did('edited', chatOf(author).patch(`messages/${message?.id}`, { text }))
        break
      case 8:
        if (author && dice.below(2) === 0)
          await did('deleted', chatOf(author).delete(`messages/${message?.id}`))
        break
      case 9:
      case 10:
        if (message)
          await did('reacted', chat.post(`messages/${message.id}/reactions`, { reaction: dice.maybe(EMOJI) }))
        break
      case 11:
      case 12:
        if (message)
          await own(
            'reacted here',
            listener.actions.react(message.id, dice.maybe(EMOJI) ?? '👍', dice.below(2) === 0),
          )
        break
      case 13:
        if (message) {
          listener.actions.markRead(topicId, message.id)
          happened.set('read', 1)
        }
        break
      case 14:
        if (message && dice.below(3) === 0)
          await own('unread', listener.actions.markUnread(topicId, message.id))
        break
      case 15:
        await did('renamed', chatOf(ada).patch(`topics/${topicId}`, { name: `Name ${dice.below(5)}` }))
        break
      case 16: {
        const isIn = state().topics.get(topicId)?.memberIds.includes(cyd.profileId)
        await did('came or went', chatOf(cyd).post(`topics/${topicId}/${isIn ? 'leave' : 'join'}`))
        break
      }
      case 17: {
        const topic = state().topics.get(topicId)
        if (topicIds.length > 1) await own('left', listener.actions.leave(topicId))
        if (topic) await own('joined', listener.actions.join(topicId))
        break
      }
      case 18:
        if (topicIds.length < 6)
          await did(
            'created',
            chatOf(ada).post('topics', { name: `Topic ${step}`, members: others, open: true }),
          )
        break
      case 19:
        await own('muted', listener.actions.setTopicState(topicId, { muted: dice.below(2) === 0 }))
        listener.actions.saveDraft({ topicId }, dice.below(2) === 0 ? '' : `Draft ${step}`)
        break
      case 20:
      case 21: {
        const [selectionType, anonymous] = [
          dice.below(2) === 0 ? 'single' : 'multiple',
          dice.below(2) === 0,
        ] as const
        const asked = { question: text, options: ['Yes', 'No', 'Maybe'], selectionType, anonymous }
        if (dice.below(3) > 0) {
          await did('asked', chat.post('polls', { topicId, ...asked }))
          break
        }
        listener.actions.sendCard({ topicId }, { kind: 'poll', poll: asked })
        await own(
          'asked here',
          until(() => state().outbox.length === 0),
        )
        break
      }
      case 22:
        if (poll?.poll) {
          const votes = `polls/${poll.poll.id}/votes`
          await did('voted', chat.post(votes, { optionId: option }))
          if (dice.below(3) === 0)
            await did('retracted', chat.delete(`${votes}/${poll.poll.id}_${option}_${who.profileId}`))
        }
        break
      case 23:
        if (poll) await own('voted here', listener.actions.vote(poll, option, dice.below(3) > 0))
        break
      case 24:
        if (poll?.poll && dice.below(3) === 0)
          await did('closed', chatOf(ada).post(`polls/${poll.poll.id}/close`))
        break
      case 25: {
        const assignee = dice.below(2) === 0 ? ben.profileId : ''
        if (dice.below(2) === 0)
          await did('task made', chat.post('tasks', { topicId, title: text, assignee }))
        else {
          listener.actions.sendCard({ topicId }, { kind: 'task', task: { title: text, assignee } })
          await own(
            'task made here',
            until(() => state().outbox.length === 0),
          )
        }
        break
      }
      case 26: {
        const status = dice.below(2) === 0 ? 'Done' : 'Open'
        const known = state().tasks.get(task?.id ?? '')
        if (known && dice.below(2) === 0)
          await own('task changed here', listener.actions.updateTask(known, { status, title: text }))
        else if (task) await did('task changed', chat.patch(`tasks/${task.id}`, { topicId, status }))
        break
      }
      case 27:
        if (task && dice.below(2) === 0) await did('task deleted', chat.delete(`tasks/${task.id}`))
        else {
          const location = { latitude: step % 90, longitude: -step % 180 }
          listener.actions.sendCard({ topicId }, { kind: 'location', location })
          await own('place sent here', wentOut())
        }
        break
      case 28: {
        const actions = { elements: [{ id: 'yes', text: 'Yes' }], use: dice.below(2) === 0 ? 'once' : 'each' }
        if (!question) await did('asked by the bot', bot.post('/v2/messages', { topicId, text, actions }))
        else if (dice.below(2) === 0)
          await did(
            'asked anew',
            bot.patch(`/v2/messages/${question.id}`, { actions: dice.below(2) === 0 ? null : actions }),
          )
        break
      }
      case 29:
      case 30:
        if (question?.actions) {
          const { id: actionsId } = question.actions
          const pressed = chat.post(`actions/${question.id}/press`, { actionsId, elementId: 'yes' })
          await did('answered the bot', pressed)
          const note = { text: `Note ${step}` }
          await did(
            'noted',
            bot.post(`/v2/actions/${Object((await pressed).body).id ?? ada.profileId}/note`, note),
          )
        }
        break
    }
    // The listener must know a topic before something happens to it: it cannot choose topics that it does not know yet.
    if (step % COMPARED_EVERY !== 0) continue
    await caughtUp()
    const fresh = await startedFor(ben)
    expect(plain(state()), `after step ${step}`).toEqual(plain(fresh.store.getSnapshot()))
    fresh.close()
  }

  // A story proves nothing about events that never happened in it.
  expect(happened.size, [...happened.keys()].join()).toBeGreaterThanOrEqual(20)
})
