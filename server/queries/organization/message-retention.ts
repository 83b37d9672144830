import { MAX_COUNTED_MESSAGES, type MessagesDue } from '../../../contract/people/records.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type DuePlace, type DueRange, inRange } from '../../db/due-range.ts'
import { crossing, literal, type Sql, sql } from '../../db/sql.ts'
import { firstUuidAt, timeOfUuid } from '../../ids.ts'
import { isHeld } from './holds.ts'

const DAY_MS = 86_400_000

/** Messages older than `days` have ids before this one. */
export const endOfDays = (now: number, days: number): string => firstUuidAt(now - days * DAY_MS)

/** The time at which a message is due for deletion. */
export const dueAt = (messageId: string, days: number): number => timeOfUuid(messageId) + days * DAY_MS + 1

/** All message ids in the data of a `message.deleted` event. */
export const deletedIds = (data: Sql): Sql => sql`
  coalesce((select array_agg(m ->> 'id') from json_array_elements(${data} -> 'messages') m), array[${data} ->> 'messageId'])`

export type Due = { orgId: string; topicId: string }

/** Topics that have to be looked at, of all organizations, those first that wait longest; their ids are `id`. */
export function listDue(db: Queryable, range: DueRange, limit: number): Promise<DuePlace[]> {
  const { where, order } = inRange(range, { dueAt: sql`due_at`, id: sql`topic_id` })
  return db.query<DuePlace>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", topic_id as id, due_at as "dueAt" from retention_dues
    where ${where} order by ${order} limit ${literal(limit)}`)
}

/** Organizations whose planned retention time applies by now. */
export const listPlanned = (db: Queryable, now: number, limit: number): Promise<{ orgId: string }[]> =>
  db.query<{ orgId: string }>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId" from organizations where keep_messages_next_at <= ${now}
    order by keep_messages_next_at limit ${literal(limit)}`)

export type Kept = {
  /** Undefined means forever. */
  days: number | undefined
  /** Nothing is deleted before this time; 0 if there is no delay. */
  from: number
  doneTo: string
}

/** How long messages of a topic are kept, and how far it was gone through; undefined where nothing is to be done there by now. */
export async function readDue(
  { orgId, topicId }: Due,
  db: Queryable,
  now: number,
): Promise<Kept | undefined> {
  const [row] = await db.query<{ days: number | null; from: number; doneTo: string | null }>(sql`
    select coalesce(t.keep_messages_days, o.keep_messages_days) as days, coalesce(t.keep_messages_from, 0) as "from", d.done_to as "doneTo"
    from retention_dues d
    join topics t on t.org_id = ${orgId} and t.id = d.topic_id
    join organizations o on o.org_id = ${orgId}
    where d.org_id = ${orgId} and d.topic_id = ${topicId} and d.due_at <= ${now}`)
  return row && { days: row.days || undefined, from: row.from, doneTo: row.doneTo ?? firstUuidAt(0) }
}

export async function isTopicKnown({ orgId }: Caller, db: Queryable, topicId: string): Promise<boolean> {
  const [row] = await db.query(
    sql`select 1 from topics where org_id = ${orgId} and id = ${topicId} and type = 'topic'`,
  )
  return row !== undefined
}

/** Counts messages to delete by this time: in one topic, or in all without a setting of their own. */
export async function countDueMessages(
  { orgId }: Caller,
  db: Queryable,
  { before, topicId }: { before: string; topicId?: string | undefined },
): Promise<MessagesDue> {
  const found =
    topicId === undefined
      ? sql`
        select m.id from messages m join topics t on t.org_id = ${orgId} and t.id = m.topic_id
        where m.org_id = ${orgId} and m.id < ${before} and t.keep_messages_days is null
          and not ${isHeld({ orgId })}`
      : sql`select m.id from messages m where m.org_id = ${orgId} and m.topic_id = ${topicId} and m.id < ${before}
        and not ${isHeld({ orgId })}`
  const [row] = await db.query<{ messages: number; oldest: string | null }>(sql`
    select count(*) as messages, min(id::text) as oldest
    from (${found} order by m.id limit ${literal(MAX_COUNTED_MESSAGES)}) counted`)
  const oldest = row?.oldest
  return { messages: row?.messages ?? 0, ...(oldest && { oldestAt: timeOfUuid(oldest) }) }
}
