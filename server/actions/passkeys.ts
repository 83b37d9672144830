import type { Passkey } from '../../contract/people/session.ts'
import type { StoredPasskey } from '../auth/passkeys.ts'
import { sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { badRequest, notFound } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { queueMail } from '../mail/queue.ts'
import type { Parley } from '../parley.ts'
import { lockAccount } from '../queries/accounts.ts'

/** Undefined when somebody has this very passkey already. Its owner hears of it by mail: it outlives their password. */
export async function addPasskey(
  open: OpenTransaction,
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  { email, passkey, name }: { email: string; passkey: StoredPasskey; name: string },
): Promise<Passkey | undefined> {
  const { accountId, credentialId, publicKey, counter, transports } = passkey
  const [row] = await open.query<Passkey>(sql`
    insert into passkeys (credential_id, id, account_id, public_key, counter, transports, name, created_at)
    values (${credentialId}, ${newUuid()}, ${accountId}, ${publicKey}, ${counter}, ${transports}, ${name}, ${open.now()})
    on conflict do nothing
    returning id, name, created_at as "createdAt"`)
  if (!row) return undefined
  await queueMail(open, secrets, {
    to: email,
    subject: 'A passkey was added to your account on Parley',
    text: `The passkey "${name}" can sign in to your account ${email} on ${config.baseUrl} from now on.

If that was not you, remove it, and change your password:

${config.baseUrl}/account
`,
  })
  return row
}

/** False when the passkey was used meanwhile with this count or a higher one, or is gone. */
export async function countPasskeyUse(
  open: OpenTransaction,
  { credentialId }: Pick<StoredPasskey, 'credentialId'>,
  counter: number,
): Promise<boolean> {
  const used = await open.query(sql`
    update passkeys set counter = ${counter}, last_used_at = ${open.now()}
    where credential_id = ${credentialId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`)
  return used.length > 0
}

/** The last one stays where there is no password: nobody locks themselves out. */
export async function removePasskey(
  open: OpenTransaction,
  accountId: string,
  passkeyId: string,
): Promise<void> {
  const account = await lockAccount(open, accountId)
  const passkeys = await open.query<{ id: string }>(
    sql`select id from passkeys where account_id = ${accountId}`,
  )
  if (!passkeys.some(({ id }) => id === passkeyId)) throw notFound('Passkey not found')
  if (passkeys.length === 1 && account?.password === null) throw badRequest('set a password first')
  await open.query(sql`delete from passkeys where account_id = ${accountId} and id = ${passkeyId}`)
}
