import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../contract/message.ts'
import type { Topic, TopicListItem } from '../contract/topics.ts'
import { deleteMessage, editMessage } from '../server/actions/messages/messages.ts'
import { addReaction, removeReaction } from '../server/actions/messages/reactions.ts'
import {
  addTopicMembers,
  createTopic,
  removeTopicMembers,
  updateTopic,
} from '../server/actions/topics/topics.ts'
import type { Transaction } from '../server/db/transaction.ts'
import { Refusal } from '../server/errors.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { eventsFor, type LoggedEvent } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { countOf } from './support/thorough.ts'

const STEPS = 300
const MOST_TOPICS = 6
const EMOJI = ['👍', '🎉', '👀', '❤️']
/** Equal seeds give equal stories: `REBUILD_SEED=… npx vitest run test/events-rebuild.test.ts` */
const SEED = Number(process.env.REBUILD_SEED ?? countOf(1, Date.now() % 1_000_000))

let server: TestParley
beforeAll(async () => {
  server = await startTestParley()
})
afterAll(() => server.close())

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
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const item = maybe(items)
    if (item === undefined) throw new Error('there is nothing to choose from')
    return item
  }
  return { below, maybe, oneOf }
}
type Dice = ReturnType<typeof diceOf>

type KnownMessage = Omit<Message, 'reactions' | 'mentionDetails' | 'replyCount'>
type KnownTopic = {
  name: string
  description: string
  members: Set<string>
  messages: Map<string, KnownMessage>
  /** Users of each emoji by message, both in the order of first use. */
  reactions: Map<string, Map<string, Set<string>>>
}

/** The knowledge of a bot that reads a topic once, when it comes into it, and from then on only listens. */
class Listener {
  readonly bot: StaticTestBot
  readonly topics = new Map<string, KnownTopic>()
  readonly heard = new Map<string, number>()
  joined = 0
  #seq = 0

  constructor(bot: StaticTestBot) {
    this.bot = bot
  }

  async listen(): Promise<void> {
    for (const event of await eventsFor(server, this.bot.id, this.#seq)) {
      this.#seq = event.seq
      this.heard.set(event.type, (this.heard.get(event.type) ?? 0) + 1)
      await this.#hear(event)
    }
  }

  async #hear(event: LoggedEvent): Promise<void> {
    const { topicId } = event
    if (event.type === 'member.added' && event.data.memberIds.includes(this.bot.id)) {
      this.joined += 1
      this.topics.set(topicId, await readTopic(this.bot, topicId))
      return
    }
    const topic = this.topics.get(topicId)
    if (!topic) throw new Error(`${event.type} of a topic that the bot is not in`)
    if (event.type === 'member.removed' && event.data.memberIds.includes(this.bot.id))
      this.topics.delete(topicId)
    else apply(topic, event)
  }
}

function apply(topic: KnownTopic, event: LoggedEvent): void {
  switch (event.type) {
    case 'topic.updated':
      topic.name = event.data.name ?? topic.name
      topic.description = event.data.description ?? topic.description
      return
    case 'member.added':
      for (const member of event.data.memberIds) topic.members.add(member)
      return
    case 'member.removed':
      for (const member of event.data.memberIds) topic.members.delete(member)
      return
    case 'message.created':
    case 'message.updated': {
      const {
        reactions: _none,
        mentionedProfiles,
        mentions: _named,
        attachments: _files,
        ...message
      } = event.data.message
      if ('previousText' in message) {
        expect(message.previousText).toBe(topic.messages.get(message.id)?.text)
        delete message.previousText
      }
      topic.messages.set(message.id, { ...message, attachments: [], mentions: mentionedProfiles })
      return
    }
    case 'message.deleted':
      topic.messages.delete(event.data.messageId)
      topic.reactions.delete(event.data.messageId)
      return
    case 'reaction.added': {
      const { messageId, emoji, userId } = event.data
      const ofMessage = topic.reactions.get(messageId) ?? new Map<string, Set<string>>()
      const users = ofMessage.get(emoji) ?? new Set<string>()
      topic.reactions.set(messageId, ofMessage.set(emoji, users.add(userId)))
      return
    }
    case 'reaction.removed': {
      const { messageId, emoji, userId } = event.data
      const users = topic.reactions.get(messageId)?.get(emoji)
      expect(users?.delete(userId)).toBe(true)
      if (users?.size === 0) topic.reactions.get(messageId)?.delete(emoji)
      return
    }
    default:
      throw new Error(`${event.type} has no place in this story`)
  }
}

/** A topic as the API returns it, in a listener's terms. */
async function readTopic(bot: StaticTestBot, topicId: string): Promise<KnownTopic> {
  const { name, description, memberIds }: Topic = Object((await bot.get(`/v2/topics/${topicId}`)).body)
  const topic: KnownTopic = {
    name,
    description,
    members: new Set(memberIds),
    messages: new Map(),
    reactions: new Map(),
  }
  for (const { reactions, mentionDetails: _names, replyCount: _count, ...message } of await readMessages(
    bot,
    topicId,
  )) {
    topic.messages.set(message.id, message)
    if (reactions.length > 0)
      topic.reactions.set(
        message.id,
        new Map(reactions.map(({ emoji, userIds }) => [emoji, new Set(userIds)])),
      )
  }
  return topic
}

async function readMessages(bot: StaticTestBot, topicId: string): Promise<Message[]> {
  const messages: Message[] = []
  let query = 'order=asc&limit=100&includeReactionUsers=true'
  for (;;) {
    const page = Object((await bot.get(`/v2/topics/${topicId}/messages?${query}`)).body)
    messages.push(...page.messages)
    if (!page.hasMore) return messages
    query = `limit=100&cursor=${page.nextCursor}`
  }
}

async function topicIdsOf(bot: StaticTestBot): Promise<string[]> {
  const { topics, hasMore }: { topics: TopicListItem[]; hasMore: boolean } = Object(
    (await bot.get('/v2/topics?limit=100')).body,
  )
  expect(hasMore).toBe(false)
  return topics.map(({ id }) => id)
}

/** The topic as sorted plain data, so that a difference is easy to read. */
function plain({ members, messages, reactions, ...rest }: KnownTopic) {
  const used = [...reactions].filter(([, byEmoji]) => byEmoji.size > 0)
  return {
    ...rest,
    members: [...members].sort(),
    messages: [...messages.values()],
    reactions: Object.fromEntries(
      used.map(([id, byEmoji]) => [id, [...byEmoji].map(([emoji, users]) => [emoji, [...users]])]),
    ),
  }
}

/** Compares the listeners' state with a fresh read. */
async function compare(...listeners: Listener[]): Promise<void> {
  for (const { bot, topics } of listeners) {
    expect([...topics.keys()].sort()).toEqual((await topicIdsOf(bot)).sort())
    for (const [topicId, known] of topics) expect(plain(known)).toEqual(plain(await readTopic(bot, topicId)))
  }
}

/** A bot that acts over HTTP, or a person who acts as in the chat. Refusals are part of the story. */
type Actor = {
  id: string
  create(name: string, members: string[]): Promise<void>
  send(message: { topicId: string; text: string; parentId?: string }): Promise<void>
  edit(messageId: string, text: string): Promise<void>
  delete(messageId: string): Promise<void>
  /** Returns the id of the reaction. */
  react(messageId: string, emoji: string): Promise<string | undefined>
  unreact(messageId: string, reactionId: string): Promise<void>
  update(topicId: string, changes: { name?: string; description?: string }): Promise<void>
  add(topicId: string, memberIds: string[]): Promise<void>
  remove(topicId: string, memberIds: string[]): Promise<void>
}

function botActor(bot: StaticTestBot): Actor {
  const settled = async (request: Promise<Answer>) => {
    const { status, body } = await request
    expect(status).toBeLessThan(500)
    return status < 300 ? Object(body) : {}
  }
  return {
    id: bot.id,
    create: (name, members) => settled(bot.post('/v2/topics', { name, members })),
    send: (message) => settled(bot.post('/v2/messages', message)),
    edit: (messageId, text) => settled(bot.patch(`/v2/messages/${messageId}`, { text })),
    delete: (messageId) => settled(bot.delete(`/v2/messages/${messageId}`)),
    react: async (messageId, reaction) =>
      (await settled(bot.post(`/v2/messages/${messageId}/reactions`, { reaction }))).id,
    unreact: (messageId, id) => settled(bot.delete(`/v2/messages/${messageId}/reactions/${id}`)),
    update: (topicId, changes) => settled(bot.patch(`/v2/topics/${topicId}`, changes)),
    add: (topicId, memberIds) => settled(bot.post(`/v2/topics/${topicId}/members`, { memberIds })),
    remove: (topicId, memberIds) => settled(bot.delete(`/v2/topics/${topicId}/members`, { memberIds })),
  }
}

function personActor(orgId: string, id: string): Actor {
  const caller = { orgId, profileId: id }
  const unlessRefused = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
  const settled = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    unlessRefused(server.parley.db.write(orgId, work))
  const done = async (work: (tx: Transaction) => Promise<unknown>) => void (await settled(work))
  return {
    id,
    create: (name, members) => done((tx) => createTopic(tx, { createdBy: id, name, members })),
    send: async (message) => void (await unlessRefused(server.parley.messages.sendNow(caller, message))),
    edit: (messageId, text) => done((tx) => editMessage(tx, caller, messageId, { text })),
    delete: (messageId) => done((tx) => deleteMessage(tx, caller, messageId)),
    react: async (messageId, emoji) =>
      (await settled((tx) => addReaction(tx, caller, messageId, emoji)))?.reaction.id,
    unreact: (messageId, reactionId) => done((tx) => removeReaction(tx, caller, messageId, reactionId)),
    update: (topicId, changes) => done((tx) => updateTopic(tx, caller, topicId, changes)),
    add: (topicId, memberIds) => done((tx) => addTopicMembers(tx, caller, topicId, memberIds)),
    remove: (topicId, memberIds) => done((tx) => removeTopicMembers(tx, caller, topicId, memberIds)),
  }
}

/** An organization with random events. */
type Story = {
  observer: Listener
  wanderer: Listener
  actors: Actor[]
  reactions: { by: Actor; messageId: string; id: string }[]
}

async function begin(name: string): Promise<Story> {
  const orgId = await organization(server, name)
  const bots: StaticTestBot[] = []
  for (const bot of ['Observer', 'Wanderer', 'Deploy bot', 'Calendar bot'])
    bots.push(await staticBot(server, orgId, bot))
  const people: string[] = []
  for (const first of ['Ada', 'Grace', 'Hari']) people.push(await person(server, orgId, `${first} ${name}`))
  const [observer, wanderer] = bots
  if (!observer || !wanderer) throw new Error('there are four bots')
  const actors = [...bots.map(botActor), ...people.map((id) => personActor(orgId, id))]
  return { observer: new Listener(observer), wanderer: new Listener(wanderer), actors, reactions: [] }
}

type Scene = {
  actor: Actor
  topicId: string
  topic: KnownTopic
  message: KnownMessage | undefined
  /** The message's sender. */
  author: Actor | undefined
  /** All members but the observer, which always stays. */
  others: string[]
  text: string
  dice: Dice
}
type Deed = (scene: Scene, story: Story) => Promise<unknown> | undefined

/** Possible actions with their weights. */
const DEEDS: [weight: number, deed: Deed][] = [
  [4, ({ actor, topicId, text }) => actor.send({ topicId, text })],
  [3, ({ actor, topicId, text, message }) => message && actor.send({ topicId, text, parentId: message.id })],
  [3, ({ author, message, text }) => message && author?.edit(message.id, text)],
  [1, ({ author, message }) => message && author?.edit(message.id, message.text)],
  [1, ({ actor, message, text }) => message && actor.edit(message.id, text)],
  [2, ({ author, message }) => message && author?.delete(message.id)],
  [4, ({ actor, message, dice }, story) => message && react(story, actor, message.id, dice.oneOf(EMOJI))],
  [3, ({ dice }, { reactions }) => takeBack(reactions.splice(dice.below(reactions.length), 1))],
  [2, ({ actor, topicId, dice }) => actor.update(topicId, { name: `Name ${dice.below(3)}` })],
  [1, ({ actor, topicId, dice }) => actor.update(topicId, { description: dice.oneOf(['', 'Described']) })],
  [2, ({ actor, topicId, others, dice }) => actor.add(topicId, [dice.oneOf(others)])],
  [1, ({ actor, topicId, others, dice }) => actor.add(topicId, [dice.oneOf(others), dice.oneOf(others)])],
  [1, ({ actor, topicId, others, dice }) => actor.remove(topicId, [dice.oneOf(others), dice.oneOf(others)])],
  [3, ({ topicId, topic }, story) => wander(story, topicId, topic)],
  [1, ({ dice }, story) => createAnother(story, dice)],
]
const DECK = DEEDS.flatMap(([weight, deed]) => Array<Deed>(weight).fill(deed))

async function react({ reactions }: Story, by: Actor, messageId: string, emoji: string): Promise<void> {
  const id = await by.react(messageId, emoji)
  if (id !== undefined) reactions.push({ by, messageId, id })
}
function takeBack([reaction]: Story['reactions']): Promise<void> | undefined {
  return reaction?.by.unreact(reaction.messageId, reaction.id)
}
/** The wanderer leaves, and the observer brings it back. */
function wander({ observer, wanderer, actors }: Story, topicId: string, topic: KnownTopic) {
  const leaves = topic.members.has(wanderer.bot.id)
  const actor = actors.find(({ id }) => id === (leaves ? wanderer : observer).bot.id)
  return leaves ? actor?.remove(topicId, [wanderer.bot.id]) : actor?.add(topicId, [wanderer.bot.id])
}
function createAnother({ observer, wanderer, actors }: Story, dice: Dice): Promise<void> | undefined {
  if (observer.topics.size >= MOST_TOPICS) return undefined
  const creator = dice.oneOf(actors.slice(2))
  return creator.create('Another', [observer.bot.id, wanderer.bot.id, dice.oneOf(actors).id])
}

async function happen(story: Story, dice: Dice, step: number): Promise<void> {
  const { observer, actors } = story
  const [topicId, topic] = dice.oneOf([...observer.topics])
  // The actor is mostly a member of the topic; others are refused.
  const present = actors.filter(({ id }) => topic.members.has(id))
  const actor = dice.oneOf(dice.below(6) > 0 ? present : actors)
  const message = dice.maybe([...topic.messages.values()])
  const scene = {
    actor,
    topicId,
    topic,
    message,
    author: actors.find(({ id }) => id === message?.senderId),
    others: actors.map(({ id }) => id).filter((id) => id !== observer.bot.id),
    text: `Step ${step} for <@${dice.oneOf([...topic.members])}>`,
    dice,
  }
  await dice.oneOf(DECK)(scene, story)
}

describe('old state plus events equals new state', () => {
  it(`for a bot that was there from the start, and for one that comes and goes (REBUILD_SEED=${SEED})`, async () => {
    const dice = diceOf(SEED)
    const stories = [await begin('Lighthouse'), await begin('Harbor')]
    for (const { observer, wanderer, actors } of stories) {
      for (const creator of actors.slice(2, 5))
        await creator.create('First', [
          observer.bot.id,
          wanderer.bot.id,
          ...actors.slice(3).map(({ id }) => id),
        ])
      for (const listener of [observer, wanderer]) {
        await listener.listen()
        expect([...listener.topics.values()].map(({ messages }) => messages.size)).toEqual([0, 0, 0])
      }
    }

    for (let step = 0; step < STEPS; step++) {
      const story = dice.oneOf(stories)
      await happen(story, dice, step)
      await story.observer.listen()
      await story.wanderer.listen()
      if (step % 100 === 99) for (const { observer, wanderer } of stories) await compare(observer, wanderer)
    }

    // A story proves nothing about events that never happened in it.
    const heard = new Map<string, number>()
    for (const { observer } of stories)
      for (const [type, count] of observer.heard) heard.set(type, (heard.get(type) ?? 0) + count)
    expect(heard.size).toBe(8)
    for (const { wanderer } of stories) expect(wanderer.joined).toBeGreaterThan(3)
  })
})
