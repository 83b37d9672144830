import type { PersonCaller } from '../auth/sessions.ts'
import type { Caller } from '../caller.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest } from '../errors.ts'
import { emitToPeople } from '../events/log.ts'
import { keepFiles, releaseFiles } from '../files/files.ts'
import { tellMember } from './member-events.ts'
import { refuseArchived, requireTopic } from './topics.ts'

export type OwnProfile = { title?: string; statusText?: string; timeZone?: string }

/** What somebody says about themselves; everybody in the organization is told. */
export async function updateOwnProfile(
  tx: Transaction,
  { profileId }: PersonCaller,
  { title, statusText, timeZone }: OwnProfile,
): Promise<void> {
  if (timeZone) checkTimeZone(timeZone)
  const changed = await tx.query(sql`
    update profiles p set title = coalesce(${title ?? null}, p.title),
      status_text = coalesce(${statusText ?? null}, p.status_text), time_zone = coalesce(${timeZone ?? null}, p.time_zone),
      updated_at = ${tx.now()}
    where p.org_id = ${tx.orgId} and p.id = ${profileId}
      and (p.title, p.status_text, p.time_zone) is distinct from (
        coalesce(${title ?? null}, p.title), coalesce(${statusText ?? null}, p.status_text),
        coalesce(${timeZone ?? null}, p.time_zone))
    returning 1`)
  if (changed.length > 0) await tellMember(tx, profileId)
}

export function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw badRequest('unknown time zone')
  }
}

/** Undefined: none any more. The file is in the store already, and kept from here on. Tells whether anything changed. */
export async function changePhoto(
  tx: Transaction,
  { profileId }: Pick<Caller, 'profileId'>,
  fileId: string | undefined,
): Promise<boolean> {
  const [before] = await tx.query<{ photo_file_id: string | null }>(sql`
    select photo_file_id from profiles where org_id = ${tx.orgId} and id = ${profileId}`)
  const former = before?.photo_file_id ?? undefined
  if (fileId === former) return false
  await tx.query(sql`
    update profiles set photo_file_id = ${fileId ?? null}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${profileId}`)
  if (fileId !== undefined) await keepFiles(tx, [fileId])
  if (former !== undefined) await releaseFiles(tx, [former])
  await tellMember(tx, profileId)
  return true
}

/** Every member's to change, as the name is. */
export async function changeCover(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  fileId: string | undefined,
): Promise<void> {
  const topic = refuseArchived(await requireTopic(tx, caller, requestedId))
  if (topic.type === 'dm') throw badRequest('not possible in a direct message')
  const former = topic.cover_file_id ?? undefined
  if (fileId === former) return
  await tx.query(sql`
    update topics set cover_file_id = ${fileId ?? null}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${topic.id}`)
  if (fileId !== undefined) await keepFiles(tx, [fileId])
  if (former !== undefined) await releaseFiles(tx, [former])
  const changes = { coverId: fileId ?? null }
  await emitToPeople(tx, 'topic.updated', topic.id, { topicId: topic.id, actorId: caller.profileId, changes })
}
