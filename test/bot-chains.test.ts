import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EVENT_TYPES, EVENTS, type EventType } from '../contract/events.ts'
import { OPERATIONS } from '../contract/index.ts'
import { textOf } from '../contract/refusals/index.ts'
import { createIncomingWebhook } from '../server/actions/bots/incoming-webhooks.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { createTopic } from '../server/actions/topics/topics.ts'
import { actorOf } from '../server/events/actors.ts'
import { newUuid } from '../server/ids.ts'
import { at, inTimeOf, type StaticTestBot, staticBot } from './support/cast.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import type { Answer } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { postTo } from './support/incoming.ts'
import { mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { ON_LOOPBACK, startDispatcher, startReceiver, webhookBot } from './support/receiver.ts'
import { countOf, IS_THOROUGH } from './support/thorough.ts'

const LIMITS = { slowAfter: 4, stopAfter: 8, pauseMs: 5000 }
/** Writes after its own events that a bot may make before it is slowed. */
const MAX_ECHOES = 5 * LIMITS.slowAfter
const SECOND = 1000
const MINUTE_MS = 60_000

let server: TestParley
let beside: TestParley
let cast: ChatCast

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, botLoops: LIMITS, rateLimitPerMinute: 0 })
  beside = await server.secondNode()
  cast = await chatCast(server)
})
afterAll(async () => {
  cast.close()
  await server.close()
})
// Earlier events can no longer be answered.
beforeEach(() => pass(2 * MINUTE_MS))

/** Moves the clock of both nodes. */
function pass(milliseconds: number): void {
  for (const { clock } of [server, beside]) clock.ahead += milliseconds
}

const chat = (path: string) => `/people/organizations/${cast.orgId}/chat${path}`

/** A place where a bot acts, with things of its own that it can change. */
type Place = { topicId: string; messageId: string; pollId: string; optionIds: string[]; isChanged: boolean }
type Act = (bot: StaticTestBot, place: Place) => Promise<Answer>

const vote: Act = (bot, { pollId, optionIds, isChanged }) =>
  bot.post(`/v2/polls/${pollId}/votes`, { optionId: optionIds[isChanged ? 0 : 1] })
const react: Act = async (bot, { messageId, isChanged }) => {
  const reactions = `/v2/messages/${messageId}/reactions`
  const added = await bot.post(reactions, { reaction: '🎉' })
  return isChanged && added.status < 300 ? bot.delete(`${reactions}/${Object(added.body).id}`) : added
}
const changeMembers: Act = async (bot, { topicId }) => {
  const members = `/v2/topics/${topicId}/members`
  const body = { memberIds: [cast.cy.profileId] }
  const added = await bot.post(members, body)
  return added.status === 400 ? bot.delete(members, body) : added
}
const sendText: Act = (bot, { topicId }) => bot.post('/v2/messages', { topicId, text: 'Hello' })

/** How a bot causes each kind of event; null where only people or the server do. */
const ACTS: Record<EventType, Act | null> = {
  'message.created': sendText,
  'message.updated': (bot, { messageId }) => bot.patch(`/v2/messages/${messageId}`, { text: newUuid() }),
  'message.deleted': async (bot, place) => {
    const sent = await sendText(bot, place)
    return sent.status === 201 ? bot.delete(`/v2/messages/${Object(sent.body).id}`) : sent
  },
  'reaction.added': react,
  'reaction.removed': react,
  'member.added': changeMembers,
  'member.removed': changeMembers,
  'topic.updated': (bot, { topicId }) => bot.patch(`/v2/topics/${topicId}`, { name: newUuid() }),
  'poll_vote.created': vote,
  'poll_vote.deleted': vote,
  'message.action': null,
  'question.closed': null,
  'message.command': null,
  'scheduled_message.failed': null,
}
const ACTING = new Set(Object.values(ACTS).flatMap((act) => act ?? []))
/** Ways to act, with the kinds of events that each of them causes. */
const KINDS = [...ACTING].map((act) => ({
  types: EVENT_TYPES.filter((type) => ACTS[type] === act).join(' and '),
  act,
}))
/** Direct messages have neither a name nor members that come and go. */
const isForDirectMessages = ({ types }: { types: string }) => !/^(member|topic)\./.test(types)

const newBot = async (name: string) =>
  inTimeOf(server, await staticBot(server, cast.orgId, name, { pollVoteEvents: true }))
/** The bot, calling another node. */
const onNode = ({ url }: TestParley, bot: StaticTestBot) => inTimeOf(server, at(url, bot))

async function newTopic(owner: StaticTestBot, type: 'topic' | 'dm', members: readonly string[]) {
  const wanted = { type, createdBy: owner.id, name: type === 'dm' ? '' : 'Chain', members: [...members] }
  return (await server.parley.db.write(cast.orgId, (tx) => createTopic(tx, wanted))).id
}

async function placeIn(topicId: string, bot: StaticTestBot): Promise<Place> {
  const sent = await bot.post('/v2/messages', { topicId, text: 'Mine' })
  const poll = { topicId, question: 'Now?', options: ['yes', 'no'], selectionType: 'single' }
  const made = Object((await bot.post('/v2/polls', poll)).body)
  const optionIds = made.options.map(({ id }: { id: string }) => id)
  return { topicId, messageId: Object(sent.body).id, pollId: made.id, optionIds, isChanged: false }
}

type Actor = { bot: StaticTestBot; place: Place; offset: string }

/** Bots with their own things in these topics, one for each, that have got all earlier events. */
async function actorsIn(bots: readonly StaticTestBot[], topicIds: readonly string[]): Promise<Actor[]> {
  const actors: Actor[] = []
  for (const [index, bot] of bots.entries()) {
    const place = await placeIn(topicIds[index % topicIds.length] ?? '', bot)
    actors.push({ bot, place, offset: '' })
  }
  for (const actor of actors) {
    const { body } = await actor.bot.get('/v2/updates?offset=newest')
    actor.offset = Object(body).nextOffset
  }
  pass(2 * MINUTE_MS)
  return actors
}

type Update = { eventType: string; data: object }
type HearOptions = { bot?: StaticTestBot; ignoresItself?: boolean }

/** Returns whether there were any events. */
async function hears(
  actor: Actor,
  { bot = actor.bot, ignoresItself = false }: HearOptions = {},
): Promise<boolean> {
  const { body } = await bot.get(`/v2/updates?offset=${encodeURIComponent(actor.offset)}&limit=100`)
  actor.offset = Object(body).nextOffset
  const updates: Update[] = Object(body).updates
  const isOwn = ({ eventType, data }: Update) => actorIn(eventType, data)?.id === bot.id
  return updates.some((update) => !ignoresItself || !isOwn(update))
}

const actorIn = (type: string, data: object) =>
  actorOf({ seq: 1, id: '', type, topicId: '', createdAt: 0, botIds: ['b@1'], data: JSON.stringify(data) })

type Run = { writes: number; waits: number[]; refusals: unknown[] }

/**
 * Each bot acts on every event, after the pause that is asked of it, until it is refused for good. Ends when no bot
 * acts any more, after `most` writes, or when the time is up.
 */
async function answerEachOther(
  actors: readonly Actor[],
  act: Act,
  {
    most = 200,
    forMs = Number.POSITIVE_INFINITY,
    ignoresItself = false,
    afterEach = async () => {},
  }: RunOptions = {},
): Promise<Run> {
  const run: Run = { writes: 0, waits: [], refusals: [] }
  const stopped = new Set<Actor>()
  const ends = server.parley.clock() + forMs
  const perform = async (actor: Actor) => {
    for (;;) {
      const { status, body, headers, text } = await act(actor.bot, actor.place)
      if (status === 429) {
        const wait = Number(headers.get('retry-after'))
        run.waits.push(wait)
        pass(wait * SECOND)
        continue
      }
      if (status === 403) {
        run.refusals.push(body)
        stopped.add(actor)
        return
      }
      expect(status, text).toBeLessThan(300)
      actor.place.isChanged = !actor.place.isChanged
      run.writes += 1
      await afterEach(run)
      return
    }
  }
  const [first] = actors
  if (first) await perform(first)
  for (let isBusy = true; isBusy; ) {
    isBusy = false
    for (const actor of actors) {
      if (stopped.has(actor) || run.writes >= most || server.parley.clock() > ends) continue
      if (!(await hears(actor, { ignoresItself }))) continue
      isBusy = true
      await perform(actor)
    }
  }
  return run
}
type RunOptions = {
  most?: number
  forMs?: number
  ignoresItself?: boolean
  afterEach?: (run: Run) => Promise<void>
}

function expectStopped({ writes, waits, refusals }: Run): void {
  expect(writes).toBeLessThanOrEqual(LIMITS.stopAfter + 3)
  expect(waits.length).toBeGreaterThan(0)
  expect(refusals.length).toBeGreaterThan(0)
  for (const refusal of refusals) expect(refusal).toBe(textOf('bots_stopped'))
}

describe.each(KINDS)('by $types', (kind) => {
  const { act } = kind
  // The gate tries other places, and a bot alone, with one kind, the nightly run with each.
  const isEverywhere = IS_THOROUGH || act === sendText

  it('two bots that answer each other in a topic are slowed, and then stopped', async () => {
    const bots = [await newBot('Ping'), await newBot('Pong')]
    const [ping, pong] = bots
    if (!ping || !pong) throw new Error('there are two')
    const topicId = await newTopic(ping, 'topic', [pong.id, cast.ada.profileId])
    const actors = await actorsIn(bots, [topicId])
    expectStopped(await answerEachOther(actors, act))
    // The stop is in the database: it still holds a minute later, until a person has written.
    pass(2 * MINUTE_MS)
    for (const { bot, place } of actors)
      await eventually(async () => (await act(bot, place)).body).toBe(textOf('bots_stopped'))
    expect((await cast.ada.post(chat('/messages'), { topicId, text: 'Go on' })).status).toBe(201)
    for (const { bot, place } of actors)
      await eventually(async () => (await act(bot, place)).status).toBeLessThan(300)
  })

  it.runIf(isEverywhere)('and so are two across two topics', async () => {
    const bots = [await newBot('Here'), await newBot('There')]
    const [here, there] = bots
    if (!here || !there) throw new Error('there are two')
    const topicIds = [await newTopic(here, 'topic', [there.id]), await newTopic(here, 'topic', [there.id])]
    expectStopped(await answerEachOther(await actorsIn(bots, topicIds), act))
  })

  it.runIf(isEverywhere && isForDirectMessages(kind))('and so are two in a direct message', async () => {
    const bots = [await newBot('Left'), await newBot('Right')]
    const [left, right] = bots
    if (!left || !right) throw new Error('there are two')
    const topicId = await newTopic(left, 'dm', [right.id])
    expectStopped(await answerEachOther(await actorsIn(bots, [topicId]), act))
  })

  it.runIf(isEverywhere)('a bot that answers itself is slowed more and more', async () => {
    const bot = await newBot('Echo')
    const topicId = await newTopic(bot, 'topic', [])
    const { writes, waits, refusals } = await answerEachOther(await actorsIn([bot], [topicId]), act, {
      forMs: 1.5 * MINUTE_MS,
    })
    expect(writes).toBeLessThan(MAX_ECHOES + 20)
    expect(waits.at(-1)).toBeGreaterThan(waits[0] ?? 0)
    expect(refusals).toEqual([])
  })

  it.runIf(isEverywhere)('a person who writes in between keeps them going', async () => {
    const bots = [await newBot('Helper'), await newBot('Second helper')]
    const [one, other] = bots
    if (!one || !other) throw new Error('there are two')
    const topicId = await newTopic(one, 'topic', [other.id, cast.ada.profileId])
    const afterEach = async ({ writes }: Run) => {
      if (writes % LIMITS.slowAfter === 0)
        await cast.ada.post(chat('/messages'), { topicId, text: 'And what else?' })
    }
    const run = await answerEachOther(await actorsIn(bots, [topicId]), act, {
      most: 3 * LIMITS.stopAfter,
      afterEach,
    })
    expect(run).toMatchObject({ writes: 3 * LIMITS.stopAfter, waits: [], refusals: [] })
  })
})

describe('chains of other forms', () => {
  it('three bots in a ring are stopped', async () => {
    const bots = await Promise.all(['One', 'Two', 'Three'].map(newBot))
    const [one, two, three] = bots
    if (!one || !two || !three) throw new Error('there are three')
    const topicIds = [
      await newTopic(one, 'topic', [two.id]),
      await newTopic(two, 'topic', [three.id]),
      await newTopic(three, 'topic', [one.id]),
    ]
    const actors = await actorsIn(bots, topicIds)
    expectStopped(await answerEachOther(actors, sendText, { ignoresItself: true }))
  })

  it('bots that send two messages for each that they hear are stopped', async () => {
    const bots = [await newBot('Chatty'), await newBot('Chattier')]
    const [one, other] = bots
    if (!one || !other) throw new Error('there are two')
    const topicId = await newTopic(one, 'topic', [other.id])
    const twice: Act = async (bot, place) => {
      const first = await sendText(bot, place)
      return first.status === 201 ? sendText(bot, place) : first
    }
    expectStopped(await answerEachOther(await actorsIn(bots, [topicId]), twice))
  })

  it('bots that answer with tasks, polls or new topics are stopped', async () => {
    const acts: Act[] = [
      (bot, { topicId }) => bot.post('/v2/tasks', { topicId, title: 'Look' }),
      (bot, { topicId }) =>
        bot.post('/v2/polls', {
          topicId,
          question: 'Now?',
          options: ['yes', 'no'],
          selectionType: 'single',
        }),
      (bot, { topicId }) => bot.post('/v2/messages', { topicId, text: 'Bit by bit', streaming: true }),
    ]
    for (const act of acts) {
      const bots = [await newBot('Asks'), await newBot('Answers')]
      const [one, other] = bots
      if (!one || !other) throw new Error('there are two')
      const topicId = await newTopic(one, 'topic', [other.id])
      // A streamed message is delivered when it is finished.
      const finished: Act = async (bot, place) => {
        const made = await act(bot, place)
        const { id } = Object(made.body)
        if (made.status === 201) await bot.post(`/v2/messages/${id}/finish`)
        return made
      }
      expectStopped(await answerEachOther(await actorsIn(bots, [topicId]), finished))
    }
    const bots = [await newBot('Opens'), await newBot('Opens too')]
    const [one, other] = bots
    if (!one || !other) throw new Error('there are two')
    const open: Act = async (bot) => {
      const made = await bot.post('/v2/topics', { name: 'More', members: [one.id, other.id] })
      return made.status === 201
        ? bot.post('/v2/messages', { topicId: Object(made.body).id, text: 'Here' })
        : made
    }
    const topicId = await newTopic(one, 'topic', [other.id])
    expectStopped(await answerEachOther(await actorsIn(bots, [topicId]), open))
  })

  it('a third bot that reports something in between hides nothing', async () => {
    const bots = [await newBot('Loud'), await newBot('Louder')]
    const noise = await newBot('Noise')
    const [one, other] = bots
    if (!one || !other) throw new Error('there are two')
    const topicId = await newTopic(one, 'topic', [other.id, noise.id])
    const report = async () => {
      const { status } = await noise.post('/v2/messages', { topicId, text: 'It rains' })
      expect([201, 403]).toContain(status) // once the others are stopped there, it is too
    }
    const run = await answerEachOther(await actorsIn(bots, [topicId]), sendText, { afterEach: report })
    expect(run.writes).toBeLessThanOrEqual(2 * LIMITS.stopAfter)
    expect(run.refusals).toContain(textOf('bots_stopped'))
  })

  it('bots that poll on one node and write on another are stopped', async () => {
    const bots = [await newBot('East'), await newBot('West')]
    const [east, west] = bots
    if (!east || !west) throw new Error('there are two')
    const topicId = await newTopic(east, 'topic', [west.id])
    const actors = await actorsIn(bots, [topicId])
    // East writes here and polls there, West the other way round.
    const [first, second] = actors
    if (!first || !second) throw new Error('there are two')
    second.bot = onNode(beside, west)
    const polled = new Map<Actor, StaticTestBot>([
      [first, onNode(beside, east)],
      [second, west],
    ])
    let isStopped = false
    const send = async ({ bot, place }: Actor): Promise<void> => {
      const { status, headers } = await sendText(bot, place)
      if (status === 403) isStopped = true
      if (status !== 429) return
      pass(Number(headers.get('retry-after')) * SECOND)
      await send({ bot, place, offset: '' })
    }
    await send(first)
    for (let turn = 1; turn < 100 && !isStopped; turn++) {
      const actor = turn % 2 === 0 ? first : second
      const bot = polled.get(actor) ?? actor.bot
      await eventually(() => hears(actor, { bot, ignoresItself: true })).toBe(true)
      await send(actor)
    }
    expect(isStopped).toBe(true)
  })

  it('a bot that answers itself by the address of an incoming webhook is slowed', async () => {
    const bot = await newBot('Echo')
    const topicId = await newTopic(bot, 'topic', [])
    const wanted = { name: 'Alerts', topicId }
    const { token } = await server.parley.db.write(cast.orgId, (tx) =>
      createIncomingWebhook(tx, server.parley, OPERATOR, bot.id, wanted),
    )
    const post: Act = () => postTo(`${server.url}/in/${token}`, { text: 'Hello' })
    const { waits } = await answerEachOther(await actorsIn([bot], [topicId]), post, {
      most: MAX_ECHOES + 20,
      forMs: 1.5 * MINUTE_MS,
    })
    expect(waits.length).toBeGreaterThan(0)
  })

  it('bots that hear by their webhooks are stopped', async () => {
    const receivers = [await startReceiver(), await startReceiver()]
    const bots = await Promise.all(
      receivers.map(async ({ url }) => inTimeOf(server, await webhookBot(server, cast.orgId, url))),
    )
    const [one, other] = bots
    if (!one || !other) throw new Error('there are two')
    const topicId = await newTopic(one, 'topic', [other.id])
    const dispatcher = startDispatcher(server)
    let writes = 0
    let isStopped = false
    const send = async (bot: StaticTestBot): Promise<void> => {
      if (isStopped || writes >= 100) return
      const { status, headers } = await bot.post('/v2/messages', { topicId, text: 'Hello' })
      if (status === 201) writes += 1
      if (status === 403) isStopped = true
      if (status !== 429) return
      pass(Number(headers.get('retry-after')) * SECOND)
      await send(bot)
    }
    for (const [index, receiver] of receivers.entries()) {
      const bot = bots[index]
      receiver.otherwise = ({ event: { type, data } }) => {
        // The bot answers on its own, after it has taken the event.
        const isAnswered = type === 'message.created' && actorIn(type, data)?.id !== bot?.id
        if (bot && isAnswered) void send(bot)
        return 200
      }
    }
    await send(one)
    await eventually(async () => isStopped || writes >= 100).toBe(true)
    expect(isStopped).toBe(true)
    expect(writes).toBeLessThanOrEqual(LIMITS.stopAfter + 3)
    await dispatcher.stop()
    for (const receiver of receivers) await receiver.close()
  })

  it('bots alone in a direct message go on when an admin resumes one of them', async () => {
    const bots = [await newBot('Alone'), await newBot('Also alone')]
    const [one, other] = bots
    if (!one || !other) throw new Error('there are two')
    const topicId = await newTopic(one, 'dm', [other.id])
    const actors = await actorsIn(bots, [topicId])
    expectStopped(await answerEachOther(actors, sendText))
    pass(2 * MINUTE_MS)
    for (const { bot, place } of actors)
      await eventually(async () => (await sendText(bot, place)).body).toBe(textOf('bots_stopped'))
    const mails = (await mailsTo(server, cast.ada.email)).filter(({ subject }) =>
      subject.includes('a direct message'),
    )
    expect(mails.at(-1)?.text).toContain(`/console/${cast.orgId}/bots/`)
    const path = `/people/organizations/${cast.orgId}/bots/${one.id}`
    for (const paused of [true, false]) {
      const changed = await cast.ada.patch(path, { paused })
      expect(changed.status, changed.text).toBe(200)
    }
    for (const { bot, place } of actors)
      await eventually(async () => (await sendText(bot, place)).status).toBe(201)
    const overview = await cast.ada.get(`/people/organizations/${cast.orgId}/overview`)
    expect(Object(overview.body).stoppedTopics).not.toContainEqual(expect.objectContaining({ topicId }))
  })
})

describe('a bot that reports what happens elsewhere, and polls', () => {
  it('is never slowed at an easy pace', async () => {
    const bot = await newBot('Reporter')
    const [actor] = await actorsIn([bot], [await newTopic(bot, 'topic', [])])
    if (!actor) throw new Error('there is one')
    for (let report = 0; report < 2 * MAX_ECHOES; report++) {
      expect((await sendText(bot, actor.place)).status).toBe(201)
      await hears(actor)
      pass(3 * SECOND)
    }
  })

  const usualLimits = { slowAfter: 100, stopAfter: 200, pauseMs: 5000 }
  const reports = countOf(usualLimits.slowAfter + 20, 3 * usualLimits.slowAfter)
  it(`is not slowed by ${reports} messages in a minute, with the limits that a server has by itself`, async () => {
    const usual = await server.secondNode({ botLoops: usualLimits })
    usual.clock.ahead = server.clock.ahead
    const bot = await newBot('Busy reporter')
    const [actor] = await actorsIn([bot], [await newTopic(bot, 'topic', [])])
    if (!actor) throw new Error('there is one')
    actor.bot = onNode(usual, bot)
    for (let report = 0; report < reports; report++) {
      expect((await sendText(actor.bot, actor.place)).status).toBe(201)
      await hears(actor)
    }
  })

  it('is not slowed by another one that listens and says nothing', async () => {
    const bots = [await newBot('Talks'), await newBot('Listens')]
    const [one, other] = bots
    if (!one || !other) throw new Error('there are two')
    const actors = await actorsIn(bots, [await newTopic(one, 'topic', [other.id])])
    for (let report = 0; report < MAX_ECHOES - 1; report++) {
      const [talking] = actors
      if (talking) expect((await sendText(talking.bot, talking.place)).status).toBe(201)
      for (const actor of actors) await hears(actor)
    }
  })
})

it('an answer that is kept for a key is given again while its bot is slowed', async () => {
  const bots = [await newBot('Keyed'), await newBot('Other')]
  const [one, other] = bots
  if (!one || !other) throw new Error('there are two')
  const topicId = await newTopic(one, 'topic', [other.id])
  const actors = await actorsIn(bots, [topicId])
  const key = { headers: { 'Idempotency-Key': newUuid() } }
  const keyed = () => one.post('/v2/messages', { topicId, text: 'Once' }, key)
  const before = await keyed()
  expect(before.status).toBe(201)
  await answerEachOther(actors, sendText, { most: LIMITS.slowAfter + 2, ignoresItself: true })
  for (const actor of actors) await hears(actor)
  expect((await one.post('/v2/messages', { topicId, text: 'Another' })).status).toBe(429)
  expect(await keyed()).toMatchObject({ status: 201, body: before.body })
})

describe('the contract', () => {
  it('names who caused an event in the data of each kind', () => {
    for (const type of EVENT_TYPES) {
      const actor = actorIn(type, Object(EVENTS[type]?.example.data))
      expect(actor, type).toMatchObject({ id: expect.stringMatching(/^(b@)?[\w-]+$/) })
    }
  })

  /** Operations that cause no event for bots, with the reason where it is not plain. */
  const SILENT = [
    'noteAction', // for the person who answered
    'setCommands',
    'setPrompts',
    'createLabel',
    'markDelivered',
    'markRead',
    'addOrgUnitMembers',
    'removeOrgUnitMembers',
    'createOrganization',
    'tellWorking',
    'updateScheduledMessage', // heard when it is sent
    'cancelScheduledMessage',
    'writeStorage',
    'deleteStorage',
    'appendToMessage', // continues what was begun
    'setProgress', // shown with the message when it ends
    'finishMessage',
    'withdrawQuestion', // for its own bot alone
    'addTopicLabel', // bots have no event of labels
    'removeTopicLabel',
    'reportUsage',
    'answerPrivately', // for one person
    'withdrawPrivateAnswer',
    'startDirectMessage', // with one person, and without another bot
  ]

  it('says of each operation that writes whether bots get an event of it', () => {
    const silent = OPERATIONS.filter(
      (operation) => operation.method !== 'GET' && !('isHeardByBots' in operation),
    )
    expect(silent.map(({ id }) => id).sort()).toEqual([...SILENT].sort())
  })
})
