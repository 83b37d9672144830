import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { AUDIT_ACTIONS } from '../contract/people/organization.ts'
import { audit, OPERATOR } from '../server/actions/organization/audit.ts'
import { createLabel } from '../server/actions/topics/labels.ts'
import { sql } from '../server/db/sql.ts'
import { presentAuditEvent } from '../server/presenters/audit-events.ts'
import type { AuditRow } from '../server/queries/organization/audit.ts'
import { staticBot } from './support/cast.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { newProvider } from './support/scim.ts'

let server: TestParley
let here: TestOrganization
let there: TestOrganization

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
  there = await newOrganization(server, 'There')
})
afterEach(() => {
  server.clock.ahead = 0
})
afterAll(() => server.close())

const accessOf = ({ orgId }: TestOrganization) => `/people/organizations/${orgId}/audit/access`

async function newToken(organization: TestOrganization, overlapHours = 0): Promise<string> {
  const made = await organization.admin.post(`${accessOf(organization)}/tokens`, { overlapHours })
  expect(made.status, made.text).toBe(201)
  return Object(made.body).token
}

type Event = { metadata: { uid: string; event_code: string }; [field: string]: unknown }

async function ask(token: string, query = '') {
  const response = await fetch(`${server.url}/audit/v1/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body: { events: Event[]; nextCursor: string; hasMore: boolean } = Object(await response.json())
  return { status: response.status, headers: response.headers, body }
}

async function read(token: string, query = '') {
  const answer = await ask(token, query)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

/** Everything from a place on, page by page. */
async function readAll(token: string, cursor?: string): Promise<{ events: Event[]; cursor: string }> {
  const events: Event[] = []
  let place = cursor
  for (;;) {
    const page = await read(token, `?limit=3${place === undefined ? '' : `&cursor=${place}`}`)
    events.push(...page.events)
    place = page.nextCursor
    if (!page.hasMore) return { events, cursor: place }
  }
}

const idsOf = (events: readonly Event[]) => events.map(({ metadata }) => metadata.uid)

/** The ids of all entries of an organization, the oldest first. */
const entriesOf = async ({ orgId }: TestOrganization): Promise<string[]> =>
  (
    await server.parley.db.query<{ id: string }>(
      sql`select id from audit_log where org_id = ${orgId} order by id`,
    )
  ).map(({ id }) => id)

describe('the events', () => {
  it('come oldest first, each once, whatever the pages', async () => {
    const token = await newToken(here)
    const all = await readAll(token)
    expect(idsOf(all.events)).toEqual(await entriesOf(here))
    expect(await read(token, `?cursor=${all.cursor}`)).toEqual({
      events: [],
      nextCursor: all.cursor,
      hasMore: false,
    })
    await server.parley.db.write(here.orgId, (tx) => createLabel(tx, 'after', OPERATOR))
    const next = await readAll(token, all.cursor)
    expect(next.events.map(({ metadata }) => metadata.event_code)).toEqual(['label.created'])
  })

  it('have the fields of OCSF', async () => {
    const token = await newToken(here)
    const { events } = await readAll(token)
    const [entry] = Object(
      (await here.owner.get(`/people/organizations/${here.orgId}/audit?limit=1`)).body,
    ).entries
    expect(events.at(-1)).toEqual({
      metadata: {
        version: '1.3.0',
        uid: entry.id,
        event_code: 'organization.audit_token_made',
        log_name: 'audit',
        tenant_uid: here.orgId,
        product: { name: 'Parley', vendor_name: 'Parley', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      },
      time: entry.at,
      category_uid: 3,
      category_name: 'Identity & Access Management',
      class_uid: 3004,
      class_name: 'Entity Management',
      activity_id: 1,
      activity_name: 'Create',
      type_uid: 300401,
      type_name: 'Entity Management: Create',
      severity_id: 3,
      severity: 'Medium',
      status_id: 1,
      status: 'Success',
      message: 'organization.audit_token_made Here',
      actor: { user: { type_id: 1, type: 'User', uid: here.admin.profileId, name: entry.actor.name } },
      entity: { type: 'organization', uid: here.orgId, name: 'Here' },
      src_endpoint: { ip: entry.client.address },
      ...(entry.client.userAgent && { http_request: { user_agent: entry.client.userAgent } }),
      unmapped: { actor_kind: 'person', target_type: 'organization', changes: entry.changes },
    })
  })

  it.each(AUDIT_ACTIONS)('know the class of %s', (action) => {
    const row: AuditRow = {
      id: 'id',
      at: 1,
      actorKind: 'server',
      actorId: null,
      actorName: null,
      assistant: null,
      action,
      targetType: 'member',
      targetId: 'm',
      targetName: 'Mia',
      changes: [],
      address: null,
      userAgent: null,
    }
    const event = Object(presentAuditEvent(row, { orgId: 'o', version: '1' }))
    expect(event.type_uid).toBe(event.class_uid * 100 + event.activity_id)
    expect(event.activity_name).not.toBe(event.activity_id === 99 ? '' : 'Other')
    expect('user' in event).toBe(event.class_uid !== 3004)
    expect(event.status_id).toBe(action.endsWith('_failed') ? 2 : 1)
  })

  it('have a class also where a node of the next version has written an action that is not known yet', async () => {
    const token = await newToken(here)
    await server.parley.db.write(here.orgId, (tx) =>
      audit(tx, OPERATOR, {
        action: JSON.parse('"member.teleported"'),
        target: { type: 'member', id: here.member.profileId, name: 'Mia' },
      }),
    )
    const { events } = await readAll(token)
    expect(events.at(-1)).toMatchObject({
      metadata: { event_code: 'member.teleported' },
      class_uid: 3001,
      activity_name: 'Other',
      type_uid: 300199,
    })
  })

  it('come in answers of a size, however long they are', async () => {
    const wordy = await newOrganization(server, 'Wordy')
    const token = await newToken(wordy)
    const { cursor: start } = await readAll(token)
    const changes = [{ field: 'question', to: 'ä'.repeat(20_000) }]
    const target = { type: 'bot', id: 'b@1', name: 'Bot' } as const
    await server.parley.db.write(wordy.orgId, async (tx) => {
      for (let number = 0; number < 30; number++)
        await audit(tx, OPERATOR, { action: 'bot.answered', target, changes })
    })
    const seen: string[] = []
    let page = { events: [] as Event[], nextCursor: start, hasMore: true }
    while (page.hasMore) {
      page = await read(token, `?limit=500&cursor=${page.nextCursor}`)
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(320 * 1024)
      seen.push(...idsOf(page.events))
    }
    expect(seen).toHaveLength(30)
    expect(seen).toEqual((await entriesOf(wordy)).slice(-30))
    expect(await read(token, `?cursor=${page.nextCursor}`)).toMatchObject({ events: [], hasMore: false })
  })

  it('are neither missed nor repeated while many transactions commit', async () => {
    const busy = await newOrganization(server, 'Busy')
    const token = await newToken(busy)
    let isDone = false
    const writers = Promise.all(
      Array.from({ length: 60 }, (_one, number) =>
        server.parley.db.write(busy.orgId, async (tx) => {
          await createLabel(tx, `label ${number}`, OPERATOR)
          if (number % 5 === 0) await tx.query(sql`select pg_sleep(0.01)`)
        }),
      ),
    ).then(() => {
      isDone = true
    })
    const seen: string[] = []
    let cursor: string | undefined
    for (let isLast = false; !isLast; ) {
      isLast = isDone // what committed before this turn is in its pages
      const turn = await readAll(token, cursor)
      seen.push(...idsOf(turn.events))
      cursor = turn.cursor
    }
    await writers
    expect(seen).toEqual(await entriesOf(busy))
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('begin at a time', async () => {
    const token = await newToken(here)
    const { events } = await readAll(token)
    const third = Object(events[2])
    const later = events.filter(({ time }) => Number(time) >= third.time)
    expect(idsOf((await read(token, `?from=${third.time}&limit=500`)).events)).toEqual(idsOf(later))
    expect((await read(token, `?from=${Date.now() + 86_400_000}`)).events).toEqual([])
  })

  it('are refused where a request is wrong', async () => {
    const token = await newToken(here)
    for (const query of [
      '?cursor=none',
      '?cursor=',
      `?cursor=${'0'.repeat(36)}`,
      '?limit=0',
      `?limit=${LIMITS.auditPage + 1}`,
      '?limit=x',
      '?from=-1',
      '?from=tomorrow',
    ])
      expect((await ask(token, query)).status, query).toBe(400)
  })
})

describe('a token', () => {
  it('is made by admins, shown once, and kept as a hash', async () => {
    const token = await newToken(here)
    expect(token).toMatch(/^parley_audit_\w{43}$/)
    expect((await here.member.get(accessOf(here))).status).toBe(403)
    expect((await here.member.post(`${accessOf(here)}/tokens`, {})).status).toBe(403)
    await read(token)
    expect((await here.admin.get(accessOf(here))).body).toEqual({
      url: `${server.parley.config.baseUrl}/audit/v1/events`,
      tokens: [
        {
          id: expect.any(String),
          createdByName: expect.any(String),
          createdAt: expect.any(Number),
          lastUsedAt: expect.any(Number),
        },
      ],
    })
    expect(JSON.stringify(await server.parley.db.query(sql`select * from scim_tokens`))).not.toContain(token)
    expect(server.logLines.join('')).not.toContain(token)
  })

  it('reads its organization alone, and opens nothing else', async () => {
    const token = await newToken(here)
    await server.parley.db.write(there.orgId, (tx) => createLabel(tx, 'secret of there', OPERATOR))
    expect(JSON.stringify((await readAll(token)).events)).not.toContain('secret of there')
    const foreign = await readAll(await newToken(there))
    expect(idsOf((await read(token, `?cursor=${foreign.cursor}&limit=500`)).events)).not.toContain(
      foreign.cursor,
    )
    for (const path of ['/scim/v2/Users', '/v2/members', `${accessOf(here)}`, '/mcp']) {
      const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
      expect([401, 405], path).toContain(answer.status)
    }
  })

  it('is of its own kind: nothing else opens the events, and neither kind ends the other', async () => {
    const organization = await newOrganization(server, 'Kinds')
    const scim = await newProvider(organization.owner)
    const token = await newToken(organization)
    const bot = await staticBot(server, organization.orgId)
    for (const wrong of ['', 'none', `${token}x`, scim.token, bot.credentials.apiKey, `audit:${token}`]) {
      const { status, headers } = await ask(wrong)
      expect(status, wrong).toBe(401)
      expect(headers.get('www-authenticate')).toContain('Bearer')
    }
    expect((await fetch(`${server.url}/audit/v1/events`)).status).toBe(401)
    await newToken(organization)
    expect((await ask(token)).status).toBe(401)
    expect((await scim.get('/Users')).status).toBe(200)
    const [{ id }] = Object((await organization.admin.get(accessOf(organization))).body).tokens
    const scimTokens = `/people/organizations/${organization.orgId}/scim/tokens`
    expect((await organization.owner.delete(`${scimTokens}/${id}`)).status).toBe(404)
  })

  it('ends when it is revoked', async () => {
    const token = await newToken(here)
    const [{ id }] = Object((await here.admin.get(accessOf(here))).body).tokens
    expect((await here.member.delete(`${accessOf(here)}/tokens/${id}`)).status).toBe(403)
    expect((await there.owner.delete(`${accessOf(there)}/tokens/${id}`)).status).toBe(404)
    expect((await ask(token)).status).toBe(200)
    expect((await here.admin.delete(`${accessOf(here)}/tokens/${id}`)).status).toBe(204)
    expect((await ask(token)).status).toBe(401)
    expect((await here.admin.delete(`${accessOf(here)}/tokens/${id}`)).status).toBe(404)
  })

  it('has a rate of its organization', async () => {
    const { rateLimiter } = server.parley
    const organization = await newOrganization(server, 'Eager')
    const token = await newToken(organization)
    for (let count = 0; count < LIMITS.auditRequestsPerMinute; count++)
      await rateLimiter.take(`audit:${organization.orgId}`, LIMITS.auditRequestsPerMinute)
    const { status, headers } = await ask(token)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('goes on for a while beside the one that replaces it, and no longer', async () => {
    const organization = await newOrganization(server, 'Rotating')
    const first = await newToken(organization)
    const second = await newToken(organization, 2)
    expect([(await ask(first)).status, (await ask(second)).status]).toEqual([200, 200])
    server.clock.ahead = 2 * 3_600_000
    expect([(await ask(first)).status, (await ask(second)).status]).toEqual([401, 200])
  })
})
