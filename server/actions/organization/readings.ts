import { LIMITS } from '../../../contract/limits.ts'
import type { Reading } from '../../../contract/people/readings.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import { readBot } from '../../queries/bots/bots.ts'
import { type PersonRow, readPerson } from '../../queries/members/people.ts'
import { type HoldRow, readHold } from '../../queries/organization/holds.ts'
import { isTopicKnown } from '../../queries/organization/message-retention.ts'
import {
  findOpenReading,
  type ReadingRow,
  readReading,
  type Subject,
} from '../../queries/organization/readings.ts'
import { actorOf, audit, type Change, changesBetween } from './audit.ts'
import { hasFourEyes } from './four-eyes.ts'
import { mailReading } from './reading-mail.ts'

const READING_MS = LIMITS.readingHours * 3_600_000
const WAITING_MS = LIMITS.readingWaitDays * 86_400_000

/** Owners, and admins whom an owner allowed it. Returns that owner; null: the caller is one. */
async function requireRight(tx: Transaction, { profileId, role }: PersonCaller): Promise<string | null> {
  if (role === 'owner') return null
  const [row] = await tx.query<{ allowedBy: string | null }>(sql`
    select reading_allowed_by as "allowedBy" from profiles where org_id = ${tx.orgId} and id = ${profileId}`)
  if (!row?.allowedBy) throw refusal('reading_not_allowed')
  return row.allowedBy
}

/**
 * Begins every answer with content that its reader is not part of: requires an open reading of theirs. Returns the text
 * for the audit entry, which belongs to the transaction that reads.
 */
export async function requireReading(
  tx: Transaction,
  caller: PersonCaller,
  subject: Subject,
): Promise<Change[]> {
  await requireRight(tx, caller)
  const reading = await findOpenReading(caller, tx, { ...subject, id: subject.id.toLowerCase() }, tx.now())
  if (!reading) throw refusal('reading_required')
  return changesBetween({}, { reason: reading.reason, reading: reading.id })
}

/** Opens a reading, or lets it wait for another owner where four eyes are set. All owners get a mail, also the one who asks. */
export async function askForReading(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  { subject, reason }: { subject: Subject; reason: string },
): Promise<ReadingRow> {
  const allowedBy = await requireRight(tx, caller)
  const subjectId = subject.id.toLowerCase()
  await REQUIRED[subject.type](tx, subjectId, caller)
  const isWaiting = await hasFourEyes(tx)
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into content_readings (org_id, id, subject_type, subject_id, reason, asked_by, allowed_by, asked_at, outcome, decided_by, decided_at,
      ends_at)
    values (${tx.orgId}, ${id}, ${subject.type}, ${subjectId}, ${reason}, ${caller.profileId}, ${allowedBy}, ${at},
      ${isWaiting ? null : 'granted'}, ${isWaiting ? null : caller.profileId}, ${isWaiting ? null : at},
      ${at + (isWaiting ? WAITING_MS : READING_MS)})`)
  const reading = await requireKnown(tx, id)
  const told = { reason, subject: subject.type, state: isWaiting ? 'waiting' : 'open' }
  await tell(tx, caller, reading, 'reading.asked', changesBetween({}, told))
  await mailReading(tx, parley, reading, isWaiting ? 'waiting' : 'open')
  return reading
}

/**
 * The deciding owner neither asked nor had given the asking admin the right at that time: otherwise an owner with an
 * admin could act alone. The first of several decisions counts.
 */
export async function decideReading(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  readingId: string,
  outcome: 'granted' | 'refused',
): Promise<ReadingRow> {
  const before = await requireKnown(tx, readingId)
  if ([before.askedBy, before.allowedBy].includes(caller.profileId))
    throw refusal('reading_needs_another_owner')
  const now = tx.now()
  const [decided] = await tx.query(sql`
    update content_readings set outcome = ${outcome}, decided_by = ${caller.profileId}, decided_at = ${now},
      ends_at = ${outcome === 'granted' ? now + READING_MS : now}
    where org_id = ${tx.orgId} and id = ${before.id} and outcome is null and ends_at > ${now} returning id`)
  const reading = await requireKnown(tx, before.id)
  if (!decided) throw refusal(reading.outcome === null ? 'reading_ended' : 'reading_decided')
  await tell(tx, caller, reading, outcome === 'granted' ? 'reading.granted' : 'reading.refused')
  if (outcome === 'granted') await mailReading(tx, parley, reading, 'open')
  return reading
}

export async function endReading(
  tx: Transaction,
  caller: PersonCaller,
  readingId: string,
): Promise<ReadingRow> {
  const before = await requireKnown(tx, readingId)
  if (caller.role !== 'owner' && before.askedBy !== caller.profileId) throw refusal('forbidden')
  const now = tx.now()
  const [ended] = await tx.query(sql`
    update content_readings set ends_at = ${now} where org_id = ${tx.orgId} and id = ${before.id} and ends_at > ${now} returning id`)
  if (!ended) throw refusal('reading_ended')
  await tell(tx, caller, before, 'reading.ended')
  return requireKnown(tx, before.id)
}

/** Ends readings of a person who loses the right, open and waiting ones: the right given back revives none of them. */
export async function endReadingsOf(tx: Transaction, profileId: string): Promise<void> {
  const now = tx.now()
  await tx.query(sql`
    update content_readings set ends_at = ${now} where org_id = ${tx.orgId} and asked_by = ${profileId} and ends_at > ${now}`)
}

async function requireKnown(tx: Transaction, readingId: string): Promise<ReadingRow> {
  const reading = await readReading(tx, tx, readingId)
  if (!reading) throw refusal('reading_not_found')
  return reading
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Checks for each kind of content. Admins cannot read data of owners. */
const REQUIRED: Record<
  Reading['subject']['type'],
  (tx: Transaction, id: string, caller: PersonCaller) => Promise<void>
> = {
  async topic(tx, id, caller) {
    if (!UUID.test(id) || !(await isTopicKnown(caller, tx, id))) throw refusal('topic_not_found')
  },
  async member(tx, id, caller) {
    const person = await readPerson(tx, tx, id)
    if (!person) throw refusal('member_not_found')
    refuseOwnersData(caller, person)
  },
  async bot(tx, id) {
    if (!(await readBot(tx, tx, id))) throw refusal('bot_not_found')
  },
  async hold(tx, id, caller) {
    const hold = UUID.test(id) ? await readHold(tx, tx, id) : undefined
    if (!hold) throw refusal('hold_not_found')
    await refuseOwnersHold(tx, caller, hold)
  },
}

function refuseOwnersData(caller: PersonCaller, person: Pick<PersonRow, 'role'> | undefined): void {
  if (person?.role === 'owner' && caller.role !== 'owner') throw refusal('owners_are_for_owners')
}

/** A hold on a person, or on all of them, keeps direct messages too: those of owners are not for admins. */
export async function refuseOwnersHold(
  tx: Transaction,
  caller: PersonCaller,
  { topic_id, profile_id }: Pick<HoldRow, 'topic_id' | 'profile_id'>,
): Promise<void> {
  if (profile_id !== null) refuseOwnersData(caller, await readPerson(tx, tx, profile_id))
  else if (topic_id === null && caller.role !== 'owner') throw refusal('hold_on_all_for_owners')
}

const tell = (
  tx: Transaction,
  caller: PersonCaller,
  { id, subjectName: name }: ReadingRow,
  action: 'reading.asked' | 'reading.granted' | 'reading.refused' | 'reading.ended',
  changes: readonly Change[] = [],
): Promise<void> => audit(tx, actorOf(caller), { action, target: { type: 'reading', id, name }, changes })
