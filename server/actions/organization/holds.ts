import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { releaseFiles } from '../../files/files.ts'
import { firstUuidAt } from '../../ids.ts'
import { type HeldRow, type HoldRow, listHeld, readHold } from '../../queries/organization/holds.ts'
import { requireAnyTopic } from '../topics/console-topics.ts'
import { actorOf, audit, type Change, changesBetween, NO_TOPIC } from './audit.ts'
import { planMessageRetentionAgain } from './message-retention.ts'
import { refuseOwnersHold, requireReading } from './readings.ts'

/** Copies of one step. */
const STEP = 200

export async function setHold(
  tx: Transaction,
  caller: PersonCaller,
  { topicId, memberId, reason }: { topicId?: string; memberId?: string; reason: string },
): Promise<HoldRow> {
  if (topicId !== undefined && memberId !== undefined) throw refusal('hold_subject_ambiguous')
  if (topicId !== undefined) await requireAnyTopic(tx, topicId)
  if (memberId !== undefined) await requireProfile(tx, memberId.toLowerCase())
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into legal_holds (org_id, id, topic_id, profile_id, reason, set_by, set_at)
    values (${tx.orgId}, ${id}, ${topicId}, ${memberId?.toLowerCase()}, ${reason}, ${caller.profileId}, ${at})`)
  const hold = await requireHold(tx, id)
  await tell(tx, caller, hold, 'hold.set', changesBetween({}, { reason }))
  return hold
}

/** Messages that only it kept go with it, and so do messages whose time is over: a worker sees to both. */
export async function endHold(tx: Transaction, caller: PersonCaller, holdId: string): Promise<HoldRow> {
  const hold = await requireStanding(tx, holdId)
  await tx.query(sql`
    update legal_holds set ended_by = ${caller.profileId}, ended_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${hold.id}`)
  await planMessageRetentionAgain(tx, tx.orgId)
  await tx.query(sql`
    insert into retention_dues (org_id, topic_id, due_at) values (${tx.orgId}, ${NO_TOPIC}, ${tx.now()})
    on conflict (org_id, topic_id) do update set due_at = excluded.due_at`)
  await tell(tx, caller, hold, 'hold.ended')
  return requireHold(tx, hold.id)
}

/** Some of what a hold keeps, under a reading of it; each page is in the audit log. */
export async function readHeldRecords(
  tx: Transaction,
  caller: PersonCaller,
  holdId: string,
  { after = firstUuidAt(0), limit }: { after?: string; limit: number },
): Promise<{ records: HeldRow[]; next: string | undefined }> {
  const hold = await requireStanding(tx, holdId)
  const reading = await requireReading(tx, caller, { type: 'hold', id: hold.id })
  await refuseOwnersHold(tx, caller, hold) // who is held may be an owner since the reading was opened
  const records = await listHeld(tx, tx, hold, { after, limit })
  const timeOf = (row: HeldRow | undefined) => row && new Date(row.record.created_at).toISOString()
  await tell(tx, caller, hold, 'hold.read', [
    ...reading,
    ...changesBetween(
      {},
      { messages: records.length, since: timeOf(records[0]), until: timeOf(records.at(-1)) },
    ),
  ])
  const isMore = new Set(records.map(({ id }) => id)).size === limit
  return { records, next: isMore ? records.at(-1)?.id : undefined }
}

/** Copies that no hold keeps any longer, some of them, with their files; tells whether there are more. */
export async function forgetUnheld(tx: Transaction): Promise<boolean> {
  const { orgId } = tx
  const gone = await tx.query<{ fileIds: string[] }>(sql`
    delete from held_records c where c.org_id = ${orgId} and c.id in (
      select x.id from held_records x where x.org_id = ${orgId} and not exists (
        select from legal_holds h where h.org_id = ${orgId} and h.ended_at is null
          and (h.topic_id is null or h.topic_id = x.topic_id) and (h.profile_id is null or h.profile_id = x.author_id))
      limit ${STEP})
    returning c.file_ids as "fileIds"`)
  for (const { fileIds } of gone) await releaseFiles(tx, fileIds)
  const isMore = gone.length === STEP
  if (!isMore)
    await tx.query(sql`delete from retention_dues where org_id = ${orgId} and topic_id = ${NO_TOPIC}`)
  return isMore
}

async function requireProfile(tx: Transaction, profileId: string): Promise<void> {
  const [profile] = await tx.query(
    sql`select 1 from profiles where org_id = ${tx.orgId} and id = ${profileId}`,
  )
  if (!profile) throw refusal('member_not_found')
}

async function requireHold(tx: Transaction, holdId: string): Promise<HoldRow> {
  const hold = await readHold(tx, tx, holdId)
  if (!hold) throw refusal('hold_not_found')
  return hold
}

async function requireStanding(tx: Transaction, holdId: string): Promise<HoldRow> {
  const hold = await requireHold(tx, holdId)
  if (hold.ended_at !== null) throw refusal('hold_ended')
  return hold
}

/** Writes the audit entry, which names the held topic, member or organization. */
async function tell(
  tx: Transaction,
  caller: PersonCaller,
  hold: HoldRow,
  action: 'hold.set' | 'hold.ended' | 'hold.read',
  changes: readonly Change[] = [],
): Promise<void> {
  const [organization] = await tx.query<{ name: string }>(
    sql`select name from organizations where org_id = ${tx.orgId}`,
  )
  const name = hold.topic_name ?? hold.profile_name ?? organization?.name ?? ''
  await audit(tx, actorOf(caller), { action, target: { type: 'hold', id: hold.id, name }, changes })
}
