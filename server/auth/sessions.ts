import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import type { Role } from '../../contract/operation.ts'
import { SIGN_IN_AGAIN } from '../../contract/people/session.ts'
import type { Config } from '../config.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { Refusal } from '../errors.ts'
import { clearCookie, cookieText, readCookie } from '../http/cookies.ts'
import { newUuid, randomToken, sha256 } from '../ids.ts'
import type { Parley } from '../parley.ts'
import { firstCodePoints } from '../text.ts'
import type { Caller } from './bots.ts'

const TOKEN_BITS = 256
const HOUR_MS = 3_600_000
const IDLE_MS = 30 * 24 * HOUR_MS
/** However often it is used: one that was stolen unnoticed ends as well. */
const LONGEST_MS = 180 * 24 * HOUR_MS
const FRESH_MS = LIMITS.freshSessionMinutes * 60_000
const SESSIONS_PER_ACCOUNT = 100
const USER_AGENT_LENGTH = 300

/** Somebody who has signed in, and when. */
export type SignedIn = { accountId: string; sessionId: string; email: string; since: number }

/** The same person inside an organization, as an active member of it. */
export type PersonCaller = Caller & SignedIn & { role: Role }

/** A new session of the account, which ends its oldest ones where it has many. Only the cookie holds the token. */
export async function createSession(
  db: Queryable,
  now: number,
  accountId: string,
  userAgent = '',
): Promise<string> {
  const token = randomToken(TOKEN_BITS)
  await db.query(sql`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId}
      order by created_at desc, id desc offset ${SESSIONS_PER_ACCOUNT - 1})`)
  await db.query(sql`
    insert into sessions (token_hash, id, account_id, user_agent, created_at, last_seen_at, expires_at)
    values (${sha256(token)}, ${newUuid()}, ${accountId}, ${firstCodePoints(userAgent, USER_AGENT_LENGTH)},
      ${now}, ${now}, ${now + IDLE_MS})`)
  return token
}

export const sessionCookie = (config: Pick<Config, 'baseUrl'>, token: string): string =>
  cookieText(config, 'session', token, IDLE_MS / 1000)

/** A session for the browser that asks, in place of the one it had. `giveCookie` follows when this is committed. */
export async function replaceSession(
  { config, clock }: Pick<Parley, 'config' | 'clock'>,
  db: Queryable,
  request: FastifyRequest,
  accountId: string,
): Promise<string> {
  const former = readCookie(request, config, 'session')
  if (former !== undefined) await endSessionOf(db, former)
  return createSession(db, clock(), accountId, request.headers['user-agent'])
}

export function giveCookie(reply: FastifyReply, config: Pick<Config, 'baseUrl'>, token: string): void {
  reply.header('Set-Cookie', sessionCookie(config, token))
}

/** The same cookie for as long again: it lasts as long as the session that it is for. */
export function renewCookie(
  reply: FastifyReply,
  config: Pick<Config, 'baseUrl'>,
  request: FastifyRequest,
): void {
  const token = readCookie(request, config, 'session')
  if (token !== undefined) giveCookie(reply, config, token)
}

/** For what outlives a session: who has stolen one must not be able to stay. */
export function requireFresh({ since }: SignedIn, now: number): void {
  if (now - since > FRESH_MS) throw new Refusal(403, SIGN_IN_AGAIN)
}

/** Ends the session of the browser that asks, if it has one. */
export async function signOut(
  { db, config }: Pick<Parley, 'db' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const token = readCookie(request, config, 'session')
  if (token !== undefined) await endSessionOf(db, token)
  clearCookie(reply, config, 'session')
}

async function endSessionOf(db: Queryable, token: string): Promise<void> {
  await db.query(sql`delete from sessions where token_hash = ${sha256(token)}`)
}

/** All sessions of an account, or all but one. */
export async function endSessions(db: Queryable, accountId: string, except?: string): Promise<void> {
  await db.query(sql`
    delete from sessions where account_id = ${accountId} and id is distinct from ${except ?? null}::uuid`)
}

/** Whether it was one of the account's own. */
export async function endSession(db: Queryable, accountId: string, sessionId: string): Promise<boolean> {
  const ended = await db.query(sql`
    delete from sessions where account_id = ${accountId} and id = ${sessionId} returning id`)
  return ended.length > 0
}

/** Whether it has not been ended; asked where the account is locked, it stays so. */
export async function isOpenSession(
  db: Queryable,
  { accountId, sessionId }: Pick<SignedIn, 'accountId' | 'sessionId'>,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from sessions where account_id = ${accountId} and id = ${sessionId}`)
  return row !== undefined
}

export async function forgetOldSessions(db: Queryable, now: number): Promise<void> {
  await db.query(sql`delete from sessions where expires_at <= ${now}`)
}

/** Whose session this is; undefined when it is none, or over, or its account is an active member of nothing. */
export async function findSession(
  { db, config, clock }: Pick<Parley, 'db' | 'config' | 'clock'>,
  request: FastifyRequest,
): Promise<SignedIn | undefined> {
  const token = readCookie(request, config, 'session')
  if (token === undefined) return undefined
  const now = clock()
  const hash = sha256(token)
  const [row] = await db.query<SignedIn & { lastSeenAt: number }>(sql`
    select s.account_id as "accountId", s.id as "sessionId", a.email, s.created_at as since,
      s.last_seen_at as "lastSeenAt"
    from sessions s join accounts a on a.id = s.account_id
    where s.token_hash = ${hash} and s.expires_at > ${now}
      and exists (select 1 from profiles p where p.account_id = a.id and p.kind = 'user' and p.status = 'Active')`)
  if (!row) return undefined
  const { lastSeenAt, ...signedIn } = row
  if (now - lastSeenAt > HOUR_MS) {
    await db.query(sql`
      update sessions
      set last_seen_at = ${now}, expires_at = least(${now + IDLE_MS}, created_at + ${LONGEST_MS})
      where token_hash = ${hash}`)
  }
  return signedIn
}

/** Who they are in this organization; undefined unless they are an active member of it. */
export async function findCaller(
  db: Queryable,
  signedIn: SignedIn,
  orgId: string,
): Promise<PersonCaller | undefined> {
  const [row] = await db.query<{ profileId: string; role: Role }>(sql`
    select id as "profileId", role from profiles
    where org_id = ${orgId} and account_id = ${signedIn.accountId} and kind = 'user' and status = 'Active'`)
  return row && { ...signedIn, orgId, ...row }
}
