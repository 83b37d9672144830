import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PeopleOperation } from '../contract/operation.ts'
import { CHAT } from '../contract/people/chat.ts'
import type { AuditAction, AuditEntry } from '../contract/people/organization.ts'
import { pauseWebhook } from '../server/actions/bots/deliveries.ts'
import { createOrgUnit } from '../server/actions/members/org-units.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import type { Queryable } from '../server/db/database.ts'
import { sql, toStatement } from '../server/db/sql.ts'
import { auditAsJson } from '../server/presenters/audit.ts'
import { allAuditEntries, listAuditEntries } from '../server/queries/organization/audit.ts'
import { staticBot } from './support/cast.ts'
import {
  type Ids,
  newOrganization,
  newThings,
  ORGANIZATION_OPERATIONS,
  perform,
  reusedThings,
  type TestOrganization,
} from './support/console.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, type TestPerson, visitor } from './support/people.ts'
import { allowReading, askForReadings } from './support/readings.ts'

const PASSWORD = 'a long and private sentence'

let server: TestParley
let here: TestOrganization

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
  await allowReading(server, here.admin)
})
afterAll(() => server.close())

async function entries(query = '', who: TestPerson = here.owner) {
  const answer = await who.get(`/people/organizations/${who.orgId}/audit${query}`)
  expect(answer.status, answer.text).toBe(200)
  const body: { entries: AuditEntry[]; nextCursor?: string; hasMore: boolean } = Object(answer.body)
  return body
}

const count = async () => {
  const [row] = await server.parley.db.query<{ count: number }>(sql`select count(*) from audit_log`)
  return row?.count ?? 0
}

/** Does something, and returns its one audit entry. */
async function told(work: () => Promise<unknown>): Promise<AuditEntry> {
  const before = await count()
  await work()
  expect(await count()).toBe(before + 1)
  const [entry] = (await entries('?limit=1')).entries
  if (!entry) throw new Error('no entry')
  return entry
}

/** Pauses the webhook as Parley does when an address answers 410. */
const pause = (botId = '') =>
  server.parley.db.write(here.orgId, (tx) =>
    pauseWebhook(tx, server.parley, {
      orgId: here.orgId,
      botId,
      url: 'https://example.com/hook',
      reason: 'gone',
    }),
  )

/** The action of each operation; `undefined` for one that changes nothing. */
const ACTIONS: Record<string, AuditAction | undefined> = {
  renameMyself: 'member.renamed',
  connectAssistant: 'assistant.connected',
  endMemberAssistant: 'assistant.ended',
  updateOrganization: 'organization.changed',
  setLogo: 'organization.logo_set',
  removeLogo: 'organization.logo_removed',
  makeScimToken: 'organization.scim_token_made',
  revokeScimToken: 'organization.scim_token_revoked',
  makeAuditToken: 'organization.audit_token_made',
  revokeAuditToken: 'organization.audit_token_revoked',
  addAuditDestination: 'organization.audit_destination_added',
  removeAuditDestination: 'organization.audit_destination_removed',
  testAuditDestination: 'organization.audit_destination_tested',
  setMessageCheck: 'organization.message_check_set',
  removeMessageCheck: 'organization.message_check_removed',
  testMessageCheck: 'organization.message_check_tested',
  readHeldMessage: 'held_message.read',
  decideHeldMessage: 'held_message.released',
  invitePerson: 'member.invited',
  invitePeople: 'member.invitation_link_made',
  inviteMissing: 'organization.invitations_asked',
  stopInvitations: 'organization.invitations_stopped',
  inviteAgain: 'member.invited',
  makeInvitationLink: 'member.invitation_link_made',
  updatePerson: 'member.archived',
  changePeople: 'member.archived',
  endPersonSessions: 'member.sessions_ended',
  resetSecondFactor: 'member.second_factor_reset',
  createJoinLink: 'organization.join_link_made',
  revokeJoinLink: 'organization.join_link_revoked',
  createBot: 'bot.created',
  updateBot: 'bot.changed',
  deleteBot: 'bot.deleted',
  setBotPhoto: 'bot.photo_set',
  removeBotPhoto: undefined,
  rotateBotSecret: 'bot.secret_rotated',
  endFormerSecret: undefined,
  retryFailedDeliveries: undefined,
  replaceBotKey: 'bot.key_replaced',
  addWebhookAddress: 'bot.address_added',
  updateWebhookAddress: 'bot.address_changed',
  removeWebhookAddress: 'bot.address_removed',
  rotateAddressSecret: 'bot.address_secret_rotated',
  endFormerAddressSecret: undefined,
  testWebhook: 'bot.webhook_tested',
  resumeBotWebhook: 'bot.webhook_resumed',
  replayBotDelivery: 'bot.replayed',
  replayBotDeliveries: 'bot.replayed',
  checkSignature: undefined,
  startRehearsal: 'bot.rehearsal_started',
  deleteRehearsal: 'bot.rehearsal_deleted',
  createIncomingWebhook: 'bot.incoming_webhook_made',
  updateIncomingWebhook: 'bot.incoming_webhook_changed',
  rotateIncomingWebhook: 'bot.incoming_webhook_rotated',
  endFormerAddress: undefined,
  revokeIncomingWebhook: 'bot.incoming_webhook_revoked',
  updateConsoleTopic: 'topic.changed',
  addConsoleTopicMembers: 'topic.members_changed',
  removeConsoleTopicMembers: 'topic.members_changed',
  setBotReach: 'bot.reach_changed',
  readTopicContent: 'topic.content_read',
  readBotContent: 'bot.content_read',
  readDeliveryContent: 'bot.content_read',
  askForReading: 'reading.asked',
  decideReading: 'reading.refused',
  endReading: 'reading.ended',
  readPersonData: 'member.data_read',
  erasePerson: 'member.data_deleted',
  setHold: 'hold.set',
  endHold: 'hold.ended',
  readHeld: 'hold.read',
  readReport: 'report.read',
  decideReport: 'report.dismissed',
  createConsoleLabel: 'label.created',
  renameLabel: 'label.renamed',
  deleteLabel: 'label.deleted',
  createConsoleOrgUnit: 'org_unit.created',
  updateOrgUnit: 'org_unit.changed',
  deleteOrgUnit: 'org_unit.deleted',
  addConsoleOrgUnitMembers: 'org_unit.members_changed',
  removeConsoleOrgUnitMembers: 'org_unit.members_changed',
}

/** People invited in a list also get a link if the server sends no mail. */
const ENTRIES: Record<string, number> = { invitePeople: 2 }

/** Operations outside of conversations, which people can see themselves; the log is about running the organization. */
const AUDITED = ORGANIZATION_OPERATIONS.filter(
  ({ method, path }) => method !== 'GET' && !path.startsWith(CHAT),
)

const withThings = reusedThings(async () => {
  const things = await newThings(server, here.orgId)
  await askForReadings(here.admin, things)
  return things
})

/** Brings things into the state that an operation changes. */
async function prepare({ id }: PeopleOperation, who: TestPerson, things: Ids): Promise<void> {
  const { orgUnitId, topicId, memberId, readingId, botId } = things
  const inOrganization = `/people/organizations/${here.orgId}`
  const members = { memberIds: [memberId] }
  if (id === 'removeConsoleOrgUnitMembers')
    await here.admin.post(`${inOrganization}/org-units/${orgUnitId}/members`, members)
  if (id === 'removeConsoleTopicMembers')
    await here.admin.post(`${inOrganization}/topics/${topicId}/members`, members)
  if (id === 'endReading')
    await server.parley.db.query(
      sql`update content_readings set asked_by = ${who.profileId} where id = ${readingId}`,
    )
  if (id === 'resumeBotWebhook') await pause(botId)
  if (id === 'stopInvitations')
    await server.parley.db.query(sql`
      update profiles set invite_at = 0, invite_by = ${who.profileId} where org_id = ${here.orgId} and status = 'Pending'`)
}

describe('the audit log', () => {
  it.each(AUDITED)('records $id', async (operation) => {
    expect(ACTIONS).toHaveProperty(operation.id)
    const action = ACTIONS[operation.id]
    const expected = action === undefined ? 0 : (ENTRIES[operation.id] ?? 1)
    const who = operation.access === 'owner' ? here.owner : here.admin
    const { answer, added, entry } = await withThings(
      async (things) => {
        await prepare(operation, who, things)
        const before = await count()
        const answer = await perform(who, operation, things)
        const added = (await count()) - before
        const [entry] = (await entries('?limit=1')).entries
        return { answer, added, entry }
      },
      ({ answer, added, entry }) =>
        answer.status < 300 && added === expected && (added === 0 || entry?.action === action),
    )
    expect(answer.status, answer.text).toBeLessThan(300)
    expect(added).toBe(expected)
    if (action === undefined) return
    expect(entry?.actor).toMatchObject({ kind: 'person', id: who.profileId })
    expect(entry?.client, 'where it came from').toEqual({ address: '127.0.0.1', userAgent: 'node' })
    expect(entry?.action).toBe(action)
    expect(entry?.target.type).toBe(action.split('.')[0])
    const { apiSecret, clientSecret, apiKey, secret: ofAddress } = Object(answer.body)
    for (const secret of [apiSecret, clientSecret, apiKey, ofAddress]) {
      if (secret !== undefined) expect(JSON.stringify(entry)).not.toContain(secret)
    }
  })

  let thingsToRead: Ids | undefined
  it.each(ORGANIZATION_OPERATIONS.filter(({ method }) => method === 'GET'))(
    'does not tell of $id, which only reads',
    async (operation) => {
      const things = thingsToRead ?? (await newThings(server, here.orgId))
      thingsToRead = things
      const before = await count()
      expect((await perform(here.admin, operation, things)).status).toBe(200)
      expect(await count()).toBe(before)
    },
  )

  it('says what became of what, under the names of then', async () => {
    const { memberId } = await newThings(server, here.orgId)
    const path = `/people/organizations/${here.orgId}/members/${memberId}`
    const entry = await told(() => here.owner.patch(path, { role: 'admin' }))
    expect(entry).toMatchObject({
      actor: { kind: 'person', id: here.owner.profileId, name: 'The owner' },
      action: 'member.role_changed',
      target: { type: 'member', id: memberId, name: 'Pia' },
      changes: [{ field: 'role', from: 'member', to: 'admin' }],
    })
    await here.owner.patch(path, { name: 'Pia the second' })
    expect((await entries(`?targetId=${memberId}`)).entries.map(({ target }) => target.name)).toEqual([
      'Pia the second',
      'Pia',
    ])
  })

  it('records several changes one by one, and none if nothing changed', async () => {
    const { memberId } = await newThings(server, here.orgId)
    const path = `/people/organizations/${here.orgId}/members/${memberId}`
    await here.owner.patch(path, { name: 'Pat', role: 'admin', status: 'Archived' })
    expect((await entries(`?targetId=${memberId}`)).entries.map(({ action }) => action)).toEqual([
      'member.archived',
      'member.role_changed',
      'member.renamed',
    ])
    const before = await count()
    await here.owner.patch(path, { name: 'Pat', role: 'admin', status: 'Archived' })
    expect(await count()).toBe(before)
  })

  it('has nothing where a webhook was not paused, or nothing was sent again', async () => {
    const { botId } = await newThings(server, here.orgId)
    const path = `/people/organizations/${here.orgId}/bots/${botId}`
    const before = await count()
    expect((await here.admin.post(`${path}/webhook/resume`)).status).toBe(200)
    for (const from of [server.parley.clock() + 1000, 2 ** 48, 8_640_000_000_000_000]) {
      expect(await here.admin.post(`${path}/replay`, { from })).toMatchObject({
        status: 200,
        body: { count: 0 },
      })
    }
    expect(await count()).toBe(before)
  })

  it('names the first members of an org unit', async () => {
    const unit = { name: 'Unit', tag: 'first-members', type: 'Team' as const }
    const members = [here.member.profileId, here.admin.profileId]
    const entry = await told(() =>
      server.parley.db.write(here.orgId, (tx) => createOrgUnit(tx, { ...unit, members }, OPERATOR)),
    )
    expect(entry).toMatchObject({ action: 'org_unit.created', actor: { kind: 'operator' } })
    expect(entry.changes).toEqual([
      { field: 'tag', to: 'first-members' },
      { field: 'type', to: 'Team' },
      ...members.toSorted().map((toId) => ({ field: 'member', to: expect.any(String), toId })),
    ])
  })

  it('has nothing of what was refused', async () => {
    const before = await count()
    const path = `/people/organizations/${here.orgId}/members/${here.owner.profileId}`
    const answer = await here.owner.patch(path, { name: 'Renamed first', role: 'member' })
    expect(answer.status).toBe(400)
    expect(await count()).toBe(before)
  })

  it('keeps what follows the ? of an address to itself', async () => {
    const { botId } = await newThings(server, here.orgId)
    const path = `/people/organizations/${here.orgId}/bots/${botId}`
    const webhookUrl = 'https://example.com/hook?token=hidden'
    const entry = await told(() => here.owner.patch(path, { webhookUrl }))
    expect(entry.changes).toEqual([
      { field: 'webhookUrl', from: 'https://example.com/hook', to: 'https://example.com/hook?…' },
    ])
  })

  it('names bots that change something', async () => {
    const bot = await staticBot(server, here.orgId, 'Deploy bot')
    const actor = { kind: 'bot', id: bot.id, name: 'Deploy bot' }
    const label = await told(() => bot.post('/v2/organization/labels', { name: 'By a bot' }))
    expect(label).toMatchObject({ actor, action: 'label.created', target: { name: 'By a bot' } })
    await here.owner.patch(`/people/organizations/${here.orgId}`, { restrictToOrgUnits: false })
    const { orgUnitId } = await newThings(server, here.orgId)
    const members = { memberIds: [here.member.profileId] }
    const added = await told(() => bot.post(`/v2/org-units/${orgUnitId}/members`, members))
    expect(added).toMatchObject({
      actor,
      action: 'org_unit.members_changed',
      target: { id: orgUnitId },
      changes: [{ field: 'member', to: expect.any(String) }],
    })
  })

  it('names Parley itself where it pauses a webhook', async () => {
    const { botId = '' } = await newThings(server, here.orgId)
    const entry = await told(() => pause(botId))
    expect(entry).toMatchObject({
      actor: { kind: 'server' },
      action: 'bot.webhook_paused',
      target: { type: 'bot', id: botId },
      changes: [{ field: 'pauseReason', to: 'gone' }],
    })
    expect(entry.actor.id).toBeUndefined()
  })

  it('is read page by page, and by what it is about', async () => {
    const all: string[] = []
    let query = '?limit=7&target=label'
    for (;;) {
      const page = await entries(query)
      expect(page.entries.every(({ target }) => target.type === 'label')).toBe(true)
      all.push(...page.entries.map(({ id }) => id))
      if (!page.hasMore) break
      query = `?limit=7&cursor=${page.nextCursor}`
    }
    expect(all).toEqual([...new Set(all)].sort().reverse())
    expect(all.length, 'more than a page').toBeGreaterThan(7)
    const own = await entries(`?limit=100&actorId=${here.owner.profileId}`)
    expect(own.entries.every(({ actor }) => actor.id === here.owner.profileId)).toBe(true)
    expect(own.entries.length).toBeGreaterThan(2)
    const foreign = await here.owner.get(`/people/organizations/${here.orgId}/audit?cursor=x`)
    expect([foreign.status, foreign.body]).toEqual([400, 'invalid cursor'])
  })

  it('is read by time, and with or without sign-ins', async () => {
    const elsewhere = await newOrganization(server, 'By time')
    const { owner, member } = elsewhere
    const list = async (query: string) => (await entries(query, owner)).entries
    await owner.patch(`/people/organizations/${owner.orgId}`, { name: 'First' })
    server.clock.ahead += 60_000
    await givePassword(server, member, PASSWORD)
    const signIn = { email: member.email, password: PASSWORD }
    expect((await visitor(server.url).post('/people/sign-in', signIn)).status).toBe(200)
    await server.parley.attemptNotes.settle()
    server.clock.ahead += 60_000
    await owner.patch(`/people/organizations/${owner.orgId}`, { name: 'Second' })
    const [second, signedIn, first] = await list('')
    expect([second, signedIn, first].map((entry) => entry?.action)).toEqual([
      'organization.changed',
      'member.signed_in',
      'organization.changed',
    ])
    expect(await list('?only=sign_ins')).toEqual([signedIn])
    const changes = await list('?only=changes')
    expect(changes).toContainEqual(second)
    expect(changes).not.toContainEqual(signedIn)
    expect(await list(`?from=${signedIn?.at}&to=${second?.at}`), 'the end is not in it').toEqual([signedIn])
    expect(await list(`?from=${(signedIn?.at ?? 0) + 1}`)).toEqual([second])
    expect(await list(`?to=${first?.at}`)).not.toContainEqual(first)
    expect(await list(`?only=changes&limit=1`)).toEqual([second])
    const refused = await owner.get(`/people/organizations/${owner.orgId}/audit?from=yesterday`)
    expect([refused.status, refused.body]).toEqual([400, 'from must be between 0 and 8640000000000000'])
  })

  it.each(['sign_ins', 'changes'])('reads a page of %s alone as a range of an index', async (only) => {
    await server.parley.db.query(sql`
      insert into audit_log (org_id, id, at, actor_kind, action, target_type, target_id, target_name, changes)
      select gen_random_uuid(), gen_random_uuid(), 0, 'server',
        case when n % 100 = 0 then 'label.created' else 'member.signed_in' end, 'member', '', '', '[]'
      from generate_series(1, 2000) as n`)
    const lines: string[] = []
    const db: Queryable = {
      query: async (query) => {
        const { text, values } = toStatement(query)
        const { rows } = await server.parley.db.pool.query(`explain ${text}`, values)
        lines.push(...rows.map((row) => String(row['QUERY PLAN'])))
        return []
      },
    }
    const filters = { only } as { only: 'sign_ins' | 'changes' }
    await listAuditEntries({ orgId: here.orgId, profileId: here.owner.profileId }, db, { filters, limit: 50 })
    expect(lines.join('\n')).toContain(`audit_log_${only}`)
  })

  describe('is taken away as a file', () => {
    const path = () => `/people/organizations/${here.orgId}/audit/export`

    it('of JSON, all of it that the filters leave, more than a page at a time', async () => {
      const elsewhere = await newOrganization(server, 'Much')
      const { owner, orgId } = elsewhere
      await server.parley.db.query(sql`
        insert into audit_log (org_id, id, at, actor_kind, action, target_type, target_id, target_name, changes)
        select ${orgId}, ('019b76da-a800-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 1767225600000, 'server',
          'label.created', 'label', n::text, 'Label ' || n, '[]'
        from generate_series(1, 2500) as n`)
      const file = await owner.get(`/people/organizations/${orgId}/audit/export?target=label`)
      expect(file.status).toBe(200)
      expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(file.headers.get('content-disposition')).toMatch(
        /^attachment; filename=audit-\d{4}-\d\d-\d\d\.json$/,
      )
      const rows: AuditEntry[] = Object(file.body)
      expect(rows.map(({ target }) => Number(target.id))).toEqual(
        Array.from({ length: 2500 }, (_, index) => 2500 - index),
      )
      const none = await owner.get(`/people/organizations/${orgId}/audit/export?targetId=nothing`)
      expect(none.body).toEqual([])
    })

    it('of CSV, in which no name is a formula and none breaks a line', async () => {
      const name = '=HYPERLINK("http://evil.example")'
      await here.owner.post(`/people/organizations/${here.orgId}/labels`, { name })
      await here.owner.post(`/people/organizations/${here.orgId}/labels`, { name: 'Say "hi", all' })
      const file = await here.owner.get(`${path()}?format=csv&target=label`)
      expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      const [head, quoted, formula, ...rest] = file.text.split('\r\n')
      expect(head).toBe(
        'at,actor kind,actor id,actor,action,target kind,target id,target,changes,address,browser,assistant',
      )
      expect(quoted).toContain(',"Say ""hi"", all",')
      expect(formula).toContain(`,"'=HYPERLINK(""http://evil.example"")",`)
      expect(formula).toContain(`,person,${here.owner.profileId},The owner,label.created,label,`)
      expect(rest.at(-1)).toBe('')
    })

    it('with the same refusals as the list', async () => {
      expect((await here.member.get(path())).status).toBe(403)
      expect((await here.owner.get(`${path()}?format=pdf`)).status).toBe(400)
    })

    it('piece by piece: who takes nothing makes the server read little', async () => {
      const { owner, orgId } = await newOrganization(server, 'Slow')
      await server.parley.db.query(sql`
        insert into audit_log (org_id, id, at, actor_kind, action, target_type, target_id, target_name, changes)
        select ${orgId}, gen_random_uuid(), 0, 'server', 'label.created', 'label', n::text, repeat('x', 2000), '[]'
        from generate_series(1, 8000) as n`)
      let pages = 0
      const counted: Queryable = {
        query: (query) => {
          pages += 1
          return server.parley.db.query(query)
        },
      }
      const stream = Readable.from(auditAsJson(allAuditEntries(owner, counted, {})), { objectMode: false })
      stream.once('readable', () => {})
      await eventually(async () => stream.readableLength).toBeGreaterThan(0)
      expect(pages, 'of 9').toBeLessThan(4)
      stream.destroy()
    })
  })

  it.each([
    ['update', sql`update audit_log set action = 'label.created'`],
    ['delete', sql`delete from audit_log`],
    ['truncate', sql`truncate audit_log`],
    ['truncate with others', sql`truncate organizations, audit_log cascade`],
  ])('refuses to %s', async (_, statement) => {
    const before = await count()
    await expect(server.parley.db.query(statement)).rejects.toThrow('the audit log cannot be changed')
    expect(await count()).toBe(before)
  })
})
