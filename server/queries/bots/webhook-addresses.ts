import type { EventType } from '../../../contract/events.ts'
import type { PauseReason } from '../../../contract/people/webhooks.ts'
import { type Sql, sql } from '../../db/sql.ts'

/**
 * Every address of deliveries, under the names of the columns in `bots`: the first one of each bot, which has the bot's
 * id, and further ones. Pace, compression and pauses are the bot's. Use it as `${addresses} b`; a lookup of some goes
 * through a `lateral` that ends with `offset 0`, so that each half is found by its key.
 */
export const addresses: Sql = sql`(
  select b.org_id, b.id, b.id as bot_id, b.delivery, b.active, b.paused_at, b.polled_seq, b.webhook_url, b.webhook_gzip,
    b.webhook_rate, b.webhook_events, b.webhook_headers, b.secret, b.previous_secret, b.previous_secret_until,
    b.webhook_paused_at, b.webhook_pause_reason, b.failing_since, b.failing_attempts, b.webhook_leased_by, b.webhook_leased_until
  from bots b
  union all
  select a.org_id, a.id, a.bot_id, b.delivery, b.active, b.paused_at, b.polled_seq, a.webhook_url, b.webhook_gzip,
    b.webhook_rate, a.webhook_events, a.webhook_headers, a.secret, a.previous_secret, a.previous_secret_until,
    a.webhook_paused_at, a.webhook_pause_reason, a.failing_since, a.failing_attempts, a.webhook_leased_by, a.webhook_leased_until
  from webhook_addresses a join bots b on b.org_id = a.org_id and b.id = a.bot_id
)`

/** The table with the row of an address; the columns that are written have the same names in both. */
export const tableOf = (addressId: string): Sql =>
  addressId.startsWith('w@') ? sql`webhook_addresses` : sql`bots`

export type WebhookAddressRow = {
  id: string
  url: string
  events: EventType[] | null
  headers: string[]
  pausedAt: number | null
  pauseReason: PauseReason | null
  failingSince: number | null
  formerSecretUntil: number | null
  createdAt: number
  updatedAt: number
}

/** The addresses of a bot `b` of this organization beside its first one, the oldest first, as JSON. */
export const furtherAddresses = (orgId: Sql): Sql => sql`coalesce((
  select json_agg(json_build_object('id', a.id, 'url', a.webhook_url, 'events', a.webhook_events,
    'headers', a.webhook_header_names, 'pausedAt', a.webhook_paused_at, 'pauseReason', a.webhook_pause_reason,
    'failingSince', a.failing_since, 'formerSecretUntil', a.previous_secret_until, 'createdAt', a.created_at,
    'updatedAt', a.updated_at) order by a.created_at, a.id)
  from webhook_addresses a where a.org_id = ${orgId} and a.bot_id = b.id), '[]')`
