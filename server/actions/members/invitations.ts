import { checkPassword } from '../../auth/password-rules.ts'
import { hashPassword, isPassword } from '../../auth/passwords.ts'
import { findSession, isOpenSession, type SignedIn } from '../../auth/sessions.ts'
import type { Visitor } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { randomToken, sha256 } from '../../ids.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { type AccountRow, findAccount, lockAccount } from '../../queries/accounts/accounts.ts'
import { acceptHolder, doubtHolder, lockProved, proveAddress } from '../accounts/accounts.ts'
import { changePassword, setPassword } from '../accounts/passwords.ts'
import { type Entered, enterWithPassword } from '../accounts/sign-in.ts'
import { audit } from '../organization/audit.ts'
import { joinDefaultTopics } from '../topics/chat-topics.ts'
import { tellMember } from './member-events.ts'
import { endInvitations } from './members.ts'

const TOKEN_BITS = 192
export const INVITATION_DAYS = 7
const DAY_MS = 86_400_000

/**
 * Makes a one-time link for a pending member, and ends earlier ones. Only a hash of its token is kept. The token stands
 * behind a `#`, which browsers do not send, so it reaches no log and no proxy. `byHand`: a member of the organization
 * sees the link, so using it does not prove the address.
 */
export async function makeInvitation(
  tx: Transaction,
  { config }: Pick<Parley, 'config'>,
  profileId: string,
  { byHand }: { byHand: boolean },
): Promise<{ url: string; expiresAt: number }> {
  const token = randomToken(TOKEN_BITS)
  const expiresAt = tx.now() + INVITATION_DAYS * DAY_MS
  await endInvitations(tx, profileId)
  await tx.query(sql`
    insert into invitations (token_hash, org_id, profile_id, expires_at, by_hand)
    values (${sha256(token)}, ${tx.orgId}, ${profileId}, ${expiresAt}, ${byHand})`)
  return { url: `${config.baseUrl}/join#${token}`, expiresAt }
}

/** The id of no profile. A join with null, which fits no row at all, is one that a cluster cannot plan. */
const NOBODY = ''

const AS_GUEST = ' as a guest. Guests see the topics that they were added to, and nothing else.'

/** Invites a pending member by e-mail, in the name of a member if there is one, and returns the link. */
export async function inviteMember(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  profileId: string,
  invitedBy?: string,
): Promise<string> {
  const { url } = await makeInvitation(tx, parley, profileId, { byHand: false })
  const [row] = await tx.query<{ organization: string; email: string; role: string; by: string | null }>(sql`
    select o.name as organization, p.email, p.role, a.name as by
    from profiles p join organizations o using (org_id) left join profiles a on a.org_id = p.org_id and a.id = ${invitedBy ?? NOBODY}
    where p.org_id = ${tx.orgId} and p.id = ${profileId}`)
  if (!row) throw new Error(`member ${profileId} does not exist`)
  const invited = row.by === null ? 'You have been invited' : mailWords`${row.by} has invited you`
  await queueMail(tx, parley.secrets, {
    to: row.email,
    subject: mailWords`You are invited to ${row.organization} on Parley`,
    text: mailWords`${asIs(invited)} to join ${row.organization} on Parley${asIs(row.role === 'guest' ? AS_GUEST : '.')}

Open this link to accept. It works once and expires after ${INVITATION_DAYS} days:

${asIs(url)}

If you do not know ${row.organization}, you can ignore this mail.
`,
  })
  return url
}

type Invitation = {
  orgId: string
  profileId: string
  accountId: string
  organization: string
  name: string
  email: string
  /** Whether the link was shown to another person than the reader of the address. */
  byHand: boolean
}

/** Finds an open invitation; undefined if it is unknown, used, replaced or expired. */
async function findInvitation(db: Queryable, token: string, now: number): Promise<Invitation | undefined> {
  const [row] = await db.query<Invitation>(sql`${crossing('whose it is, is known only when it was found')}
    select i.org_id as "orgId", i.profile_id as "profileId", p.account_id as "accountId", o.name as organization,
      p.name, p.email, i.by_hand as "byHand"
    from invitations i
    join organizations o using (org_id)
    join profiles p on p.org_id = i.org_id and p.id = i.profile_id and p.status = 'Pending'
    where i.token_hash = ${sha256(token)} and i.accepted_at is null and i.expires_at > ${now}`)
  return row
}

export type OpenedInvitation = { invitation: Invitation; account: AccountRow }

/** Unknown, used and expired look the same: a stranger learns nothing from the difference. */
export async function openInvitation(db: Queryable, token: string, now: number): Promise<OpenedInvitation> {
  const invitation = await findInvitation(db, token, now)
  const account = invitation && (await findAccount(db, invitation.accountId))
  if (!account) throw refusal('link_not_valid')
  return { invitation, account }
}

/**
 * Whether the visitor has to sign in to the existing account, with its password or a session. A mailed link proves that
 * the visitor reads the address. That is enough to create an account, or to take over one that is unproven or active
 * nowhere, but not to enter one in use. A link passed on by hand proves nothing, and sets no password if there is a way
 * to sign in.
 */
export const mustProveAccount = ({ invitation, account }: OpenedInvitation): boolean =>
  account.canSignIn && (invitation.byHand || (account.isActive && account.isProven))

/** The proof with which a visitor accepts an invitation: a session of the account, its password, or the one that it will have. */
export type Joining = OpenedInvitation & {
  signedIn: SignedIn | undefined
  /** The hash of the account's new password. */
  hash: string | undefined
}

/** Compares or hashes the password before the transaction that lets the visitor join, so that no lock waits for it. */
export async function prepareJoining(
  parley: Pick<Parley, 'attemptNotes' | 'clock' | 'config' | 'db'>,
  visitor: Visitor,
  opened: OpenedInvitation,
  password: string | undefined,
): Promise<Joining> {
  const { invitation, account } = opened
  const { passwordCost } = parley.config
  const session = await findSession(parley, visitor)
  const signedIn = session?.accountId === account.id ? session : undefined
  if (mustProveAccount(opened)) {
    const isProved =
      signedIn !== undefined ||
      (password !== undefined && (await isPassword(password, account.password, passwordCost)))
    if (isProved) return { ...opened, signedIn, hash: undefined }
    parley.attemptNotes.note('member.sign_in_failed', account.id, visitor.client)
    throw refusal('sign_in_wrong')
  }
  if (signedIn && account.canSignIn) return { ...opened, signedIn, hash: undefined }
  if (password === undefined) throw refusal('field_required', { field: 'password' })
  checkPassword(password, { email: account.email, organizations: [invitation.organization] })
  return { ...opened, signedIn, hash: await hashPassword(password, passwordCost) }
}

/** Makes the visitor a member, and signs them in; a session of the account stays. */
export async function acceptInvitation(
  tx: Transaction,
  parley: Pick<Parley, 'clock' | 'config' | 'secrets'>,
  visitor: Visitor,
  { token, name }: { token: string; name: string },
  { invitation, account, signedIn, hash }: Joining,
): Promise<Entered | SignedIn> {
  // Everything may have changed while the password was hashed.
  if (!(await findInvitation(tx, token, tx.now()))) throw refusal('link_not_valid')
  const now = await lockProved(tx, account)
  const isSame =
    now?.canSignIn === account.canSignIn &&
    now.isActive === account.isActive &&
    now.isProven === account.isProven
  if (!isSame || (signedIn && !(await isOpenSession(tx, signedIn)))) throw refusal('sign_in_wrong')
  if (hash === undefined) {
    // A person who has a session or the password of the account, and reads mail to its address, is its holder.
    if (!invitation.byHand) await acceptHolder(tx, account.id)
  } else {
    await (invitation.byHand ? doubtHolder : proveAddress)(tx, account.id)
    if (account.canSignIn) await changePassword(tx, parley, account, { hash })
    else await setPassword(tx, account.id, hash)
  }
  await joinAsMember(tx, invitation.profileId, name)
  if (hash === undefined && signedIn) return signedIn
  const joined = await lockAccount(tx, account.id)
  if (!joined) throw new Error(`account ${account.id} does not exist`)
  return enterWithPassword(tx, parley, visitor, joined)
}

/**
 * Makes a pending member active, under the name that the person goes by. Accepts every invitation that was sent, and
 * opens this organization to the account, whose link or proven address led here.
 */
export async function joinAsMember(tx: Transaction, profileId: string, name: string): Promise<void> {
  await tx.query(sql`
    update profiles set status = 'Active', name = ${name}, needs_proof = false, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${profileId}`)
  await tx.query(sql`
    update invitations set accepted_at = ${tx.now()}
    where org_id = ${tx.orgId} and profile_id = ${profileId} and accepted_at is null`)
  await tellMember(tx, profileId)
  await joinDefaultTopics(tx, profileId)
  await audit(
    tx,
    { kind: 'person', id: profileId },
    { action: 'member.joined', target: { type: 'member', id: profileId, name } },
  )
}
