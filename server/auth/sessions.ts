import { LIMITS } from '../../contract/limits.ts'
import type { Role } from '../../contract/operation.ts'
import type { Need } from '../../contract/people/session.ts'
import type { Caller, Client, Visitor } from '../caller.ts'
import type { Authority } from '../db/authority.ts'
import { cleanStep } from '../db/clean-some.ts'
import type { Clock, Queryable } from '../db/database.ts'
import { crossing, nothing, type Sql, sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { refusal } from '../errors.ts'
import { newUuid, randomToken, sha256 } from '../ids.ts'
import type { Parley } from '../parley.ts'

const TOKEN_BITS = 256
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const SESSION_IDLE_MS = 30 * DAY_MS
/** The longest life of a session, even in use: a stolen one ends as well. */
const SESSION_MAX_AGE_MS = LIMITS.signInDays * DAY_MS
const FRESH_MS = LIMITS.freshSessionMinutes * 60_000
const SESSIONS_PER_ACCOUNT = 100

/**
 * The proof behind a session: a password alone, kept here or by the company's directory, or one of the ways that count as two factors.
 * `code` and `directory-code` are such a password followed by a code.
 */
export type SignedInWith = 'password' | 'code' | 'passkey' | 'sign-on' | 'directory' | 'directory-code'

/** Whether the company's provider let the person in. */
export const isSignOn = (signedInWith: SignedInWith): boolean =>
  signedInWith === 'sign-on' || signedInWith === 'directory' || signedInWith === 'directory-code'

/** Whether the session rests on one factor. */
export const isPasswordAlone = (signedInWith: SignedInWith): boolean =>
  signedInWith === 'password' || signedInWith === 'directory'

/** A signed-in person: how and when they signed in, and where this request comes from. */
export type SignedIn = {
  accountId: string
  sessionId: string
  email: string
  since: number
  signedInWith: SignedInWith
  /** When the session ends if it is not used any more. */
  expiresAt: number
  client: Client
}

/** A signed-in person as an active member of an organization. An unmet `needs` keeps them out. */
export type PersonCaller = Caller &
  SignedIn & {
    role: Role
    /** The end of a guest's access; null: none is set. */
    guestUntil: number | null
    needs: Need | null
    /** When the organization asks them to sign in again; null: never. */
    signInAgainAt: number | null
    /** Whether the organization shows who is there and who writes. */
    showsPresence: boolean
    /** The version of the organization's rights that the role is of (db/authority.ts). */
    authorityVersion: number
    authority?: Authority<PersonCaller> | undefined
  }

/** The time at which a caller is one no more, by the end of a guest's access or by the age of the session. */
export const endOf = ({ guestUntil, signInAgainAt }: PersonCaller): number =>
  Math.min(guestUntil ?? Number.POSITIVE_INFINITY, signInAgainAt ?? Number.POSITIVE_INFINITY)

/** A new session of the account, which ends its oldest ones where it has many. Only the cookie holds the token. */
export async function createSession(
  db: Queryable,
  now: number,
  accountId: string,
  { userAgent = '', signedInWith = 'password' }: { userAgent?: string; signedInWith?: SignedInWith } = {},
): Promise<string> {
  const token = randomToken(TOKEN_BITS)
  await db.query(sql`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId}
      order by created_at desc, id desc offset ${SESSIONS_PER_ACCOUNT - 1})`)
  await db.query(sql`
    insert into sessions (token_hash, id, account_id, user_agent, signed_in_with, created_at, last_seen_at, expires_at)
    values (${sha256(token)}, ${newUuid()}, ${accountId}, ${userAgent}, ${signedInWith}, ${now}, ${now},
      ${now + SESSION_IDLE_MS})`)
  return token
}

/** A session that has just begun; only the cookie that it is given out with holds the token. */
export type NewSession = Pick<SignedIn, 'accountId' | 'email' | 'since' | 'signedInWith'> & { token: string }

/** A session for the browser that asks, in place of the one it had. Its cookie is given when this is committed. */
export async function replaceSession(
  open: OpenTransaction,
  { clock }: Pick<Parley, 'clock'>,
  { sessionToken, client: { userAgent } }: Visitor,
  { id: accountId, email }: { id: string; email: string },
  signedInWith: SignedInWith,
): Promise<NewSession> {
  if (sessionToken !== undefined) await endSessionOf(open, sessionToken)
  const since = clock()
  const token = await createSession(open, since, accountId, { userAgent, signedInWith })
  return { accountId, email, since, signedInWith, token }
}

/** Guards changes that outlive a session, so that a stolen session cannot be used to stay. */
export function requireFresh(signedIn: SignedIn, now: number): void {
  if (!isFresh(signedIn, now)) throw refusal('sign_in_again_required')
}

export const isFresh = ({ since }: SignedIn, now: number): boolean => now - since <= FRESH_MS

export async function endSessionOf(open: OpenTransaction, token: string): Promise<void> {
  const hash = sha256(token)
  const [session] = await open.query<{ accountId: string }>(sql`
    select account_id as "accountId" from sessions where token_hash = ${hash}`)
  if (!session) return
  await lockOrganizationsOf(open, session.accountId)
  await open.query(sql`delete from sessions where token_hash = ${hash}`)
}

/** Ends all sessions of an account, or all but one. */
export async function endSessions(open: OpenTransaction, accountId: string, except?: string): Promise<void> {
  await lockOrganizationsOf(open, accountId)
  await open.query(sql`
    delete from sessions where account_id = ${accountId} and id is distinct from ${except ?? null}::uuid`)
}

/** Returns whether the session was the account's own. */
export async function endSession(
  open: OpenTransaction,
  accountId: string,
  sessionId: string,
): Promise<boolean> {
  await lockOrganizationsOf(open, accountId)
  const ended = await open.query(sql`
    delete from sessions where account_id = ${accountId} and id = ${sessionId} returning id`)
  return ended.length > 0
}

/**
 * Locks the organizations of an account, in the order of ids. The end of a session moves the version of rights there
 * (`move_authority_of_session`), and writers lock an organization before they look at a session.
 */
async function lockOrganizationsOf(open: OpenTransaction, accountId: string): Promise<void> {
  const profiles = await open.query<{
    orgId: string
  }>(sql`${crossing('a person is looked for in all their organizations')}
    select org_id as "orgId" from profiles where account_id = ${accountId} and kind = 'user' order by org_id`)
  for (const { orgId } of profiles)
    await open.query(sql`select 1 from organization_logs where org_id = ${orgId} for no key update`)
}

/** Whether it has not been ended; in a transaction it stays open until that ends. */
export async function isOpenSession(
  db: Queryable,
  { accountId, sessionId }: Pick<SignedIn, 'accountId' | 'sessionId'>,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from sessions where account_id = ${accountId} and id = ${sessionId} for key share`)
  return row !== undefined
}

export const forgetOldSessions = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, { table: 'sessions', key: 'token_hash', where: sql`expires_at <= ${now}`, limit })

/** Whether an account is an active member of any organization, on any machine. */
export async function isActiveSomewhere(db: Queryable, accountId: string): Promise<boolean> {
  const [row] = await db.query(sql`${crossing('a person is looked for in all their organizations')}
    select 1 from profiles p where p.account_id = ${accountId} and p.kind = 'user' and p.status = 'Active' limit 1`)
  return row !== undefined
}

/** The owner of a session; undefined if there is none, it is over, or its account is an active member of nothing. */
export async function findSession(
  { db, clock }: { db: Queryable; clock: Clock },
  { sessionToken, client }: Visitor,
): Promise<SignedIn | undefined> {
  if (sessionToken === undefined) return undefined
  const now = clock()
  const hash = sha256(sessionToken)
  const [row] = await db.query<
    Omit<SignedIn, 'client'> & { lastSeenAt: number }
  >(sql`${crossing('a person is looked for in all their organizations')}
    select s.account_id as "accountId", s.id as "sessionId", a.email, s.created_at as since,
      s.signed_in_with as "signedInWith", s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt"
    from sessions s join accounts a on a.id = s.account_id
    where s.token_hash = ${hash} and s.expires_at > ${now}
      ${db.isSpread ? nothing : sql`and exists (select 1 from profiles p where p.account_id = a.id and p.kind = 'user' and p.status = 'Active')`}`)
  if (!row || (db.isSpread && !(await isActiveSomewhere(db, row.accountId)))) return undefined
  const { lastSeenAt, ...signedIn } = row
  await prolong(db, hash, { now, lastSeenAt })
  return { ...signedIn, client }
}

/** A session that is used goes on; noted once an hour. */
async function prolong(
  db: Queryable,
  hash: Buffer,
  { now, lastSeenAt }: { now: number; lastSeenAt: number },
): Promise<void> {
  if (now - lastSeenAt <= HOUR_MS) return
  await db.query(sql`
    update sessions
    set last_seen_at = ${now}, expires_at = least(${now + SESSION_IDLE_MS}, created_at + ${SESSION_MAX_AGE_MS})
    where token_hash = ${hash}`)
}

/** Whether a person (`p`) is active in an organization, and no guest whose access has ended. */
export const isHere = (now: number): Sql =>
  sql`(p.kind = 'user' and p.status = 'Active' and (p.guest_until is null or p.guest_until > ${now}))`

/**
 * The step that a person must take before they can enter an organization, as SQL for a row of `profiles` p and its
 * `organizations` o; null if none. Sessions, assistants, pushes and streams all use it. A membership attached to an
 * unproven address opens with its proof (`actions/accounts/accounts.ts`). Sessions that an admin ended stay ended, and with `now` those
 * that are older than the organization takes. If it requires a second factor, of all or of admins, a password alone is not enough.
 * If it requires single sign-on, members have no other way. Owners, who must be able to get in without the provider, and guests, whom it does not know, need a
 * second factor. A directory is single sign-on, and its password is one factor.
 */
export const needs = (session: SignIn, now?: number): Sql => sql`(case
  when p.needs_proof then 'address_proof'
  when p.sessions_ended_at >= ${session.since} then 'sign_in'
  ${now === undefined ? nothing : sql`when ${signInAgainAt(session)} <= ${now} then 'sign_in'`}
  when o.require_sign_on and p.role not in ('owner', 'guest') and ${session.signedInWith} not in ('sign-on', 'directory', 'directory-code') then 'sign_on'
  when o.require_sign_on and ${session.signedInWith} = 'password' then 'second_factor'
  when (o.require_second_factor or (o.admins_need_second_factor and p.role in ('admin', 'owner')))
    and ${session.signedInWith} in ('password', 'directory') then 'second_factor' end)`

/** The sign-in behind a session or an assistant, in SQL. */
type SignIn = { since: Sql; signedInWith: Sql }

/** When a session is too old for an organization (`o`); null: never. */
const signInAgainAt = ({ since }: SignIn): Sql => sql`(${since} + o.sign_in_days * ${DAY_MS}::bigint)`

const signInOf = ({ since, signedInWith }: Pick<SignedIn, 'since' | 'signedInWith'>): SignIn => ({
  since: sql`${since}::bigint`,
  signedInWith: sql`${signedInWith}::text`,
})

export const needsOf = (signedIn: Pick<SignedIn, 'since' | 'signedInWith'>, now: number): Sql =>
  needs(signInOf(signedIn), now)

/** Gives the caller's profile as long as the rights are of their version, and locks it, the session and the rules of the organization. */
export const heldRight = (caller: PersonCaller, now: number): Sql => sql`
  select p.id from profiles p join organizations o using (org_id) join organization_logs l using (org_id)
    join sessions s on s.id = ${caller.sessionId} and s.account_id = p.account_id
  where p.org_id = ${caller.orgId} and p.account_id = ${caller.accountId} and ${isHere(now)}
    and ${needsOf(caller, now)} is null and l.authority_version = ${caller.authorityVersion}
  for share of p, o for key share of s`

type CallerRow = {
  profileId: string
  role: Role
  guestUntil: number | null
  needs: Need | null
  signInAgainAt: number | null
  showsPresence: boolean
  authorityVersion: number
  lastVisitAt: number | null
}

/** Columns of a caller, from rows of `profiles` p, `organizations` o and `organization_logs` l. */
const callerColumns = (
  session: SignIn,
  now: number,
): Sql => sql`p.id as "profileId", p.role, p.guest_until as "guestUntil", ${needs(session, now)} as needs, p.last_seen_at as "lastVisitAt",
  ${signInAgainAt(session)} as "signInAgainAt", o.show_presence as "showsPresence", l.authority_version as "authorityVersion"`

async function noteVisit(
  db: Queryable,
  orgId: string,
  { profileId, needs, lastVisitAt }: CallerRow,
  now: number,
): Promise<void> {
  if (needs !== null || now - (lastVisitAt ?? 0) <= HOUR_MS) return
  await db.query(sql`
    update profiles set last_seen_at = ${now} where org_id = ${orgId} and id = ${profileId}`)
}

/**
 * `findSession` and `findCaller` in one statement, where one machine has both: null without a session, undefined for people who are no
 * active members.
 */
export async function findSessionCaller(
  parts: { db: Queryable; clock: Clock },
  visitor: Visitor,
  orgId: string,
): Promise<PersonCaller | undefined | null> {
  const { db, clock } = parts
  const now = clock()
  if (db.isSpread) {
    const signedIn = await findSession(parts, visitor)
    return signedIn ? findCaller(db, signedIn, orgId, now, { isVisit: true }) : null
  }
  const { sessionToken, client } = visitor
  if (sessionToken === undefined) return null
  const hash = sha256(sessionToken)
  const [row] = await db.query<
    Omit<SignedIn, 'client'> & { lastSeenAt: number } & (CallerRow | { profileId: null })
  >(sql`${crossing('a person is looked for in all their organizations')}
    select s.account_id as "accountId", s.id as "sessionId", a.email, s.created_at as since,
      s.signed_in_with as "signedInWith", s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt", c.*
    from sessions s join accounts a on a.id = s.account_id
    left join lateral (
      select ${callerColumns({ since: sql`s.created_at`, signedInWith: sql`s.signed_in_with` }, now)}
      from profiles p join organizations o using (org_id) join organization_logs l using (org_id)
      where p.org_id = ${orgId} and p.account_id = s.account_id and ${isHere(now)}
    ) c on true
    where s.token_hash = ${hash} and s.expires_at > ${now}
      and exists (select 1 from profiles p where p.account_id = a.id and p.kind = 'user' and p.status = 'Active')`)
  if (!row) return null
  await prolong(db, hash, { now, lastSeenAt: row.lastSeenAt })
  if (row.profileId === null) return undefined
  await noteVisit(db, orgId, row, now)
  const { lastSeenAt: _seen, lastVisitAt: _visit, ...caller } = row
  return { ...caller, client, orgId }
}

/**
 * The person in this organization; undefined unless they are an active member of it, and their session goes on. A visit is noted as their
 * last one. With `isLocked`, in a transaction, neither of the two ends before that does, and the organization's rules stay.
 */
export async function findCaller(
  db: Queryable,
  signedIn: SignedIn,
  orgId: string,
  now: number,
  { isVisit = false, isLocked = false }: { isVisit?: boolean; isLocked?: boolean } = {},
): Promise<PersonCaller | undefined> {
  const [row] = await db.query<CallerRow>(sql`
    select ${callerColumns(signInOf(signedIn), now)}
    from profiles p join organizations o using (org_id) join organization_logs l using (org_id)
      ${db.isSpread ? nothing : sql`join sessions s on s.id = ${signedIn.sessionId} and s.account_id = p.account_id`}
    where p.org_id = ${orgId} and p.account_id = ${signedIn.accountId} and ${isHere(now)}
    ${!isLocked ? nothing : db.isSpread ? sql`for share of p` : sql`for share of p, o for key share of s`}`)
  // Sessions are in the center, and are asked after the version was read: one that ends from here on moves it.
  if (!row || (db.isSpread && !(await isOpenSession(db, signedIn)))) return undefined
  const { lastVisitAt, ...caller } = row
  if (isVisit) await noteVisit(db, orgId, row, now)
  return { ...signedIn, orgId, ...caller }
}
