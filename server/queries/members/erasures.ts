import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type DuePlace, type DueRange, inRange } from '../../db/due-range.ts'
import { crossing, literal, nothing, type Sql, sql } from '../../db/sql.ts'

export type Erasure = {
  profileId: string
  withMessages: boolean
  /** The former name and address. */
  names: string[]
  step: 'own' | 'answers' | 'messages' | 'audit' | 'log'
  doneTo: string | null
  logTo: number
  /** Failed attempts in a row. */
  failures: number
}

/** Failures in a row after which admins get a notice. */
export const FAILURES_TOLD = 3

export type ErasureState = Pick<Erasure, 'step' | 'doneTo' | 'logTo' | 'failures'> & { isFinished: boolean }

/** How far the erasure of a person is. */
export async function readErasureState(
  { orgId, profileId }: { orgId: string; profileId: string },
  db: Queryable,
): Promise<ErasureState | undefined> {
  const [row] = await db.query<ErasureState>(sql`
    select step, done_to as "doneTo", log_to as "logTo", failures, finished_at is not null as "isFinished"
    from erasures where org_id = ${orgId} and profile_id = ${profileId}`)
  return row
}

/** The erasure of a person, if a step is due. */
export async function readErasure(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  { profileId, now }: { profileId: string; now: number },
): Promise<Erasure | undefined> {
  const [row] = await db.query<Erasure>(sql`
    select profile_id as "profileId", with_messages as "withMessages", names, step, done_to as "doneTo", log_to as "logTo", failures
    from erasures where org_id = ${orgId} and profile_id = ${profileId} and due_at <= ${now}`)
  return row
}

export type ErasureRow = {
  profile_id: string
  with_messages: boolean
  asked_at: number
  asked_by: string | null
  asked_name: string | null
  due_at: number | null
  finished_at: number | null
  failures: number
}

/** Sorted, the newest first. */
export async function listErasures(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  start: { at: [key: string | number, id: string]; isBackwards: boolean } | undefined,
  limit: number,
): Promise<(ErasureRow & { id: string; sortKey: number })[]> {
  const [beyond, direction] = start?.isBackwards ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const behind: Sql = start
    ? sql`and (e.asked_at, e.profile_id) ${beyond} (${start.at[0]}, ${start.at[1]})`
    : nothing
  const rows = await db.query<ErasureRow>(sql`
    select e.profile_id, e.with_messages, e.asked_at, e.asked_by, p.name as asked_name, e.due_at, e.finished_at, e.failures
    from erasures e left join profiles p on p.org_id = e.org_id and p.id = e.asked_by
    where e.org_id = ${orgId} ${behind}
    order by e.asked_at ${direction}, e.profile_id ${direction} limit ${limit}`)
  return rows.map((row) => ({ ...row, id: row.profile_id, sortKey: row.asked_at }))
}

export async function countErasures({ orgId }: Pick<Caller, 'orgId'>, db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from erasures where org_id = ${orgId}`)
  return row?.total ?? 0
}

/** People of all organizations of whom something is left to be erased, those first that wait longest; their ids are `id`. */
export function listDueErasures(db: Queryable, range: DueRange, limit: number): Promise<DuePlace[]> {
  const { where, order } = inRange(range, { dueAt: sql`due_at`, id: sql`profile_id` })
  return db.query<DuePlace>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", profile_id as id, due_at as "dueAt" from erasures
    where ${where} order by ${order} limit ${literal(limit)}`)
}
