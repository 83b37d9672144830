import { NAMELESS } from '../../../contract/members.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { releaseFiles } from '../../files/files.ts'
import { hasOtherOwner, type PersonRow } from '../../queries/members/people.ts'
import { isMemberHeld } from '../../queries/organization/holds.ts'
import { emailKey } from '../../text.ts'
import { deleteUnusedAccount } from '../accounts/accounts.ts'
import { type Actor, actorOf, audit, changesBetween } from '../organization/audit.ts'
import { refuseNewOwners } from '../organization/four-eyes.ts'
import { addressMark, notePerson } from '../organization/import-marks.ts'
import { requireReading } from '../organization/readings.ts'
import { forgetRehearsals } from '../rehearsals/rehearsals.ts'
import { setMemberStatus } from './members.ts'
import { requireOwner, requirePerson } from './people.ts'

/** An admin erases a person. Admins cannot erase themselves, and only owners erase owners. */
export async function erasePerson(
  tx: Transaction,
  caller: PersonCaller,
  personId: string,
  { withMessages }: { withMessages: boolean },
): Promise<void> {
  const person = await requirePerson(tx, personId)
  if (person.role === 'owner') requireOwner(caller)
  if (person.id === caller.profileId) throw refusal('member_erasure_of_self')
  if (person.role === 'owner') await refuseNewOwners(tx)
  await beginErasure(tx, actorOf(caller), person, { withMessages })
}

/** Permits a caller to have a page of a person's data, their own or under a reading of that person, and writes it down. */
export async function permitPersonData(
  tx: Transaction,
  caller: PersonCaller,
  personId: string,
  page: { records: number; kinds: readonly string[] },
): Promise<void> {
  const { id, name, role } = await requirePerson(tx, personId)
  if (role === 'owner') requireOwner(caller)
  const reading = id === caller.profileId ? [] : await requireReading(tx, caller, { type: 'member', id })
  await audit(tx, actorOf(caller), {
    action: 'member.data_read',
    target: { type: 'member', id, name },
    changes: [...reading, ...changesBetween({}, { ...page, kinds: page.kinds.join(', ') })],
  })
}

/**
 * Ends the membership and erases who it was; from here on nothing new names them. What was written of them before is worked off in
 * steps (`eraseSome`).
 */
export async function beginErasure(
  tx: Transaction,
  actor: Actor,
  person: PersonRow,
  { withMessages }: { withMessages: boolean },
): Promise<void> {
  const { orgId } = tx
  const { id: profileId, name, email } = person
  const isLastOwner =
    person.role === 'owner' && person.status === 'Active' && !(await hasOtherOwner(tx, tx, profileId))
  if (isLastOwner) throw refusal('owner_required')
  const [running] = await tx.query(sql`
    select 1 from erasures where org_id = ${orgId} and profile_id = ${profileId} and finished_at is null`)
  if (running) throw refusal('member_erasure_running')
  if (person.isErased && !withMessages) throw refusal('member_erased')
  if (await isMemberHeld(tx, tx, profileId)) throw refusal('member_held')

  if (!person.isErased) await eraseProfile(tx, person)
  await forgetRehearsals(tx)
  await audit(tx, actor, {
    action: 'member.data_deleted',
    target: { type: 'member', id: profileId, name: NAMELESS },
    changes: [{ field: 'messages', to: withMessages ? 'deleted' : 'kept' }],
  })
  const names = person.isErased ? [] : [name, email].filter(Boolean)
  await tx.query(sql`
    insert into erasures (org_id, profile_id, with_messages, names, step, log_to, due_at, asked_at, asked_by)
    values (${orgId}, ${profileId}, ${withMessages}, ${names}, 'own', ${tx.lastSeq}, ${tx.now()}, ${tx.now()},
      ${'id' in actor ? actor.id : null})
    on conflict (org_id, profile_id) do update set with_messages = excluded.with_messages, names = excluded.names, step = excluded.step,
      done_to = null, log_to = excluded.log_to, due_at = excluded.due_at, asked_at = excluded.asked_at, asked_by = excluded.asked_by,
      finished_at = null, failures = 0`)
}

async function eraseProfile(tx: Transaction, { id: profileId, email }: PersonRow): Promise<void> {
  const { orgId } = tx
  const [before] = await tx.query<{ accountId: string | null; photoId: string | null }>(sql`
    select account_id as "accountId", photo_file_id as "photoId" from profiles where org_id = ${orgId} and id = ${profileId}`)
  await tx.query(sql`
    update profiles set name = ${NAMELESS}, email = '', email_key = null, phone = '', external_id = null, role = 'member', guest_until = null, reading_allowed_by = null, title = '',
      time_zone = '', status_text = '', status_emoji = '', status_until = null, dnd_until = null, appears_away = false,
      photo_file_id = null, last_seen_at = null, erased_at = ${tx.now()}
    where org_id = ${orgId} and id = ${profileId}`)
  if (email !== '') await notePerson(tx, orgId, addressMark(tx, email), profileId)
  await setMemberStatus(tx, profileId, 'Deleted')
  await tx.query(sql`delete from assistants where org_id = ${orgId} and profile_id = ${profileId}`)
  await tx.query(sql`delete from invitations where org_id = ${orgId} and profile_id = ${profileId}`)
  await tx.query(sql`delete from join_requests where org_id = ${orgId} and email_key = ${emailKey(email)}`)
  // Messages that are scheduled or still being uploaded would be sent in their name.
  await tx.query(sql`delete from scheduled_messages where org_id = ${orgId} and profile_id = ${profileId}`)
  const pending = await tx.query<{ attachments: { id: string }[] }>(sql`
    delete from pending_messages where org_id = ${orgId} and sender_id = ${profileId} returning attachments`)
  for (const { attachments } of pending)
    await releaseFiles(
      tx,
      attachments.map(({ id }) => id),
    )
  if (before?.photoId) await releaseFiles(tx, [before.photoId])
  if (before?.accountId) await leaveAccount(tx, profileId, before.accountId)
}

/** Deletes an account that nothing else belongs to. */
async function leaveAccount(tx: Transaction, profileId: string, accountId: string): Promise<void> {
  await tx.query(sql`update profiles set account_id = null where org_id = ${tx.orgId} and id = ${profileId}`)
  await deleteUnusedAccount(tx, accountId)
}
