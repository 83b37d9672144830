import { LIMITS } from '../../../contract/limits.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import { keepFiles, releaseFiles } from '../../files/files.ts'
import { isOneEmoji } from '../../text.ts'
import { refuseArchived, requireTopic } from '../topics/topics.ts'
import { tellMember } from './member-events.ts'

export type OwnProfile = {
  title?: string
  statusText?: string
  statusEmoji?: string
  /** Null: the status stays. */
  statusUntil?: number | null
  timeZone?: string
  dndUntil?: number | null
  appearsAway?: boolean
}

type ProfileRow = {
  title: string
  status_text: string
  status_emoji: string
  status_until: number | null
  time_zone: string
  dnd_until: number | null
  appears_away: boolean
}

const AHEAD_MS = LIMITS.statusDays * 86_400_000

/** Changes the caller's profile, and tells the whole organization. */
export async function updateOwnProfile(
  tx: Transaction,
  { profileId, showsPresence }: PersonCaller,
  change: OwnProfile,
): Promise<void> {
  checkProfile(tx, change)
  const { statusText, statusEmoji, dndUntil, appearsAway } = change
  if (!showsPresence && (statusText || statusEmoji || dndUntil || appearsAway))
    throw refusal('presence_disabled')
  const [before] = await tx.query<ProfileRow>(sql`
    select title, status_text, status_emoji, status_until, time_zone, dnd_until, appears_away
    from profiles where org_id = ${tx.orgId} and id = ${profileId}`)
  if (!before) throw new Error('a caller is a member')
  const after = { ...before, ...changedProfile(before, change, tx.now()) }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  await tx.query(sql`
    update profiles set title = ${after.title}, status_text = ${after.status_text}, status_emoji = ${after.status_emoji},
      status_until = ${after.status_until}, time_zone = ${after.time_zone}, dnd_until = ${after.dnd_until},
      appears_away = ${after.appears_away}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${profileId}`)
  await tellMember(tx, profileId)
}

function checkProfile(
  tx: Transaction,
  { statusEmoji = '', statusUntil, dndUntil, timeZone }: OwnProfile,
): void {
  if (timeZone) checkTimeZone(timeZone)
  if (statusEmoji !== '' && !isOneEmoji(statusEmoji)) throw refusal('status_emoji_invalid')
  const now = tx.now()
  for (const until of [statusUntil, dndUntil])
    if (typeof until === 'number' && (until <= now || until > now + AHEAD_MS))
      throw refusal('status_time_invalid')
}

/** A new status has no end unless one comes with it, and nothing of one that has ended. */
function changedProfile(before: ProfileRow, change: OwnProfile, now: number): Partial<ProfileRow> {
  const { title, statusText, statusEmoji, statusUntil, timeZone, dndUntil, appearsAway } = change
  const isNewStatus = statusText !== undefined || statusEmoji !== undefined
  const isOver = before.status_until !== null && before.status_until <= now
  const text = statusText ?? (isOver ? '' : before.status_text)
  const emoji = statusEmoji ?? (isOver ? '' : before.status_emoji)
  const until = statusUntil !== undefined ? statusUntil : isNewStatus ? null : before.status_until
  const isStatusChanged = isNewStatus || statusUntil !== undefined
  return {
    ...(title !== undefined && { title }),
    ...(isStatusChanged && {
      status_text: text,
      status_emoji: emoji,
      status_until: text === '' && emoji === '' ? null : until,
    }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(dndUntil !== undefined && { dnd_until: dndUntil }),
    ...(appearsAway !== undefined && { appears_away: appearsAway }),
  }
}

export function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw refusal('time_zone_unknown')
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

/** Any member may change the cover, like the name. */
export async function changeCover(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  fileId: string | undefined,
): Promise<void> {
  const topic = refuseArchived(await requireTopic(tx, caller, requestedId))
  if (topic.type === 'dm') throw refusal('topic_is_direct')
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
