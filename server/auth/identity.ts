import { createSecretKey, type KeyObject } from 'node:crypto'
import { isScope, type Scope } from '../../contract/scopes.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { sha256 } from '../ids.ts'
import type { BotBudget } from '../limits/bot-budgets.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { RateLimits } from '../limits/organization-limits.ts'
import type { Secrets } from '../secrets.ts'

/** Facts about a bot that are read when it calls. */
export type Identity = {
  orgId: string
  botId: string
  credential: 'static' | 'oauth'
  permission: 'read' | 'write'
  scopes: ReadonlySet<Scope>
  secret: KeyObject
  /** The replaced secret, which is still taken until then. */
  formerSecret: { key: KeyObject; until: number } | undefined
  active: boolean
  /** An admin has paused it. */
  isPaused: boolean
  tokenGeneration: number
  delivery: 'polling' | 'webhook'
  /** Requests a minute for its organization. */
  rateLimits: RateLimits
  /** Its daily limits, if an admin has set any. */
  budget: BotBudget | undefined
  /** The least version of signatures that it accepts. */
  signatureVersion: number
  /** When it was last written down, by this node, that it called. */
  seenAt: number
}

/** The secrets that count now, the newest first. */
export const secretsOf = (
  { secret, formerSecret }: Identity,
  now: number,
): readonly [KeyObject, ...KeyObject[]] =>
  formerSecret && now < formerSecret.until ? [secret, formerSecret.key] : [secret]

export const IDENTITY_CHANNEL = 'parley_identity'
/** Bots that called, and what they take with a key object and a set of scopes. */
const MAX_KEPT = { entries: 10_000, bytes: 32 * 1024 * 1024 }
const IDENTITY_BYTES = 1500
const MAX_UNKNOWN = 1000
/** Strangers choose these texts: longer ones are looked up each time. */
const MAX_UNKNOWN_LENGTH = 100

/**
 * Identities in memory. An entry is dropped when its bot or organization changes, on every node, by a
 * notification that commits with the change. While this node cannot hear notifications, nothing is kept or used.
 */
export class Identities {
  #db: Queryable
  #secrets: Secrets
  #isListening: () => boolean
  /** By what they were found by, and its kind: the id of a bot is not an API key, though both are texts. */
  #entries = new BoundedMap<Identity>(MAX_KEPT, () => IDENTITY_BYTES)
  /** Names that led to nobody. Keys are random, so none of these will ever be given to a bot. */
  #unknown = new Set<string>()
  #drops = 0

  constructor(db: Queryable, secrets: Secrets, isListening: () => boolean) {
    this.#db = db
    this.#secrets = secrets
    this.#isListening = isListening
  }

  /** Keys that nobody has are remembered too, so that asking again takes no longer than for one that somebody has. */
  byApiKey(apiKey: string): Promise<Identity | undefined> | Identity | undefined {
    const name = `key ${apiKey}`
    if (this.#isListening() && this.#unknown.has(name)) return undefined
    return (
      this.#kept(name) ??
      this.#load(name, sql`select org_id, bot_id from api_keys where key_hash = ${sha256(apiKey)}`)
    )
  }

  byBotId(botId: string): Promise<Identity | undefined> | Identity {
    const name = `bot ${botId}`
    return (
      this.#kept(name) ??
      this.#load(name, sql`select org_id, bot_id from bot_directory where bot_id = ${botId}`)
    )
  }

  #kept(name: string): Identity | undefined {
    return this.#isListening() ? this.#entries.get(name) : undefined
  }

  /** Forgets one bot, one organization, or (without an id) everything. */
  drop(id?: string): void {
    this.#drops += 1
    this.#unknown.clear()
    if (id === undefined) this.#entries.clear()
    for (const [name, { botId, orgId }] of this.#entries) {
      if (botId === id || orgId === id) this.#entries.delete(name)
    }
  }

  async #read(orgId: string, botId: string): Promise<IdentityRow | undefined> {
    const [row] = await this.#db.query<IdentityRow>(sql`
      select b.org_id, b.id, b.credential, b.permission, b.scopes, b.secret, b.previous_secret, b.previous_secret_until, b.active, b.paused_at, b.token_generation, b.delivery, b.signature_version,
        b.messages_per_day, b.tokens_per_day,
        o.rate_limit, o.rate_limit_ceiling
      from bots b join organizations o on o.org_id = b.org_id
      where b.org_id = ${orgId} and b.id = ${botId}`)
    return row
  }

  async #load(name: string, found: Sql): Promise<Identity | undefined> {
    const drops = this.#drops
    const [place] = await this.#db.query<{ org_id: string; bot_id: string }>(found)
    const row = place && (await this.#read(place.org_id, place.bot_id))
    if (!row) {
      if (drops === this.#drops && this.#isListening()) this.#keepUnknown(name)
      return undefined
    }
    const identity: Identity = {
      orgId: row.org_id,
      botId: row.id,
      credential: row.credential,
      permission: row.permission,
      scopes: new Set(row.scopes.filter(isScope)),
      secret: createSecretKey(this.#secrets.decrypt(row.secret, row.id)),
      formerSecret:
        row.previous_secret === null || row.previous_secret_until === null
          ? undefined
          : {
              key: createSecretKey(this.#secrets.decrypt(row.previous_secret, row.id)),
              until: row.previous_secret_until,
            },
      active: row.active,
      isPaused: row.paused_at !== null,
      tokenGeneration: row.token_generation,
      delivery: row.delivery,
      rateLimits: { rateLimit: row.rate_limit, rateLimitCeiling: row.rate_limit_ceiling },
      budget: budgetOf(row),
      signatureVersion: row.signature_version,
      seenAt: 0,
    }
    // A change during the read may be in it or not: use it this once, keep nothing.
    if (drops === this.#drops && this.#isListening()) this.#entries.set(name, identity)
    return identity
  }

  #keepUnknown(name: string): void {
    if (name.length > MAX_UNKNOWN_LENGTH) return
    if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear()
    this.#unknown.add(name)
  }
}

type IdentityRow = {
  org_id: string
  id: string
  credential: 'static' | 'oauth'
  permission: 'read' | 'write'
  scopes: string[]
  secret: Buffer
  previous_secret: Buffer | null
  previous_secret_until: number | null
  active: boolean
  paused_at: number | null
  token_generation: number
  delivery: 'polling' | 'webhook'
  rate_limit: number | null
  rate_limit_ceiling: number | null
  signature_version: number
  messages_per_day: number | null
  tokens_per_day: number | null
}

const budgetOf = (row: IdentityRow): BotBudget | undefined =>
  row.messages_per_day === null && row.tokens_per_day === null
    ? undefined
    : { messagesPerDay: row.messages_per_day, tokensPerDay: row.tokens_per_day }

const HOUR_MS = 3_600_000

/** Writes down that a bot called, to the hour: so it costs its requests nothing, and nobody waits for it. */
export function noteSeen(db: Queryable, identity: Identity, now: number): void {
  if (now - identity.seenAt < HOUR_MS) return
  identity.seenAt = now
  db.query(sql`
    update profiles set last_seen_at = ${now}
    where org_id = ${identity.orgId} and id = ${identity.botId} and coalesce(last_seen_at, 0) <= ${now - HOUR_MS}`).catch(
    () => {
      identity.seenAt = 0
    },
  )
}

/** Whether this was the bot's secret once: the token endpoint answers it differently from one that never was. */
export async function wasRotatedAway(
  db: Queryable,
  { orgId, botId }: Identity,
  secret: string,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from former_bot_secrets
    where org_id = ${orgId} and bot_id = ${botId} and secret_hash = ${sha256(secret)}`)
  return row !== undefined
}

/** Every action that changes a bot or an organization's settings ends with this. */
export function identityChanged(tx: Transaction, id: string): Promise<void> {
  return tx.notify(IDENTITY_CHANNEL, id)
}
