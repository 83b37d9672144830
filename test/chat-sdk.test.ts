import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryState } from '@chat-adapter/state-memory'
import { threadIdContract } from '@chat-adapter/tests'
import { matchers } from '@chat-adapter/tests/matchers'
import {
  Actions,
  Button,
  Card,
  CardText,
  Chat,
  emoji,
  Field,
  Fields,
  LinkButton,
  Select,
  SelectOption,
  Table,
} from 'chat'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildAdapter } from '../adapters/chat-sdk/build.mjs'
import { actionIdOf, elementIdOf } from '../adapters/chat-sdk/cards.ts'
import {
  createParleyAdapter,
  type ParleyAdapter,
  type ParleyAdapterOptions,
} from '../adapters/chat-sdk/index.ts'
import { buildPackage } from '../sdk/build.mjs'
import { setBot } from '../server/actions/bots/bots.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { ROOT } from './support/pages.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { ON_LOOPBACK, startDispatcher, startReceiver, until } from './support/receiver.ts'
import { openStream } from './support/stream.ts'

expect.extend(matchers)

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let jobs: { stop(): Promise<void> }
const running: Chat[] = []

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  jobs = startJobs(server)
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor' })
  ben = await signInAs(server, { orgId, name: 'Ben Ito' })
})
afterEach(async () => {
  for (const chat of running.splice(0)) await chat.shutdown()
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

type Scene = {
  chat: Chat<{ parley: ParleyAdapter }>
  adapter: ParleyAdapter
  bot: StaticTestBot
  topicId: string
  state: ReturnType<typeof createMemoryState>
  optionsOf(): ParleyAdapterOptions
}

const logger = 'silent'
function chatWith(adapter: ParleyAdapter, state = createMemoryState()) {
  const chat = new Chat({ userName: 'helper', adapters: { parley: adapter }, state, logger })
  running.push(chat)
  return chat
}

/** A bot in a topic with Ada and Ben, which begins to listen with `chat.initialize()`. */
async function stage(name: string, options: ParleyAdapterOptions = {}): Promise<Scene> {
  const bot = await staticBot(server, orgId, name, { opensDirectMessages: true })
  const members = [ada.profileId, ben.profileId]
  const topicId: string = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
  const { apiKey, apiSecret } = bot.credentials
  const optionsOf = () => ({ url: server.url, apiKey, apiSecret, ...options })
  const adapter = createParleyAdapter(optionsOf())
  const state = createMemoryState()
  return { chat: chatWith(adapter, state), adapter, bot, topicId, state, optionsOf }
}

async function say(who: TestPerson, topicId: string, text: string, more: object = {}): Promise<string> {
  const { status, body, text: refusal } = await chatOf(who).post('messages', { topicId, text, ...more })
  expect(status, refusal).toBe(201)
  return Object(body).id
}

type Read = { id: string; text: string; parentId?: string; reactions: object[]; stream?: object }
async function messagesOf({ bot, topicId }: Pick<Scene, 'bot' | 'topicId'>): Promise<Read[]> {
  return Object((await bot.get(`/v2/topics/${topicId}/messages?order=asc&limit=100`)).body).messages
}
const textsOf = async (scene: Scene): Promise<string[]> => (await messagesOf(scene)).map(({ text }) => text)
const own = async (scene: Scene): Promise<Read[]> =>
  (await messagesOf(scene)).filter((message) => Object(message).senderId === scene.bot.id)

/** Reads a topic, or a thread in it, as a person sees it. */
async function seenBy(
  who: TestPerson,
  topicId: string,
  threadId?: string,
): Promise<{ messages: Read[]; notes: object[] }> {
  const thread = threadId === undefined ? '' : `&threadId=${threadId}`
  return Object((await chatOf(who).get(`topics/${topicId}/history?limit=100${thread}`)).body)
}

async function press(who: TestPerson, { bot }: Scene, messageId: string, place: number, value?: string) {
  const { actions } = Object((await bot.get(`/v2/messages/${messageId}`)).body)
  const answer = { actionsId: actions.id, hash: actions.hash, elementId: actions.elements[place].id }
  const { status, text } = await chatOf(who).post(`actions/${messageId}/press`, {
    ...answer,
    ...(value && { value }),
  })
  expect(status, text).toBe(201)
}

const TOPIC = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const FIRST = '0197a1b2-c3d5-7a6b-9c8d-7e6f5a4b3c2d'
const unconnected = createParleyAdapter({ url: 'http://localhost', apiKey: 'key', apiSecret: 'secret' })

threadIdContract({
  name: 'parley',
  encode: (thread) => unconnected.encodeThreadId(thread),
  decode: (id) => unconnected.decodeThreadId(id),
  cases: [
    {
      decoded: { topicId: TOPIC, messageId: FIRST, isDirectMessage: false },
      encoded: `parley:${TOPIC}:${FIRST}`,
    },
    { decoded: { topicId: TOPIC, isDirectMessage: false }, encoded: `parley:${TOPIC}` },
    { decoded: { topicId: TOPIC, isDirectMessage: true }, encoded: `parley:dm:${TOPIC}` },
    { decoded: { topicId: TOPIC, messageId: FIRST, isDirectMessage: true } },
  ],
  isDM: {
    fn: (id) => unconnected.isDM(id),
    dmThreadId: `parley:dm:${TOPIC}`,
    nonDmThreadId: `parley:${TOPIC}:${FIRST}`,
  },
})

it.each([
  'slack:C1:1',
  `parley:${TOPIC}:${FIRST}:x`,
  'parley:..',
  `parley:${TOPIC}/../x`,
  `x\nparley:${TOPIC}`,
])('refuses %s as a thread', (id) =>
  expect(() => unconnected.decodeThreadId(id)).toThrow('is not a thread of Parley'),
)

it('names missing credentials', () => {
  expect(() => createParleyAdapter({ url: 'http://localhost' })).toThrow('apiKey is missing')
})

describe('by polling', () => {
  it('a mention is answered in its thread, and what follows there is heard', async () => {
    const scene = await stage('Helper')
    const { chat, bot, topicId, state } = scene
    const heard: string[] = []
    chat.onNewMention(async (thread, message) => {
      heard.push(`mention ${message.text}`)
      await thread.subscribe()
      await thread.startTyping()
      await thread.post(`Hello ${thread.mentionUser(message.author.userId)} ${emoji.rocket}`)
    })
    chat.onSubscribedMessage(async (thread, message) => {
      heard.push(`followed ${message.text}`)
      expect([message.isMention, message.author.fullName, message.author.isBot]).toEqual([
        false,
        'Ben Ito',
        false,
      ])
      await thread.post({ markdown: `You said **${message.text}**` })
    })
    chat.onNewMessage(/./, (_, message) => void heard.push(`message ${message.text}`))
    await chat.initialize()
    const asked = await say(ada, topicId, `<@${bot.id}> are you **there**?`)
    await until(async () => (await own(scene)).length === 1)
    const threadId = `parley:${topicId}:${asked}`
    await expect(state).toBeSubscribedTo(threadId)
    await say(ben, topicId, 'elsewhere, @Helper, without a mention')
    await say(ben, topicId, 'and more', { parentId: asked })
    await until(async () => (await own(scene)).length === 2)

    expect(heard.toSorted()).toEqual([
      'followed and more',
      'mention @Helper are you there?',
      'message elsewhere, @Helper, without a mention',
    ])
    expect((await own(scene)).map(({ text, parentId }) => [text, parentId])).toEqual([
      [`Hello <@${ada.profileId}> 🚀`, asked],
      ['You said **and more**', asked],
    ])
    const read: string[] = []
    for await (const message of chat.thread(threadId).allMessages) read.push(message.text)
    expect(read).toEqual(['@Helper are you there?', 'Hello @Ada Okafor 🚀', 'and more', 'You said and more'])
  })

  it('a direct message is one conversation, and the bot opens one itself', async () => {
    const scene = await stage('Direct')
    const { chat, adapter, bot } = scene
    chat.onDirectMessage(async (thread, message) => {
      await thread.post(`${thread.id}: ${message.text}`)
    })
    await chat.initialize()
    const opened = Object((await chatOf(ada).post('direct-messages', { memberIds: [bot.id] })).body).id
    await say(ada, opened, 'psst')
    const place = { ...scene, topicId: opened }
    await until(async () => (await own(place)).length === 1)
    expect((await own(place))[0]).toMatchObject({ text: `parley:dm:${opened}: psst` })
    expect(Object((await own(place))[0]).parentId).toBeUndefined()
    expect(await adapter.openDM(ada.profileId)).toBe(`parley:dm:${opened}`)
    expect(await adapter.fetchThread(`parley:dm:${opened}`)).toMatchObject({
      isDM: true,
      channelName: 'Ada Okafor',
    })
    expect(await adapter.getUser(ada.profileId)).toMatchObject({ fullName: 'Ada Okafor', isBot: false })
    expect(await adapter.getUser(TOPIC)).toBeNull()
  })

  it('a message is posted, edited, reacted to and deleted', async () => {
    const scene = await stage('Writer')
    const { chat, adapter, topicId } = scene
    await chat.initialize()
    const sent = await chat.channel(`parley:${topicId}`).post('one')
    expect(sent.threadId).toBe(`parley:${topicId}:${sent.id}`)
    await sent.edit({
      ast: {
        type: 'root',
        children: [
          { type: 'paragraph', children: [{ type: 'strong', children: [{ type: 'text', value: 'two' }] }] },
        ],
      },
    })
    await sent.addReaction(emoji.thumbs_up)
    await sent.addReaction('🎉')
    expect((await messagesOf(scene))[0]).toMatchObject({
      text: '**two**',
      isEdited: true,
      reactions: [
        { emoji: '👍', count: 1 },
        { emoji: '🎉', count: 1 },
      ],
    })
    await sent.removeReaction(emoji.thumbs_up)
    expect((await messagesOf(scene))[0]).toMatchObject({ reactions: [{ emoji: '🎉', count: 1 }] })
    expect(await adapter.fetchMessage(sent.threadId, sent.id)).toMatchObject({
      text: 'two',
      author: { isMe: true },
    })
    await sent.delete()
    expect(await messagesOf(scene)).toEqual([])
    expect(await adapter.fetchMessage(sent.threadId, sent.id)).toBeNull()
  })

  it('reactions, edits and deletions of people are heard', async () => {
    const scene = await stage('Listener')
    const { chat, topicId } = scene
    const heard: unknown[] = []
    chat.onReaction(['thumbs_up'], async ({ added, user, message, thread }) => {
      heard.push([added, user.fullName, message?.text, thread.id])
    })
    chat.onMessageUpdated(
      (thread, message, previous) => void heard.push([thread.id, previous?.text, message.text]),
    )
    chat.onMessageDeleted(({ messageId, threadId }) => void heard.push([messageId, threadId]))
    await chat.initialize()
    const id = await say(ada, topicId, 'first')
    const { body } = await chatOf(ben).post(`messages/${id}/reactions`, { reaction: '👍' })
    await chatOf(ben).post(`messages/${id}/reactions`, { reaction: '🎉' })
    await until(() => heard.length === 1)
    await chatOf(ben).delete(`messages/${id}/reactions/${Object(body).id}`)
    await until(() => heard.length === 2)
    await chatOf(ada).patch(`messages/${id}`, { text: 'second' })
    await until(() => heard.length === 3)
    await chatOf(ada).delete(`messages/${id}`)
    await until(() => heard.length === 4)
    const threadId = `parley:${topicId}:${id}`
    expect(heard).toEqual([
      [true, 'Ben Ito', 'first', threadId],
      [false, 'Ben Ito', 'first', threadId],
      [threadId, 'first', 'second'],
      [id, `parley:${topicId}`],
    ])
  })

  it('what was not finished comes again, and nothing is sent twice', async () => {
    const scene = await stage('Stumbling')
    const { chat, topicId, optionsOf, bot } = scene
    let tries = 0
    const answer = (isBroken: boolean, on: Chat) =>
      on.onNewMention(async (thread) => {
        tries += 1
        await thread.post('working …')
        if (isBroken) throw new Error('stumbled')
        await thread.post('working …')
        await thread.post('done')
      })
    answer(true, chat)
    await chat.initialize()
    await say(ada, topicId, `<@${bot.id}> go`)
    await until(() => tries === 2)
    // Stopped between two tries, as if it were killed: the event is not confirmed.
    await chat.shutdown()
    const next = chatWith(createParleyAdapter(optionsOf()))
    answer(false, next)
    await next.initialize()
    await until(async () => (await textsOf(scene)).includes('done'))
    expect((await own(scene)).map(({ text }) => text)).toEqual(['working …', 'working …', 'done'])
  })

  it('ends with the shutdown', async () => {
    const { chat, bot, topicId } = await stage('Ending')
    const heard: string[] = []
    chat.onNewMention((_, message) => void heard.push(message.text))
    await chat.initialize()
    await say(ada, topicId, `<@${bot.id}> one`)
    await until(() => heard.length === 1)
    await chat.shutdown()
    await say(ada, topicId, `<@${bot.id}> two`)
    const { updates } = Object((await bot.get('/v2/updates?offset=oldest&limit=100')).body)
    expect(JSON.stringify(updates)).toContain('> two')
    expect(heard).toEqual(['@Ending one'])
  })
})

describe('by webhook', () => {
  it('deliveries are checked, handled once, and handled again where a handler failed', async () => {
    const scene = await stage('Hooked', { mode: 'webhook' })
    const { chat, bot, topicId } = scene
    const heard: string[] = []
    const stumbles: string[] = []
    chat.onNewMention(async (thread, message) => {
      heard.push(message.text)
      if (stumbles.shift()) throw new Error('stumbled')
      await thread.post(`heard ${message.text}`)
    })
    await chat.initialize()
    const receiver = await startReceiver()
    const waited: Promise<unknown>[] = []
    const tell = (headers: Headers, body: Uint8Array<ArrayBuffer>) =>
      chat.webhooks.parley(new Request('http://bot.example/', { method: 'POST', headers, body }), {
        waitUntil: (task) => void waited.push(task),
      })
    const headersOf = ({ headers }: { headers: object }) =>
      new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
    receiver.otherwise = async (received) =>
      (await tell(headersOf(received), new Uint8Array(received.raw))).status
    await server.parley.db.write(orgId, (tx) =>
      setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: receiver.url }),
    )
    const dispatcher = startDispatcher(server)
    await say(ada, topicId, `<@${bot.id}> hello`)
    await until(async () => (await own(scene)).length === 1)
    const [delivery] = receiver.received.filter(({ event }) => event.type === 'message.created')
    if (!delivery) throw new Error('the message was delivered')
    const again = (change: Record<string, string> = {}, body = new Uint8Array(delivery.raw)) => {
      const headers = headersOf(delivery)
      for (const [name, value] of Object.entries(change)) headers.set(name, value)
      return tell(headers, body)
    }
    expect((await again()).status, 'a repeat').toBe(204)
    const wrong = [
      await again({ 'x-service-signature': '0'.repeat(64) }),
      await again({ 'x-service-timestamp': String(Date.now() - 6 * 60_000) }),
      await again({}, new TextEncoder().encode(delivery.body.toString().replace('hello', 'trust me'))),
      await again({}, new TextEncoder().encode('{}')),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(heard).toEqual(['@Hooked hello'])

    stumbles.push('once')
    await dispatcher.stop()
    const before = receiver.received.length
    receiver.otherwise = 200
    const keeping = startDispatcher(server)
    await say(ada, topicId, `<@${bot.id}> stumble`)
    const failing = (await receiver.has(before + 1))
      .slice(before)
      .find(({ body }) => `${body}`.includes('stumble'))
    if (!failing) throw new Error('the message was delivered')
    const deliver = () => tell(headersOf(failing), new Uint8Array(failing.raw))
    expect([(await deliver()).status, (await deliver()).status, (await deliver()).status]).toEqual([
      500, 204, 204,
    ])
    expect(heard).toEqual(['@Hooked hello', '@Hooked stumble', '@Hooked stumble'])
    await Promise.all(waited)
    expect(waited.length).toBeGreaterThan(5)
    await keeping.stop()
    await receiver.close()
  })

  it('a delivery to a second process is left to the first', async () => {
    const scene = await stage('Two', { mode: 'webhook' })
    const { chat, bot, topicId, state, optionsOf } = scene
    const twin = chatWith(createParleyAdapter(optionsOf()), state)
    const heard: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    for (const one of [chat, twin])
      one.onNewMention(async (_, { text }) => {
        heard.push(text)
        await held
      })
    await chat.initialize()
    await twin.initialize()
    const receiver = await startReceiver()
    await server.parley.db.write(orgId, (tx) =>
      setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: receiver.url }),
    )
    const dispatcher = startDispatcher(server)
    await say(ada, topicId, `<@${bot.id}> hello`)
    await until(() => receiver.received.some(({ event }) => event.type === 'message.created'))
    const delivery = receiver.received.find(({ event }) => event.type === 'message.created')
    const tell = (one: Scene['chat']) => {
      const headers = Object.entries(delivery?.headers ?? {}).map(([name, value]): [string, string] => [
        name,
        `${value}`,
      ])
      const body = new Uint8Array(delivery?.raw ?? [])
      return one.webhooks.parley(new Request('http://bot.example/', { method: 'POST', headers, body }))
    }
    const first = tell(chat)
    await until(() => heard.length === 1)
    expect((await tell(twin)).status).toBe(500)
    release()
    expect((await first).status).toBe(204)
    expect((await tell(twin)).status).toBe(204)
    expect(heard).toEqual(['@Two hello'])
    await dispatcher.stop()
    await receiver.close()
  })
})

describe('cards', () => {
  it('have buttons and choices whose presses are actions, until the card is edited', async () => {
    const scene = await stage('Dealer')
    const { chat, topicId, bot } = scene
    const heard: unknown[] = []
    chat.onNewMention(async (thread) => {
      await thread.post(
        Card({
          title: 'Release 1.4',
          subtitle: 'of today',
          children: [
            CardText('Shall it go out?'),
            Fields([Field({ label: 'Changes', value: '12' })]),
            Table({ headers: ['a', 'b|c'], rows: [['1', '2\n3']] }),
            Actions([
              Button({ id: 'deploy/now', label: 'Deploy', style: 'primary', value: 'eu' }),
              Button({ id: 'deploy/now', label: 'Deploy to the US', value: 'us' }),
              LinkButton({ label: 'Changes', url: 'https://example.com/' }),
              Button({ id: 'no', label: 'Not there', disabled: true }),
              Select({
                id: 'day',
                label: 'Which day?',
                options: [SelectOption({ label: 'Monday', value: 'mon' })],
              }),
            ]),
          ],
        }),
      )
    })
    chat.onAction('deploy/now', async (event) => {
      heard.push([event.actionId, event.value, event.user.fullName, event.threadId])
      await event.thread?.postEphemeral(event.user, 'Noted', { fallbackToDM: false })
      if (event.value === 'us') await event.adapter.editMessage(event.threadId, event.messageId, 'Deployed')
    })
    chat.onAction('day', (event) => void heard.push([event.actionId, event.value]))
    await chat.initialize()
    const asked = await say(ada, topicId, `<@${bot.id}> go`)
    await until(async () => (await own(scene)).length === 1)
    const [card] = await own(scene)
    if (!card) throw new Error('there is a card')
    expect(card.text).toBe(
      '**Release 1.4**\n\n_of today_\n\nShall it go out?\n\n**Changes:** 12\n\n| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |\n\n[Changes](https://example.com/)',
    )
    expect(Object(card).actions.elements).toMatchObject([
      { text: 'Deploy', style: 'primary', value: 'eu' },
      { text: 'Deploy to the US', value: 'us' },
      { text: 'Which day?', options: [{ text: 'Monday', value: 'mon' }] },
    ])
    await press(ada, scene, card.id, 0)
    const notes = async () => (await seenBy(ada, topicId, asked)).notes
    await expect.poll(notes).toMatchObject([{ text: 'Noted', messageId: card.id }])
    await press(ben, scene, card.id, 2, 'mon')
    await press(ada, scene, card.id, 1)
    await until(async () => (await own(scene))[0]?.text === 'Deployed')
    expect(Object((await own(scene))[0]).actions).toBeUndefined()
    const threadId = `parley:${topicId}:${asked}`
    expect(heard).toHaveLength(3)
    expect(heard).toEqual(
      expect.arrayContaining([
        ['deploy/now', 'eu', 'Ada Okafor', threadId],
        ['deploy/now', 'us', 'Ada Okafor', threadId],
        ['day', 'mon'],
      ]),
    )
  })

  it('have ids that Parley takes, whatever the bot calls its actions', () => {
    for (const id of ['deploy', 'deploy/now', 'Grüße 🎈', ':3a', '0-1', '', 'a%20b'])
      expect([actionIdOf(elementIdOf(id, 3)), /^[\w.:-]+$/.test(elementIdOf(id, 3))]).toEqual([id, true])
    for (const foreign of ['refuse', 'not-now', '1-a:b', 'a:b', '3-:zz'])
      expect(actionIdOf(foreign)).toBe(foreign)
    expect(actionIdOf('3-:ff')).toBe('\ufffd')
  })

  it('refuse a button whose id is too long, before anything is sent', async () => {
    const scene = await stage('Long')
    await scene.chat.initialize()
    const card = Card({ children: [Actions([Button({ id: 'ö'.repeat(12), label: 'Press' })])] })
    await expect(scene.chat.channel(`parley:${scene.topicId}`).post(card)).rejects.toThrow(
      'too long for Parley',
    )
    expect(await messagesOf(scene)).toEqual([])
  })
})

it('commands are set, and come as commands alone', async () => {
  const commands = [{ name: 'deploy', description: 'Deploy a version' }]
  const scene = await stage('Commander', { commands })
  const { chat, topicId, bot } = scene
  const heard: unknown[] = []
  chat.onSlashCommand('/deploy', async (event) => {
    heard.push([event.command, event.text, event.user.fullName, event.channel.id])
    await event.channel.post('on it')
    await event.channel.postEphemeral(event.user, 'for you', { fallbackToDM: false })
  })
  chat.onNewMessage(/./, (_, message) => void heard.push(message.text))
  await chat.initialize()
  expect((await bot.get('/v2/commands')).body).toMatchObject({ commands })
  const other = await staticBot(server, orgId, 'Watcher')
  await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [other.id] })
  const id = await say(ada, topicId, `/deploy production <@${other.id}>`)
  await say(ada, topicId, `/deploy <@${other.id}> is theirs`)
  await say(ada, topicId, '/deployment is a word')
  await until(async () => heard.length >= 3 && (await own(scene)).length === 1)
  expect(heard).toHaveLength(3)
  expect(heard).toEqual(
    expect.arrayContaining([
      ['/deploy', `production <@${other.id}>`, 'Ada Okafor', `parley:${topicId}`],
      '/deploy @Watcher is theirs',
      '/deployment is a word',
    ]),
  )
  const notes = async () => (await seenBy(ada, topicId)).notes
  await expect.poll(notes).toMatchObject([{ text: 'for you', messageId: id }])
})

describe('a stream', () => {
  it('is one message that grows, with its tasks as steps', async () => {
    const scene = await stage('Streaming')
    const { chat, topicId, bot } = scene
    chat.onNewMention(async (thread) => {
      async function* speak() {
        yield 'one '
        yield { type: 'task_update' as const, id: 'look', title: 'Looks', status: 'in_progress' as const }
        yield { type: 'markdown_text' as const, text: `**two** ${emoji.fire}` }
        yield { type: 'task_update' as const, id: 'look', title: 'Looks', status: 'complete' as const }
        yield { type: 'plan_update' as const, title: 'not shown' }
      }
      const sent = await thread.post(speak())
      await sent.addReaction(emoji.check)
    })
    await chat.initialize()
    const asked = await say(ada, topicId, `<@${bot.id}> speak`)
    await until(async () => (await own(scene))[0]?.reactions.length === 1)
    expect(await own(scene)).toMatchObject([
      { text: 'one **two** 🔥', parentId: asked, steps: [{ id: 'look', title: 'Looks', status: 'done' }] },
    ])
  })

  it('ends when a person stops it, and its source hears of it', async () => {
    const scene = await stage('Stopped')
    const { chat, topicId, bot } = scene
    const seen = await openStream(ada, orgId)
    let isOver = false
    chat.onNewMention(async (thread) => {
      async function* speak() {
        yield 'and so on'
        await new Promise((resolve) => thread.signal.addEventListener('abort', resolve))
      }
      await thread.post(speak())
      isOver = true
    })
    await chat.initialize()
    await say(ada, topicId, `<@${bot.id}> speak`)
    const { data } = await seen.next(
      ({ event, data }) => event === 'streaming' && JSON.stringify(data).includes('and so on'),
    )
    const [{ messageId: id }] = Object(data).texts
    expect((await chatOf(ada).post(`streaming/${id}/stop`)).status).toBe(204)
    await until(() => isOver)
    expect(await own(scene)).toMatchObject([{ id, stream: { status: 'stopped' } }])
    seen.close()
  })
})

it('files go out and come in', async () => {
  const scene = await stage('Filing')
  const { chat, adapter, topicId, bot } = scene
  const heard: [string | undefined, string | undefined, string][] = []
  chat.onNewMention(async (thread, { attachments }) => {
    const [file] = attachments
    const stored: unknown = JSON.parse(JSON.stringify({ ...file, fetchData: undefined }))
    for (const one of [file, adapter.rehydrateAttachment(Object(stored))])
      heard.push([one?.name, one?.type, new TextDecoder().decode(await one?.fetchData?.())])
    await thread.post({
      markdown: 'Here',
      files: [{ filename: 'answer.txt', data: Buffer.from('42') }],
      attachments: [{ type: 'file', name: 'more.txt', data: new Blob(['43']) }],
    })
    await thread.post({
      card: Card({ title: 'Both', children: [Actions([Button({ id: 'ok', label: 'OK' })])] }),
      files: [{ filename: 'third.txt', data: new TextEncoder().encode('44').buffer }],
    })
    await expect(
      thread.schedule(
        { markdown: 'x', files: [{ filename: 'a', data: Buffer.from('b') }] },
        { postAt: new Date(Date.now() + 60_000) },
      ),
    ).rejects.toThrow('no files')
  })
  await chat.initialize()
  const { body, contentType } = form({ topicId, caption: `<@${bot.id}> look` }, [
    { name: 'question.txt', content: 'What?' },
  ])
  const sent = await chatOf(ada).post('messages', body, { headers: { 'content-type': contentType } })
  expect(sent.status, sent.text).toBe(200)
  await until(async () => (await own(scene)).length === 3)
  expect(heard).toEqual([
    ['question.txt', 'file', 'What?'],
    ['question.txt', 'file', 'What?'],
  ])
  const found = (await own(scene)).map((message) => [
    message.text,
    Object(message)
      .attachmentDetails?.map(Object)
      .map(({ name }: { name: string }) => name),
  ])
  expect(found).toEqual(
    expect.arrayContaining([
      ['Here', ['answer.txt', 'more.txt']],
      ['', ['third.txt']],
      ['**Both**', undefined],
    ]),
  )
})

it('history is read in pages, in both directions, and a topic without replies', async () => {
  const scene = await stage('Reader')
  const { adapter, bot, topicId } = scene
  const first = await say(ada, topicId, 'first')
  await say(ada, topicId, 'second')
  for (const text of ['a', 'b', 'c']) await say(ben, topicId, text, { parentId: first })
  await scene.chat.initialize()
  const threadId = `parley:${topicId}:${first}`
  async function pagesOf(direction: 'forward' | 'backward', limit: number): Promise<string[][]> {
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = await adapter.fetchMessages(threadId, { direction, limit, ...(cursor && { cursor }) })
      pages.push(page.messages.map(({ text }) => text))
      cursor = page.nextCursor
    } while (cursor)
    return pages
  }
  expect(await pagesOf('forward', 1)).toEqual([['first'], ['a'], ['b'], ['c']])
  expect(await pagesOf('forward', 3)).toEqual([['first', 'a', 'b'], ['c']])
  expect(await pagesOf('backward', 3)).toEqual([['a', 'b', 'c'], ['first']])
  expect(await pagesOf('backward', 2)).toEqual([
    ['b', 'c'],
    ['first', 'a'],
  ])
  expect(await pagesOf('backward', 50)).toEqual([['first', 'a', 'b', 'c']])
  const top = await adapter.fetchChannelMessages(`parley:${topicId}`)
  expect(top.messages.map(({ text, threadId: id }) => [text, id.endsWith(first)])).toEqual([
    ['first', true],
    ['second', false],
  ])
  expect((await adapter.listThreads(`parley:${topicId}`)).threads).toMatchObject([
    { id: threadId, replyCount: 3 },
  ])
  expect(await adapter.fetchThread(threadId)).toMatchObject({
    channelId: `parley:${topicId}`,
    channelName: 'Releases',
    isDM: false,
    channelVisibility: 'private',
  })
  const elsewhere = Object((await bot.post('/v2/topics', { name: 'Elsewhere', members: [] })).body).id
  expect(await adapter.fetchMessage(`parley:${elsewhere}:${first}`, first), 'of another topic').toBeNull()
})

it('a message is scheduled, and taken back', async () => {
  const scene = await stage('Later')
  await scene.chat.initialize()
  const postAt = new Date(Date.now() + 3_600_000)
  const channel = scene.chat.channel(`parley:${scene.topicId}`)
  const scheduled = await channel.schedule('Stand-up!', { postAt })
  const list = async () => Object((await scene.bot.get('/v2/scheduled-messages')).body).scheduledMessages
  expect(await list()).toMatchObject([
    { id: scheduled.scheduledMessageId, text: 'Stand-up!', sendAt: postAt.getTime() },
  ])
  await scheduled.cancel()
  expect(await list()).toEqual([])
})

it('the bot of the page answers, and goes on after a kill', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chat-sdk-'))
  const modules = join(folder, 'node_modules')
  for (const [name, source] of [
    ['sdk', 'sdk'],
    ['chat-sdk-adapter', 'adapters/chat-sdk'],
  ] as const) {
    const own = join(modules, '@parley-chat', name)
    await mkdir(own, { recursive: true })
    await copyFile(join(ROOT, source, 'package.json'), join(own, 'package.json'))
  }
  await buildPackage(join(modules, '@parley-chat/sdk/dist'))
  await buildAdapter(join(modules, '@parley-chat/chat-sdk-adapter/dist'))
  for (const name of ['chat', '@chat-adapter'])
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  const [, program = ''] =
    /```js\n([\s\S]*?)```/.exec(await readFile(join(ROOT, 'docs/chat-sdk.md'), 'utf8')) ?? []
  await writeFile(join(folder, 'bot.mjs'), program)

  const scene = await stage('Page')
  const { apiKey, apiSecret } = scene.bot.credentials
  const env = { PARLEY_URL: server.url, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret }
  const start = () =>
    spawn(process.execPath, ['bot.mjs'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const end = async (bot: ReturnType<typeof spawn>) => {
    bot.kill('SIGKILL')
    await once(bot, 'exit')
  }
  const first = start()
  const asked = await say(ada, scene.topicId, `<@${scene.bot.id}> hello`)
  await until(async () => (await own(scene)).length === 1)
  await say(ada, scene.topicId, 'more', { parentId: asked })
  await until(async () => (await own(scene)).length === 2)
  await end(first)
  await say(ada, scene.topicId, `<@${scene.bot.id}> again`)
  const second = start()
  await until(async () => (await textsOf(scene)).includes('You said: @Page again'))
  await end(second)
  expect((await own(scene)).map(({ text }) => text)).toEqual([
    'You said: @Page hello',
    'And then: more',
    'You said: @Page again',
  ])
  await rm(folder, { recursive: true, force: true })
})
