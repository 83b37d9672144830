import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { newUuid } from '../ids.ts'
import type { Secrets } from '../secrets.ts'

/** Values in `subject` and `text` go through `mailWords`, so that nothing of a stranger's can be clicked. */
export type Mail = {
  to: string
  subject: string
  text: string
  /** Address for unsubscribing without signing in; only in mail that its reader did not ask for. */
  unsubscribe?: string
}

export const MAIL_CHANNEL = 'parley_mail'

/** Mail goes out after, and only if, the transaction that asked for it commits. It is encrypted: it holds links. */
export async function queueMail(
  tx: Queryable & { now(): number },
  secrets: Secrets,
  mail: Mail,
): Promise<void> {
  const id = newUuid()
  await tx.query(sql`
    insert into mails (id, content, due_at, created_at)
    values (${id}, ${secrets.encrypt(JSON.stringify(mail), `mail:${id}`)}, ${tx.now()}, ${tx.now()})`)
  await tx.query(sql`select pg_notify(${MAIL_CHANNEL}, '')`)
}

export function openMail(secrets: Secrets, row: { id: string; content: Buffer }): Mail {
  return JSON.parse(secrets.decrypt(row.content, `mail:${row.id}`).toString())
}
