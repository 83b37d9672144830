import type { Database } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { type EventRetention, effectiveEventRetentionMs } from '../limits/organization-limits.ts'
import type { NoteFailure } from '../worker.ts'
import { forgetDeliveries } from './delivery-retention.ts'

/** Rows a step: the organization's writer waits while one runs. */
const STEP = 1000

/**
 * Removes events older than `updatesRetentionMs`, or than the organization's own time, and moves the floor,
 * organization by organization, in small steps.
 */
export async function removeOldEvents(
  db: Database,
  now: number,
  updatesRetentionMs: number,
  onRemoved: (orgId: string, floorSeq: number) => void = () => {},
  noteFailure?: NoteFailure,
): Promise<void> {
  const rows = await db.query<
    EventRetention & { orgId: string }
  >(sql`${crossing('housekeeping goes through all organizations')}
    select l.org_id as "orgId", o.retention_days as "retentionDays", o.retention_days_ceiling as "retentionDaysCeiling"
    from organization_logs l join organizations o using (org_id) where l.last_seq > l.floor_seq`)
  for (const { orgId, ...retention } of rows) {
    const oldest = now - effectiveEventRetentionMs(retention, { updatesRetentionMs })
    try {
      await removeUntil(db, orgId, oldest, onRemoved)
    } catch (error) {
      if (!noteFailure) throw error
      noteFailure(error, { orgId }) // the organizations behind it have their turn all the same
    }
  }
}

async function removeUntil(
  db: Database,
  orgId: string,
  oldest: number,
  onRemoved: (orgId: string, floorSeq: number) => void,
): Promise<void> {
  for (let isMore = true; isMore; ) {
    const step = await removeStep(db, orgId, oldest)
    if (step) onRemoved(orgId, step.floor)
    isMore = step?.isMore ?? false
  }
}

/** Events are in the order of their time: old ones stand in front. Undefined when nothing was. */
async function removeStep(
  db: Database,
  orgId: string,
  oldest: number,
): Promise<{ floor: number; isMore: boolean } | undefined> {
  const front = await db.query<{ seq: number; created_at: number }>(sql`
    select seq, created_at from events where org_id = ${orgId} order by seq limit ${STEP}`)
  const floor = front.findLast((event) => event.created_at <= oldest)?.seq
  if (floor === undefined) return undefined
  await forgetDeliveries(db, orgId, floor)
  await db.write(orgId, async (tx) => {
    await tx.query(
      sql`update organization_logs set floor_seq = ${floor} where org_id = ${orgId} and floor_seq < ${floor}`,
    )
    // Profiles tell the bots, because a deleted bot has no other row.
    const bots = sql`(select id from profiles where org_id = ${orgId} and id >= 'b@' and id < 'bA')`
    await tx.query(sql`
      delete from audience_rows where org_id = ${orgId} and seq <= ${floor} and bot_id in ${bots}`)
    await tx.query(sql`
      delete from audience_blocks where org_id = ${orgId} and block < (${floor}::bigint + 1) >> 8 and bot_id in ${bots}`)
    await tx.query(sql`delete from message_events where org_id = ${orgId} and seq <= ${floor}`)
    await tx.query(sql`delete from events where org_id = ${orgId} and seq <= ${floor}`)
  })
  return { floor, isMore: floor === front.at(-1)?.seq }
}
