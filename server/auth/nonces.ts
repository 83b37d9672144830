import { LIMITS } from '../../contract/limits.ts'
import { cleanStep } from '../db/clean-some.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { sha256 } from '../ids.ts'

const MAX_BATCH = 500
const HASH_BYTES = 16
/** Clocks of nodes may differ: a nonce that one takes for expired, another may still accept. */
const CLOCK_TOLERANCE_MS = 60_000

type Taken = { orgId: string; botId: string; hash: Buffer; expiresAt: number }
type Waiting = Taken & { key: string; resolve(isFirst: boolean): void; reject(error: unknown): void }

/**
 * Remembers which nonces were used, for all nodes. Requests that come while one statement runs share the next, so a busy
 * node pays one round trip for many.
 */
export class Nonces {
  #db: Queryable
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Whether this bot uses this nonce for the first time; `timestamp` says until when it must be remembered. */
  take(bot: { orgId: string; botId: string }, nonce: string, timestamp: number): Promise<boolean> {
    const hash = sha256(nonce).subarray(0, HASH_BYTES)
    const key = `${bot.botId} ${hash.toString('hex')}`
    const expiresAt = timestamp + LIMITS.signatureAgeMs
    return new Promise((resolve, reject) => {
      this.#waiting.push({ orgId: bot.orgId, botId: bot.botId, hash, expiresAt, key, resolve, reject })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      const first = new Map<string, Waiting>()
      for (const each of batch) if (!first.has(each.key)) first.set(each.key, each)
      try {
        const written = await insertNonces(this.#db, [...first.values()])
        for (const each of batch) each.resolve(first.get(each.key) === each && written.has(each.key))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isWriting = false
  }
}

/**
 * Commits without waiting for the disk. A write that follows is waited for, and the disk gets commits in their order: so a
 * crash never keeps what a request did while it forgets its nonce.
 */
async function insertNonces(db: Queryable, nonces: readonly Taken[]): Promise<Set<string>> {
  const rows = await db.query<{
    key: string
  }>(sql`${crossing('what is wanted of several organizations is asked for together')}
    insert into request_nonces (org_id, bot_id, nonce_hash, expires_at)
    select n.org_id, n.bot_id, n.nonce_hash, n.expires_at
    from unnest(${nonces.map(({ orgId }) => orgId)}::uuid[], ${nonces.map(({ botId }) => botId)}::text[],
        ${nonces.map(({ hash }) => hash)}::bytea[], ${nonces.map(({ expiresAt }) => expiresAt)}::bigint[])
        as n (org_id, bot_id, nonce_hash, expires_at),
      set_config('synchronous_commit', 'off', true)
    on conflict do nothing
    returning bot_id || ' ' || encode(nonce_hash, 'hex') as key`)
  return new Set(rows.map(({ key }) => key))
}

export const forgetOldNonces = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, {
    table: 'request_nonces',
    key: 'org_id, bot_id, nonce_hash',
    where: sql`expires_at < ${now - CLOCK_TOLERANCE_MS}`,
    limit,
  })
