import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql, verbatim } from '../server/db/sql.ts'
import { connectFor, type Keeping } from './support/assistants.ts'
import {
  accept,
  handLink,
  invite,
  mailedToken,
  resetByMail,
  signOn,
  startWithProvider,
} from './support/claims.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import type { IdentityProvider } from './support/identity-provider.ts'
import type { TestParley } from './support/parley.ts'
import { type TestPerson, visitor } from './support/people.ts'

const MINUTE = 60_000
const OWN = 'a long and private sentence'
const STRANGE = 'words that a stranger has chosen'

/**
 * Every table that hangs on an account, or on its members, and what happens to an earlier holder's rows once another
 * person proves the address. A new table needs a decision here.
 */
const TABLES = {
  sessions: 'ends',
  push_subscriptions: 'ends',
  pushes: 'ends',
  passkeys: 'ends',
  external_accounts: 'ends',
  one_time_tokens: 'ends',
  second_factors: 'ends',
  recovery_codes: 'ends',
  assistants: 'ends',
  assistant_tokens: 'ends',
  // The list of the new holder shows them, with the reason why they are not sent.
  scheduled_messages: 'ends',
  // The memberships of the address, and what their organizations know of them: an admin decides on those.
  profiles: 'stays',
  bots: 'stays',
  invitations: 'stays',
  topic_members: 'stays',
  org_unit_members: 'stays',
  member_groups: 'stays',
  member_group_members: 'stays',
  topic_states: 'stays',
  sidebar_sections: 'stays',
  drafts: 'stays',
  notification_settings: 'stays',
  missed_messages: 'stays',
  saved_messages: 'stays',
  message_reports: 'stays',
  scim_people: 'stays',
} as const
const ENDING = Object.entries(TABLES).flatMap(([table, fate]) => (fate === 'ends' ? [table] : []))

let server: TestParley
let provider: IdentityProvider
let theirs: TestOrganization
let ours: TestOrganization

beforeAll(async () => {
  ;({ server, provider } = await startWithProvider())
  theirs = await newOrganization(server, 'Anybody')
  ours = await newOrganization(server, 'Lighthouse Labs')
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

it('each table that hangs on an account or its members is decided on', async () => {
  const rows = await server.parley.db.query<{ name: string }>(sql`
    with recursive hanging as (
      select c.conrelid as id from pg_constraint c
      where c.contype = 'f' and c.confrelid in ('accounts'::regclass, 'profiles'::regclass)
      union
      select c.conrelid from hanging h join pg_constraint c on c.contype = 'f' and c.confrelid = h.id
      where h.id <> 'bots'::regclass
    )
    select distinct id::regclass::text as name from hanging
    union
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(TABLES).toSorted())
})

/** A stranger who took the address by a link made by hand, and connected everything possible. */
async function settle(email: string) {
  const { db, clock } = server.parley
  const browser = visitor(server.url)
  const link = await handLink(theirs, await invite(theirs, email))
  const joined = await accept(browser, link, STRANGE)
  expect(joined.status, joined.text).toBe(200)
  const { id: accountId, memberships } = Object(joined.body).account
  const stranger: TestPerson = {
    ...browser,
    accountId,
    email,
    orgId: theirs.orgId,
    profileId: memberships[0].profileId,
  }
  const chat = `/people/organizations/${theirs.orgId}/chat`
  const topic = await stranger.post(`${chat}/topics`, { name: 'Plans', open: true })
  const later = { topicId: Object(topic.body).id, text: 'Soon', sendAt: clock() + 60 * MINUTE }
  expect((await stranger.post(`${chat}/messages`, later)).status).toBe(201)
  const { client, keeping } = await connectFor(stranger)
  await client.close()
  const [session] = await db.query<{ id: string }>(
    sql`select id from sessions where account_id = ${accountId}`,
  )
  for (const statement of [
    sql`insert into push_subscriptions values (${session?.id}, ${accountId}, ${randomBytes(32)}, ${randomBytes(8)}, 0)`,
    sql`insert into pushes (session_id, message_id, org_id, profile_id, topic_id, read_at, due_at, created_at)
      values (${session?.id}, ${randomUUID()}, ${theirs.orgId}, ${stranger.profileId}, ${randomUUID()}, ${randomUUID()}, 0, 0)`,
    sql`insert into passkeys (credential_id, id, account_id, public_key, counter, transports, name, created_at)
      values (${randomUUID()}, ${randomUUID()}, ${accountId}, '', 0, '{}', 'Key', 0)`,
    sql`insert into external_accounts values ('https://elsewhere.example', ${randomUUID()}, ${accountId}, 0)`,
    sql`insert into second_factors (account_id, secret, started_at, enabled_at) values (${accountId}, '', 0, 0)`,
    sql`insert into recovery_codes values (${accountId}, ${randomBytes(8)})`,
    sql`insert into one_time_tokens values (${randomBytes(32)}, 'add passkey', ${accountId}, '{}', ${clock() + 60 * MINUTE})`,
  ])
    await db.query(statement)
  return { stranger, keeping, before: await rowsOf(stranger) }
}

const WHOSE: Record<string, (who: TestPerson) => ReturnType<typeof sql>> = {
  pushes: ({ profileId }) => sql`profile_id = ${profileId}`,
  assistants: ({ profileId }) => sql`profile_id = ${profileId}`,
  scheduled_messages: ({ profileId }) => sql`profile_id = ${profileId} and state = 'scheduled'`,
  assistant_tokens: ({ profileId }) =>
    sql`assistant_id in (select id from assistants where org_id = ${theirs.orgId} and profile_id = ${profileId})`,
}

/** The rows of an account in each table that ends, as texts. */
async function rowsOf(who: TestPerson): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const table of ENDING) {
    const whose = WHOSE[table]?.(who) ?? sql`account_id = ${who.accountId}`
    const rows = await server.parley.db.query<{ row: string }>(
      sql`select x::text as row from ${verbatim(table)} x where ${whose}`,
    )
    found.set(
      table,
      rows.map(({ row }) => row),
    )
  }
  return found
}

const works = async ({ kept }: Keeping): Promise<number> =>
  (
    await fetch(`${server.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${kept?.access_token}` },
    })
  ).status

const PROOFS: Record<string, (email: string) => Promise<unknown>> = {
  'a mailed link to set a password': (email) => resetByMail(server, visitor(server.url), email, OWN),
  'single sign-on': (email) => {
    provider.claims = { sub: email, email, email_verified: true, name: 'Reader' }
    return signOn(server, provider)
  },
  'a mailed invitation': async (email) => {
    await invite(ours, email)
    return accept(visitor(server.url), await mailedToken(server, email), OWN)
  },
}

describe('everything that an earlier holder connected ends', () => {
  it.each(Object.entries(PROOFS))('with %s', async (name, prove) => {
    server.clock.ahead += 2 * MINUTE
    const { stranger, keeping, before } = await settle(`${name.replaceAll(' ', '-')}@example.com`)
    for (const [table, rows] of before) expect([table, rows.length > 0]).toEqual([table, true])
    expect(await works(keeping)).toBe(200)
    server.clock.ahead += 2 * MINUTE
    await prove(stranger.email)
    const after = await rowsOf(stranger)
    for (const [table, rows] of before)
      expect([table, rows.filter((row) => after.get(table)?.includes(row))]).toEqual([table, []])
    expect(await works(keeping)).toBe(401)
    expect((await stranger.get('/people/account')).status).toBe(401)
    const signIn = await visitor(server.url).post('/people/sign-in', {
      email: stranger.email,
      password: STRANGE,
    })
    expect(signIn.status).toBe(401)
    const [scheduled] = await server.parley.db.query(sql`
      select state, reason from scheduled_messages where org_id = ${theirs.orgId} and profile_id = ${stranger.profileId}`)
    expect(scheduled).toEqual({
      state: 'failed',
      reason: 'the account has a new holder since it was scheduled',
    })
  })
})
