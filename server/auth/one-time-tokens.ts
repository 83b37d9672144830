import { cleanStep } from '../db/clean-some.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { randomToken, sha256 } from '../ids.ts'

const TOKEN_BITS = 192

export type Purpose =
  | 'password reset'
  | 'add passkey'
  | 'passkey sign-in'
  | 'second factor'
  | 'single sign-on'
  | 'single sign-on answer'

type OneTimeToken = {
  purpose: Purpose
  /** The account that the token is for, if there is one. */
  accountId?: string | undefined
  data?: Record<string, string>
  expiresAt: number
}

/** A token that works once; only its hash is kept. */
export async function issueToken(
  db: Queryable,
  { purpose, accountId, data = {}, expiresAt }: OneTimeToken,
): Promise<string> {
  const token = randomToken(TOKEN_BITS)
  await db.query(sql`
    insert into one_time_tokens (token_hash, purpose, account_id, data, expires_at)
    values (${sha256(token)}, ${purpose}, ${accountId ?? null}, ${JSON.stringify(data)}, ${expiresAt})`)
  return token
}

export type TakenToken = { accountId: string | null; data: Record<string, string> }

/** Reads the subject of a token and uses the token up. Undefined when it is unknown, used or too old. */
export async function takeToken(
  db: Queryable,
  purpose: Purpose,
  token: string,
  now: number,
): Promise<TakenToken | undefined> {
  const [row] = await db.query<TakenToken>(sql`
    delete from one_time_tokens
    where token_hash = ${sha256(token)} and purpose = ${purpose} and expires_at > ${now}
    returning account_id as "accountId", data`)
  return row
}

/** Reads a token without using it up. */
export async function peekAtToken(
  db: Queryable,
  purpose: Purpose,
  token: string,
  now: number,
): Promise<TakenToken | undefined> {
  const [row] = await db.query<TakenToken>(sql`
    select account_id as "accountId", data from one_time_tokens
    where token_hash = ${sha256(token)} and purpose = ${purpose} and expires_at > ${now}`)
  return row
}

/** Ends all tokens of an account for this purpose. */
export async function endTokens(db: Queryable, purpose: Purpose, accountId: string): Promise<void> {
  await db.query(sql`delete from one_time_tokens where account_id = ${accountId} and purpose = ${purpose}`)
}

/** Ends all tokens of an account. */
export async function endAllTokens(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql`delete from one_time_tokens where account_id = ${accountId}`)
}

/** Ends of the tokens that still work for this purpose, the latest first. */
export async function listTokenEnds(
  db: Queryable,
  purpose: Purpose,
  accountId: string,
  now: number,
): Promise<number[]> {
  const rows = await db.query<{ at: number }>(sql`
    select expires_at as at from one_time_tokens
    where account_id = ${accountId} and purpose = ${purpose} and expires_at > ${now} order by expires_at desc`)
  return rows.map(({ at }) => at)
}

export const forgetOldTokens = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, { table: 'one_time_tokens', key: 'token_hash', where: sql`expires_at <= ${now}`, limit })
