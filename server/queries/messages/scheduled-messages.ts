import type { ActionsInput } from '../../../contract/actions.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type DuePlace, type DueRange, inRange } from '../../db/due-range.ts'
import { crossing, literal, nothing, type Sql, sql } from '../../db/sql.ts'

export type ScheduledRow = {
  id: string
  profile_id: string
  topic_id: string
  text: string
  actions: ActionsInput | null
  parent_id: string | null
  also_in_topic: boolean
  external_id: string | null
  /** The assistant that wrote the text. */
  assistant: Caller['assistant'] | null
  /** The assistant that must still be connected when the message is due. */
  assistant_id: string | null
  send_at: number
  state: 'scheduled' | 'failed' | 'held'
  reason: string | null
  /** Why it waits for a review. */
  held_reason: string | null
  /** The admin who let it pass. */
  reviewed_by: string | null
  created_at: number
  updated_at: number
}

export type ScheduledPosition = [sendAt: number, id: string]

/** The caller's own, those that are due first before the others; one row more than `limit`. */
export function listScheduledMessages(
  { orgId, profileId }: Caller,
  db: Queryable,
  { after, limit }: { after?: ScheduledPosition; limit: number },
): Promise<ScheduledRow[]> {
  return db.query<ScheduledRow>(sql`
    select * from scheduled_messages
    where org_id = ${orgId} and profile_id = ${profileId}
      ${after ? sql`and (send_at, id) > (${after[0]}::bigint, ${after[1]}::uuid)` : nothing}
    order by send_at, id limit ${limit + 1}`)
}

/** The number of the caller's failed messages; a sender has a hundred at most. */
export async function countFailed({ orgId, profileId }: Caller, db: Queryable): Promise<number> {
  const [row] = await db.query<{ failed: number }>(sql`
    select count(*)::integer as failed from scheduled_messages
    where org_id = ${orgId} and profile_id = ${profileId} and state = 'failed'`)
  return row?.failed ?? 0
}

/** `dueAt` is later than `sendAt` after a failed attempt. */
export type DueMessage = DuePlace & { sendAt: number }

const DUE_AT = sql`coalesce(retry_at, send_at)`

/** Due messages of all organizations: one range of an index that holds nothing else. */
export function listDueMessages(db: Queryable, range: DueRange, limit: number): Promise<DueMessage[]> {
  const { where, order } = inRange(range, { dueAt: DUE_AT, id: sql`id` })
  return db.query<DueMessage>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", id, send_at as "sendAt", ${DUE_AT} as "dueAt" from scheduled_messages
    where state = 'scheduled' and ${where} order by ${order} limit ${literal(limit)}`)
}

/** Whether a scheduled message is due. */
export const isMessageDue = (until: number): Sql =>
  sql`exists (select from scheduled_messages where state = 'scheduled' and ${DUE_AT} <= ${until})`

/** The due time of the first message that is due after this time. */
export async function readNextDue(db: Queryable, time: number): Promise<number | undefined> {
  const [row] = await db.query<{
    dueAt: number
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select ${DUE_AT} as "dueAt" from scheduled_messages
    where state = 'scheduled' and ${DUE_AT} > ${time} order by ${DUE_AT} limit 1`)
  return row?.dueAt
}
