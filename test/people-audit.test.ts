import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHAT } from '../contract/people/chat.ts'
import type { AuditAction, AuditEntry } from '../contract/people/organization.ts'
import { OPERATOR } from '../server/actions/audit.ts'
import { pauseWebhook } from '../server/actions/deliveries.ts'
import { createOrgUnit } from '../server/actions/org-units.ts'
import { sql } from '../server/db/sql.ts'
import { staticBot } from './support/cast.ts'
import {
  type Ids,
  newOrganization,
  newThings,
  ORGANIZATION_OPERATIONS,
  perform,
  type TestOrganization,
} from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import type { TestPerson } from './support/people.ts'

let server: TestParley
let here: TestOrganization

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
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

/** Does something, and gives the one entry that tells of it. */
async function told(work: () => Promise<unknown>): Promise<AuditEntry> {
  const before = await count()
  await work()
  expect(await count()).toBe(before + 1)
  const [entry] = (await entries('?limit=1')).entries
  if (!entry) throw new Error('no entry')
  return entry
}

/** As Parley does where an address answers 410. */
const pause = (botId = '') =>
  server.parley.db.write(here.orgId, (tx) =>
    pauseWebhook(tx, server.parley, {
      orgId: here.orgId,
      botId,
      url: 'https://example.com/hook',
      reason: 'gone',
    }),
  )

/** What each operation is called there; `undefined` for one that changes nothing. */
const ACTIONS: Record<string, AuditAction | undefined> = {
  renameMyself: 'member.renamed',
  updateOrganization: 'organization.changed',
  setLogo: 'organization.logo_set',
  removeLogo: 'organization.logo_removed',
  invitePerson: 'member.invited',
  inviteAgain: 'member.invited',
  makeInvitationLink: 'member.invitation_link_made',
  updatePerson: 'member.archived',
  endPersonSessions: 'member.sessions_ended',
  resetSecondFactor: 'member.second_factor_reset',
  createBot: 'bot.created',
  updateBot: 'bot.changed',
  deleteBot: 'bot.deleted',
  rotateBotSecret: 'bot.secret_rotated',
  replaceBotKey: 'bot.key_replaced',
  testWebhook: 'bot.webhook_tested',
  resumeBotWebhook: 'bot.webhook_resumed',
  replayBotDelivery: 'bot.replayed',
  replayBotDeliveries: 'bot.replayed',
  checkSignature: undefined,
  createConsoleLabel: 'label.created',
  renameLabel: 'label.renamed',
  deleteLabel: 'label.deleted',
  createConsoleOrgUnit: 'org_unit.created',
  updateOrgUnit: 'org_unit.changed',
  deleteOrgUnit: 'org_unit.deleted',
  addConsoleOrgUnitMembers: 'org_unit.members_changed',
  removeConsoleOrgUnitMembers: 'org_unit.members_changed',
}

/** What people do in conversations is there to be seen; the log is about who runs the organization. */
const AUDITED = ORGANIZATION_OPERATIONS.filter(
  ({ method, path }) => method !== 'GET' && !path.startsWith(CHAT),
)

describe('the audit log', () => {
  it.each(AUDITED)('tells of $id', async (operation) => {
    expect(ACTIONS).toHaveProperty(operation.id)
    const action = ACTIONS[operation.id]
    const things = await newThings(server, here.orgId)
    if (operation.id === 'removeConsoleOrgUnitMembers') {
      const path = `/people/organizations/${here.orgId}/org-units/${things.orgUnitId}/members`
      await here.admin.post(path, { memberIds: [things.memberId] })
    }
    if (operation.id === 'resumeBotWebhook') await pause(things.botId)
    const before = await count()
    const answer = await perform(here.admin, operation, things)
    expect(answer.status, answer.text).toBeLessThan(300)
    expect((await count()) - before).toBe(action === undefined ? 0 : 1)
    if (action === undefined) return
    const [entry] = (await entries('?limit=1')).entries
    expect(entry?.actor).toMatchObject({ kind: 'person', id: here.admin.profileId })
    expect(entry?.client, 'where it came from').toEqual({ address: '127.0.0.1', userAgent: 'node' })
    expect(entry?.action).toBe(action)
    expect(entry?.target.type).toBe(action.split('.')[0])
    const { apiSecret, clientSecret, apiKey } = Object(answer.body)
    for (const secret of [apiSecret, clientSecret, apiKey]) {
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

  it('tells of several changes one by one, and of none where nothing changed', async () => {
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
      { field: 'member', to: expect.any(String) },
      { field: 'member', to: expect.any(String) },
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
    expect(all.length).toBeGreaterThan(3)
    const own = await entries(`?limit=100&actorId=${here.owner.profileId}`)
    expect(own.entries.every(({ actor }) => actor.id === here.owner.profileId)).toBe(true)
    expect(own.entries.length).toBeGreaterThan(2)
    const foreign = await here.owner.get(`/people/organizations/${here.orgId}/audit?cursor=x`)
    expect([foreign.status, foreign.body]).toEqual([400, 'invalid cursor'])
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
