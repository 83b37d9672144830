import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OrganizationSettings, OVERVIEW_DAYS, type Overview } from '../contract/people/organization.ts'
import { setCeilings } from '../server/actions/organization/organization-settings.ts'
import { sql } from '../server/db/sql.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { at, organization, person, staticBot } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson, visitor } from './support/people.ts'
import { ON_LOOPBACK, startDispatcher, startReceiver, webhookBot } from './support/receiver.ts'

const DAY = 86_400_000

let server: TestParley
let home: string
let owner: TestPerson
let admin: TestPerson

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookAllowedOrganizations: 'all', agentSignup: false })
  home = await organization(server)
  owner = await signInAs(server, { orgId: home, role: 'owner', name: 'Olu Adeyemi' })
  admin = await signInAs(server, { orgId: home, role: 'admin' })
})
afterEach(() => {
  server.clock.ahead = 0
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const pathOf = (who: TestPerson, path = '') => `/people/organizations/${who.orgId}${path && `/${path}`}`
const settings = async (who: TestPerson): Promise<OrganizationSettings> =>
  Object((await who.get(pathOf(who))).body)
const set = (who: TestPerson, body: object) => who.patch(pathOf(who), body)

/** Sets limits as `parley org set` does. */
const allow = (orgId: string, ceilings: Parameters<typeof setCeilings>[1]) =>
  server.parley.db.write(orgId, (tx) => setCeilings(tx, ceilings))

async function elsewhere(name = 'Elsewhere') {
  const orgId = await organization(server, name)
  const who = await signInAs(server, { orgId, role: 'owner', name: 'Eve', email: `eve@${orgId}.test` })
  return { orgId, eve: who }
}

describe('the settings', () => {
  it('are those of the server until they are changed', async () => {
    expect(await settings(admin)).toEqual({
      id: home,
      name: 'Lighthouse Labs',
      restrictToOrgUnits: false,
      rateLimit: null,
      retentionDays: null,
      agentSignup: false,
      requireSecondFactor: false,
      adminsNeedSecondFactor: false,
      requireSignOn: false,
      signInDays: null,
      allowAssistants: true,
      linkPreviews: true,
      membersMentionMany: false,
      membersCreateTopics: true,
      membersInviteGuests: false,
      blockedWords: [],
      fourEyes: false,
      editMinutes: null,
      keepMessagesDays: null,
      repliesInTopics: false,
      server: { rateLimit: 0, retentionDays: 7, isHome: true, linkPreviews: true, mail: 'outbox' },
      showPresence: true,
    })
    const { eve } = await elsewhere()
    expect((await settings(eve)).server.isHome).toBe(false)
    const wanted = { name: 'Anywhere', restrictToOrgUnits: true, rateLimit: 5, retentionDays: 0.5 }
    expect((await set(eve, wanted)).body).toMatchObject(wanted)
    expect(await settings(eve)).toMatchObject(wanted)
    expect((await set(eve, { rateLimit: null, retentionDays: null })).body).toMatchObject({
      name: 'Anywhere',
      rateLimit: null,
      retentionDays: null,
    })
    expect((await set(eve, { retentionDays: 0 })).status).toBe(400)
    expect((await set(eve, { rateLimit: -1 })).status).toBe(400)
    expect(refusal(await set(eve, { name: ' ' }))).toEqual({ status: 400, body: 'name is required' })
  })

  it('limit the bots of the organization at once', async () => {
    const { eve, orgId } = await elsewhere()
    const bot = await staticBot(server, orgId)
    expect((await bot.get('/v2/members/me')).status).toBe(200)
    await set(eve, { rateLimit: 1 })
    await eventually(async () => (await bot.get('/v2/members/me')).status).toBe(429)
  })

  it('leave agent sign-up to owners of the home organization', async () => {
    const signUp = async () =>
      (await call(server.url, undefined, 'POST', '/v2/agentic/organization/create', { body: {} })).status
    expect(await signUp()).toBe(404)
    const { eve } = await elsewhere()
    const refused = {
      status: 403,
      body: 'agent sign-up is for owners of the home organization of the server',
    }
    expect(refusal(await set(eve, { agentSignup: true, name: 'Not this either' }))).toEqual(refused)
    expect((await settings(eve)).name).toBe('Elsewhere')
    expect(refusal(await set(admin, { agentSignup: true }))).toEqual(refused)
    expect((await set(owner, { agentSignup: true })).body).toMatchObject({ agentSignup: true })
    expect((await settings(eve)).agentSignup).toBe(true)
    expect(await signUp()).toBe(400)
    await set(owner, { agentSignup: false })
    expect(await signUp()).toBe(404)
  })
})

describe('what an operator allows', () => {
  const limited = { rateLimitPerMinute: 20, updatesRetentionMs: 7 * DAY }
  let node: TestParley

  beforeAll(async () => {
    node = await server.secondNode(limited)
  })

  /** An owner on a server whose operator has set limits. */
  async function owner() {
    const { orgId, eve } = await elsewhere()
    return { orgId, eve: { ...eve, ...visitor(node.url, eve.cookies) } }
  }
  const refused = (body: string) => ({ status: 400, body })
  const RATE = 'rateLimit must be from 1 to 20, which is the most that this server allows'
  const DAYS = 'retentionDays must be at most 7, which is the most that this server allows'
  const limitOf = async (orgId: string) => {
    const bot = at(node.url, await staticBot(server, orgId))
    return Number((await bot.get('/v2/members/me')).headers.get('ratelimit-limit'))
  }

  it('is the most that an organization can choose', async () => {
    const { orgId, eve } = await owner()
    expect((await settings(eve)).server).toMatchObject({ rateLimit: 20, retentionDays: 7 })
    for (const rateLimit of [0, 21, 1_000_000])
      expect(refusal(await set(eve, { rateLimit, name: 'Not this' }))).toEqual(refused(RATE))
    for (const retentionDays of [7.01, 3650])
      expect(refusal(await set(eve, { retentionDays, name: 'Nor this' }))).toEqual(refused(DAYS))
    expect(await settings(eve)).toMatchObject({ name: 'Elsewhere', rateLimit: null, retentionDays: null })
    expect(await limitOf(orgId)).toBe(20)

    for (const wanted of [
      { rateLimit: 20, retentionDays: 7 },
      { rateLimit: 1, retentionDays: 0.5 },
    ]) {
      expect((await set(eve, wanted)).body).toMatchObject(wanted)
      await eventually(() => limitOf(orgId)).toBe(wanted.rateLimit)
    }
  })

  it('can be more or less for one organization, which chooses within it', async () => {
    const { orgId, eve } = await owner()
    await allow(orgId, { rateLimit: 50, retentionDays: 30 })
    await eventually(() => limitOf(orgId)).toBe(50)
    expect(await settings(eve)).toMatchObject({
      rateLimit: null,
      retentionDays: null,
      server: { rateLimit: 50, retentionDays: 30 },
    })
    expect((await set(eve, { rateLimit: 40, retentionDays: 20 })).status).toBe(200)
    expect(refusal(await set(eve, { rateLimit: 51 })).status).toBe(400)
    await eventually(() => limitOf(orgId)).toBe(40)

    await allow(orgId, { rateLimit: 0 })
    expect((await set(eve, { rateLimit: 0 })).body).toMatchObject({ rateLimit: 0 })
    await eventually(() => limitOf(orgId)).toBe(0)

    await allow(orgId, { rateLimit: 10, retentionDays: 2 })
    await eventually(() => limitOf(orgId)).toBe(10)
    expect(await settings(eve)).toMatchObject({ rateLimit: 10, retentionDays: 2 })
    await allow(orgId, { rateLimit: null, retentionDays: null })
    await eventually(() => limitOf(orgId)).toBe(20)
  })

  it('holds for what was chosen before, too', async () => {
    const { orgId, eve } = await owner()
    await server.parley.db.query(sql`
      update organizations set rate_limit = 0, retention_days = 3650 where org_id = ${orgId}`)
    expect(await limitOf(orgId)).toBe(20)
    expect(await settings(eve)).toMatchObject({ rateLimit: 20, retentionDays: 7 })
    const [before] = await server.parley.db.query<{ floor: number }>(sql`
      select floor_seq as floor from organization_logs where org_id = ${orgId}`)
    const bot = await staticBot(server, orgId)
    await bot.post('/v2/topics', { name: 'T', members: [] })
    const { db, clock, config } = node.parley
    await set(eve, { name: 'An event' })
    await removeOldEvents(db, clock() + 8 * DAY, config.updatesRetentionMs)
    const [after] = await server.parley.db.query<{ floor: number }>(sql`
      select floor_seq as floor from organization_logs where org_id = ${orgId}`)
    expect(after?.floor).toBeGreaterThan(before?.floor ?? 0)
  })
})

describe('how long events are kept', () => {
  it('is the organization’s own to decide', async () => {
    const one = await elsewhere()
    const other = await elsewhere()
    await set(one.eve, { retentionDays: 1 })
    const bots = [await staticBot(server, one.orgId), await staticBot(server, other.orgId)]
    const offsets: string[] = []
    for (const bot of bots) {
      const topicId = Object((await bot.post('/v2/topics', { name: 'T', members: [] })).body).id
      await bot.post('/v2/messages', { topicId, text: 'Hello' })
      offsets.push(Object((await bot.get('/v2/updates')).body).updates[0].updateId)
    }
    const { db, clock, config } = server.parley
    await removeOldEvents(db, clock() + 2 * DAY, config.updatesRetentionMs)
    const count = async (orgId: string) =>
      (await db.query(sql`select 1 from events where org_id = ${orgId} and type = 'message.created'`)).length
    expect(await count(one.orgId)).toBe(0)
    expect(await count(other.orgId)).toBe(1)

    server.clock.ahead += 2 * DAY
    const timestamp = String(server.parley.clock())
    const gone = await bots[0]?.get(`/v2/updates?offset=${offsets[0]}`, { timestamp })
    expect(gone && refusal(gone)).toEqual({ status: 409, body: 'offset is no longer available' })
    await allow(one.orgId, { retentionDays: 30 })
    await set(one.eve, { retentionDays: 30 })
    const still = await bots[0]?.get(`/v2/updates?offset=${offsets[0]}`, { timestamp })
    expect(still && refusal(still)).toEqual({ status: 409, body: 'offset is no longer available' })
    expect((await bots[1]?.get(`/v2/updates?offset=${offsets[1]}`, { timestamp }))?.status).toBe(200)
  })
})

describe('a shorter time', () => {
  it('previews how much would never reach a bot', async () => {
    const { eve, orgId } = await elsewhere()
    const polling = await staticBot(server, orgId, 'Polling bot')
    const hooked = await webhookBot(server, orgId, 'http://127.0.0.1:9/events', 'Webhook bot')
    const topic = { name: 'Old', members: [hooked.id] }
    const topicId = Object((await polling.post('/v2/topics', topic)).body).id // member.added for the webhook
    for (const text of ['One', 'Two']) await polling.post('/v2/messages', { topicId, text })
    const preview = async (query = '') => (await eve.get(pathOf(eve, `retention${query}`))).body

    server.clock.ahead += 2 * DAY
    expect(await preview()).toEqual({ deliveries: 0, updates: 0 })
    expect(await preview('?retentionDays=3')).toEqual({ deliveries: 0, updates: 0 })
    expect(await preview('?retentionDays=1')).toEqual({ deliveries: 3, updates: 2 })
    // Events that were polled are not lost.
    const timestamp = () => ({ timestamp: String(server.parley.clock()) })
    const { nextOffset } = Object((await polling.get('/v2/updates', timestamp())).body)
    await polling.get(`/v2/updates?offset=${nextOffset}`, timestamp())
    await server.parley.acknowledgements.write(server.parley.db)
    expect(await preview('?retentionDays=1')).toEqual({ deliveries: 3, updates: 0 })
    expect((await eve.get(pathOf(eve, 'retention?retentionDays=0'))).status).toBe(400)

    // The prediction comes true.
    await removeOldEvents(server.parley.db, server.parley.clock(), DAY)
    expect(await preview('?retentionDays=1')).toEqual({ deliveries: 0, updates: 0 })
  })
})

describe('the logo', () => {
  const picture = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
  const send = (who: TestPerson, content: Buffer | string, name = 'logo.png') => {
    const { body, contentType } = form({}, [{ content, name }], { metaPart: 'metadata' })
    return who.post(pathOf(who, 'logo'), body, { headers: { 'content-type': contentType } })
  }
  const kept = async (orgId: string) => {
    const [row] = await server.parley.db.query<{ id: string | null }>(
      sql`select logo_file_id as id from organizations where org_id = ${orgId}`,
    )
    return row?.id
  }
  const sweepAt = async (id: string | null | undefined) => {
    const [row] = await server.parley.db.query<{ sweep_at: number | null }>(
      sql`select sweep_at from stored_files where id = ${id}`,
    )
    return row?.sweep_at
  }

  it('is set, shown, replaced and removed', async () => {
    const { eve, orgId } = await elsewhere()
    const first: OrganizationSettings = Object((await send(eve, await picture(16))).body)
    const shown = await fetch(first.logoUrl ?? '')
    expect(shown.status).toBe(200)
    expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).toMatchObject({ width: 16 })
    const firstId = await kept(orgId)
    expect(await sweepAt(firstId)).toBeNull()

    await send(eve, await picture(1000))
    const secondId = await kept(orgId)
    expect(secondId).not.toBe(firstId)
    expect(await sweepAt(firstId)).toBeTypeOf('number')
    expect(await sweepAt(secondId)).toBeNull()

    expect((await eve.delete(pathOf(eve, 'logo'))).status).toBe(204)
    expect((await settings(eve)).logoUrl).toBeUndefined()
    expect(await sweepAt(secondId)).toBeTypeOf('number')
    expect((await eve.delete(pathOf(eve, 'logo'))).status).toBe(204)
    await server.parley.files.sweep()
    expect(await sweepAt(firstId)).toBeUndefined()
  })

  it('is a JPEG or PNG image', async () => {
    const { eve, orgId } = await elsewhere()
    const not = { status: 400, body: 'filePart must be a JPEG or PNG image' }
    expect(refusal(await send(eve, 'no picture', 'logo.txt'))).toEqual(not)
    expect(refusal(await send(eve, (await picture(64)).subarray(0, 90)))).toEqual({
      status: 400,
      body: 'Invalid image',
    })
    expect(refusal(await eve.post(pathOf(eve, 'logo'), {}))).toEqual({
      status: 400,
      body: 'filePart is required',
    })
    expect(await kept(orgId)).toBeNull()
  })
})

describe('the overview', () => {
  const overview = async (who: TestPerson): Promise<Overview> => {
    const answer = await who.get(pathOf(who, 'overview'))
    expect(answer.status, answer.text).toBe(200)
    return Object(answer.body)
  }

  it('counts people, bots and topics', async () => {
    const { eve, orgId } = await elsewhere()
    await person(server, orgId, 'P', { status: 'Pending', email: `p@${orgId}.test` })
    const archived = await person(server, orgId, 'A', { email: `a@${orgId}.test` })
    const deleted = await person(server, orgId, 'D', { email: `d@${orgId}.test` })
    await eve.patch(pathOf(eve, `members/${archived}`), { status: 'Archived' })
    await eve.patch(pathOf(eve, `members/${deleted}`), { status: 'Deleted' })
    const [bot, off] = [await staticBot(server, orgId), await staticBot(server, orgId)]
    await eve.patch(pathOf(eve, `bots/${off.id}`), { active: false })
    await bot.post('/v2/topics', { name: 'T', members: [] })
    expect(await overview(eve)).toMatchObject({
      members: { active: 1, pending: 1, archived: 1 },
      bots: { active: 1, inactive: 1 },
      topics: 1,
    })
  })

  it('counts messages by day, each once, however often and by however many it is looked at', async () => {
    const { eve, orgId } = await elsewhere()
    const bot = await staticBot(server, orgId)
    const topicId = Object((await bot.post('/v2/topics', { name: 'T', members: [] })).body).id
    const say = async (count: number) => {
      const timestamp = String(server.parley.clock())
      for (let n = 0; n < count; n++)
        await bot.post('/v2/messages', { topicId, text: 'Hello' }, { timestamp })
    }
    const counts = async () => (await overview(eve)).messagesByDay.map(({ count }) => count)
    const none = Array(OVERVIEW_DAYS - 1).fill(0)
    await eventually(counts).toEqual([...none, 0])
    await say(3)
    await eventually(counts).toEqual([...none, 3])
    await eventually(counts).toEqual([...none, 3])
    await say(2)
    await eventually(() => Promise.all([counts(), counts(), counts()])).toEqual(Array(3).fill([...none, 5]))
    await eventually(counts).toEqual([...none, 5])

    server.clock.ahead += DAY
    await say(1)
    await eventually(async () => (await counts()).slice(-3)).toEqual([0, 5, 1])
    const { messagesByDay } = await overview(eve)
    expect(messagesByDay.at(-1)?.day).toBe(new Date(server.parley.clock()).toISOString().slice(0, 10))
    server.clock.ahead += 20 * DAY
    await eventually(counts).toEqual([...none, 0])
    await say(1)
    await eventually(counts).toEqual([...none, 1])
  })

  it('keeps a count of messages once a day, and for every thousand', async () => {
    const { eve, orgId } = await elsewhere()
    const bot = await staticBot(server, orgId)
    const topicId = Object((await bot.post('/v2/topics', { name: 'T', members: [] })).body).id
    const { db } = server.parley
    const say = (count: number) =>
      db.write(orgId, async (tx) => {
        const moments = Array.from({ length: count }, () => tx.moment())
        await tx.query(sql`
          insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
          select ${orgId}, id, ${topicId}, ${bot.id}, 'text', 'Hello', at, at
          from unnest(${moments.map(({ id }) => id)}::uuid[], ${moments.map(({ at }) => at)}::bigint[]) as x (id, at)`)
      })
    const today = async () => (await overview(eve)).messagesByDay.at(-1)?.count
    const kept = async () => {
      const [row] = await db.query<{ sum: number }>(
        sql`select coalesce(sum(count), 0)::bigint as sum from message_counts where org_id = ${orgId}`,
      )
      return row?.sum
    }
    await say(1)
    await eventually(today).toBe(1)
    expect(await kept()).toBe(1)
    await say(999)
    await eventually(today).toBe(1000)
    expect(await kept()).toBe(1)
    await say(1)
    await eventually(today).toBe(1001)
    expect(await kept()).toBe(1001)
    await say(1)
    await eventually(today).toBe(1002)
    expect(await kept()).toBe(1001)
  })

  it('waits for messages whose files are still being processed', async () => {
    const { eve, orgId } = await elsewhere()
    const bot = await staticBot(server, orgId)
    const topicId = Object((await bot.post('/v2/topics', { name: 'T', members: [] })).body).id
    const first = Object((await bot.post('/v2/messages', { topicId, text: 'One' })).body).id
    const second = Object((await bot.post('/v2/messages', { topicId, text: 'Two' })).body).id
    const { db } = server.parley
    const today = async () => (await overview(eve)).messagesByDay.at(-1)?.count
    // Makes the first one look like an upload that appears after the second was counted.
    await db.query(sql`
      insert into pending_messages (org_id, id, topic_id, sender_id, text, mentions, attachments, compress_images, created_at)
      values (${orgId}, ${first}, ${topicId}, ${bot.id}, '', '{}', '[]', false, 0)`)
    const [row] = await db.query(
      sql`delete from messages where org_id = ${orgId} and id = ${first} returning *`,
    )
    await eventually(today).toBe(1)
    await eventually(today).toBe(1)
    await db.query(sql`delete from pending_messages where org_id = ${orgId}`)
    await db.query(sql`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      values (${orgId}, ${first}, ${topicId}, ${bot.id}, 'text', 'One', ${row?.created_at}, ${row?.updated_at})`)
    expect(second > first).toBe(true)
    await eventually(today).toBe(2)
    await eventually(today).toBe(2)
  })

  it('counts deliveries by hour, and names webhooks that are unwell', async () => {
    const { eve, orgId } = await elsewhere()
    const receiver = await startReceiver()
    const dispatcher = startDispatcher(server)
    const bot = await webhookBot(server, orgId, receiver.url)
    const topicId = Object((await bot.post('/v2/topics', { name: 'T', members: [] })).body).id
    const say = () => bot.post('/v2/messages', { topicId, text: 'Hello' })
    await say()
    await eventually(async () => (await overview(eve)).deliveries.delivered).toBe(1)
    receiver.script(500)
    await say()
    await eventually(async () => (await overview(eve)).deliveries.failed).toBe(1)
    const { deliveries } = await overview(eve)
    expect(deliveries).toMatchObject({ pending: 1, unwell: [{ botId: bot.id, state: 'failing' }] })
    expect(deliveries.byHour).toHaveLength(24)
    expect(deliveries.byHour.at(-1)).toMatchObject({ delivered: 1, failed: 1 })

    receiver.script(410)
    await say()
    await eventually(async () => (await overview(eve)).deliveries.unwell[0]?.state).toBe('paused')
    await dispatcher.stop()
    await receiver.close()

    // Failed deliveries are tried again for days: an attempt counts when it was made, not when its event happened.
    server.clock.ahead += 2 * DAY
    const { db, clock } = server.parley
    expect((await overview(eve)).deliveries).toMatchObject({ delivered: 0, failed: 0 })
    await db.query(sql`
      insert into delivery_attempts (org_id, bot_id, seq, number, at, outcome, duration_ms)
      select org_id, bot_id, seq, attempts + 1, ${clock()}, 'timeout', 1 from deliveries
      where org_id = ${orgId} and state = 'pending' and attempts > 0 limit 1`)
    await eventually(async () => (await overview(eve)).deliveries).toMatchObject({ delivered: 0, failed: 1 })
  })
})
