import type { IncomingFormat } from '../../../contract/incoming.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { CallReason } from '../../../contract/people/incoming-webhooks.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, nothing, sql } from '../../db/sql.ts'
import { sha256 } from '../../ids.ts'

const SHOWN_TOPICS = 500

export type CallRow = {
  at: number
  status: number
  source: string | null
  event: string | null
  reason: CallReason | null
  detail: string | null
  messageId: string | null
  isFormer: boolean
}

export type IncomingWebhookRow = {
  id: string
  name: string
  topicId: string
  topicName: string
  format: IncomingFormat
  template: string | null
  hasSecret: boolean
  hint: string
  formerUntil: number | null
  createdAt: number
  updatedAt: number
  lastCall: CallRow | null
}

const CALL = sql`c.at, c.status, c.source, c.event, c.reason, c.detail, c.message_id as "messageId", c.is_former as "isFormer"`

/** Incoming webhooks of one bot, the oldest first; or only the one with this id. */
export function listIncomingWebhooks(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
  now: number,
  id?: string,
): Promise<IncomingWebhookRow[]> {
  return db.query<IncomingWebhookRow>(sql`
    select w.id, w.name, w.topic_id as "topicId", t.name as "topicName", w.format, w.template,
      w.secret is not null as "hasSecret", k.hint, f.valid_until as "formerUntil",
      w.created_at as "createdAt", w.updated_at as "updatedAt", to_json(c) as "lastCall"
    from incoming_webhooks w
    join topics t on t.org_id = w.org_id and t.id = w.topic_id
    join incoming_tokens k on k.org_id = w.org_id and k.webhook_id = w.id and k.valid_until is null
    left join incoming_tokens f on f.org_id = w.org_id and f.webhook_id = w.id and f.valid_until > ${now}
    left join lateral (
      select ${CALL} from incoming_calls c where c.org_id = ${orgId} and c.webhook_id = w.id order by c.id desc limit 1
    ) c on true
    where w.org_id = ${orgId} and w.bot_id = ${botId} ${id === undefined ? nothing : sql`and w.id = ${id}`}
    order by w.created_at, w.id limit ${LIMITS.incomingWebhooks}`)
}

export async function readIncomingWebhook(
  caller: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
  { id, now }: { id: string; now: number },
): Promise<IncomingWebhookRow | undefined> {
  const [row] = await listIncomingWebhooks(caller, db, botId, now, id)
  return row
}

/** The bot's topics that can get an address. */
export function listTopicsOfBot(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
): Promise<{ id: string; name: string }[]> {
  return db.query(sql`
    select t.id, t.name from topic_members m join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where m.org_id = ${orgId} and m.profile_id = ${botId} and t.type = 'topic' and t.archived_at is null
    order by lower(t.name), t.id limit ${SHOWN_TOPICS}`)
}

export function listCalls({ orgId }: Pick<Caller, 'orgId'>, db: Queryable, id: string): Promise<CallRow[]> {
  return db.query<CallRow>(sql`
    select ${CALL} from incoming_calls c where c.org_id = ${orgId} and c.webhook_id = ${id}
    order by c.id desc limit ${LIMITS.incomingCalls}`)
}

/** The row of an address, read for each call. */
export type Address = {
  orgId: string
  id: string
  botId: string
  topicId: string
  format: IncomingFormat
  template: string | null
  secret: Buffer | null
  isFormer: boolean
  isMember: boolean
  isArchived: boolean
  /** The version of the organization's rights behind this (db/authority.ts). */
  authorityVersion: number
}

/** Looks the secret token up by its hash. */
export async function findAddress(db: Queryable, token: string, now: number): Promise<Address | undefined> {
  const [row] = await db.query<Address>(sql`${crossing('whose it is, is known only when it was found')}
    select w.org_id as "orgId", w.id, w.bot_id as "botId", w.topic_id as "topicId", w.format, w.template, w.secret,
      k.valid_until is not null as "isFormer", t.archived_at is not null as "isArchived",
      l.authority_version as "authorityVersion",
      exists (select from topic_members m where m.org_id = w.org_id and m.topic_id = w.topic_id
        and m.profile_id = w.bot_id) as "isMember"
    from incoming_tokens k
    join incoming_webhooks w on w.org_id = k.org_id and w.id = k.webhook_id
    join topics t on t.org_id = w.org_id and t.id = w.topic_id
    join organization_logs l on l.org_id = w.org_id
    where k.token_hash = ${sha256(token)} and (k.valid_until is null or k.valid_until > ${now})`)
  return row
}

/** The profiles among these that are in the topic. */
export async function membersAmong(
  { orgId, topicId }: Pick<Address, 'orgId' | 'topicId'>,
  db: Queryable,
  profileIds: readonly string[],
): Promise<Set<string>> {
  if (profileIds.length === 0) return new Set()
  const rows = await db.query<{ id: string }>(sql`
    select profile_id as id from topic_members
    where org_id = ${orgId} and topic_id = ${topicId} and profile_id = any(${profileIds})`)
  return new Set(rows.map(({ id }) => id))
}
