import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emailKey } from '../../text.ts'
import { tellMember } from './member-events.ts'
import { addPerson } from './members.ts'

/** Adds a person of an export as invited; `title` may be empty. */
export async function addImportedPerson(
  tx: Transaction,
  { email, name, title, isGuest }: { email: string; name: string; title: string; isGuest: boolean },
): Promise<string> {
  const id = await addPerson(tx, { email, name, role: isGuest ? 'guest' : 'member', status: 'Pending' })
  if (title === '') return id
  await tx.query(sql`update profiles set title = ${title} where org_id = ${tx.orgId} and id = ${id}`)
  await tellMember(tx, id)
  return id
}

/** Adds a name that messages have as their sender. With an address it becomes a member again when that address is invited. */
export async function addImportedName(
  tx: Transaction,
  { id, name, email }: { id: string; name: string; email: string | undefined },
): Promise<string> {
  await tx.query(sql`
    insert into profiles (org_id, id, kind, name, email, email_key, status, created_at, updated_at)
    values (${tx.orgId}, ${id}, ${id.startsWith('b@') ? 'bot' : 'user'}, ${name}, ${email ?? ''}, ${email && emailKey(email)}, 'Deleted',
      ${tx.now()}, ${tx.now()})`)
  await tellMember(tx, id)
  return id
}
