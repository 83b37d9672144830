import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkPush } from '../server/cli/doctor/push.ts'
import { sql } from '../server/db/sql.ts'
import { reEncrypt } from '../server/keys/re-encrypt.ts'
import { startNotifying } from '../server/notify/start.ts'
import { encryptForBrowser } from '../server/notify/web-push.ts'
import { Secrets } from '../server/secrets.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { lastMail, mailsTo } from './support/mails.ts'
import { SECRET_KEY, startTestParley, type TestParley } from './support/parley.ts'
import { signInToProfile, type TestPerson, visitor } from './support/people.ts'
import { type PushService, startPushService, type TestBrowser } from './support/push-receiver.ts'
import { closedPort, ON_LOOPBACK } from './support/receiver.ts'
import type { TestStream } from './support/stream.ts'

const HOUR_MS = 3_600_000
const QUICK = { pollMs: 60, retrySchedule: [0.01, 0.01] }

let server: TestParley
let pushService: PushService
/** Two nodes decide and send at the same time, throughout. */
let nodes: TestParley[]
let workers: { stop(): Promise<void> }[]
let cast: ChatCast

beforeAll(async () => {
  server = await startTestParley({ pushNetworks: ['127.0.0.0/8'], smtpUrl: 'smtp://127.0.0.1:9' })
  nodes = [server, await server.secondNode()]
  pushService = await startPushService(() => server.parley.pushKey?.publicKey ?? '')
  workers = startWorkers()
})
afterAll(async () => {
  for (const worker of workers ?? []) await worker.stop()
  await pushService?.close()
  await server?.close()
})
beforeEach(async () => {
  setAhead(0)
  // Casts share their accounts, by the same addresses.
  await server.parley.db.query(sql`truncate push_subscriptions, missed_messages, mails cascade`)
  cast = await chatCast(server)
})
afterEach(() => cast.close())

const startWorkers = () => nodes.map(({ parley }) => startNotifying(parley, QUICK))
const setAhead = (ms: number) => {
  for (const { clock } of nodes) clock.ahead = ms
}

const chat = (path: string) => `/people/organizations/${cast.orgId}/chat${path}`
const settings = (who: TestPerson, change: object) => who.patch(chat('/notifications'), change)
const state = (who: TestPerson, topicId: string, change: object) =>
  who.patch(chat(`/topics/${topicId}/state`), change)

async function subscribe(who: TestPerson): Promise<TestBrowser> {
  const browser = pushService.browser()
  expect(await who.post('/people/account/push', browser.subscription)).toMatchObject({ status: 204 })
  return browser
}

async function say(who: Pick<TestPerson, 'post'>, text: string, topicId = cast.topicId): Promise<string> {
  const answer = await who.post(chat('/messages'), { topicId, text })
  expect(answer.status).toBe(201)
  return Object(answer.body).id
}

/** Waits until both nodes know whether the person is active. */
async function tellActive(who: TestPerson, active: boolean): Promise<void> {
  expect(await who.post(chat('/active'), { active })).toMatchObject({ status: 204 })
  await eventuallyHolds(async () => {
    for (const { parley } of nodes) expect(parley.activity.isActive(cast.orgId, who.profileId)).toBe(active)
  })
}

async function openPage(who: TestPerson): Promise<TestStream> {
  const stream = await cast.stream(who)
  await eventuallyHolds(async () => {
    for (const { parley } of nodes) expect(parley.presence.online(cast.orgId)).toContain(who.profileId)
  })
  return stream
}

/** Waits until every message is decided on, and all notifications are sent. */
const settled = () =>
  eventuallyHolds(async () => {
    const { db } = server.parley
    expect(
      await db.query(sql`
        select 1 from organization_logs l left join notification_readers r using (org_id)
        where r.position is distinct from l.last_seq`),
    ).toEqual([])
    // Pushes are checked last, because reading the log creates them.
    expect(await db.query(sql`select 1 from pushes where state <> 'shown'`)).toEqual([])
  })

describe('what a push message is encrypted with', () => {
  it('gives the example of RFC 8291', () => {
    const body = encryptForBrowser(
      'When I grow up, I want to be a watermelon',
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      {
        salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
        privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
      },
    )
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })
})

describe('levels', () => {
  it('are mentions in a topic and everything in a direct message, by default', async () => {
    const { ada, ben, topicId } = cast
    const direct = await ada.post(chat('/direct-messages'), { memberIds: [ben.profileId] })
    expect(Object(direct.body)).toMatchObject({ type: 'dm', level: 'everything' })
    const stream = await cast.stream(ben)
    expect((await ben.get(chat(`/topics/${topicId}`))).body).toMatchObject({ level: 'mentions' })
    expect((await state(ben, topicId, { level: 'nothing' })).body).toMatchObject({ level: 'nothing' })
    // Other changes leave it alone, and the person's other browsers get it.
    expect((await state(ben, topicId, { favourite: true })).body).toMatchObject({ level: 'nothing' })
    await stream.next(({ event, data }) => event === 'state' && Object(data).states?.[0]?.level === 'nothing')
    expect((await ada.get(chat(`/topics/${topicId}`))).body).toMatchObject({ level: 'mentions' })
    expect(await state(ben, topicId, { level: 'loud' })).toMatchObject({ status: 400 })
    expect(await state(cast.cy, topicId, { level: 'everything' })).toMatchObject({ status: 404 })
  })

  it('decide what a browser is told of, and muted topics tell of mentions alone', async () => {
    const { ada, ben, topicId } = cast
    const browser = await subscribe(ben)
    const mention = `<@${ben.profileId}> look`
    await say(ada, 'Nothing for Ben')
    const mentioned = await say(ada, mention)
    const choose = async (choice: object) => {
      await settled() // notices of earlier messages are decided
      await state(ben, topicId, choice)
    }
    await choose({ level: 'everything' })
    const everything = await say(ada, 'All of it')
    await choose({ muted: true })
    await say(ada, 'Hushed')
    const mutedMention = await say(ada, mention)
    await choose({ level: 'nothing', muted: false })
    await say(ada, mention)
    await settled()
    expect(browser.shown()).toEqual([mentioned, everything, mutedMention])
    // People are not notified of their own messages.
    await state(ben, topicId, { level: 'everything' })
    await say(ben, 'My own')
    await settled()
    expect(browser.shown()).toHaveLength(3)
  })
})

describe('settings of a person', () => {
  it('have defaults, are changed one by one, and are private', async () => {
    const { ada, ben } = cast
    const before = {
      keywords: [],
      quietHours: null,
      quietDays: [],
      timeZone: 'UTC',
      notWhileActive: true,
      mailAfterMinutes: 60,
      pushKey: server.parley.pushKey?.publicKey,
    }
    expect((await ben.get(chat('/notifications'))).body).toEqual(before)
    const quietHours = { from: '22:30', to: '07:00' }
    await settings(ben, { quietHours, quietDays: [7, 6, 7], timeZone: 'Europe/Berlin' })
    const changed = await settings(ben, { keywords: [' Release ', 'on  call', 'RELEASE'] })
    const given = { quietHours, quietDays: [6, 7], timeZone: 'Europe/Berlin' }
    const after = { ...before, ...given, keywords: ['Release', 'on call'] }
    expect(changed).toMatchObject({ status: 200, body: after })
    await settings(ben, { quietHours: null, mailAfterMinutes: 0, notWhileActive: false })
    expect((await ben.get(chat('/notifications'))).body).toEqual({
      ...after,
      quietHours: null,
      mailAfterMinutes: 0,
      notWhileActive: false,
    })
    expect((await ada.get(chat('/notifications'))).body).toEqual(before)
  })

  it.each([
    [{ timeZone: 'Mars/Olympus' }, 'unknown time zone'],
    [{ quietHours: { from: '08:00', to: '08:00' } }, 'quiet hours must end at another time than they begin'],
    [{ quietHours: { from: '24:00', to: '08:00' } }, undefined],
    [{ keywords: Array.from({ length: 21 }, (_, number) => `word ${number}`) }, undefined],
    [{ keywords: ['   '] }, undefined],
    [{ quietDays: [0] }, undefined],
    [{ quietDays: [1, 2, 3, 4, 5, 6, 7, 1] }, undefined],
    [{ keywords: ['x'.repeat(51)] }, undefined],
    [{ mailAfterMinutes: 7 }, undefined],
  ])('refuse %j and change nothing', async (change, refusal) => {
    const before = (await cast.ben.get(chat('/notifications'))).body
    const answer = await settings(cast.ben, change)
    expect(answer.status).toBe(400)
    if (refusal !== undefined) expect(answer.body).toBe(refusal)
    expect((await cast.ben.get(chat('/notifications'))).body).toEqual(before)
  })

  it('tell of keywords as whole words, in any case, where a person is', async () => {
    const { ada, ben, cy } = cast
    const [bens, cys] = [await subscribe(ben), await subscribe(cy)]
    for (const who of [ben, cy]) await settings(who, { keywords: ['art', 'Übung', 'c++'] })
    const told = [
      await say(ada, 'Modern ART, please'),
      await say(ada, 'eine übung!'),
      await say(ada, 'in C++.'),
    ]
    await say(ada, 'Start the party')
    await settled()
    expect(bens.shown().toSorted()).toEqual(told)
    expect(cys.shown()).toEqual([]) // is not in the topic
  })

  it('keep quiet days, by the calendar of the person', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    // Fourteen hours ahead and eleven behind UTC: never the same day of the week.
    const [ahead, behind] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
    const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
    const name = new Intl.DateTimeFormat('en-GB', { timeZone: ahead, weekday: 'short' })
    const today = week.indexOf(name.format(server.parley.clock())) + 1
    await settings(ben, { quietDays: [today], timeZone: ahead })
    await say(ada, `<@${ben.profileId}> on a free day`)
    await settled()
    await settings(ben, { timeZone: behind })
    const told = await say(ada, `<@${ben.profileId}> on a working day`)
    await settled()
    expect(browser.shown()).toEqual([told])
  })

  it('keep quiet hours, by the clock of the person', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    const clockIn = (timeZone: string, aheadMs: number) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }).format(server.parley.clock() + aheadMs)
    const timeZone = 'Pacific/Auckland'
    const around = { from: clockIn(timeZone, -HOUR_MS), to: clockIn(timeZone, HOUR_MS) }
    const stream = await openPage(ben)
    await settings(ben, { quietHours: around, timeZone })
    await say(ada, `<@${ben.profileId}> at night`)
    await settled()
    // Quiet hours follow the clock of the time zone.
    await settings(ben, { timeZone: 'America/New_York' })
    const morning = await say(ada, `<@${ben.profileId}> in the morning`)
    await settled()
    expect(browser.shown()).toEqual([morning])
    await stream.next(({ event }) => event === 'notification')
    expect(stream.seen.filter(({ event }) => event === 'notification')).toHaveLength(1)
  })

  it('send nothing to a browser while somebody is not to be disturbed, nor afterwards', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    const until = server.parley.clock() + HOUR_MS
    expect((await ben.patch(chat('/me'), { dndUntil: until })).status).toBeLessThan(300)
    const before = pushService.requests
    await say(ada, `<@${ben.profileId}> hush`)
    await settled()
    expect(pushService.requests - before, 'requests to the push service').toBe(0)
    setAhead(HOUR_MS + 1000)
    const loud = await say(ada, `<@${ben.profileId}> again`)
    await settled()
    expect(browser.shown()).toEqual([loud])
  })
})

describe('somebody who is active elsewhere', () => {
  it('is told on the open page alone, until they have gone, or want it everywhere', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    const stream = await openPage(ben)
    await tellActive(ben, true)
    const first = await say(ada, `<@${ben.profileId}> *one*`)
    const { data } = await stream.next(({ event }) => event === 'notification')
    expect(data).toEqual({
      organizationId: cast.orgId,
      topicId: cast.topicId,
      messageId: first,
      title: 'Ada · Releases',
      body: '@Ben *one*',
    })
    await settled()
    expect(browser.shown()).toEqual([])
    await tellActive(ben, false)
    const second = await say(ada, `<@${ben.profileId}> two`)
    await browser.has(1)
    await tellActive(ben, true)
    await settings(ben, { notWhileActive: false })
    const third = await say(ada, `<@${ben.profileId}> three`)
    await browser.has(2)
    await settled()
    expect(browser.shown()).toEqual([second, third])
  })

  it('counts for 90 seconds, on every node', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    await tellActive(ben, true)
    await say(ada, `<@${ben.profileId}> one`)
    await settled()
    expect(browser.shown()).toEqual([])
    setAhead(91_000)
    const late = await say(ada, `<@${ben.profileId}> two`)
    await eventuallyHolds(async () => expect(browser.shown().filter((id) => id === late)).toHaveLength(1))
  })
})

describe('push messages', () => {
  it('are readable for the browser alone, say who sends them, and come once from two nodes', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    const sent: string[] = []
    for (let number = 0; number < 12; number++)
      sent.push(await say(ada, `<@${ben.profileId}> secret ${number}`))
    await settled()
    expect(browser.shown().toSorted()).toEqual(sent.toSorted())
    const [first] = browser.pushed
    expect(first?.content).toMatchObject({
      kind: 'show',
      title: 'Ada · Releases',
      topicId: cast.topicId,
      waiting: 1,
    })
    expect(first?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
    expect(first?.raw.includes('secret')).toBe(false)
    expect(first?.token).toMatchObject({ aud: pushService.url, sub: 'mailto:parley@localhost' })
    expect(first?.token.exp).toBeGreaterThan(Date.now() / 1000)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/^parley_push_attempts_total\{outcome="ok"\} [1-9]/m)
    expect(metrics).toMatch(/^parley_push_lag_seconds 0$/m)
    const logs = server.logLines.join('')
    expect(logs).not.toContain('secret 1')
    expect(logs).not.toContain(first?.path)
  })

  it('are taken back once the message was read, in one go for each topic', async () => {
    const { ada, ben } = cast
    const [phone, laptop] = [await subscribe(ben), await signInToProfile(server, ben)]
    const other = await subscribe(laptop)
    await say(ada, `<@${ben.profileId}> one`)
    const last = await say(ada, `<@${ben.profileId}> two`)
    await Promise.all([phone.has(2), other.has(2)])
    await settled()
    await state(laptop, cast.topicId, { readTo: last })
    for (const browser of [phone, other]) {
      const [, , closing] = await browser.has(3)
      expect(closing?.content).toEqual({ kind: 'close', topicId: cast.topicId, messageId: last, waiting: 0 })
      expect(closing?.headers).toMatchObject({ urgency: 'low' })
      // A push service keeps the newest of a topic, so that a phone which was off does not ring for what was read.
      expect(closing?.headers.topic).toBe(browser.pushed[0]?.headers.topic)
    }
    await settled()
    expect(await server.parley.db.query(sql`select 1 from pushes where org_id = ${cast.orgId}`)).toEqual([])
    expect(phone.pushed).toHaveLength(3)
  })

  it('say of a reminder that it is one, whatever was read, beside what is new in its topic', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    const id = await say(ada, 'Answer me')
    await state(ben, cast.topicId, { readTo: id })
    const remindAt = server.parley.clock() + HOUR_MS
    expect((await ben.patch(chat(`/saved-messages/${id}`), { remindAt })).status).toBe(200)
    setAhead(HOUR_MS)
    await browser.has(1)
    await say(ada, `<@${ben.profileId}> news`)
    const [reminder, news] = await browser.has(2)
    expect(reminder?.content).toMatchObject({ title: '⏰ Ada · Releases', isReminder: true, messageId: id })
    expect(news?.content).toMatchObject({ title: 'Ada · Releases' })
    expect(news?.content).not.toHaveProperty('isReminder')
    expect(news?.headers.topic).not.toBe(reminder?.headers.topic)
  })

  it('are not sent of what was deleted, read or left before, and are taken back when it is deleted', async () => {
    const { ada, ben, topicId } = cast
    const browser = await subscribe(ben)
    pushService.script(503, 503) // so that there is time to delete it
    const gone = await say(ada, `<@${ben.profileId}> a slip`)
    await eventuallyHolds(async () => {
      const rows = await server.parley.db.query(
        sql`select 1 from pushes where message_id = ${gone} and attempts > 0`,
      )
      expect(rows).toHaveLength(1)
    })
    expect(await ada.delete(chat(`/messages/${gone}`))).toMatchObject({ status: 204 })
    await settled()
    const kept = await say(ada, `<@${ben.profileId}> to be deleted`)
    await settled()
    const shown = browser.shown()
    expect(shown).toContain(kept)
    await ada.delete(chat(`/messages/${kept}`))
    await eventuallyHolds(async () => {
      const closed = browser.pushed.filter(({ content }) => content.kind === 'close')
      expect(closed.map(({ content }) => content.messageId)).toContain(kept)
    })
    await settled()
    const heard = browser.pushed.length
    await ben.post(chat(`/topics/${topicId}/leave`))
    await say(ada, 'Without Ben')
    await settled()
    expect(browser.pushed).toHaveLength(heard)
  })

  it('are tried again, and given up with the browser that is gone', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    const before = pushService.requests
    pushService.script(500, 429)
    const message = await say(ada, `<@${ben.profileId}> patience`)
    await browser.has(1)
    expect(browser.shown()).toEqual([message])
    expect(pushService.requests - before).toBe(3)
    await settled()
    pushService.script(500, 500, 500)
    await say(ada, `<@${ben.profileId}> too much`)
    await settled()
    expect(pushService.requests - before).toBe(6)
    expect(browser.shown()).toEqual([message])
    pushService.script(410)
    await say(ada, `<@${ben.profileId}> gone`)
    await settled()
    await say(ada, `<@${ben.profileId}> nobody there`)
    await settled()
    expect(pushService.requests - before).toBe(7)
    const left = await server.parley.db.query(
      sql`select 1 from push_subscriptions where account_id = ${ben.accountId}`,
    )
    expect(left).toEqual([])
  })

  it('reach a session that may read the organization, and end with it', async () => {
    const { ada, ben } = cast
    const browser = await subscribe(ben)
    await server.parley.db.query(
      sql`update organizations set require_second_factor = true where org_id = ${cast.orgId}`,
    )
    const direct = await server.parley.db.query(
      sql`select 1 from push_subscriptions where account_id = ${ben.accountId}`,
    )
    expect(direct).toHaveLength(1)
    const writer = cast.bot
    const mention = { topicId: cast.topicId, text: `<@${ben.profileId}> with a second factor` }
    await writer.post('/v2/messages', mention)
    await settled()
    await server.parley.db.query(
      sql`update organizations set require_second_factor = false, sign_in_days = 1 where org_id = ${cast.orgId}`,
    )
    await server.parley.db.query(
      sql`update sessions set created_at = created_at - 86400000 where account_id = ${ben.accountId}`,
    )
    await writer.post('/v2/messages', { ...mention, text: `<@${ben.profileId}> to an old session` })
    await settled()
    expect(browser.shown()).toEqual([])
    await server.parley.db.query(
      sql`update organizations set sign_in_days = null where org_id = ${cast.orgId}`,
    )
    const told = await say(ada, `<@${ben.profileId}> as before`)
    await settled()
    expect(browser.shown()).toEqual([told])
    await ben.post('/people/sign-out')
    await say(ada, `<@${ben.profileId}> after signing out`)
    await settled()
    expect(browser.shown()).toEqual([told])
  })

  it('and mails do not reach a guest whose access has ended, before a worker archives them', async () => {
    const { ben, bot, topicId } = cast
    const browser = await subscribe(ben)
    await server.parley.db.query(sql`
      update profiles set role = 'guest', guest_until = ${server.parley.clock() - 1}
      where org_id = ${cast.orgId} and id = ${ben.profileId}`)
    await bot.post('/v2/messages', { topicId, text: `<@${ben.profileId}> too late` })
    await settled()
    setAhead(HOUR_MS + 60_000)
    await eventuallyHolds(async () => {
      const rows = await server.parley.db.query(sql`
        select 1 from missed_messages where org_id = ${cast.orgId} and due_at <= ${server.parley.clock()}`)
      expect(rows).toEqual([])
    })
    expect([browser.shown(), await mailsTo(server, ben.email)]).toEqual([[], []])
  })

  it('go nowhere inside: addresses of this network are refused, and so is what is no key', async () => {
    const inside = await server.secondNode({ ...ON_LOOPBACK, pushNetworks: [] })
    const { keys, endpoint } = pushService.browser().subscription
    const refused = async (subscription: object) => {
      const answer = await visitor(inside.url, cast.ben.cookies).post('/people/account/push', subscription)
      expect(answer.status, JSON.stringify(subscription)).toBe(400)
    }
    for (const address of [
      endpoint,
      'http://169.254.169.254/latest',
      'http://[::1]:9/',
      'file:///etc/passwd',
      'x',
    ])
      await refused({ endpoint: address, keys })
    const mine = (subscription: object) => cast.ben.post('/people/account/push', subscription)
    const noPoint = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
    expect(await mine({ endpoint, keys: { ...keys, p256dh: noPoint } })).toMatchObject({ status: 400 })
    expect(await mine({ endpoint, keys: { ...keys, auth: 'short' } })).toMatchObject({ status: 400 })
    // A name may lead elsewhere by the time that it is used: then its browser is not notified any more.
    const browser = await subscribe(cast.ben)
    for (const worker of workers) await worker.stop()
    workers = [startNotifying(inside.parley, QUICK)]
    const before = pushService.requests
    await say(cast.ada, `<@${cast.ben.profileId}> inside`)
    await settled()
    expect(pushService.requests).toBe(before)
    expect(browser.pushed).toEqual([])
    await workers[0]?.stop()
    workers = startWorkers()
  })

  it('go to the 20 latest browsers of a person, and a browser is one of one person', async () => {
    const { ben, ada } = cast
    const shared = pushService.browser()
    await ada.post('/people/account/push', shared.subscription)
    await ben.post('/people/account/push', shared.subscription)
    const owners = () =>
      server.parley.db.query<{ accountId: string }>(sql`
        select account_id as "accountId" from push_subscriptions
        where account_id in (${ada.accountId}, ${ben.accountId})`)
    expect(await owners()).toEqual([{ accountId: ben.accountId }])
    for (let number = 0; number < 21; number++) {
      setAhead(number + 1)
      await subscribe(await signInToProfile(server, ben))
    }
    expect(await owners()).toHaveLength(20)
    expect(await ben.delete('/people/account/push')).toMatchObject({ status: 204 })
  })

  it('are known to the doctor, who names push services that cannot be reached', async () => {
    const { db, config } = server.parley
    await subscribe(cast.ben)
    const well = await checkPush(db, config)
    expect(well).toMatchObject({ ok: true, detail: '1 browsers are notified, 0 messages wait' })
    const port = await closedPort()
    const { keys } = pushService.browser().subscription
    await cast.ada.post('/people/account/push', { endpoint: `http://127.0.0.1:${port}/secret`, keys })
    const ill = await checkPush(db, config)
    expect(ill).toMatchObject({ ok: false, detail: expect.stringContaining(`127.0.0.1:${port}`) })
    expect(JSON.stringify(ill)).not.toContain('secret')
  })

  it('are signed with a key that survives a change of the secret key, and is encrypted at rest', async () => {
    const { db, pushKey } = server.parley
    const [row] = await db.query<{ sealed: Buffer }>(sql`select private_key as sealed from push_keys`)
    const secrets = new Secrets('another key for tests, long enough to be one', SECRET_KEY)
    secrets.use({ current: secrets.fingerprint, marksValues: true })
    const number = pushKey?.privateKey.export({ format: 'jwk' }).d ?? ''
    expect(row?.sealed.includes(Buffer.from(number, 'base64url'))).toBe(false)
    await db
      .transaction(async (tx) => {
        await reEncrypt(tx, secrets)
        const [renewed] = await tx.query<{ sealed: Buffer }>(sql`select private_key as sealed from push_keys`)
        const opened = secrets.decrypt(renewed?.sealed ?? Buffer.alloc(0), 'push key')
        expect(opened.toString('base64url')).toBe(number)
        expect(renewed?.sealed.equals(row?.sealed ?? Buffer.alloc(0))).toBe(false)
        throw new Error('undo it')
      })
      .catch((error: unknown) => expect(String(error)).toContain('undo it'))
  })
})

describe('mail about what was missed', () => {
  it('comes after a while as one digest, once, and ends with one click', async () => {
    const { ada, ben } = cast
    const direct = Object((await ada.post(chat('/direct-messages'), { memberIds: [ben.profileId] })).body).id
    for (let number = 0; number < 3; number++) await say(ada, `<@${ben.profileId}> secret ${number}`)
    await say(ada, 'Between us', direct)
    await settled()
    expect(await mailsTo(server, ben.email)).toEqual([])
    setAhead(HOUR_MS + 60_000)
    await eventuallyHolds(async () => expect(await mailsTo(server, ben.email)).toHaveLength(1))
    const mail = await lastMail(server, ben.email)
    expect(mail.subject).toContain('4 messages for you')
    expect(mail.text).toContain('- Ada: 1 message\n- Releases: 3 messages from Ada')
    expect(mail.text).not.toContain('secret')
    expect(mail.text).toContain(`/o/${cast.orgId}/settings/notifications`)
    // The next mail waits until they have been back, and for a day.
    await say(ada, `<@${ben.profileId}> once more`)
    await settled()
    setAhead(3 * HOUR_MS)
    // The mail is put off before they are back, which any request shows.
    await eventuallyHolds(async () => {
      const due = await server.parley.db.query(sql`
        select 1 from missed_messages where profile_id = ${ben.profileId} and due_at <= ${server.parley.clock()}`)
      expect(due).toEqual([])
    })
    const link = mail.unsubscribe ?? ''
    const anybody = visitor(server.url)
    const path = new URL(link).pathname
    expect((await fetch(link)).status).toBe(200)
    expect((await ben.get(chat('/notifications'))).body).toMatchObject({ mailAfterMinutes: 60 })
    const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
    expect((await fetch(`${server.url}${path}x`, oneClick)).status).toBe(404)
    expect((await fetch(`${server.url}${path.replace(ben.profileId, ada.profileId)}`, oneClick)).status).toBe(
      404,
    )
    expect((await fetch(link, oneClick)).status).toBe(200)
    expect((await ben.get(chat('/notifications'))).body).toMatchObject({ mailAfterMinutes: 0 })
    expect((await ada.get(chat('/notifications'))).body).toMatchObject({ mailAfterMinutes: 60 })
    expect(await anybody.get(chat('/notifications'))).toMatchObject({ status: 401 })
    setAhead(30 * HOUR_MS)
    await eventuallyHolds(async () => {
      const rows = await server.parley.db.query(sql`
        select 1 from missed_messages where org_id = ${cast.orgId} and profile_id = ${ben.profileId}`)
      expect(rows).toEqual([])
    })
    expect(await mailsTo(server, ben.email)).toHaveLength(1)
  })

  it('does not tell of what was read, and waits for the end of quiet hours', async () => {
    const { ada, ben } = cast
    const first = await say(ada, `<@${ben.profileId}> read in time`)
    await settled()
    await state(ben, cast.topicId, { readTo: first })
    const at = (aheadMs: number) => new Date(server.parley.clock() + aheadMs).toISOString().slice(11, 16)
    await settings(ben, { quietHours: { from: at(HOUR_MS / 2), to: at(3 * HOUR_MS) }, mailAfterMinutes: 15 })
    setAhead(2 * HOUR_MS)
    await eventuallyHolds(async () => {
      const [row] = await server.parley.db.query<{ dueAt: number }>(sql`
        select due_at as "dueAt" from missed_messages where org_id = ${cast.orgId} and message_id = ${first}`)
      expect(row?.dueAt).toBeGreaterThan(server.parley.clock())
    })
    await say(ada, `<@${ben.profileId}> unread`)
    await settled()
    setAhead(4 * HOUR_MS)
    await eventuallyHolds(async () => expect(await mailsTo(server, ben.email)).toHaveLength(1))
    expect((await lastMail(server, ben.email)).subject).toContain('1 message for you')
  })
})
