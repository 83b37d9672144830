import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { randomToken, sha256 } from '../ids.ts'
import { queueMail } from '../mail/queue.ts'
import { asIs, mailWords } from '../mail/words.ts'
import type { Parley } from '../parley.ts'
import { audit } from './audit.ts'
import { endInvitations } from './members.ts'

const TOKEN_BITS = 192
export const INVITATION_DAYS = 7
const DAY_MS = 86_400_000

/**
 * A one-time link for a pending member; an earlier one works no longer. Only a hash of its token is kept. The token stands
 * behind a `#`, which browsers do not send: it reaches no log and no proxy. `byHand`: somebody in the organization sees it,
 * so whoever uses it has not proved to read the address.
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

/** Invites a pending member by e-mail and returns the link. */
export async function inviteMember(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  profileId: string,
): Promise<string> {
  const { url } = await makeInvitation(tx, parley, profileId, { byHand: false })
  const [row] = await tx.query<{ organization: string; email: string }>(sql`
    select o.name as organization, p.email from profiles p join organizations o using (org_id)
    where p.org_id = ${tx.orgId} and p.id = ${profileId}`)
  if (!row) throw new Error(`member ${profileId} does not exist`)
  await queueMail(tx, parley.secrets, {
    to: row.email,
    subject: mailWords`You are invited to ${row.organization} on Parley`,
    text: mailWords`You have been invited to join ${row.organization} on Parley.

Open this link to accept. It works once, for ${INVITATION_DAYS} days:

${asIs(url)}

If you do not know ${row.organization}, you can ignore this mail.
`,
  })
  return url
}

export type Invitation = {
  orgId: string
  profileId: string
  accountId: string
  organization: string
  name: string
  email: string
  /** Whether its link was shown to somebody else than who reads the address. */
  byHand: boolean
}

/** What an open invitation is for; undefined when it is unknown, used, replaced or expired. */
export async function findInvitation(
  db: Queryable,
  token: string,
  now: number,
): Promise<Invitation | undefined> {
  const [row] = await db.query<Invitation>(sql`
    select i.org_id as "orgId", i.profile_id as "profileId", p.account_id as "accountId", o.name as organization,
      p.name, p.email, i.by_hand as "byHand"
    from invitations i
    join organizations o using (org_id)
    join profiles p on p.org_id = i.org_id and p.id = i.profile_id and p.status = 'Pending'
    where i.token_hash = ${sha256(token)} and i.accepted_at is null and i.expires_at > ${now}`)
  return row
}

/** From `Pending` to `Active`, under the name the person goes by. That accepts every invitation that was sent. */
export async function joinAsMember(tx: Transaction, profileId: string, name: string): Promise<void> {
  await tx.query(sql`
    update profiles set status = 'Active', name = ${name}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${profileId}`)
  await tx.query(sql`
    update invitations set accepted_at = ${tx.now()}
    where org_id = ${tx.orgId} and profile_id = ${profileId} and accepted_at is null`)
  await audit(
    tx,
    { kind: 'person', id: profileId },
    { action: 'member.joined', target: { type: 'member', id: profileId, name } },
  )
}
