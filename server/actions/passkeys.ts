import { LIMITS } from '../../contract/limits.ts'
import type { Passkey } from '../../contract/people/session.ts'
import type { StoredPasskey } from '../auth/passkeys.ts'
import { isOpenSession, type SignedIn } from '../auth/sessions.ts'
import { sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { badRequest, notFound, Refusal } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { queueMail } from '../mail/queue.ts'
import { asIs, mailWords } from '../mail/words.ts'
import type { Parley } from '../parley.ts'
import { lockAccount } from '../queries/accounts.ts'
import { listPasskeys } from '../queries/passkeys.ts'

type Parts = Pick<Parley, 'secrets' | 'config'>

export function refuseTooMany(passkeys: readonly unknown[]): void {
  if (passkeys.length >= LIMITS.passkeysPerAccount) throw badRequest('too many passkeys')
}

/**
 * Undefined when somebody has this very passkey already. Its owner hears of it by mail: it outlives their password. A
 * session that was ended while the passkey was looked at adds none.
 */
export async function addPasskey(
  open: OpenTransaction,
  { secrets, config }: Parts,
  signedIn: SignedIn,
  { passkey, name }: { passkey: Omit<StoredPasskey, 'accountId'>; name: string },
): Promise<Passkey | undefined> {
  const { accountId, email } = signedIn
  const { credentialId, publicKey, counter, transports } = passkey
  await lockAccount(open, accountId)
  if (!(await isOpenSession(open, signedIn))) throw new Refusal(401, 'sign in first')
  refuseTooMany(await listPasskeys(open, accountId))
  const [row] = await open.query<Passkey>(sql`
    insert into passkeys (credential_id, id, account_id, public_key, counter, transports, name, created_at)
    values (${credentialId}, ${newUuid()}, ${accountId}, ${publicKey}, ${counter}, ${transports}, ${name}, ${open.now()})
    on conflict do nothing
    returning id, name, created_at as "createdAt"`)
  if (!row) return undefined
  await queueMail(open, secrets, {
    to: email,
    subject: 'A passkey was added to your account on Parley',
    text: mailWords`The passkey "${name}" can sign in to your account ${asIs(email)} on ${asIs(config.baseUrl)} from now on.

If that was not you, remove it, and change your password:

${asIs(config.baseUrl)}/account
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

/** The last one stays where there is no password: nobody locks themselves out. Its owner hears of it by mail. */
export async function removePasskey(
  open: OpenTransaction,
  { secrets, config }: Parts,
  { accountId, email }: Pick<SignedIn, 'accountId' | 'email'>,
  passkeyId: string,
): Promise<void> {
  const account = await lockAccount(open, accountId)
  const passkeys = await open.query<{ id: string; name: string }>(
    sql`select id, name from passkeys where account_id = ${accountId}`,
  )
  const passkey = passkeys.find(({ id }) => id === passkeyId)
  if (!passkey) throw notFound('Passkey not found')
  if (passkeys.length === 1 && account?.password === null) throw badRequest('set a password first')
  await open.query(sql`delete from passkeys where account_id = ${accountId} and id = ${passkeyId}`)
  await queueMail(open, secrets, {
    to: email,
    subject: 'A passkey was removed from your account on Parley',
    text: mailWords`The passkey "${passkey.name}" can no longer sign in to your account ${asIs(email)} on ${asIs(config.baseUrl)}.

If that was not you, end the sessions that you do not know, and change your password:

${asIs(config.baseUrl)}/account
`,
  })
}
