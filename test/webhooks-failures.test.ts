import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setBot } from '../server/actions/bots/bots.ts'
import { replayDelivery, resumeWebhook } from '../server/actions/bots/deliveries.ts'
import { addPerson } from '../server/actions/members/members.ts'
import { sql } from '../server/db/sql.ts'
import { type Mail, openMail } from '../server/mail/queue.ts'
import { listDeliveries, readDelivery, readWebhook } from '../server/queries/bots/deliveries.ts'
import type { Dispatcher, DispatcherOptions } from '../server/webhooks/dispatcher.ts'
import { nextAttemptAt, RETRY_SCHEDULE } from '../server/webhooks/schedule.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  closedPort,
  isSigned,
  ON_LOOPBACK,
  type Received,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
  webhookBot,
} from './support/receiver.ts'

const HOUR_MS = 3_600_000
const JITTER = 1.2

let server: TestParley
let dispatcher: Dispatcher | undefined
let receiver: Receiver | undefined

beforeAll(async () => {
  server = await startTestParley({
    ...ON_LOOPBACK,
    webhookAllowedOrganizations: 'all',
    webhookRetrySchedule: RETRY_SCHEDULE,
  })
})
afterAll(() => server.close())
afterEach(async () => {
  await dispatcher?.stop()
  await receiver?.close()
  receiver = undefined
  server.clock.ahead = 0
  await server.parley.db.query(sql`update deliveries set state = 'delivered' where state = 'pending'`)
})

type Cast = {
  orgId: string
  bot: StaticTestBot
  receiver: Receiver
  say(text: string): Promise<unknown>
  /** The stored delivery of the event with this text. */
  deliveryOf(text: string): Promise<Awaited<ReturnType<typeof readDelivery>>>
  /** The delivery once it has had this many attempts. */
  afterAttempts(text: string, count: number): Promise<NonNullable<Awaited<ReturnType<typeof readDelivery>>>>
}

/** An organization of its own with a bot in a topic, whose webhook is the receiver or another address. */
async function cast(url?: string, options: DispatcherOptions = {}): Promise<Cast> {
  const here = await startReceiver()
  receiver = here
  const orgId = await organization(server)
  const writer = await staticBot(server, orgId, 'Writer')
  const bot = await webhookBot(server, orgId, url ?? here.url)
  const topic = await writer.post('/v2/topics', { name: 'News', members: [writer.id] })
  const { id: topicId } = topic.body as { id: string }
  // The row is inserted without an event, so that the bot's first delivery is the first message.
  await server.parley.db.query(sql`
    insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
    values (${orgId}, ${topicId}, ${bot.id}, 0, 0)`)
  dispatcher = startDispatcher(server, { attemptLimitMs: 500, ...options })
  const reference = { orgId, botId: bot.id }
  const texts = new Map<string, string>()
  const deliveryOf = async (text: string) => {
    const rows = await listDeliveries(reference, server.parley.db, { limit: 100 })
    const found = rows.find(({ eventId }) => eventId === texts.get(text))
    return found && readDelivery(reference, server.parley.db, found.id)
  }
  return {
    orgId,
    bot,
    receiver: here,
    async say(text) {
      const timestamp = String(Date.now() + server.clock.ahead)
      const { status } = await writer.post('/v2/messages', { topicId, text }, { timestamp })
      expect(status).toBe(201)
      const [event] = await server.parley.db.query<{ id: string }>(sql`
        select id from events where org_id = ${orgId} order by seq desc limit 1`)
      texts.set(text, event?.id ?? '')
    },
    deliveryOf,
    async afterAttempts(text, count) {
      let found = await deliveryOf(text)
      await until(
        async () => {
          found = await deliveryOf(text)
          return found?.attempts === count
        },
        () => `${found?.attempts} of ${count} attempts`,
      )
      if (!found) throw new Error('there is no delivery')
      return found
    },
  }
}

const textOf = ({ event }: Received) => (event.data.message as { text: string }).text
const idOf = ({ headers }: Received) => headers['x-service-delivery-id']

describe('an attempt fails', () => {
  it('with a status that is not a success', async () => {
    const { say, afterAttempts, receiver } = await cast()
    receiver.script({ status: 503, body: 'come back later' })
    await say('hello')
    const delivery = await afterAttempts('hello', 1)
    expect(delivery.history).toMatchObject([
      { outcome: 'status', status: 503, answer: 'come back later', error: null },
    ])
    expect(delivery).toMatchObject({ state: 'pending', attempts: 1 })
  })

  it('with a redirect, also to a private address, which is not followed', async () => {
    const { say, afterAttempts, receiver } = await cast()
    receiver.script({ status: 307, headers: { location: 'http://10.0.0.1/' } })
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([{ outcome: 'redirect', status: 307 }])
  })

  it('by timeout when the receiver hangs', async () => {
    const { say, afterAttempts, receiver } = await cast()
    receiver.script('hang')
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([
      { outcome: 'timeout', status: null, error: 'no complete answer within 0.5 s' },
    ])
    expect(history[0]?.durationMs).toBeGreaterThanOrEqual(149)
    expect(receiver.active).toBe(0)
  })

  it('by timeout when the receiver answers byte by byte', async () => {
    const { say, afterAttempts, receiver } = await cast()
    receiver.script('drip')
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([{ outcome: 'timeout', status: 200 }])
    await until(() => receiver.active === 0)
  })

  it('by timeout when no name server answers', async () => {
    const { say, afterAttempts } = await cast('http://silent.test/', { resolve: () => new Promise(() => {}) })
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([{ outcome: 'timeout', status: null }])
    expect(history[0]?.durationMs).toBeLessThan(2000)
  })

  it('as refused when nothing listens', async () => {
    const { say, afterAttempts } = await cast(`http://127.0.0.1:${await closedPort()}/`)
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([{ outcome: 'refused', error: expect.stringContaining('ECONNREFUSED') }])
  })

  it('as refused when the receiver hangs up', async () => {
    const { say, afterAttempts, receiver } = await cast()
    receiver.script('close')
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([{ outcome: 'refused', status: null }])
  })

  it('by its name when there is no such host', async () => {
    const resolve = () => Promise.reject(new Error('queryA ENOTFOUND nowhere.test'))
    const { say, afterAttempts } = await cast('http://nowhere.test/', { resolve })
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([{ outcome: 'dns', error: expect.stringContaining('ENOTFOUND') }])
  })

  it('by its certificate', async () => {
    const secure = await startReceiver({ tls: true })
    const { say, afterAttempts } = await cast(`https://receiver.test:${secure.port}/`, {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    await say('hello')
    const { history } = await afterAttempts('hello', 1)
    expect(history).toMatchObject([{ outcome: 'tls', error: expect.stringContaining('certificate') }])
    await secure.close()
  })

  it('as blocked when the address is not public, or its name leads to such a one', async () => {
    const resolve = async () => [{ address: '10.0.0.1', family: 4 as const }]
    const { say, afterAttempts, bot, orgId } = await cast('http://inside.test/', { resolve })
    await say('by name')
    expect((await afterAttempts('by name', 1)).history).toMatchObject([{ outcome: 'blocked' }])
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { webhookUrl: 'http://169.254.169.254/' }))
    await say('by address')
    const { history } = await afterAttempts('by address', 1)
    expect(history).toMatchObject([
      { outcome: 'blocked', error: expect.stringContaining('WEBHOOK_ALLOWED_NETWORKS') },
    ])
  })
})

describe('a retry', () => {
  it('follows the schedule with the same ids and body, a fresh timestamp and signature, until it is exhausted', async () => {
    const { say, afterAttempts, deliveryOf, receiver, bot } = await cast()
    receiver.otherwise = 500
    await say('again')
    for (const [index, seconds] of RETRY_SCHEDULE.entries()) {
      const delivery = await afterAttempts('again', index + 1)
      expect(delivery.state).toBe('pending')
      const wait = delivery.dueAt - (delivery.history.at(-1)?.at ?? 0)
      expect(wait).toBeGreaterThanOrEqual(seconds * 1000)
      expect(wait).toBeLessThanOrEqual(seconds * 1000 * JITTER + 1000)
      server.clock.ahead += seconds * 1000 * JITTER + 1000
    }
    await afterAttempts('again', RETRY_SCHEDULE.length + 1)
    expect(await deliveryOf('again')).toMatchObject({ state: 'exhausted', attempts: 10 })
    const { received } = receiver
    expect(received).toHaveLength(10)
    expect(new Set(received.map(idOf)).size).toBe(1)
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['x-service-timestamp'])).size).toBe(10)
    expect(new Set(received.map(({ headers }) => headers['x-service-signature'])).size).toBe(10)
    expect(received.filter((each) => !isSigned(each, bot.credentials.apiSecret))).toEqual([])
  })

  it('does not come before its time', async () => {
    const { say, afterAttempts, receiver } = await cast()
    receiver.script(500)
    await say('wait')
    await afterAttempts('wait', 1)
    server.clock.ahead += 4000
    await say('meanwhile')
    await afterAttempts('meanwhile', 1)
    expect(receiver.received.map(textOf)).toEqual(['wait', 'meanwhile'])
    server.clock.ahead += 3000
    const delivery = await afterAttempts('wait', 2)
    expect(delivery.state).toBe('delivered')
  })

  it('waits at least as long as Retry-After says, in seconds or as a date, but no longer than a day', async () => {
    const { say, afterAttempts, receiver } = await cast()
    const date = new Date(Date.now() + 2 * HOUR_MS)
    const cases: [string, string, number][] = [
      ['seconds', '600', 600_000],
      ['date', date.toUTCString(), 2 * HOUR_MS],
      ['less than the schedule', '1', 5000],
      ['too long', '999999999', 24 * HOUR_MS],
      ['nonsense', 'soon', 5000],
    ]
    for (const [text, retryAfter, wait] of cases) {
      receiver.script({ status: 429, headers: { 'Retry-After': retryAfter } })
      await say(text)
      const delivery = await afterAttempts(text, 1)
      const waited = delivery.dueAt - (delivery.history[0]?.at ?? 0)
      expect(waited, text).toBeGreaterThanOrEqual(wait - 2000)
      expect(waited, text).toBeLessThanOrEqual(wait * (wait === 5000 ? JITTER : 1) + 1000)
    }
  })

  it('is spread by chance', () => {
    const times = Array.from({ length: 50 }, () =>
      nextAttemptAt([100], { failures: 0, now: 0, retryAfter: undefined }),
    )
    expect(new Set(times).size).toBeGreaterThan(10)
    expect(nextAttemptAt([100], { failures: 1, now: 0, retryAfter: '5' })).toBeUndefined()
  })
})

describe('a webhook is paused', () => {
  async function withAdmins(orgId: string): Promise<void> {
    await server.parley.db.write(orgId, async (tx) => {
      await addPerson(tx, { email: `owner@${orgId}.test`, role: 'owner', status: 'Pending' })
      await addPerson(tx, { email: `admin@${orgId}.test`, role: 'admin', status: 'Active' })
      await addPerson(tx, { email: `member@${orgId}.test`, role: 'member', status: 'Active' })
    })
  }

  async function mailsOf(orgId: string): Promise<Mail[]> {
    const rows = await server.parley.db.query<{ id: string; content: Buffer }>(
      sql`select id, content from mails`,
    )
    return rows
      .map((row) => openMail(server.parley.secrets, row))
      .filter(({ to }) => to.endsWith(`${orgId}.test`))
  }

  const state = async ({ orgId, bot }: Cast) => readWebhook({ orgId, botId: bot.id }, server.parley.db)
  const pausedAs = (play: Cast, reason: string) =>
    until(async () => (await state(play))?.pauseReason === reason)

  it('by a 410 at once; the admins get a mail; later events wait for the resume', async () => {
    const play = await cast()
    const { say, receiver, orgId, bot } = play
    await withAdmins(orgId)
    receiver.script(200, 410)
    await say('fine')
    await say('gone')
    await pausedAs(play, 'gone')
    await say('missed')
    await say('missed too')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(receiver.received.map(textOf)).toEqual(['fine', 'gone'])

    const mails = await mailsOf(orgId)
    expect(mails.map(({ to }) => to).sort()).toEqual([`admin@${orgId}.test`, `owner@${orgId}.test`])
    expect(mails[0]?.subject).toBe('The webhook of Receiving bot is paused')
    expect(mails[0]?.text).toContain('410')

    await server.parley.db.write(orgId, (tx) => resumeWebhook(tx, bot.id))
    const received = await receiver.has(5)
    expect(received.slice(2).map(textOf)).toEqual(['gone', 'missed', 'missed too'])
    expect(await state(play)).toMatchObject({ pausedAt: null, pauseReason: null, failingSince: null })
  })

  it('when it keeps failing for a day, and not when it has just succeeded', async () => {
    const play = await cast()
    const { say, receiver, orgId } = play
    await withAdmins(orgId)
    receiver.otherwise = 500
    for (let count = 0; count < 21; count++) await say(`early ${count}`)
    await receiver.has(21)
    const since = (await state(play))?.failingSince
    expect(since).toBeTypeOf('number')
    // A success after 23 hours starts the count over.
    server.clock.ahead = 23 * HOUR_MS
    receiver.otherwise = ({ event }) =>
      (event.data.message as { text: string }).text === 'works' ? 200 : 500
    await say('works')
    await until(async () => (await state(play))?.failingSince !== since)
    server.clock.ahead = 25 * HOUR_MS
    await play.afterAttempts('works', 1)
    receiver.otherwise = 500
    const before = receiver.received.length
    for (let count = 0; count < 21; count++) await say(`late ${count}`)
    await receiver.has(before + 21)
    expect(await state(play)).toMatchObject({ pausedAt: null })
    server.clock.ahead = 50 * HOUR_MS
    await say('last')
    await pausedAs(play, 'failing')
    const mails = await mailsOf(orgId)
    expect(mails).toHaveLength(2)
    expect(mails[0]?.text).toContain('failed at every attempt for a day')
  })

  it('no longer when it gets a new address', async () => {
    const play = await cast()
    const { say, receiver, orgId, bot } = play
    receiver.script(410)
    await say('gone')
    await pausedAs(play, 'gone')
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { webhookUrl: `${receiver.url}/new` }))
    const [, second] = await receiver.has(2)
    expect(second?.path).toBe('/events/new')
    expect(await state(play)).toMatchObject({ pausedAt: null })
  })

  it('catches up at its own pace, and nothing new overtakes that in its topic', async () => {
    const play = await cast()
    const { say, receiver, orgId, bot } = play
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { webhookRate: 20 }))
    receiver.script(410)
    await say('gone')
    await pausedAs(play, 'gone')
    for (let count = 0; count < 10; count++) await say(`missed ${count}`)
    server.clock.ahead = HOUR_MS
    await dispatcher?.stop()
    dispatcher = startDispatcher(server)
    const began = performance.now()
    await server.parley.db.write(orgId, (tx) => resumeWebhook(tx, bot.id))
    await receiver.has(2)
    await say('new')
    await receiver.has(13)
    // 11 of the backlog at 20 a second.
    expect(performance.now() - began).toBeGreaterThanOrEqual(10 * 50)
    expect(receiver.received.slice(1).map(textOf)).toEqual([
      'gone',
      ...Array.from({ length: 10 }, (_, count) => `missed ${count}`),
      'new',
    ])
  })
})

describe('replaying one', () => {
  it('sends it again under the same id, also when it was exhausted, with all its retries', async () => {
    const { say, afterAttempts, receiver, orgId, bot } = await cast()
    await say('once more')
    const delivery = await afterAttempts('once more', 1)
    receiver.script(500)
    await server.parley.db.write(orgId, (tx) => replayDelivery(tx, bot.id, delivery.id))
    const replayed = await afterAttempts('once more', 2)
    expect(replayed.state).toBe('pending')
    expect(replayed.dueAt - (replayed.history[1]?.at ?? 0)).toBeLessThanOrEqual(
      (RETRY_SCHEDULE[0] as number) * 1000 * JITTER + 1000,
    )
    server.clock.ahead += 7000
    expect((await afterAttempts('once more', 3)).state).toBe('delivered')
    expect(new Set(receiver.received.map(idOf)).size).toBe(1)
  })

  it('is refused for a delivery of another bot', async () => {
    const { say, afterAttempts, orgId } = await cast()
    await say('mine')
    const delivery = await afterAttempts('mine', 1)
    const other = await staticBot(server, orgId, 'Other')
    await expect(
      server.parley.db.write(orgId, (tx) => replayDelivery(tx, other.id, delivery.id)),
    ).rejects.toThrow('Delivery not found')
  })
})
