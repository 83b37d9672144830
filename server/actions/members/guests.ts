import { isAdminRole } from '../../../contract/operation.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal, tooMany } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import { distinctIds } from '../../ids.ts'
import { waitForOwnInvitation } from '../../queries/members/people.ts'
import { countGuests } from '../../queries/topics/guests.ts'

/** Topics and end of a new guest. */
export type GuestTerms = { topicIds?: readonly string[]; guestUntil?: number | null }

/** Refuses an end of a guest's access that is in the past, or for other people. */
export function checkGuestEnd(tx: Transaction, role: string, guestUntil: number | null | undefined): void {
  if (guestUntil === undefined || guestUntil === null) return
  if (role !== 'guest') throw refusal('guest_terms_for_guests')
  if (guestUntil <= tx.now()) throw refusal('guest_end_past')
}

/** Refuses terms for people who are no guests. */
export function checkGuestTerms(tx: Transaction, role: string, { topicIds, guestUntil }: GuestTerms): void {
  if (role !== 'guest' && topicIds !== undefined && topicIds.length > 0)
    throw refusal('guest_terms_for_guests')
  checkGuestEnd(tx, role, guestUntil)
}

/** Whether the caller may invite guests, and bring them into topics: admins, and others if the organization lets members do it. */
export async function mayBringGuests(tx: Transaction, { role }: Pick<Caller, 'role'>): Promise<boolean> {
  if (isAdminRole(role)) return true
  const [row] = await tx.query<{ isAllowed: boolean }>(sql`
    select members_invite_guests as "isAllowed" from organizations where org_id = ${tx.orgId}`)
  return row?.isAllowed === true
}

/** Refuses guests among new members of a topic, unless the caller may bring them. */
export async function refuseGuests(
  tx: Transaction,
  caller: Pick<Caller, 'role'>,
  memberIds: readonly string[],
): Promise<void> {
  if (isAdminRole(caller.role) || memberIds.length === 0) return
  const [guest] = await tx.query(sql`
    select 1 from profiles p join organizations o on o.org_id = ${tx.orgId} and not o.members_invite_guests
    where p.org_id = ${tx.orgId} and p.id = any(${memberIds}) and p.role = 'guest' limit 1`)
  if (guest) throw refusal('guests_for_admins')
}

/** Tells the people of a topic how many guests are in it, where one of these members is a guest. */
export async function tellGuests(
  tx: Transaction,
  topicId: string,
  memberIds: readonly string[],
): Promise<void> {
  const [guest] = await tx.query(sql`
    select 1 from profiles where org_id = ${tx.orgId} and id = any(${memberIds}) and role = 'guest' limit 1`)
  if (guest) await tellGuestsOf(tx, topicId)
}

/** Tells the people of all topics of a member who has become a guest, is none any more, or has another state. */
export async function tellGuestsEverywhere(tx: Transaction, profileId: string): Promise<void> {
  const topics = await tx.query<{ id: string }>(sql`
    select topic_id as id from topic_members where org_id = ${tx.orgId} and profile_id = ${profileId} order by topic_id`)
  for (const { id } of topics) await tellGuestsOf(tx, id)
}

/** Tells the people of all topics of a guest who is there again, or no longer. */
export async function tellGuestStatus(tx: Transaction, profileId: string): Promise<void> {
  const [guest] = await tx.query(sql`
    select 1 from profiles where org_id = ${tx.orgId} and id = ${profileId} and role = 'guest'`)
  if (guest) await tellGuestsEverywhere(tx, profileId)
}

const tellGuestsOf = async (tx: Transaction, topicId: string) =>
  emitToPeople(tx, 'topic.guests_changed', topicId, { topicId, guests: await countGuests(tx, tx, topicId) })

/** A guest writes directly only to people and bots of their topics. */
export async function refuseStrangers(
  tx: Transaction,
  { profileId, role }: PersonCaller,
  memberIds: readonly string[],
): Promise<void> {
  if (role !== 'guest') return
  const known = await tx.query(sql`
    select distinct m.profile_id from topic_members own
      join topic_members m on m.org_id = ${tx.orgId} and m.topic_id = own.topic_id and m.profile_id = any(${memberIds})
    where own.org_id = ${tx.orgId} and own.profile_id = ${profileId}`)
  if (known.length < distinctIds(memberIds).length) throw refusal('member_invalid')
}

/** Members have a share of the organization's invitations, so that none of them uses up those of admins. */
export async function refuseManyInvitations(tx: Transaction, caller: PersonCaller): Promise<void> {
  if (isAdminRole(caller.role)) return
  const wait = await waitForOwnInvitation(caller, tx, tx.now())
  if (wait > 0) throw tooMany(wait, 'invitations_limited')
}
