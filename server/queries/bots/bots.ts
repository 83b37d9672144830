import type { EventType } from '../../../contract/events.ts'
import {
  ACTIVITY_HOURS,
  type BOT_SORTS,
  type BOT_STATES,
  type ConsoleBot,
  type ListedBot,
} from '../../../contract/people/bots.ts'
import type { Order } from '../../../contract/people/common.ts'
import type { PauseReason } from '../../../contract/people/webhooks.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { firstUuidAt } from '../../ids.ts'
import { addresses, furtherAddresses, type WebhookAddressRow } from './webhook-addresses.ts'

export type BotRow = {
  id: string
  name: string
  photoId: string | null
  description: string
  ownerId: string | null
  ownerName: string | null
  credential: ConsoleBot['credential']
  keyHint: string
  permission: 'read' | 'write'
  scopes: NonNullable<ConsoleBot['scopes']>
  signatureVersion: 1 | 2
  active: boolean
  pausedAt: number | null
  delivery: ConsoleBot['delivery']
  pollVoteEvents: boolean
  opensDirectMessages: boolean
  externalIdIsKey: boolean
  messagesPerDay: number | null
  tokensPerDay: number | null
  webhookUrl: string | null
  webhookGzip: boolean
  webhookRate: number
  webhookEvents: EventType[] | null
  webhookHeaders: string[]
  webhookPausedAt: number | null
  pauseReason: PauseReason | null
  failingSince: number | null
  formerSecretUntil: number | null
  /** Further addresses, besides the first. */
  addresses: WebhookAddressRow[]
  createdAt: number
  updatedAt: number
}

const columns = ({
  orgId,
}: Pick<
  Caller,
  'orgId'
>): Sql => sql`b.id, p.name, p.photo_file_id as "photoId", b.description, b.owner_id as "ownerId", o.name as "ownerName", b.credential, b.key_hint as "keyHint", b.permission, b.scopes, b.active, b.delivery,
  b.signature_version as "signatureVersion",  b.poll_vote_events as "pollVoteEvents", b.opens_direct_messages as "opensDirectMessages", b.external_id_is_key as "externalIdIsKey", b.webhook_url as "webhookUrl", b.webhook_gzip as "webhookGzip",
  b.messages_per_day as "messagesPerDay", b.tokens_per_day as "tokensPerDay", b.webhook_rate as "webhookRate", b.webhook_events as "webhookEvents", b.webhook_header_names as "webhookHeaders",
  b.previous_secret_until as "formerSecretUntil", b.paused_at as "pausedAt", b.webhook_paused_at as "webhookPausedAt", b.webhook_pause_reason as "pauseReason",
  b.failing_since as "failingSince", ${furtherAddresses(sql`${orgId}`)} as addresses, b.created_at as "createdAt", greatest(b.updated_at, p.updated_at) as "updatedAt"`

export async function readBot(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
): Promise<BotRow | undefined> {
  const [row] = await db.query<BotRow>(sql`
    select ${columns({ orgId })} from bots b join profiles p on p.org_id = b.org_id and p.id = b.id
    left join profiles o on o.org_id = b.org_id and o.id = b.owner_id
    where b.org_id = ${orgId} and b.id = ${botId}`)
  return row
}

export type BotFilters = {
  search?: string
  state?: (typeof BOT_STATES)[number]
  sort: (typeof BOT_SORTS)[number]
  order: Order
}

/** Whether one of the bot's further addresses meets this. */
const further = (orgId: string, column: Sql): Sql => sql`exists (
  select from webhook_addresses a where a.org_id = ${orgId} and a.bot_id = b.id and ${column} is not null)`

/** The bot's state on pages; those that need attention come first. */
const stateOf = (
  orgId: string,
): Sql => sql`case when not b.active then 'off' when b.paused_at is not null then 'held' when b.delivery <> 'webhook' then 'active'
  when b.webhook_paused_at is not null or ${further(orgId, sql`a.webhook_paused_at`)} then 'paused'
  when b.failing_since is not null or ${further(orgId, sql`a.failing_since`)} then 'failing' else 'active' end`
const sortKeys = (orgId: string): Record<BotFilters['sort'], Sql> => ({
  name: sql`lower(p.name)`,
  attention: sql`case ${stateOf(orgId)} when 'paused' then '0 ' when 'failing' then '1 ' when 'held' then '2 ' when 'active' then '3 ' else '4 ' end || lower(p.name)`,
  lastSeen: sql`coalesce(p.last_seen_at, 0)`,
  createdAt: sql`b.created_at`,
})

export type ListedBotRow = BotRow & {
  sortKey: string | number
  topics: number
  lastSeenAt: number | null
}

const wantedBots = ({ orgId }: Pick<Caller, 'orgId'>, { search, state }: BotFilters): Sql => sql`
  bots b join profiles p on p.org_id = b.org_id and p.id = b.id
  where b.org_id = ${orgId}
    ${search ? sql`and position(lower(${search}) in lower(p.name || ' ' || b.description)) > 0` : nothing}
    ${state ? sql`and ${stateOf(orgId)} = ${state}` : nothing}`

/** Bots are some thousands at most, and all are looked through; costlier columns are read of those on the page alone. */
export function listBots(
  db: Queryable,
  caller: Pick<Caller, 'orgId'>,
  filters: BotFilters,
  start: { at: [key: string | number, id: string]; isBackwards: boolean } | undefined,
  limit: number,
): Promise<ListedBotRow[]> {
  const key = sortKeys(caller.orgId)[filters.sort]
  const isUp = (filters.order === 'asc') !== (start?.isBackwards === true)
  const direction = isUp ? sql`asc` : sql`desc`
  return db.query<ListedBotRow>(sql`
    with page as materialized (
      select b.org_id, b.id, ${key} as sort_key from ${wantedBots(caller, filters)}
        ${start ? sql`and (${key}, b.id) ${isUp ? sql`>` : sql`<`} (${start.at[0]}, ${start.at[1]})` : nothing}
      order by ${key} ${direction}, b.id ${direction} limit ${limit}
    )
    select ${columns(caller)}, page.sort_key as "sortKey", p.last_seen_at as "lastSeenAt",
      (select count(*)::int from topic_members m join topics t on t.org_id = m.org_id and t.id = m.topic_id
        where m.org_id = ${caller.orgId} and m.profile_id = b.id and t.type = 'topic') as topics
    from page
    join bots b on b.org_id = ${caller.orgId} and b.id = page.id
    join profiles p on p.org_id = b.org_id and p.id = b.id
    left join profiles o on o.org_id = b.org_id and o.id = b.owner_id
    order by page.sort_key ${direction}, b.id ${direction}`)
}

export async function countBots(
  caller: Pick<Caller, 'orgId'>,
  db: Queryable,
  filters: BotFilters,
): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from ${wantedBots(caller, filters)}`,
  )
  return row?.total ?? 0
}

const HOUR_MS = 3_600_000
/** Attempts that are counted of one address: fifty busy ones on a page are still read in some milliseconds each. */
const MAX_ATTEMPTS = 2000

export type BotActivity = ListedBot['activity']

/** Attempts by hour for these bots; found through the numbers of the events of that time, like those of the overview. */
export async function readActivity(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botIds: readonly string[],
  now: number,
): Promise<Map<string, BotActivity>> {
  const first = (Math.floor(now / HOUR_MS) - ACTIVITY_HOURS + 1) * HOUR_MS
  const activity = new Map(
    botIds.map((id) => [id, Array.from({ length: ACTIVITY_HOURS }, () => ({ delivered: 0, failed: 0 }))]),
  )
  if (botIds.length === 0) return activity
  const rows = await db.query<{ id: string; hour: number; delivered: number; failed: number }>(sql`
    with log as materialized (
      select coalesce((select seq from events where org_id = ${orgId} and id >= ${firstUuidAt(first)}
        order by id limit 1), 9007199254740991) as first_seq
    )
    select x.id, ((a.at - ${first}) / ${HOUR_MS}::bigint)::int as hour,
      count(*) filter (where a.outcome = 'ok')::int as delivered, count(*) filter (where a.outcome <> 'ok')::int as failed
    from log, unnest(${botIds}::text[]) as x (id)
    cross join lateral (select b.id from ${addresses} b where b.org_id = ${orgId} and b.bot_id = x.id offset 0) b
    cross join lateral (
      select a.at, a.outcome from delivery_attempts a
      where a.org_id = ${orgId} and a.bot_id = b.id and a.seq >= log.first_seq and not a.is_test
      order by a.seq desc limit ${MAX_ATTEMPTS}
    ) a
    where a.at >= ${first} group by 1, 2`)
  for (const { id, hour, delivered, failed } of rows) {
    const bar = activity.get(id)?.[hour]
    if (bar) Object.assign(bar, { delivered, failed })
  }
  return activity
}

/** The bot's valid secrets, still encrypted, the newest first. */
export async function readSealedSecrets(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
  now: number,
): Promise<Buffer[]> {
  const [row] = await db.query<{ secret: Buffer; former: Buffer | null }>(sql`
    select secret, case when previous_secret_until > ${now} then previous_secret end as former
    from bots where org_id = ${orgId} and id = ${botId}`)
  if (!row) throw new Error(`bot ${botId} does not exist`)
  return [row.secret, ...(row.former ? [row.former] : [])]
}
