import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { textOf } from '../contract/refusals/index.ts'
import { stopBots } from '../server/actions/bots/bot-loops.ts'
import { sql } from '../server/db/sql.ts'
import { connectFor } from './support/assistants.ts'
import { at, inTimeOf, type StaticTestBot, staticBot } from './support/cast.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually } from './support/eventually.ts'
import { mailsTo } from './support/mails.ts'
import { toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'
import { signInToProfile } from './support/people.ts'

const LIMITS = { slowAfter: 4, stopAfter: 8, pauseMs: 5000 }
const STOPPED = { status: 403, body: textOf('bots_stopped') }
const MINUTE_MS = 60_000

let server: TestParley
let beside: TestParley
let cast: ChatCast

beforeAll(async () => {
  server = await startTestParley({ botLoops: LIMITS })
  beside = await server.secondNode()
  cast = await chatCast(server)
})
afterAll(async () => {
  cast.close()
  await server.close()
})

const chat = (path: string) => `/people/organizations/${cast.orgId}/chat${path}`
const console_ = (path: string) => `/people/organizations/${cast.orgId}${path}`

/** Two bots in a topic with Ada, each on its own node. */
async function pair(name: string) {
  const ping = inTimeOf(server, await staticBot(server, cast.orgId, `${name} ping`))
  const pong = await staticBot(server, cast.orgId, `${name} pong`)
  const members = [pong.id, cast.ada.profileId]
  const topicId: string = Object((await ping.post('/v2/topics', { name, members })).body).id
  const send = (bot: StaticTestBot, text = 'Hello') => bot.post('/v2/messages', { topicId, text })
  const pongBeside = inTimeOf(server, at(beside.url, pong))
  const nodes = [ping, pongBeside]
  /** Reads the messages through both nodes. */
  async function listen(bot: StaticTestBot): Promise<void> {
    for (const { url } of [server, beside])
      expect(
        (await inTimeOf(server, at(url, bot)).get(`/v2/topics/${topicId}/messages?limit=1`)).status,
      ).toBe(200)
  }
  /** The bots write in turns, each after the pause that is asked of it. Returns how often they could. */
  async function greetEachOther(turns: number): Promise<number> {
    for (let turn = 0; turn < turns; turn++) {
      const bot = nodes[turn % 2]
      if (!bot) throw new Error('there are two')
      await listen(bot)
      const { status } = await send(bot)
      if (status === 403) return turn
      if (status === 429) {
        pass(LIMITS.pauseMs)
        turn -= 1
      }
      await allHaveHeard()
    }
    return turns
  }
  return { ping, pong: pongBeside, topicId, send, listen, greetEachOther }
}

/** Moves the clock of both nodes. */
function pass(milliseconds: number): void {
  server.clock.ahead += milliseconds
  beside.clock.ahead += milliseconds
}

async function lastSeq(): Promise<number> {
  const [log] = await server.parley.db.query<{ last: number }>(
    sql`select last_seq as last from organization_logs where org_id = ${cast.orgId}`,
  )
  return log?.last ?? 0
}

/** Waits until every listening node has the newest event. */
async function allHaveHeard(): Promise<void> {
  const last = await lastSeq()
  const hasHeard = ({ parley: { tail } }: TestParley) =>
    (tail.read(cast.orgId, 'nobody', last - 1, 1)?.lastSeq ?? last) >= last
  await vi.waitUntil(() => [server, beside].every(hasHeard), { timeout: PATIENCE_MS, interval: 2 })
}

describe('two bots that only answer each other', () => {
  it('are slowed, then stopped in the topic on every node, until a person writes', async () => {
    const { ping, pong, topicId, send, listen, greetEachOther } = await pair('Greetings')
    const stream = await cast.stream(cast.ada)
    // The second node has listened since its own bot first wrote.
    expect(await greetEachOther(LIMITS.slowAfter + 2)).toBe(LIMITS.slowAfter + 2)
    await listen(ping)
    const slowed = await send(ping)
    expect(slowed).toMatchObject({ status: 429, body: textOf('bots_slowed') })
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    // A bot that continues by itself answers no one.
    expect((await send(pong)).status).toBe(201)

    expect(await greetEachOther(100)).toBeLessThan(LIMITS.stopAfter + 3)
    const { data } = await stream.next(({ event }) => event === 'bots.stopped')
    expect(data).toEqual({ topicId, stoppedAt: expect.any(Number) })
    for (const bot of [ping, pong]) await eventually(async () => statusOf(await send(bot))).toEqual(STOPPED)
    const key = { headers: { 'Idempotency-Key': 'while-stopped' } }
    const keyed = () => ping.post('/v2/messages', { topicId, text: 'Once' }, key)
    expect(await keyed()).toMatchObject(STOPPED)
    const streamed = { topicId, streaming: true, text: 'Bit by bit' }
    expect(await ping.post('/v2/messages', streamed)).toMatchObject(STOPPED)
    expect(await ping.post('/v2/tasks', { topicId, title: 'Task' })).toMatchObject(STOPPED)
    const poll = { topicId, question: 'Now?', options: ['yes', 'no'], selectionType: 'single' }
    expect(await ping.post('/v2/polls', poll)).toMatchObject(STOPPED)
    const { messages } = Object((await ping.get(`/v2/topics/${topicId}/messages?limit=1`)).body)
    const privately = `/v2/messages/${messages[0].id}/private-answers/${cast.ada.profileId}`
    expect((await ping.put(privately, { text: 'I was stopped' })).status).toBeLessThan(300)
    // Elsewhere they may once they have heard nothing of it for a minute; here they may not.
    pass(MINUTE_MS + 1000)
    expect(await ping.post('/v2/tasks', { topicId, title: 'Task' })).toMatchObject(STOPPED)
    expect((await ping.post('/v2/topics', { name: 'Elsewhere', members: [] })).status).toBe(201)

    const overview = Object((await cast.ada.get(console_('/overview'))).body)
    expect(overview.stoppedTopics).toEqual([{ topicId, name: 'Greetings', since: expect.any(Number) }])
    const subjects = (await mailsTo(server, cast.ada.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('Greetings'))).toHaveLength(1)

    expect((await cast.ada.post(chat('/messages'), { topicId, text: 'Enough' })).status).toBe(201)
    await stream.next(({ event }) => event === 'bots.released')
    for (const bot of [ping, pong]) await eventually(async () => (await send(bot)).status).toBe(201)
    expect((await keyed()).status).toBe(201)
    expect(Object((await cast.ada.get(console_('/overview'))).body).stoppedTopics).toEqual([])
    const audit = await cast.ada.get(console_(`/audit?targetId=${topicId}`))
    const entries: { action: string; actor: object }[] = Object(audit.body).entries
    expect(entries.map(({ action, actor }) => ({ action, actor }))).toMatchObject([
      { action: 'topic.bots_released', actor: { kind: 'person', name: 'Ada' } },
      { action: 'topic.bots_stopped', actor: { kind: 'server' } },
    ])
  })

  it('are not stopped again by a node that reads their chain after a person let them go on', async () => {
    const { ping, topicId, send, greetEachOther } = await pair('Late reader')
    await greetEachOther(100)
    await eventually(async () => statusOf(await send(ping))).toEqual(STOPPED)
    const stopFor = (seq: number) =>
      server.parley.db.write(cast.orgId, (tx) =>
        stopBots(tx, server.parley, { topicId, botIds: [ping.id], seq }),
      )
    const ofChain = await lastSeq()
    expect((await cast.ada.post(chat('/messages'), { topicId, text: 'Go on' })).status).toBe(201)
    await stopFor(ofChain)
    await eventually(async () => (await send(ping)).status).toBe(201)
    await stopFor(await lastSeq())
    await eventually(async () => statusOf(await send(ping))).toEqual(STOPPED)
  })

  it('go on by a button in the chat and in the console, and are counted from zero', async () => {
    const { ping, topicId, send, greetEachOther } = await pair('Buttons')
    const paths = [chat(`/topics/${topicId}`), console_(`/topics/${topicId}`)]
    for (const path of paths) {
      expect(await greetEachOther(100)).toBeLessThan(100)
      await eventually(async () => statusOf(await send(ping))).toEqual(STOPPED)
      expect((await cast.ada.get(path)).body).toMatchObject({ botsStoppedAt: expect.any(Number) })
      const answer = await cast.ada.patch(path, { botsStopped: false })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body).not.toHaveProperty('botsStoppedAt')
      await eventually(async () => (await send(ping)).status).toBe(201)
      await allHaveHeard()
    }
    expect((await cast.ada.patch(chat(`/topics/${topicId}`), { botsStopped: true })).status).toBe(400)
    expect((await cast.cy.patch(chat(`/topics/${topicId}`), { botsStopped: false })).status).toBe(404)
  })
})

it('bots that report side by side, without each other’s events, are left alone', async () => {
  const { ping, pong, send } = await pair('Alerts')
  for (let turn = 0; turn < 2 * LIMITS.stopAfter; turn++) {
    expect((await send(turn % 2 === 0 ? ping : pong)).status).toBe(201)
    await allHaveHeard()
  }
})

it('an assistant that answers a bot for a person counts like one, and releases no bot', async () => {
  const { ping, topicId, send, listen } = await pair('Assistants')
  const ada = await signInToProfile(server, cast.ada)
  const { client } = await connectFor(ada)
  const speak = () => toolValue(client, 'send_message', { topicId, text: 'Hello' })
  let answers = 0
  while (answers < 30) {
    await listen(ping)
    const { status } = await send(ping)
    if (status === 403) break
    if (status === 429) {
      pass(LIMITS.pauseMs)
      continue
    }
    await allHaveHeard()
    await speak()
    await allHaveHeard()
    answers += 1
  }
  expect(answers).toBeLessThan(LIMITS.stopAfter + 3)
  await speak()
  await allHaveHeard()
  pass(LIMITS.pauseMs)
  expect(statusOf(await send(ping))).toEqual(STOPPED)
  expect((await ada.post(chat('/messages'), { topicId, text: 'Go on' })).status).toBe(201)
  await eventually(async () => (await send(ping)).status).toBe(201)
  await client.close()
})

describe('bots are left alone', () => {
  it('where a person speaks in between, or they take their time', async () => {
    const { topicId, greetEachOther } = await pair('Helpers')
    for (let round = 0; round < 3; round++) {
      expect(await greetEachOther(LIMITS.slowAfter)).toBe(LIMITS.slowAfter)
      await cast.ada.post(chat('/messages'), { topicId, text: 'Go on' })
      await allHaveHeard()
    }
    for (let round = 0; round < 3; round++) {
      expect(await greetEachOther(LIMITS.slowAfter)).toBe(LIMITS.slowAfter)
      pass(MINUTE_MS + 1000)
    }
    expect(Object((await cast.ada.get(chat(`/topics/${topicId}`))).body)).not.toHaveProperty('botsStoppedAt')
  })

  it('and a third one is not slowed by two others, and learns nothing of a topic that it is not in', async () => {
    const { ping, topicId, send, listen, greetEachOther } = await pair('Third')
    const third = inTimeOf(server, await staticBot(server, cast.orgId, 'Third bot'))
    await greetEachOther(LIMITS.slowAfter + 2)
    await listen(ping)
    expect((await send(ping)).status).toBe(429)
    expect(await send(third)).toMatchObject({ status: 404, body: 'Topic not found' })
    pass(LIMITS.pauseMs * 2)
    await ping.post(`/v2/topics/${topicId}/members`, { memberIds: [third.id] })
    expect((await send(third)).status).toBe(201)
  })
})

const statusOf = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
