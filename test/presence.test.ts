import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKING_MS } from '../contract/presence.ts'
import { textOf } from '../contract/refusals/index.ts'
import { sql } from '../server/db/sql.ts'
import { AWAY_AFTER_MS } from '../server/events/presence.ts'
import { startNotifying } from '../server/notify/start.ts'
import { at } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually, eventuallyHolds } from './support/eventually.ts'
import { mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInToProfile, type TestPerson } from './support/people.ts'
import { openStream, type TestStream } from './support/stream.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let server: TestParley
let beside: TestParley
let cast: ChatCast
/** Ben's page is at the other node throughout. */
let ben: TestPerson
let bens: TestStream

beforeAll(async () => {
  server = await startTestParley({ smtpUrl: 'smtp://127.0.0.1:9' })
  beside = await server.secondNode()
  cast = await chatCast(server)
  ben = await signInToProfile(beside, cast.ben)
  bens = await openStream(ben, cast.orgId)
})
afterAll(async () => {
  bens?.close()
  cast?.close()
  await server?.close()
})

const now = () => server.parley.clock()
/** Moves the clock of both nodes, which then look for idle people. */
function pass(milliseconds: number): void {
  for (const { clock, parley } of [server, beside]) {
    clock.ahead += milliseconds
    parley.presence.findIdle()
  }
}
const setMe = (who: TestPerson, change: object) => chatOf(who).patch('me', change)
const memberOf = async (who: TestPerson, id: string) => Object((await chatOf(who).get(`members/${id}`)).body)
const onlineTo = async (who: TestPerson): Promise<string[]> =>
  Object((await chatOf(who).get('start')).body).online
const isPresence =
  (profileId: string, online: boolean) =>
  ({ event, data }: { event: string; data: unknown }) =>
    event === 'presence' && Object(data).profileId === profileId && Object(data).online === online

describe('presence', () => {
  it('is away after ten minutes without a sign of life from any page, on every node, and back with the next', async () => {
    const adas = await cast.stream(cast.ada)
    await eventually(() => onlineTo(ben)).toContain(cast.ada.profileId)
    const phone = await signInToProfile(beside, cast.ada)
    pass(AWAY_AFTER_MS - MINUTE)
    // Activity on another page, at another node, counts everywhere.
    await chatOf(phone).post('active', { active: true })
    await eventuallyHolds(async () => {
      for (const { parley } of [server, beside])
        expect(parley.activity.isActive(cast.orgId, cast.ada.profileId)).toBe(true)
    })
    pass(2 * MINUTE)
    expect(await onlineTo(ben)).toContain(cast.ada.profileId)
    expect(bens.seen.some(isPresence(cast.ada.profileId, false))).toBe(false)
    await chatOf(phone).post('active', { active: false })
    pass(AWAY_AFTER_MS)
    await bens.next(isPresence(cast.ada.profileId, false))
    for (const who of [ben, cast.cy]) expect(await onlineTo(who)).not.toContain(cast.ada.profileId)
    // Her page still gets its notifications.
    expect(server.parley.presence.online(cast.orgId)).toContain(cast.ada.profileId)
    // A node that starts now learns that she is idle.
    const late = await server.secondNode()
    late.clock.ahead = server.clock.ahead
    const latecomer = await signInToProfile(late, cast.ben)
    await eventuallyHolds(async () =>
      expect(late.parley.presence.online(cast.orgId)).toContain(cast.ada.profileId),
    )
    expect(await onlineTo(latecomer)).not.toContain(cast.ada.profileId)
    const comings = () => bens.seen.filter(isPresence(cast.ada.profileId, true)).length
    const before = comings()
    await chatOf(cast.ada).post('active', { active: true })
    await eventually(async () => comings()).toBe(before + 1)
    await eventually(() => onlineTo(latecomer)).toContain(cast.ada.profileId)
    adas.close()
  })
})

describe('a status', () => {
  it('has a text, an emoji and an end, after which it is gone without being cleared', async () => {
    const { ada } = cast
    const until = now() + HOUR
    const status = { statusText: 'At sea', statusEmoji: '⛵', statusUntil: until }
    expect((await setMe(ada, status)).body).toMatchObject(status)
    await bens.next(
      ({ event, data }) => event === 'member.updated' && Object(data).member.statusEmoji === '⛵',
    )
    expect(await memberOf(ben, ada.profileId)).toMatchObject(status)
    pass(HOUR)
    expect(Object.keys(await memberOf(ben, ada.profileId)).filter((key) => key.startsWith('status'))).toEqual(
      ['status'],
    )
    // Nothing of the former status comes back with a new one.
    expect((await setMe(ada, { statusEmoji: '🎧' })).body).not.toHaveProperty('statusText')
    expect((await setMe(ada, { statusText: 'Music' })).body).toMatchObject({
      statusText: 'Music',
      statusEmoji: '🎧',
    })
    expect(await memberOf(ben, ada.profileId)).not.toHaveProperty('statusUntil')
    await setMe(ada, { statusText: '', statusEmoji: '' })
  })

  it.each([
    [{ statusEmoji: 'sail' }, textOf('status_emoji_invalid')],
    [{ statusEmoji: '⛵⛵' }, textOf('status_emoji_invalid')],
    [{ statusText: 'Now', statusUntil: 1 }, textOf('status_time_invalid')],
    [{ dndUntil: 4_000_000_000_000 }, textOf('status_time_invalid')],
    [{ dndUntil: 'tomorrow' }, 'dndUntil must be between 0 and 8640000000000000'],
    [{ appearsAway: 'yes' }, 'appearsAway must be true or false'],
  ])('refuses %j', async (change, body) => {
    const before = await memberOf(ben, cast.ada.profileId)
    expect(refusal(await setMe(cast.ada, change))).toMatchObject({ status: 400, body })
    expect(await memberOf(ben, cast.ada.profileId)).toEqual(before)
  })
})

describe('do not disturb', () => {
  it('silences notifications and mail until its time, and is seen by all', async () => {
    const workers = [server, beside].map(({ parley }) => startNotifying(parley, { pollMs: 20 }))
    const { ada } = cast
    const topicId = cast.topicId
    const say = async (text: string): Promise<string> =>
      Object((await chatOf(ada).post('messages', { topicId, text: `<@${ben.profileId}> ${text}` })).body).id
    const settled = () =>
      eventuallyHolds(async () => {
        const behind = await server.parley.db.query(sql`
          select 1 from organization_logs l left join notification_readers r using (org_id)
          where r.position is distinct from l.last_seq`)
        expect(behind).toEqual([])
      })
    await setMe(ben, { dndUntil: now() + 3 * HOUR, appearsAway: true })
    expect(await memberOf(ada, ben.profileId)).toMatchObject({
      dndUntil: expect.any(Number),
      appearsAway: true,
    })
    const quiet = await say('quiet')
    await settled()
    pass(2 * HOUR)
    const due = async () =>
      (await server.parley.db.query(sql`select 1 from missed_messages where due_at <= ${now()}`)).length
    await eventually(due).toBe(0)
    expect(await mailsTo(server, cast.ben.email)).toEqual([])
    expect(bens.seen.some(({ event }) => event === 'notification')).toBe(false)
    pass(2 * HOUR)
    await eventually(async () => (await mailsTo(server, cast.ben.email)).length).toBe(1)
    expect(await memberOf(ada, ben.profileId)).not.toHaveProperty('dndUntil')
    const loud = await say('loud')
    const told = await bens.next(({ event }) => event === 'notification')
    expect([Object(told.data).messageId, quiet === loud]).toEqual([loud, false])
    await setMe(ben, { appearsAway: false })
    for (const worker of workers) await worker.stop()
  })
})

describe('a bot that is working', () => {
  it('is shown to members of the topic on every node, for a while, and is not stored', async () => {
    const { bot, topicId } = cast
    const cys = await cast.stream(cast.cy)
    const timely = { timestamp: String(now()) }
    const path = `/v2/topics/${topicId}/working`
    const [before] = await server.parley.db.query(
      sql`select last_seq from organization_logs where org_id = ${cast.orgId}`,
    )
    for (const _again of [1, 2, 3]) expect((await bot.post(path, {}, timely)).status).toBe(204)
    const told = await bens.next(({ event, data }) => event === 'typing' && Object(data).profileId === bot.id)
    expect(told).toMatchObject({ data: { topicId, profileId: bot.id, forMs: WORKING_MS } })
    expect(told.id).toBeUndefined()
    const [after] = await server.parley.db.query(
      sql`select last_seq from organization_logs where org_id = ${cast.orgId}`,
    )
    expect(after).toEqual(before)
    await chatOf(cast.ada).post('messages', { topicId, text: 'Well?' })
    await bens.next(({ event, data }) => event === 'message.created' && Object(data).message.text === 'Well?')
    const seen = (stream: TestStream) => stream.seen.filter(({ event }) => event === 'typing').length
    expect([seen(bens), seen(cys)]).toEqual([1, 0])
    expect(
      refusal(await bot.post('/v2/topics/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/working', {}, timely)),
    ).toMatchObject({
      status: 404,
      body: 'Topic not found',
    })
    cys.close()
  })
})

describe('where an organization has switched presence off', () => {
  it('nothing of it is sent or shown, on any node, and all of it comes back', async () => {
    const { ada, bot, orgId, topicId } = cast
    const settings = `/people/organizations/${orgId}`
    await setMe(ada, { statusText: 'At sea', statusEmoji: '⛵' })
    await setMe(ben, { dndUntil: now() + HOUR })
    expect((await ada.patch(settings, { showPresence: false })).body).toMatchObject({ showPresence: false })
    await bens.ended()
    bens = await openStream(ben, orgId)
    expect((await chatOf(ben).get('start')).body).toMatchObject({
      organization: { showPresence: false },
      online: [],
    })
    const shown = await memberOf(ben, ada.profileId)
    for (const key of ['statusText', 'statusEmoji', 'dndUntil']) expect(shown).not.toHaveProperty(key)
    for (const change of [
      { statusText: 'x' },
      { statusEmoji: '⛵' },
      { dndUntil: now() + HOUR },
      { appearsAway: true },
    ])
      expect(refusal(await setMe(ada, change))).toMatchObject({
        status: 403,
        body: textOf('presence_disabled'),
      })
    expect((await setMe(ada, { title: 'Captain' })).status).toBe(200)
    const adas = await cast.stream(ada)
    await chatOf(ada).post('typing', { topicId })
    expect(
      (await at(beside.url, bot).post(`/v2/topics/${topicId}/working`, {}, { timestamp: String(now()) }))
        .status,
    ).toBe(204)
    await chatOf(ada).post('messages', { topicId, text: 'Unseen' })
    await bens.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.text === 'Unseen',
    )
    expect(bens.seen.filter(({ event }) => event === 'typing' || event === 'presence')).toEqual([])
    // Do not disturb needs presence: an earlier choice silences nothing now.
    const [row] = await server.parley.db.query(
      sql`select dnd_until from profiles where id = ${ben.profileId}`,
    )
    expect(row).toEqual({ dnd_until: expect.any(Number) })

    await ada.patch(settings, { showPresence: true })
    await bens.ended()
    bens = await openStream(ben, orgId)
    expect(await memberOf(ben, ada.profileId)).toMatchObject({ statusText: 'At sea', statusEmoji: '⛵' })
    await eventually(() => onlineTo(ben)).toContain(ben.profileId)
    adas.close()
  })
})
