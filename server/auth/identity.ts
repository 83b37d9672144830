import { createSecretKey, type KeyObject } from 'node:crypto'
import { isScope, type Scope } from '../../contract/scopes.ts'
import type { Queryable } from '../db/database.ts'
import { Groups, type Perform } from '../db/groups.ts'
import { crossing, nothing, type Sql, sql } from '../db/sql.ts'
import { together } from '../db/together.ts'
import type { Transaction } from '../db/transaction.ts'
import { sha256 } from '../ids.ts'
import type { BotBudget } from '../limits/bot-budgets.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { RateLimits } from '../limits/organization-limits.ts'
import type { Secrets } from '../secrets.ts'

/** Facts about a bot that are read when it calls. */
export type Identity = Readonly<{
  orgId: string
  botId: string
  credential: 'static' | 'oauth'
  permission: 'read' | 'write'
  scopes: ReadonlySet<Scope>
  secret: KeyObject
  /** The former secret, accepted until then. */
  formerSecret: { key: KeyObject; until: number } | undefined
  active: boolean
  /** Whether an admin has paused it. */
  isPaused: boolean
  tokenGeneration: number
  delivery: 'polling' | 'webhook'
  /** Requests a minute for its organization. */
  rateLimits: RateLimits
  /** Daily limits of the bot, if an admin has set any. */
  budget: BotBudget | undefined
  /** The least version of signatures that it accepts. */
  signatureVersion: number
  /** Whether `externalId` of its messages and tasks counts as their `Idempotency-Key`. */
  externalIdIsKey: boolean
  /** The version of its organization's rights that these facts are of (db/authority.ts). */
  authorityVersion: number
}>

type Place = { orgId: string; botId: string }

/** The accepted secrets, the newest first. */
export const secretsOf = (
  { secret, formerSecret }: Identity,
  now: number,
): readonly [KeyObject, ...KeyObject[]] =>
  formerSecret && now < formerSecret.until ? [secret, formerSecret.key] : [secret]

export const IDENTITY_CHANNEL = 'parley_identity'
const HOUR_MS = 3_600_000
/** Bounds of bots in memory, with their key object and scopes. */
const MAX_KEPT = { entries: 10_000, bytes: 32 * 1024 * 1024 }
const IDENTITY_BYTES = 1500
/** Bounds of unknown keys in memory. Strangers choose these texts. */
const MAX_UNKNOWN = { entries: 1000, bytes: 512 * 1024 }
/** Bots that called within the hour. */
const MAX_SEEN = { entries: 20_000, bytes: 8 * 1024 * 1024 }
/** Bots read again in one statement. */
const MAX_RENEWED = 1000
const KEY = 'key '
const isKey = (name: string): boolean => name.startsWith(KEY)
/** The place of a bot that does not exist. */
const NOBODY: Place = { orgId: '00000000-0000-0000-0000-000000000000', botId: '' }

/**
 * Identities in memory. An entry is dropped when its bot or organization changes, on every node, by a notification that
 * commits with the change. While this node cannot hear notifications, nothing is kept or used. A notification may be
 * late, so memory alone refuses no request (`judge`).
 */
export class Identities {
  #db: Queryable
  #secrets: Secrets
  #isListening: () => boolean
  /** Bots by the kind and value of their key: a bot's id is not an API key, though both are texts. */
  #entries = new BoundedMap<Identity>(MAX_KEPT, () => IDENTITY_BYTES)
  /** Keys that led to no bot. Keys are random, so none of these will ever be given to a bot. */
  #unknown = new BoundedMap<true>(MAX_UNKNOWN, () => 0)
  /** When this node last recorded a call of a bot. */
  #seenAt = new BoundedMap<number>(MAX_SEEN, () => 8)
  #renewals = new Groups(MAX_RENEWED)
  #drops = 0

  constructor(db: Queryable, secrets: Secrets, isListening: () => boolean) {
    this.#db = db
    this.#secrets = secrets
    this.#isListening = isListening
  }

  /** Remembers unknown keys as well, so that a repeated lookup takes as long as for a known one. */
  byApiKey(apiKey: string): Promise<Identity | undefined> | Identity | undefined {
    const name = `${KEY}${apiKey}`
    if (this.#isListening() && this.#unknown.has(name)) return undefined
    return (
      this.#kept(name) ??
      this.#load(
        name,
        sql`select org_id as "orgId", bot_id as "botId" from api_keys where key_hash = ${sha256(apiKey)}`,
      )
    )
  }

  byBotId(botId: string): Promise<Identity | undefined> | Identity {
    const name = `bot ${botId}`
    return (
      this.#kept(name) ??
      this.#load(
        name,
        sql`select org_id as "orgId", bot_id as "botId" from bot_directory where bot_id = ${botId}`,
      )
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

  /**
   * Judges a bot by what this node remembers and, before it is refused, by what the database says. A verdict that refuses must have
   * changed nothing.
   */
  judge<Result>(identity: Identity, verdict: (identity: Identity) => Result): Result | Promise<Result> {
    try {
      return verdict(identity)
    } catch (refusal) {
      return this.#judgeAgain(identity, verdict, refusal)
    }
  }

  async #judgeAgain<Result>(
    identity: Identity,
    verdict: (identity: Identity) => Result,
    refusal: unknown,
  ): Promise<Result> {
    const renewed = refusal instanceof Error ? await this.renewed(identity) : undefined
    if (!renewed) throw refusal
    const result = verdict(renewed)
    this.drop(identity.botId) // word of its change is late
    return result
  }

  /**
   * Reads the bot from the database; undefined if it is gone. Callers that ask while a statement runs share the next
   * one, so that a flood of refusals costs little. Without a bot it takes as long and finds none.
   */
  renewed(bot: Identity | undefined): Promise<Identity | undefined> {
    return this.#renewals.add('renewals', this.#renew, bot ?? NOBODY)
  }

  /** Reads the bot inside a transaction; `isLocked` keeps it unchanged until that ends. */
  async renewedIn(db: Queryable, bot: Identity, isLocked: boolean): Promise<Identity | undefined> {
    const [row] = await this.#read([bot], db, isLocked)
    return row && this.#identityOf(row)
  }

  #renew: Perform<Place, Identity | undefined> = async (_name, places) => {
    const rows = await this.#read(places)
    const renewed = new Map(rows.map((row) => [row.id, this.#identityOf(row)]))
    return places.map(({ botId }) => ({ result: renewed.get(botId) }))
  }

  /** Records that a bot called, at most once an hour and in the background, so that its requests do not wait. */
  noteSeen({ orgId, botId }: Identity, now: number): void {
    if (now - (this.#seenAt.get(botId) ?? 0) < HOUR_MS) return
    this.#seenAt.set(botId, now)
    this.#db
      .query(sql`
        update profiles set last_seen_at = ${now}
        where org_id = ${orgId} and id = ${botId} and coalesce(last_seen_at, 0) <= ${now - HOUR_MS}`)
      .catch(() => this.#seenAt.delete(botId))
  }

  #read(places: readonly Place[], db = this.#db, isLocked = false): Promise<IdentityRow[]> {
    const distinct = [...new Map(places.map((place) => [place.botId, place])).values()]
    return together<IdentityRow, Place>(
      db,
      distinct,
      (some, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
      select b.org_id, b.id, b.credential, b.permission, b.scopes, b.secret, b.previous_secret, b.previous_secret_until, b.active, b.paused_at, b.token_generation, b.delivery, b.signature_version, b.external_id_is_key,
        b.messages_per_day, b.tokens_per_day,
        o.rate_limit, o.rate_limit_ceiling, l.authority_version
      from unnest(${some.map((place) => place.orgId)}::uuid[], ${some.map(({ botId }) => botId)}::text[]) as x (org_id, id)
      join bots b on b.org_id = ${orgId} and b.id = x.id
      join organizations o on o.org_id = ${orgId}
      join organization_logs l on l.org_id = ${orgId} ${isLocked ? sql`for share of b` : nothing}`,
    )
  }

  async #load(name: string, found: Sql): Promise<Identity | undefined> {
    const drops = this.#drops
    const [place] = await this.#db.query<Place>(found)
    const [row] = place ? await this.#read([place]) : []
    const identity = row && this.#identityOf(row)
    // A change during the read may be in it or not: use it this once, keep nothing.
    if (drops !== this.#drops || !this.#isListening()) return identity
    if (identity) this.#entries.set(name, identity)
    else if (isKey(name)) this.#unknown.set(name, true)
    return identity
  }

  #identityOf(row: IdentityRow): Identity {
    const { id, previous_secret, previous_secret_until } = row
    const keyIn = (encrypted: Buffer) => createSecretKey(this.#secrets.decrypt(encrypted, id))
    return Object.freeze({
      orgId: row.org_id,
      botId: id,
      credential: row.credential,
      permission: row.permission,
      scopes: new Set(row.scopes.filter(isScope)),
      secret: keyIn(row.secret),
      formerSecret:
        previous_secret === null || previous_secret_until === null
          ? undefined
          : { key: keyIn(previous_secret), until: previous_secret_until },
      active: row.active,
      isPaused: row.paused_at !== null,
      tokenGeneration: row.token_generation,
      delivery: row.delivery,
      rateLimits: { rateLimit: row.rate_limit, rateLimitCeiling: row.rate_limit_ceiling },
      budget: budgetOf(row),
      signatureVersion: row.signature_version,
      externalIdIsKey: row.external_id_is_key,
      authorityVersion: row.authority_version,
    })
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
  external_id_is_key: boolean
  authority_version: number
  messages_per_day: number | null
  tokens_per_day: number | null
}

const budgetOf = (row: IdentityRow): BotBudget | undefined =>
  row.messages_per_day === null && row.tokens_per_day === null
    ? undefined
    : { messagesPerDay: row.messages_per_day, tokensPerDay: row.tokens_per_day }

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
