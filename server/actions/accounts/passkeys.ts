import { LIMITS } from '../../../contract/limits.ts'
import type { CredentialProof, Passkey } from '../../../contract/people/session.ts'
import { type StoredPasskey, verifyPasskey } from '../../auth/passkeys.ts'
import { isOpenSession, type NewSession, replaceSession, type SignedIn } from '../../auth/sessions.ts'
import type { Visitor } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { lockAccount } from '../../queries/accounts/accounts.ts'
import { findPasskey, listPasskeys } from '../../queries/accounts/passkeys.ts'
import { auditAccount, enterMemberships } from './account-audit.ts'

export const PASSKEY_NOT_VERIFIED = 'the passkey could not be verified'

type Parts = Pick<Parley, 'secrets' | 'config'>

export function refuseTooMany(passkeys: readonly unknown[]): void {
  if (passkeys.length >= LIMITS.passkeysPerAccount) throw refusal('passkeys_full')
}

/**
 * Adds a passkey, unless an account has it already. The owner gets a mail, because a passkey outlives their password. A
 * session that ended while the passkey was checked adds none.
 */
export async function addPasskey(
  open: OpenTransaction,
  { secrets, config }: Parts,
  signedIn: SignedIn,
  { passkey, name }: { passkey: Omit<StoredPasskey, 'accountId'>; name: string },
): Promise<Passkey> {
  const { accountId, email } = signedIn
  const { credentialId, publicKey, counter, transports } = passkey
  const memberships = await enterMemberships(open, accountId)
  await lockAccount(open, accountId)
  if (!(await isOpenSession(open, signedIn))) throw refusal('sign_in_required')
  refuseTooMany(await listPasskeys(open, accountId))
  const [row] = await open.query<Passkey>(sql`
    insert into passkeys (credential_id, id, account_id, public_key, counter, transports, name, created_at)
    values (${credentialId}, ${newUuid()}, ${accountId}, ${publicKey}, ${counter}, ${transports}, ${name}, ${open.now()})
    on conflict do nothing
    returning id, name, created_at as "createdAt"`)
  if (!row) throw refusal('passkey_not_verified')
  await queueMail(open, secrets, {
    to: email,
    subject: 'A passkey was added to your account on Parley',
    text: mailWords`The passkey "${name}" can now sign in to your account ${asIs(email)} on ${asIs(config.baseUrl)}.

If this was not you, remove it and change your password:

${asIs(config.baseUrl)}/account
`,
  })
  await auditAccount(memberships, signedIn, { action: 'member.passkey_added' })
  return row
}

/** A passkey that has answered its challenge, and how often it says that it was used. */
export type ProvedPasskey = { passkey: StoredPasskey; counter: number }

export async function provePasskey(
  { db, config, attemptNotes }: Pick<Parley, 'attemptNotes' | 'config' | 'db'>,
  visitor: Visitor,
  { challenge, response }: { challenge: string | undefined; response: CredentialProof },
): Promise<ProvedPasskey> {
  const passkey = await findPasskey(db, response.id)
  const counter = challenge && passkey && (await verifyPasskey(config, challenge, passkey, response))
  if (passkey && typeof counter === 'number') return { passkey, counter }
  if (passkey) attemptNotes.note('member.sign_in_failed', passkey.accountId, visitor.client)
  throw refusal('sign_in_passkey_rejected')
}

export async function signInWithPasskey(
  open: OpenTransaction,
  parley: Pick<Parley, 'clock'>,
  visitor: Visitor,
  { passkey, counter }: ProvedPasskey,
): Promise<NewSession> {
  const account = await lockAccount(open, passkey.accountId)
  const isRight = account?.isActive && (await countPasskeyUse(open, passkey, counter))
  if (!isRight) throw refusal('sign_in_passkey_rejected')
  return replaceSession(open, parley, visitor, account, 'passkey')
}

/** Returns false if the passkey is gone, or was used with this count or a higher one. */
async function countPasskeyUse(
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

/** An account without a password keeps its last passkey, so that its owner can sign in. The owner gets a mail. */
export async function removePasskey(
  open: OpenTransaction,
  { secrets, config }: Parts,
  signedIn: SignedIn,
  passkeyId: string,
): Promise<void> {
  const { accountId, email } = signedIn
  const memberships = await enterMemberships(open, accountId)
  const account = await lockAccount(open, accountId)
  const passkeys = await open.query<{ id: string; name: string }>(
    sql`select id, name from passkeys where account_id = ${accountId}`,
  )
  const passkey = passkeys.find(({ id }) => id === passkeyId)
  if (!passkey) throw refusal('passkey_not_found')
  if (passkeys.length === 1 && account?.password === null) throw refusal('password_required_first')
  await open.query(sql`delete from passkeys where account_id = ${accountId} and id = ${passkeyId}`)
  await queueMail(open, secrets, {
    to: email,
    subject: 'A passkey was removed from your account on Parley',
    text: mailWords`The passkey "${passkey.name}" can no longer sign in to your account ${asIs(email)} on ${asIs(config.baseUrl)}.

If this was not you, end the sessions you do not recognize and change your password:

${asIs(config.baseUrl)}/account
`,
  })
  await auditAccount(memberships, signedIn, { action: 'member.passkey_removed' })
}
