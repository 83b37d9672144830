import { LIMITS } from '../../contract/limits.ts'
import type { Role } from '../../contract/operation.ts'
import { isPersonScope, type PersonScope } from '../../contract/scopes.ts'
import type { Client } from '../caller.ts'
import type { Authority } from '../db/authority.ts'
import { cleanStep } from '../db/clean-some.ts'
import type { Clock, Queryable } from '../db/database.ts'
import { crossing, nothing, type Sql, sql } from '../db/sql.ts'
import { randomToken, sha256 } from '../ids.ts'
import { isHere, needs, type PersonCaller, type SignedInWith } from './sessions.ts'

/** A person for whom an assistant acts, within what they have allowed it. */
export type AssistantCaller = PersonCaller & {
  assistant: { id: string; name: string }
  scopes: ReadonlySet<PersonScope>
  authority?: Authority<AssistantCaller> | undefined
}

export type TokenKind = 'code' | 'access' | 'refresh'

const TOKEN_BITS = 256
const MINUTE_MS = 60_000
/** Told apart from keys of bots, which have no underscore; and found by scanners for secrets in files. */
const PREFIXES: Record<TokenKind, string> = {
  code: 'parley_code_',
  access: 'parley_at_',
  refresh: 'parley_rt_',
}
/** Time for which a used refresh token is remembered, to notice a copy. */
const USED_MS = 30 * 24 * 60 * MINUTE_MS
/** Time for which an allowed assistant waits to fetch its token. */
const UNCONNECTED_MS = 10 * MINUTE_MS

export const ACCESS_TOKEN_SECONDS = LIMITS.assistantTokenMinutes * 60

export const isAssistantToken = (bearer: string): boolean => bearer.startsWith(PREFIXES.access)

export type AssistantRow = {
  orgId: string
  id: string
  profileId: string
  clientId: string
  name: string
  scopes: string[]
  expiresAt: number
}

/** A token that still means something: its assistant has not ended, and the person may be where it acts. */
export type FoundToken = AssistantRow & {
  accountId: string
  email: string
  role: Role
  guestUntil: number | null
  signedInWith: SignedInWith
  showsPresence: boolean
  authorityVersion: number
  createdAt: number
  lastUsedAt: number | null
  usedAt: number | null
  redirectUri: string | null
  codeChallenge: string | null
}

/** The rules for sessions hold here too: people who were archived, or signed out by an admin, have no assistants either. */
export const isAllowed = (now: number): Sql => sql`${isHere(now)} and o.allow_assistants
  and ${needs({ since: sql`x.created_at`, signedInWith: sql`x.signed_in_with` })} is null`

export async function findToken(
  db: Queryable,
  now: number,
  kind: TokenKind,
  token: string,
  isLocked = false,
): Promise<FoundToken | undefined> {
  const [row] = await db.query<FoundToken>(sql`${crossing('whose it is, is known only when it was found')}
    select x.org_id as "orgId", x.id, x.profile_id as "profileId", x.client_id as "clientId", x.name, x.scopes,
      x.expires_at as "expiresAt", x.created_at as "createdAt", x.last_used_at as "lastUsedAt",
      x.signed_in_with as "signedInWith", p.role, p.guest_until as "guestUntil", a.id as "accountId", a.email,
      o.show_presence as "showsPresence", l.authority_version as "authorityVersion",
      t.used_at as "usedAt", t.redirect_uri as "redirectUri", t.code_challenge as "codeChallenge"
    from assistant_tokens t
      join assistants x on x.org_id = t.org_id and x.id = t.assistant_id
      join profiles p on p.org_id = x.org_id and p.id = x.profile_id
      join organizations o on o.org_id = x.org_id
      join organization_logs l on l.org_id = x.org_id
      join accounts a on a.id = p.account_id
    where t.token_hash = ${sha256(token)} and t.kind = ${kind} and t.expires_at > ${now} and x.expires_at > ${now}
      and ${isAllowed(now)} ${!isLocked ? nothing : db.isSpread ? sql`for share of x, p` : sql`for share of x, p, o`}`)
  return row
}

/** Whether an assistant of a member could do at this moment what asks for the scope. */
export async function mayAssistantAct(
  db: Queryable & { orgId: string },
  { id, profileId }: Pick<AssistantRow, 'id' | 'profileId'>,
  scope: string,
  now: number,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from assistants x
      join profiles p on p.org_id = x.org_id and p.id = x.profile_id
      join organizations o on o.org_id = x.org_id
    where x.org_id = ${db.orgId} and x.id = ${id} and x.profile_id = ${profileId} and x.expires_at > ${now}
      and ${scope} = any(x.scopes) and ${isAllowed(now)}`)
  return row !== undefined
}

/** Finds the person that a token acts for. Each request looks again, so that an ended connection stops at once. */
export async function findAssistantCaller(
  { db, clock }: { db: Queryable; clock: Clock },
  token: string,
  client: Client,
  isLocked = false,
): Promise<AssistantCaller | undefined> {
  const now = clock()
  const found = await findToken(db, now, 'access', token, isLocked)
  if (!found) return undefined
  const { orgId, profileId, accountId, email, role, guestUntil, signedInWith, showsPresence, createdAt } =
    found
  const { expiresAt, id, name } = found
  if (now - (found.lastUsedAt ?? 0) >= MINUTE_MS)
    await db.query(sql`update assistants set last_used_at = ${now} where org_id = ${orgId} and id = ${id}`)
  return {
    orgId,
    profileId,
    accountId,
    email,
    role,
    guestUntil,
    needs: null,
    signInAgainAt: null,
    showsPresence,
    authorityVersion: found.authorityVersion,
    sessionId: id,
    since: createdAt,
    signedInWith,
    expiresAt,
    client,
    assistant: { id, name },
    scopes: new Set(found.scopes.filter(isPersonScope)),
  }
}

type NewToken = {
  kind: TokenKind
  expiresAt: number
  redirectUri?: string
  codeChallenge?: string
}

export async function issueAssistantToken(
  db: Queryable,
  { orgId, id }: Pick<AssistantRow, 'orgId' | 'id'>,
  { kind, expiresAt, redirectUri, codeChallenge }: NewToken,
): Promise<string> {
  const token = PREFIXES[kind] + randomToken(TOKEN_BITS)
  await db.query(sql`
    insert into assistant_tokens (token_hash, org_id, assistant_id, kind, redirect_uri, code_challenge, expires_at)
    values (${sha256(token)}, ${orgId}, ${id}, ${kind}, ${redirectUri}, ${codeChallenge}, ${expiresAt})`)
  return token
}

/** Marks a token as used. A second use of it then shows that the token was copied. */
export async function spendToken(db: Queryable, now: number, token: string): Promise<void> {
  await db.query(sql`
    update assistant_tokens set used_at = ${now}, expires_at = least(expires_at, ${now + USED_MS})
    where token_hash = ${sha256(token)}`)
}

/** The owner of a token of any kind, even one that no longer works. */
export async function findOwner(
  db: Queryable,
  token: string,
): Promise<Pick<AssistantRow, 'orgId' | 'id' | 'clientId' | 'name' | 'profileId'> | undefined> {
  const [row] = await db.query<
    Pick<AssistantRow, 'orgId' | 'id' | 'clientId' | 'name' | 'profileId'>
  >(sql`${crossing('whose it is, is known only when it was found')}
    select x.org_id as "orgId", x.id, x.client_id as "clientId", x.name, x.profile_id as "profileId"
    from assistant_tokens t join assistants x on x.org_id = t.org_id and x.id = t.assistant_id
    where t.token_hash = ${sha256(token)}`)
  return row
}

/** Ends all assistants of an account, in all organizations. */
export async function endAssistantsOf(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql`${crossing('a person is looked for in all their organizations')}
    delete from assistants x using profiles p
    where p.account_id = ${accountId} and x.org_id = p.org_id and x.profile_id = p.id`)
}

/** Assistants that were allowed with a code rest on the password alone from here on, as sessions do. */
export async function narrowAssistantsOf(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql`${crossing('a person is looked for in all their organizations')}
    update assistants x set signed_in_with = case x.signed_in_with when 'code' then 'password' else 'directory' end
    from profiles p
    where p.account_id = ${accountId} and x.org_id = p.org_id and x.profile_id = p.id
      and x.signed_in_with in ('code', 'directory-code')`)
}

/** Ends all assistants of an organization. */
export async function endAllAssistants(db: Queryable & { orgId: string }): Promise<void> {
  await db.query(sql`delete from assistants where org_id = ${db.orgId}`)
}

export const forgetOldAssistants = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, {
    table: 'assistants',
    key: 'org_id, id',
    where: sql`expires_at <= ${now} or (connected_at is null and created_at <= ${now - UNCONNECTED_MS})`,
    limit,
  })

export const forgetOldAssistantTokens = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, { table: 'assistant_tokens', key: 'token_hash', where: sql`expires_at <= ${now}`, limit })
