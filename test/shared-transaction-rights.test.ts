import { afterAll, beforeAll, expect, it } from 'vitest'
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
  // Both wait for the first write, and share the next transaction.
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
