import { afterAll, beforeAll, expect, it } from 'vitest'
import { setTopicStateAtOnce } from '../server/actions/topics/chat-states.ts'
import { createTopic } from '../server/actions/topics/topics.ts'
import {
  createSession,
  findCaller,
  findSession,
  heldRight,
  type PersonCaller,
} from '../server/auth/sessions.ts'
import type { Acting } from '../server/db/authority.ts'
import { sql } from '../server/db/sql.ts'
import { organization } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'

interface Who extends Acting<Who> {}

let server: TestParley
beforeAll(async () => {
  server = await startTestParley()
})
afterAll(() => server.close())

it('gives no write to a person whom a write before it in the same transaction has archived', async () => {
  const { db } = server.parley
  const orgId = await organization(server)
  const { profileId } = await signInAs(server, { orgId, name: 'Ben' })
  const [log] = await db.query<{ version: number }>(
    sql`select authority_version as version from organization_logs where org_id = ${orgId}`,
  )
  const refused = new Error('the right is gone')
  const who: Who = { orgId, authority: { version: log?.version ?? 0, renew: () => Promise.reject(refused) } }
  const set = (name: string) =>
    sql`update profiles set name = ${name} where org_id = ${orgId} and id = ${profileId}`
  let letGo = () => {}
  const held = db.write(
    orgId,
    () =>
      new Promise<void>((resolve) => {
        letGo = resolve
      }),
  )
  // The two writes wait for the first one, and share the next transaction.
  const archived = db.write(orgId, (tx) =>
    tx.query(sql`update profiles set status = 'Archived' where org_id = ${orgId} and id = ${profileId}`),
  )
  const written = db.writeAs(who, (tx) => tx.query(set('Mallory')))
  await expect.poll(() => letGo.length).toBe(1)
  letGo()
  await Promise.all([held, archived])
  await expect(written).rejects.toBe(refused)
  const rows = await db.query(sql`select name from profiles where org_id = ${orgId} and id = ${profileId}`)
  expect(rows).toEqual([{ name: 'Ben' }])
})

/** A person as a request of a new session of theirs is let in. */
async function letIn(orgId: string, accountId: string): Promise<PersonCaller> {
  const { db, clock } = server.parley
  const client = { address: '127.0.0.1', userAgent: '' }
  const sessionToken = await createSession(db, clock(), accountId)
  const signedIn = await findSession(server.parley, { client, sessionToken, knownBrowserToken: undefined })
  const caller = signedIn && (await findCaller(db, signedIn, orgId, clock()))
  if (!caller) throw new Error('nobody was let in')
  const { authorityVersion: version } = caller
  return {
    ...caller,
    authority: { version, held: () => heldRight(caller, clock()), renew: async () => caller },
  }
}

it('moves no read position by a right that was taken since the request was let in', async () => {
  const { db } = server.parley
  const orgId = await organization(server)
  const { profileId, accountId } = await signInAs(server, { orgId, name: 'Cleo' })
  const make = (name: string, createdBy: string) =>
    db.write(orgId, (tx) => createTopic(tx, { createdBy, name, members: [] }))
  const own = await make('General', profileId)
  const mute = (caller: PersonCaller, muted: boolean, { id } = own) =>
    setTopicStateAtOnce(db, caller, id, { muted })
  const profile = sql`where org_id = ${orgId} and id = ${profileId}`

  const ended = await letIn(orgId, accountId)
  expect(await mute(ended, true)).toMatchObject({ topic_id: own.id, muted: true, unread: 0 })
  await db.query(sql`delete from sessions where id = ${ended.sessionId}`)
  expect(await mute(ended, false)).toBeUndefined()

  const promoted = await letIn(orgId, accountId)
  await db.query(sql`update profiles set role = 'admin' ${profile}`)
  expect(await mute(promoted, false)).toBeUndefined()

  const present = await letIn(orgId, accountId)
  const { profileId: dan } = await signInAs(server, { orgId, name: 'Dan' })
  expect(await mute(present, false, await make('Others', dan))).toBeUndefined()
  await db.query(sql`update profiles set status = 'Archived' ${profile}`)
  expect(await mute(present, false)).toBeUndefined()

  const states = await db.query(sql`select topic_id, muted from topic_states where org_id = ${orgId}`)
  expect(states).toEqual([{ topic_id: own.id, muted: true }])
})

it('ends a session after the statement that holds its right', async () => {
  const { db } = server.parley
  const orgId = await organization(server)
  const { accountId } = await signInAs(server, { orgId, name: 'Eve' })
  const caller = await letIn(orgId, accountId)
  const isWaiting = async () => {
    const [row] = await db.query<{ count: number }>(sql`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from sessions%'`)
    return row?.count
  }
  let ending = Promise.resolve<object[]>([])
  await db.transaction(async (tx) => {
    expect(await tx.query(heldRight(caller, server.parley.clock()))).toHaveLength(1)
    ending = db.query(sql`delete from sessions where id = ${caller.sessionId} returning id`)
    await expect.poll(isWaiting).toBe(1)
  })
  expect(await ending).toHaveLength(1)
})
