import type { MemberStatus } from '../../contract/members.ts'
import type { Role } from '../../contract/operation.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { emailKey, nameFrom } from '../text.ts'

export type NewPerson = {
  email: string
  name?: string
  phone?: string
  externalId?: string
  role?: Role
  status: 'Pending' | 'Active'
}

/**
 * A person in this organization. The account is shared by all organizations that know the address. Who was deleted comes
 * back as the same member, so that what they wrote is theirs again.
 */
export async function addPerson(tx: Transaction, person: NewPerson): Promise<string> {
  const now = tx.now()
  const key = emailKey(person.email)
  const [known] = await tx.query<{ id: string; status: MemberStatus }>(
    sql`select id, status from profiles where org_id = ${tx.orgId} and email_key = ${key}`,
  )
  if (known?.status === 'Deleted') return bringBack(tx, known.id, person)
  if (known) throw badRequest('email already belongs to a member')
  const id = newUuid()
  const name = person.name ?? nameFrom(person.email)
  await tx.query(sql`
    with known as (
      insert into accounts (id, email, email_key, created_at) values (${newUuid()}, ${person.email}, ${key}, ${now})
      on conflict (email_key) do update set email_key = excluded.email_key
      returning id
    )
    insert into profiles (org_id, id, kind, name, email, email_key, phone, external_id, status, role, account_id,
      created_at, updated_at)
    select ${tx.orgId}, ${id}, 'user', ${name}, ${person.email}, ${key}, ${person.phone ?? ''}, ${person.externalId},
      ${person.status}, ${person.role ?? 'member'}, known.id, ${now}, ${now}
    from known`)
  return id
}

/** Invitations of their time before say nothing about this one. */
async function bringBack(tx: Transaction, id: string, person: NewPerson): Promise<string> {
  await tx.query(sql`delete from invitations where org_id = ${tx.orgId} and profile_id = ${id}`)
  await tx.query(sql`
    update profiles set status = ${person.status}, role = ${person.role ?? 'member'}, email = ${person.email},
      name = coalesce(${person.name}, name), phone = coalesce(${person.phone}, phone),
      external_id = coalesce(${person.externalId}, external_id), updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${id}`)
  return id
}

/** Who is archived or deleted can accept no invitation any more. */
export async function setMemberStatus(
  tx: Transaction,
  profileId: string,
  status: MemberStatus,
): Promise<void> {
  await tx.query(sql`
    update profiles set status = ${status}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${profileId}`)
  if (status === 'Archived' || status === 'Deleted') await endInvitations(tx, profileId)
}

/** Links that were sent so far work no longer. */
export async function endInvitations(tx: Transaction, profileId: string): Promise<void> {
  await tx.query(sql`
    update invitations set expires_at = least(expires_at, ${tx.now()})
    where org_id = ${tx.orgId} and profile_id = ${profileId} and accepted_at is null`)
}
