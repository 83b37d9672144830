import { sql } from '../../server/db/sql.ts'
import { type Mail, openMail } from '../../server/mail/queue.ts'
import type { Home } from './cast.ts'

/** The mails to this address that wait to be sent, the oldest first; tests run without what sends them. */
export async function mailsTo({ parley: { db, secrets } }: Home, address: string): Promise<Mail[]> {
  const rows = await db.query<{ id: string; content: Buffer }>(
    sql`select id, content from mails order by created_at, ctid`,
  )
  return rows.map((row) => openMail(secrets, row)).filter(({ to }) => to === address)
}

export async function lastMail(server: Home, address: string): Promise<Mail> {
  const mail = (await mailsTo(server, address)).at(-1)
  if (!mail) throw new Error(`no mail to ${address}`)
  return mail
}
