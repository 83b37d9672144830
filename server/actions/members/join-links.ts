import { LIMITS } from '../../../contract/limits.ts'
import type { MemberStatus } from '../../../contract/members.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import type { Client } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal, tooMany } from '../../errors.ts'
import { newUuid, randomToken, sha256 } from '../../ids.ts'
import { waitForMailTo } from '../../limits/address-mails.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import {
  countOpenJoinLinks,
  findJoinRequest,
  type JoinRequestRow,
  type OpenJoinLink,
  readJoinMails,
} from '../../queries/members/join-links.ts'
import { domainKey, emailKey, nameFrom } from '../../text.ts'
import { type Actor, actorOf, audit, auditOrganization, changesBetween } from '../organization/audit.ts'
import { makeInvitation } from './invitations.ts'
import { addPerson } from './members.ts'

const TOKEN_BITS = 192
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A domain in the ASCII letters of DNS; other scripts are converted before. */
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

type Parts = Pick<Parley, 'secrets' | 'config'>

/** The context that a token is encrypted for. */
export const joinLinkContext = (id: string): string => `join link:${id}`

export type NewJoinLink = { domains: readonly string[]; days?: number; maxUses?: number }

/** Creates a link that only gives the role of a member. Returns its id. */
export async function createJoinLink(
  tx: Transaction,
  { secrets }: Parts,
  caller: PersonCaller,
  { domains: written, days = 7, maxUses }: NewJoinLink,
): Promise<string> {
  const domains = [...new Set(written.map(domainFrom))]
  if ((await countOpenJoinLinks(tx, tx, tx.now())) >= LIMITS.joinLinks) throw refusal('join_links_full')
  const [id, token, expiresAt] = [newUuid(), randomToken(TOKEN_BITS), tx.now() + days * DAY_MS]
  await tx.query(sql`
    insert into join_links (org_id, id, token_hash, token, domains, max_uses, expires_at, created_by, created_at)
    values (${tx.orgId}, ${id}, ${sha256(token)}, ${secrets.encrypt(token, joinLinkContext(id))}, ${domains},
      ${maxUses ?? null}, ${expiresAt}, ${caller.profileId}, ${tx.now()})`)
  const ends = new Date(expiresAt).toISOString()
  await tell(tx, actorOf(caller), 'organization.join_link_made', { domains, expiresAt: ends, maxUses })
  return id
}

function domainFrom(written: string): string {
  const domain = domainKey(written.trim().replace(/^@/, ''))
  if (!DOMAIN.test(domain)) throw refusal('domain_invalid')
  return domain
}

/** Deletes the link, and with it the unconfirmed requests to join. */
export async function revokeJoinLink(
  tx: Transaction,
  caller: PersonCaller,
  joinLinkId: string,
): Promise<void> {
  const [link] = await tx.query<{ domains: string[] }>(sql`
    delete from join_links where org_id = ${tx.orgId} and id = ${joinLinkId} returning domains`)
  if (!link) throw refusal('join_link_not_found')
  await tell(tx, actorOf(caller), 'organization.join_link_revoked', { domains: link.domains })
}

async function tell(
  tx: Transaction,
  actor: Actor,
  action: 'organization.join_link_made' | 'organization.join_link_revoked',
  said: Record<string, unknown>,
): Promise<void> {
  await auditOrganization(tx, actor, action, changesBetween({}, said))
}

/** Refuses an address that the link is not for; this much is written on the page itself. */
export function checkDomain({ domains }: OpenJoinLink, email: string): void {
  if (!domains.includes(domainKey(email.slice(email.lastIndexOf('@') + 1))))
    throw refusal('email_domain_foreign')
}

/**
 * Mails a link that proves the address. A request is stored for every address and only the mail differs, so that the
 * answer reveals nothing. The organization sees the person only after the proof.
 */
export async function askToJoin(
  tx: Transaction,
  { secrets, config }: Parts,
  { id: linkId, organization }: OpenJoinLink,
  email: string,
): Promise<void> {
  const [key, now] = [emailKey(email), tx.now()]
  const mails = await readJoinMails(tx, tx, {
    linkId,
    emailKey: key,
    since: now - HOUR_MS,
    most: LIMITS.joinRequestsPerHour,
  })
  if (mails.filling !== null) throw tooMany(mails.filling + HOUR_MS - now, 'invitations_limited')
  if (mails.newest !== null && mails.newest > now - MINUTE_MS) return
  if ((await waitForMailTo(tx, secrets, email, 'invitation')) > 0) return
  const token = randomToken(TOKEN_BITS)
  await tx.query(sql`
    delete from join_requests where org_id = ${tx.orgId} and link_id = ${linkId} and expires_at <= ${now}`)
  await tx.query(sql`
    insert into join_requests (token_hash, org_id, link_id, email, email_key, expires_at, created_at)
    values (${sha256(token)}, ${tx.orgId}, ${linkId}, ${email}, ${key}, ${now + LIMITS.joinRequestHours * HOUR_MS}, ${now})`)
  const { status } = (await findProfile(tx, key)) ?? {}
  if (status === 'Archived' || status === 'Deleted') return
  await queueMail(
    tx,
    secrets,
    status === 'Active'
      ? {
          to: email,
          subject: mailWords`You are a member of ${organization} on Parley`,
          text: mailWords`Someone asked to join ${organization} on Parley with this address. You are already a member. Sign in here:

${asIs(config.baseUrl)}/sign-in

If this was not you, ignore this mail. Nothing changes.
`,
        }
      : {
          to: email,
          subject: mailWords`Confirm your address to join ${organization} on Parley`,
          text: mailWords`Someone asked to join ${organization} on Parley with this address.

If this was you, open this link within ${LIMITS.joinRequestHours} hours:

${asIs(`${config.baseUrl}/invite/confirm#${token}`)}

If this was not you, ignore this mail. Nothing changes.
`,
        },
  )
}

/** Unknown, revoked, ended and used up look the same. */
export async function openJoinRequest(
  db: Parameters<typeof findJoinRequest>[0],
  token: string,
  now: number,
): Promise<JoinRequestRow> {
  const request = await findJoinRequest(db, token, now)
  if (!request) throw refusal('link_not_valid')
  return request
}

/**
 * Makes an invitation for a person who has proved their address. A new member counts as a use of the link; a person who
 * was invited anyway does not. Archived and deleted members cannot come back this way.
 */
export async function confirmAddress(
  tx: Transaction,
  parts: Parts,
  client: Client,
  token: string,
): Promise<string> {
  // Another request may have used the link up since it was checked.
  const { email, emailKey: key, linkId, isOpen } = await openJoinRequest(tx, token, tx.now())
  const profile = await findProfile(tx, key)
  if (profile ? profile.status !== 'Pending' : !isOpen) throw refusal('link_not_valid')
  const profileId = profile?.id ?? (await addPerson(tx, { email, role: 'member', status: 'Pending' }))
  if (!profile) {
    await tx.query(sql`update join_links set uses = uses + 1 where org_id = ${tx.orgId} and id = ${linkId}`)
    await audit(
      tx,
      { kind: 'person', id: profileId, client },
      {
        action: 'member.invited_by_link',
        target: { type: 'member', id: profileId, name: nameFrom(email) },
        changes: changesBetween({}, { email }),
      },
    )
  }
  const { url } = await makeInvitation(tx, parts, profileId, { byHand: false })
  return url
}

async function findProfile(
  tx: Transaction,
  key: string,
): Promise<{ id: string; status: MemberStatus } | undefined> {
  const [row] = await tx.query<{ id: string; status: MemberStatus }>(
    sql`select id, status from profiles where org_id = ${tx.orgId} and email_key = ${key}`,
  )
  return row
}
