import type { MemberStatus } from '../../../contract/members.ts'
import type { Role } from '../../../contract/operation.ts'
import { endAllTokens, endTokens } from '../../auth/one-time-tokens.ts'
import { endSessions } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { isActiveElsewhere, lockAccount } from '../../queries/accounts/accounts.ts'
import { emailKey, nameFrom } from '../../text.ts'
import { endReadingsOf } from '../organization/readings.ts'
import { tellSessionsOf } from '../organization/spread-news.ts'
import { joinDefaultTopics } from '../topics/chat-topics.ts'
import { tellGuestStatus } from './guests.ts'
import { tellMember } from './member-events.ts'

export type NewPerson = {
  email: string
  name?: string
  phone?: string
  externalId?: string
  role?: Role
  /** The end of a guest's access. */
  guestUntil?: number | null
  status: 'Pending' | 'Active'
}

/**
 * A person in this organization. The account is shared by all organizations that know the address. A deleted person
 * comes back as the same member, so that their messages are theirs again.
 */
export async function addPerson(tx: Transaction, person: NewPerson): Promise<string> {
  const now = tx.now()
  const key = emailKey(person.email)
  const [known] = await tx.query<{ id: string; status: MemberStatus }>(
    sql`select id, status from profiles where org_id = ${tx.orgId} and email_key = ${key}`,
  )
  if (known?.status === 'Deleted') return bringBack(tx, known.id, person)
  if (known) throw refusal('email_known')
  const id = newUuid()
  const name = person.name ?? nameFrom(person.email)
  const account = await findOrMakeAccount(tx, person.email)
  await tx.query(sql`
    insert into profiles (org_id, id, kind, name, email, email_key, phone, external_id, status, role, guest_until, account_id,
      needs_proof, created_at, updated_at)
    values (${tx.orgId}, ${id}, 'user', ${name}, ${person.email}, ${key}, ${person.phone ?? ''}, ${person.externalId},
      ${person.status}, ${person.role ?? 'member'}, ${person.guestUntil ?? null}, ${account.id}, ${!account.isProven}, ${now}, ${now})`)
  await tellMember(tx, id)
  if (person.status === 'Active') await joinDefaultTopics(tx, id)
  return id
}

/** The account of an address. What is attached to one that is not proven stays closed until it is (`needs_proof`). */
export async function findOrMakeAccount(
  tx: Transaction,
  email: string,
): Promise<{ id: string; isProven: boolean }> {
  const [account] = await tx.query<{ id: string; isProven: boolean }>(sql`
    insert into accounts (id, email, email_key, created_at)
    values (${newUuid()}, ${email}, ${emailKey(email)}, ${tx.now()})
    on conflict (email_key) do update set email_key = excluded.email_key
    returning id, email_proven as "isProven"`)
  if (!account) throw new Error('an account is there after it was inserted')
  return account
}

/** Resets a former member: earlier invitations and rights no longer apply. */
async function bringBack(tx: Transaction, id: string, person: NewPerson): Promise<string> {
  const account = await findOrMakeAccount(tx, person.email)
  await tx.query(sql`delete from invitations where org_id = ${tx.orgId} and profile_id = ${id}`)
  await tx.query(sql`
    update profiles set status = ${person.status}, role = ${person.role ?? 'member'}, guest_until = ${person.guestUntil ?? null}, reading_allowed_by = null, email = ${person.email},
      name = coalesce(${person.name}, name), phone = coalesce(${person.phone}, phone),
      external_id = coalesce(${person.externalId}, external_id), account_id = ${account.id},
      needs_proof = ${!account.isProven}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${id}`)
  await tellMember(tx, id)
  if (person.status === 'Active') await joinDefaultTopics(tx, id)
  return id
}

/**
 * Archived and deleted members can accept no invitation any more, and are signed out for good: neither their sessions nor their readings
 * come back to life with the member. Active members of another organization stay signed in there.
 */
export async function setMemberStatus(
  tx: Transaction,
  profileId: string,
  status: MemberStatus,
): Promise<void> {
  await tx.query(sql`
    update profiles set status = ${status}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${profileId}`)
  await tellMember(tx, profileId)
  await tellGuestStatus(tx, profileId)
  if (status !== 'Archived' && status !== 'Deleted') return
  await endInvitations(tx, profileId)
  await endReadingsOf(tx, profileId)
  const { accountId, isElsewhere } = await endSessionsHere(tx, profileId)
  if (accountId !== null && !isElsewhere) await endAllTokens(tx, accountId)
}

/**
 * Ends all sessions for this organization. A session belongs to an account: if that is active in other organizations,
 * the session stays valid there, otherwise it ends.
 */
export async function endSessionsHere(
  tx: Transaction,
  profileId: string,
): Promise<{ accountId: string | null; isElsewhere: boolean }> {
  const [profile] = await tx.query<{ accountId: string | null }>(sql`
    update profiles set sessions_ended_at = greatest(sessions_ended_at, ${tx.now()})
    where org_id = ${tx.orgId} and id = ${profileId} returning account_id as "accountId"`)
  if (!profile?.accountId) return { accountId: null, isElsewhere: false }
  const { accountId } = profile
  await tellSessionsOf(tx, profileId)
  // Locked: a sign-in that is under way has either made its session by now, or finds out that it must not.
  await lockAccount(tx, accountId)
  const isElsewhere = await isActiveElsewhere(tx, tx, accountId)
  if (!isElsewhere) {
    await endSessions(tx, accountId)
    await endTokens(tx, 'second factor', accountId)
  }
  return { accountId, isElsewhere }
}

/** Ends all links sent so far, and one that waits to be sent. */
export async function endInvitations(tx: Transaction, profileId: string): Promise<void> {
  await tx.query(sql`
    update invitations set expires_at = least(expires_at, ${tx.now()})
    where org_id = ${tx.orgId} and profile_id = ${profileId} and accepted_at is null`)
  await tx.query(sql`
    update profiles set invite_at = null, invite_by = null
    where org_id = ${tx.orgId} and id = ${profileId} and invite_at is not null`)
}
