import type { ActionsInput } from '../../contract/actions.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, nothing, sql } from '../db/sql.ts'

export type ScheduledRow = {
  id: string
  profile_id: string
  topic_id: string
  text: string
  actions: ActionsInput | null
  parent_id: string | null
  external_id: string | null
  assistant: Caller['assistant'] | null
  send_at: number
  state: 'scheduled' | 'failed'
  reason: string | null
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

/** How many of theirs could not be sent; a sender has a hundred at most. */
export async function countFailed({ orgId, profileId }: Caller, db: Queryable): Promise<number> {
  const [row] = await db.query<{ failed: number }>(sql`
    select count(*)::integer as failed from scheduled_messages
    where org_id = ${orgId} and profile_id = ${profileId} and state = 'failed'`)
  return row?.failed ?? 0
}

/** `dueAt` is later than `sendAt` where a try went wrong. */
export type DueMessage = { orgId: string; id: string; sendAt: number; dueAt: number }

/** The next due messages of any organization: one range of an index that holds nothing else. */
export function readNextDue(db: Queryable, limit: number): Promise<DueMessage[]> {
  return db.query<DueMessage>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", id, send_at as "sendAt", coalesce(retry_at, send_at) as "dueAt" from scheduled_messages
    where state = 'scheduled' order by coalesce(retry_at, send_at) limit ${limit}`)
}
