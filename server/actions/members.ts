import type { MemberStatus } from '../../contract/members.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { emailKey, firstCodePoints } from '../text.ts'

export type NewPerson = {
  email: string
  name?: string
  phone?: string
  externalId?: string
  role?: 'owner' | 'admin' | 'member'
  status: 'Pending' | 'Active'
}

/** A person in this organization. The account is shared by all organizations that know the address. */
export async function addPerson(tx: Transaction, person: NewPerson): Promise<string> {
  const id = newUuid()
  const now = tx.now()
  const key = emailKey(person.email)
  const name = person.name ?? firstCodePoints(person.email.split('@')[0] ?? person.email, 100)
  const [known] = await tx.query(
    sql`select 1 from profiles where org_id = ${tx.orgId} and email_key = ${key}`,
  )
  if (known) throw badRequest('email already belongs to a member')
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

export async function setMemberStatus(
  tx: Transaction,
  profileId: string,
  status: MemberStatus,
): Promise<void> {
  await tx.query(sql`
    update profiles set status = ${status}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${profileId}`)
}
