import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, literal, sql } from '../db/sql.ts'

export type Erasure = {
  profileId: string
  withMessages: boolean
  /** What they were called. */
  names: string[]
  step: 'own' | 'messages' | 'audit' | 'log'
  doneTo: string | null
  logTo: number
}

/** What is left to be done for somebody by now. */
export async function readErasure(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  { profileId, now }: { profileId: string; now: number },
): Promise<Erasure | undefined> {
  const [row] = await db.query<Erasure>(sql`
    select profile_id as "profileId", with_messages as "withMessages", names, step, done_to as "doneTo", log_to as "logTo"
    from erasures where org_id = ${orgId} and profile_id = ${profileId} and due_at <= ${now}`)
  return row
}

/** People of all organizations of whom something is left to be erased by now, those first that wait longest. */
export const listDueErasures = (db: Queryable, now: number, limit: number) =>
  db.query<{
    orgId: string
    profileId: string
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", profile_id as "profileId" from erasures
    where due_at <= ${now} order by due_at limit ${literal(limit)}`)
