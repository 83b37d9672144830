import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Mail, queueMail } from '../../mail/queue.ts'
import type { Parley } from '../../parley.ts'

/** The text of a mail in each language of the pages: nothing says which of them an owner reads. */
export type OwnerMail = { en: Pick<Mail, 'subject' | 'text'>; de: Pick<Mail, 'subject' | 'text'> }

/** Mails all owners of the organization, also the one who acts. Goes out if the transaction commits. */
export async function mailOwners(
  tx: Transaction,
  { secrets }: Pick<Parley, 'secrets'>,
  compose: (organization: string) => OwnerMail,
): Promise<void> {
  const owners = await tx.query<{ email: string; organization: string }>(sql`
    select p.email, o.name as organization from profiles p join organizations o using (org_id)
    where p.org_id = ${tx.orgId} and p.kind = 'user' and p.status = 'Active' and p.role = 'owner' and p.email <> '' order by p.id`)
  for (const { email, organization } of owners) {
    const { en, de } = compose(organization)
    await queueMail(tx, secrets, {
      to: email,
      subject: en.subject,
      text: `${en.text}\n--\n${de.subject}\n\n${de.text}`,
    })
  }
}
