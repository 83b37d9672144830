import { LIMITS } from '../../../contract/limits.ts'
import type { MemberStatus } from '../../../contract/members.ts'
import { isAdminRole, type Role } from '../../../contract/operation.ts'
import type { AuditAction } from '../../../contract/people/organization.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal, tooMany } from '../../errors.ts'
import { distinctIds } from '../../ids.ts'
import { waitForMailTo } from '../../limits/address-mails.ts'
import type { Parley } from '../../parley.ts'
import { findAccountByEmail, isActiveElsewhere } from '../../queries/accounts/accounts.ts'
import {
  hasOtherOwner,
  isStillInvited,
  type PersonRow,
  readPerson,
  waitForInvitation,
} from '../../queries/members/people.ts'
import { EMAIL, emailKey, firstCodePoints, toName } from '../../text.ts'
import { resetSecondFactor } from '../accounts/second-factors.ts'
import { type Actor, actorOf, audit, type Change, changesBetween, SERVER } from '../organization/audit.ts'
import { refuseNewOwners } from '../organization/four-eyes.ts'
import { endReadingsOf } from '../organization/readings.ts'
import { addToConsoleTopic } from '../topics/console-topics.ts'
import { addTopicMembers, leaveAllTopics } from '../topics/topics.ts'
import {
  checkGuestEnd,
  checkGuestTerms,
  type GuestTerms,
  mayBringGuests,
  refuseManyInvitations,
  tellGuestsEverywhere,
} from './guests.ts'
import { inviteMember, makeInvitation } from './invitations.ts'
import { tellMember } from './member-events.ts'
import { addPerson, endSessionsHere, setMemberStatus } from './members.ts'

export type InvitedPerson = GuestTerms & { email: string; name?: string; role?: Role }

/** Adds a pending member and mails the invitation. A deleted member comes back under the same id. */
export async function invitePerson(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  { email, name, role = 'member', topicIds = [], guestUntil = null }: InvitedPerson,
): Promise<string> {
  if (role === 'owner') requireOwner(caller)
  if (role === 'owner') await refuseNewOwners(tx)
  checkGuestTerms(tx, role, { topicIds, guestUntil })
  const named = name !== undefined && { name }
  const id = await addPerson(tx, { email, role, guestUntil, status: 'Pending', ...named })
  if (role === 'guest') await leaveAllTopics(tx, id, caller.profileId) // a former member who comes back
  for (const topicId of distinctIds(topicIds))
    await addToConsoleTopic(tx, caller, topicId, { memberIds: [id] })
  refuseToWait(await waitToInvite(tx, parley, { id, email }))
  await inviteMember(tx, parley, id, caller.profileId)
  const end = guestUntil !== null && { guestUntil }
  const changes = changesBetween({}, { email, role, ...end })
  await tell(tx, caller, await requirePerson(tx, id), 'member.invited', changes)
  return id
}

export type InvitedGuest = {
  email: string
  name?: string
  topicIds: readonly string[]
  guestUntil?: number | null
}

/** Invites a guest to topics that the caller is in. */
export async function inviteGuest(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  { topicIds, ...guest }: InvitedGuest,
): Promise<string> {
  if (!(await mayBringGuests(tx, caller))) throw refusal('guests_for_admins')
  await refuseManyInvitations(tx, caller)
  await refuseFormer(tx, caller, guest.email)
  const id = await invitePerson(tx, parley, caller, { ...guest, role: 'guest' })
  for (const topicId of distinctIds(topicIds)) await addTopicMembers(tx, caller, topicId, [id])
  return id
}

/** Members invite new people alone: a deleted one comes back by admins, under the name that they have. */
async function refuseFormer(tx: Transaction, { role }: PersonCaller, email: string): Promise<void> {
  if (isAdminRole(role)) return
  const [known] = await tx.query(sql`
    select 1 from profiles where org_id = ${tx.orgId} and email_key = ${emailKey(email)}`)
  if (known) throw refusal('email_known')
}

/** Archives a guest whose access has ended. */
export async function endGuest(tx: Transaction, personId: string): Promise<void> {
  const person = await requirePerson(tx, personId)
  const { status, guestUntil } = person
  if (guestUntil === null || guestUntil > tx.now() || status === 'Archived' || status === 'Deleted') return
  await movePerson(tx, SERVER, person, 'Archived')
}

/** Archives a member who is in the company's directory no more. An owner stays, to get in without it. */
export async function archiveLeaver(tx: Transaction, personId: string): Promise<void> {
  const person = await requirePerson(tx, personId)
  if (person.status === 'Active' && person.role !== 'owner') await movePerson(tx, SERVER, person, 'Archived')
}

/** Gives a member the name that they have in the company's directory. */
export async function nameAsInDirectory(tx: Transaction, personId: string, name: string): Promise<void> {
  const person = await requirePerson(tx, personId)
  const chosen = firstCodePoints(toName(name), LIMITS.profileName)
  if (person.status === 'Active' && chosen !== '') await renamePerson(tx, SERVER, person, chosen)
}

export type InvitedLine = { email: string; memberId?: string; url?: string; refusal?: string }

/**
 * Invites each line separately: a refused line undoes no other. Addresses are locked in one order, so that two
 * organizations that invite the same people cannot deadlock.
 */
export async function invitePeople(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  {
    people,
    role = 'member',
    ...terms
  }: GuestTerms & { people: readonly { email: string; name?: string }[]; role?: Role },
): Promise<InvitedLine[]> {
  if (role === 'owner') requireOwner(caller)
  checkGuestTerms(tx, role, terms)
  const lines: InvitedLine[] = []
  const byAddress = people
    .map(({ email, name }, place) => ({ email: email.trim(), called: name ?? '', place }))
    .sort((one, other) => compare(emailKey(one.email), emailKey(other.email)))
  for (const { email, called, place } of byAddress) {
    const name = firstCodePoints(toName(called), LIMITS.profileName)
    const line = await refusable(tx, async () => {
      if (!EMAIL.test(email) || email.length > LIMITS.email) throw refusal('email_invalid')
      const memberId = await invitePerson(tx, parley, caller, {
        email,
        role,
        ...terms,
        ...(name && { name }),
      })
      if (parley.config.smtpUrl !== undefined) return { memberId }
      return { memberId, url: (await makeInvitationLink(tx, parley, caller, memberId)).url }
    })
    lines[place] = { email, ...line }
  }
  return lines
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

export type PeopleChanges = { role?: Role; status?: 'Active' | 'Archived'; endSessions?: boolean }

/** Changes each person by the rules for one. Refused people stay unchanged. */
export async function changePeople(
  tx: Transaction,
  caller: PersonCaller,
  memberIds: readonly string[],
  { endSessions = false, ...changes }: PeopleChanges,
): Promise<{ memberId: string; refusal?: string }[]> {
  const results: { memberId: string; refusal?: string }[] = []
  for (const memberId of distinctIds(memberIds)) {
    const result = await refusable(tx, async () => {
      await changePerson(tx, caller, memberId, changes)
      if (endSessions) await endPersonSessions(tx, caller, memberId)
      return {}
    })
    results.push({ memberId, ...result })
  }
  return results
}

/** The result of the work, or the reason why it was refused and undone. */
async function refusable<Result extends object>(
  tx: Transaction,
  work: () => Promise<Result>,
): Promise<Result | { refusal: string; code: string }> {
  try {
    return await tx.attempt(work)
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message, code: error.code }
    throw error
  }
}

/** Sends a new link; earlier ones stop working. */
export async function inviteAgain(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  personId: string,
): Promise<void> {
  const person = await requirePerson(tx, personId)
  if (person.status !== 'Pending') throw refusal('member_not_pending')
  refuseToWait(await mailInvitation(tx, parley, actorOf(caller), person))
}

/** Mails a pending person a new link; earlier ones stop working. Returns how long that has to wait where a limit is used up. */
export async function mailInvitation(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  by: Actor,
  person: PersonRow,
  perHour?: number,
): Promise<number> {
  const wait = await waitToInvite(tx, parley, person, perHour)
  if (wait > 0) return wait
  await inviteMember(tx, parley, person.id, 'id' in by ? by.id : undefined)
  await tellBy(tx, by, person, 'member.invited', changesBetween({}, { email: person.email }))
  return 0
}

/**
 * A link to pass on by hand; one that was mailed ends. Its holder can become this member: an admin who could make one for an
 * owner would make themselves an owner.
 */
export async function makeInvitationLink(
  tx: Transaction,
  { config }: Pick<Parley, 'config'>,
  caller: PersonCaller,
  personId: string,
): Promise<{ url: string; expiresAt: number }> {
  const person = await requirePerson(tx, personId)
  if (person.role === 'owner') requireOwner(caller)
  if (person.role === 'owner') await refuseNewOwners(tx)
  if (person.status !== 'Pending') throw refusal('member_not_pending')
  const made = await makeInvitation(tx, { config }, person.id, { byHand: true })
  await tell(tx, caller, person, 'member.invitation_link_made', changesBetween({}, { email: person.email }))
  return made
}

/** A stolen session must not make the server send mail to everybody, nor many organizations make it fill one mailbox. */
const waitToInvite = async (
  tx: Transaction,
  { secrets }: Pick<Parley, 'secrets'>,
  { id, email }: Pick<PersonRow, 'id' | 'email'>,
  perHour: number = LIMITS.invitationsPerHour,
): Promise<number> =>
  (await waitForInvitation(tx, tx, id, { now: tx.now(), perHour })) ||
  (await waitForMailTo(tx, secrets, email, 'invitation'))

function refuseToWait(wait: number): void {
  if (wait > 0) throw tooMany(wait, 'invitations_limited')
}

export type PersonChanges = {
  name?: string
  role?: Role
  status?: 'Active' | 'Archived' | 'Deleted'
  mayReadContent?: boolean
  /** The end of a guest's access; null: none. */
  guestUntil?: number | null
}

/** Applies all changes or none: one refusal refuses the request. */
export async function changePerson(
  tx: Transaction,
  caller: PersonCaller,
  personId: string,
  { name, role, status, mayReadContent, guestUntil }: PersonChanges,
): Promise<void> {
  const before = await requirePerson(tx, personId)
  const renamed = name !== undefined && name !== before.name
  const promoted = role !== undefined && role !== before.role
  const moved = status !== undefined && status !== before.status
  const isAdmin = (role ?? before.role) === 'admin'
  // The right ends with the role.
  const reads = isAdmin ? (mayReadContent ?? before.mayReadContent) : false
  const allowed = reads !== before.mayReadContent
  if (mayReadContent === true && !isAdmin) throw refusal('reading_right_for_admins')
  if (mayReadContent !== undefined && caller.role !== 'owner') throw refusal('reading_right_for_owners')
  const isGuest = (role ?? before.role) === 'guest'
  checkGuestEnd(tx, isGuest ? 'guest' : 'member', guestUntil)
  // The end of a guest's access goes with the role, too.
  const end = isGuest ? (guestUntil === undefined ? before.guestUntil : guestUntil) : null
  const prolonged = end !== before.guestUntil
  if (!renamed && !promoted && !moved && !allowed && !prolonged) return

  if (before.role === 'owner' || (promoted && role === 'owner')) requireOwner(caller)
  if (before.status === 'Deleted') throw refusal('member_deleted')
  if (moved && status !== 'Active' && before.id === caller.profileId) throw refusal('member_is_self')
  if (moved && status === 'Active' && before.status === 'Pending') throw refusal('member_pending')
  if (before.role === 'owner' && (promoted || moved)) await refuseLossOfOwner(tx, before)
  if (promoted && role === 'owner') await refuseNewOwners(tx)

  if (renamed) await renamePerson(tx, actorOf(caller), before, name)
  const person = { ...before, ...(renamed && { name }), guestUntil: end }
  if (promoted || prolonged)
    await tx.query(sql`
      update profiles set role = ${role ?? before.role}, guest_until = ${end}, updated_at = ${tx.now()}
      where org_id = ${tx.orgId} and id = ${before.id}`)
  if (promoted || prolonged) await tellMember(tx, before.id)
  if (prolonged && isGuest) {
    const changes = changesBetween(dated(before.guestUntil), dated(end))
    await tell(tx, caller, person, 'member.guest_end_changed', changes)
  }
  if (promoted) {
    await endReadingsOf(tx, before.id)
    if (isGuest || before.role === 'guest') await tellGuestsEverywhere(tx, before.id)
    await tell(tx, caller, person, 'member.role_changed', changesBetween({ role: before.role }, { role }))
  }
  if (allowed) await allowReading(tx, caller, person, reads)
  if (moved) await movePerson(tx, actorOf(caller), person, status)
}

const dated = (guestUntil: number | null) => (guestUntil === null ? {} : { guestUntil })

/** The last active owner stays, and while four eyes are set all of them do. */
export async function refuseLossOfOwner(
  tx: Transaction,
  { id, status }: { id: string; status: MemberStatus },
): Promise<void> {
  if (status === 'Active' && !(await hasOtherOwner(tx, tx, id))) throw refusal('owner_required')
  await refuseNewOwners(tx)
}

async function allowReading(
  tx: Transaction,
  caller: PersonCaller,
  person: PersonRow,
  isAllowed: boolean,
): Promise<void> {
  await tx.query(sql`
    update profiles set reading_allowed_by = ${isAllowed ? caller.profileId : null}, updated_at = ${tx.now()} where org_id = ${tx.orgId} and id = ${person.id}`)
  if (!isAllowed) await endReadingsOf(tx, person.id)
  await tell(tx, caller, person, isAllowed ? 'member.reading_allowed' : 'member.reading_forbidden', [])
}

/** Renames the person everywhere. */
export async function renamePerson(
  tx: Transaction,
  by: Actor,
  { id, name: before }: { id: string; name: string },
  name: string,
): Promise<void> {
  if (name === before) return
  await tx.query(sql`
    update profiles set name = ${name}, updated_at = ${tx.now()} where org_id = ${tx.orgId} and id = ${id}`)
  await tellMember(tx, id)
  await tellBy(tx, by, { id, name }, 'member.renamed', changesBetween({ name: before }, { name }))
}

const ACTIONS = {
  Active: 'member.activated',
  Archived: 'member.archived',
  Deleted: 'member.deleted',
} as const

/** A person who was archived before accepting an invitation comes back as invited. */
export async function movePerson(
  tx: Transaction,
  by: Actor,
  person: { id: string; name: string; status: MemberStatus },
  wanted: 'Active' | 'Archived' | 'Deleted',
): Promise<void> {
  if (wanted === 'Active') await refuseEnded(tx, person.id)
  const comesBackPending = wanted === 'Active' && (await isStillInvited(tx, tx, person.id))
  const status = comesBackPending ? 'Pending' : wanted
  await setMemberStatus(tx, person.id, status)
  await tellBy(tx, by, person, ACTIONS[wanted], changesBetween({ status: person.status }, { status }))
}

/** Refuses a guest whose access has ended: a new end comes first. */
async function refuseEnded(tx: Transaction, personId: string): Promise<void> {
  const { guestUntil } = await requirePerson(tx, personId)
  if (guestUntil !== null && guestUntil <= tx.now()) throw refusal('guest_end_past')
}

/** Signs a person out of this organization on every browser; who belongs to no other one is signed out of the server. */
export async function endPersonSessions(
  tx: Transaction,
  caller: PersonCaller,
  personId: string,
): Promise<void> {
  const person = await requirePerson(tx, personId)
  if (person.role === 'owner') requireOwner(caller)
  await endSessionsHere(tx, person.id)
  await tell(tx, caller, person, 'member.sessions_ended', [])
}

/**
 * An account has one second factor for all its organizations. Its removal by an admin of one would weaken the others: it is
 * refused where there are any, and an operator can do it.
 */
export async function resetPersonSecondFactor(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  personId: string,
): Promise<void> {
  const person = await requirePerson(tx, personId)
  if (person.role === 'owner') requireOwner(caller)
  const account = await findAccountByEmail(tx, person.email)
  if (!account) throw refusal('second_factor_missing')
  if (await isActiveElsewhere(tx, tx, account.id)) throw refusal('member_elsewhere')
  await resetSecondFactor(tx, parley, account)
  await tell(tx, caller, person, 'member.second_factor_reset', [])
}

export async function requirePerson(tx: Transaction, personId: string): Promise<PersonRow> {
  const person = await readPerson(tx, tx, personId)
  if (!person) throw refusal('member_not_found')
  return person
}

export function requireOwner({ role }: PersonCaller): void {
  if (role !== 'owner') throw refusal('owners_are_for_owners')
}

function tell(
  tx: Transaction,
  caller: PersonCaller,
  { id, name }: { id: string; name: string },
  action: AuditAction,
  changes: readonly Change[],
): Promise<void> {
  return tellBy(tx, actorOf(caller), { id, name }, action, changes)
}

const tellBy = (
  tx: Transaction,
  by: Actor,
  { id, name }: { id: string; name: string },
  action: AuditAction,
  changes: readonly Change[],
): Promise<void> => audit(tx, by, { action, target: { type: 'member', id, name }, changes })
