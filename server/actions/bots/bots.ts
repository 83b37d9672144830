import type { EventType } from '../../../contract/events.ts'
import { ALL_SCOPES, type Scope } from '../../../contract/scopes.ts'
import { identityChanged } from '../../auth/identity.ts'
import { cleanStep } from '../../db/clean-some.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { newBotId, randomToken, sha256 } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { tellMember } from '../members/member-events.ts'
import { leaveAllTopics } from '../topics/topics.ts'
import { queueUnpolled, resumeWebhook } from './deliveries.ts'

const KEY_BITS = 128
export const SECRET_BITS = 192
const KEY_HINT_LENGTH = 4

export type Delivery = { delivery: 'polling' } | { delivery: 'webhook'; webhookUrl: string }
type Common = { name: string; pollVoteEvents?: boolean } & Delivery

export type ApiKeyCredentials = { botId: string; apiKey: string; apiSecret: string }
export type ClientCredentials = { botId: string; clientId: string; clientSecret: string }

/** A bot with an API key and a secret that signs each request. The secret is shown here and never again. */
export async function createStaticBot(
  tx: Transaction,
  secrets: Secrets,
  bot: Common & { permission: 'read' | 'write' },
): Promise<ApiKeyCredentials> {
  const apiKey = randomToken(KEY_BITS)
  const apiSecret = randomToken(SECRET_BITS)
  const keyHint = apiKey.slice(0, KEY_HINT_LENGTH)
  const botId = await insertBot(tx, secrets, {
    ...bot,
    credential: 'static',
    scopes: [],
    secret: apiSecret,
    keyHint,
  })
  await tx.query(sql`
    insert into api_keys (key_hash, org_id, bot_id) values (${sha256(apiKey)}, ${tx.orgId}, ${botId})`)
  return { botId, apiKey, apiSecret }
}

export async function createOAuthBot(
  tx: Transaction,
  secrets: Secrets,
  bot: Common & { scopes?: readonly Scope[] },
): Promise<ClientCredentials> {
  const clientSecret = randomToken(SECRET_BITS)
  const botId = await insertBot(tx, secrets, {
    ...bot,
    credential: 'oauth',
    permission: 'write',
    scopes: bot.scopes ?? ALL_SCOPES,
    secret: clientSecret,
    keyHint: '',
  })
  return { botId, clientId: botId, clientSecret }
}

type NewBot = Common & {
  credential: 'static' | 'oauth'
  permission: 'read' | 'write'
  scopes: readonly Scope[]
  secret: string
  keyHint: string
}

async function insertBot(tx: Transaction, secrets: Secrets, bot: NewBot): Promise<string> {
  const botId = newBotId()
  const now = tx.now()
  await tx.query(sql`
    insert into profiles (org_id, id, kind, name, status, created_at, updated_at)
    values (${tx.orgId}, ${botId}, 'bot', ${bot.name}, 'Active', ${now}, ${now})`)
  await tx.query(sql`
    insert into bots (org_id, id, credential, permission, scopes, secret, key_hint, delivery, webhook_url,
      poll_vote_events, created_at, updated_at)
    values (${tx.orgId}, ${botId}, ${bot.credential}, ${bot.permission}, ${bot.scopes},
      ${secrets.encrypt(bot.secret, botId)}, ${bot.keyHint}, ${bot.delivery},
      ${bot.delivery === 'webhook' ? bot.webhookUrl : null}, ${bot.pollVoteEvents ?? false}, ${now}, ${now})`)
  await tx.query(sql`insert into bot_directory (bot_id, org_id) values (${botId}, ${tx.orgId})`)
  await tellMember(tx, botId)
  return botId
}

export type BotSettings = {
  name?: string
  description?: string
  permission?: 'read' | 'write'
  scopes?: readonly Scope[]
  delivery?: 'polling' | 'webhook'
  webhookUrl?: string
  /** Whether large bodies are compressed. */
  webhookGzip?: boolean
  /** Deliveries a second while it catches up. */
  webhookRate?: number
  /** The types of events that its webhook gets; null: all. */
  webhookEvents?: readonly EventType[] | null
  pollVoteEvents?: boolean
  /** Whether it may open direct messages with people who share a topic with it. */
  opensDirectMessages?: boolean
  /** Whether a repeated `externalId` of its messages and tasks gets the first answer again. */
  externalIdIsKey?: boolean
  /** The least version of signatures that a static key accepts. */
  signatureVersion?: 1 | 2
  /** Daily limits; null means no limit. */
  messagesPerDay?: number | null
  tokensPerDay?: number | null
}

/** Sets the person responsible for the bot: its creator, or the person whom an admin chose. */
export async function setOwner(tx: Transaction, botId: string, ownerId: string): Promise<void> {
  await tx.query(sql`update bots set owner_id = ${ownerId} where org_id = ${tx.orgId} and id = ${botId}`)
}

/** Omitted settings stay. A change of mode or address loses no event, and ends a pause. */
export async function setBot(tx: Transaction, botId: string, settings: BotSettings): Promise<void> {
  const {
    name,
    permission,
    scopes,
    delivery,
    webhookUrl,
    webhookGzip,
    webhookRate,
    webhookEvents,
    pollVoteEvents,
    opensDirectMessages,
    externalIdIsKey,
    messagesPerDay,
    tokensPerDay,
  } = settings
  const [before] = await tx.query<{ delivery: string; webhook_url: string | null }>(sql`
    select delivery, webhook_url from bots where org_id = ${tx.orgId} and id = ${botId}`)
  await changeBot(
    tx,
    botId,
    sql`description = coalesce(${settings.description}, description), permission = coalesce(${permission}, permission), scopes = coalesce(${scopes}::text[], scopes),
      delivery = coalesce(${delivery}, delivery), webhook_url = coalesce(${webhookUrl}, webhook_url),
      webhook_gzip = coalesce(${webhookGzip}::boolean, webhook_gzip),
      webhook_rate = coalesce(${webhookRate}::integer, webhook_rate),
      webhook_events = case when ${webhookEvents !== undefined}::boolean then ${webhookEvents}::text[] else webhook_events end,
      messages_per_day = case when ${messagesPerDay !== undefined}::boolean then ${messagesPerDay}::bigint else messages_per_day end,
      tokens_per_day = case when ${tokensPerDay !== undefined}::boolean then ${tokensPerDay}::bigint else tokens_per_day end,
      poll_vote_events = coalesce(${pollVoteEvents}::boolean, poll_vote_events),
      opens_direct_messages = coalesce(${opensDirectMessages}::boolean, opens_direct_messages),
      external_id_is_key = coalesce(${externalIdIsKey}::boolean, external_id_is_key),
      signature_version = coalesce(${settings.signatureVersion}::smallint, signature_version)`,
  )
  const leavesPolling = delivery === 'webhook' && before?.delivery === 'polling'
  const moves = webhookUrl !== undefined && webhookUrl !== before?.webhook_url
  if (leavesPolling) await queueUnpolled(tx, botId)
  if (leavesPolling || moves) await resumeWebhook(tx, botId)
  if (name !== undefined) {
    await tx.query(sql`
      update profiles set name = ${name}, updated_at = ${tx.now()} where org_id = ${tx.orgId} and id = ${botId}`)
  }
  if (name !== undefined || delivery !== undefined) await tellMember(tx, botId)
}

/**
 * Replaces the secret and returns the new one, once. The old one counts beside it until `formerUntil`. Tokens that were minted
 * with it stay valid until they expire; it is remembered by its hash, because the token endpoint answers it differently.
 */
export async function rotateSecret(
  tx: Transaction,
  secrets: Secrets,
  botId: string,
  formerUntil?: number,
): Promise<string> {
  const [bot] = await tx.query<{ secret: Buffer }>(sql`
    select secret from bots where org_id = ${tx.orgId} and id = ${botId}`)
  if (!bot) throw new Error(`bot ${botId} does not exist`)
  const former = sha256(secrets.decrypt(bot.secret, botId))
  const secret = randomToken(SECRET_BITS)
  await tx.query(sql`
    insert into former_bot_secrets (org_id, bot_id, secret_hash, rotated_at)
    values (${tx.orgId}, ${botId}, ${former}, ${tx.now()})`)
  await changeBot(
    tx,
    botId,
    sql`secret = ${secrets.encrypt(secret, botId)}, previous_secret = ${formerUntil === undefined ? null : bot.secret},
      previous_secret_until = ${formerUntil ?? null}`,
  )
  return secret
}

const NO_FORMER_SECRET = sql`previous_secret = null, previous_secret_until = null`

/** Ends the former secret: only the current one is accepted. */
export function endFormerSecret(tx: Transaction, botId: string): Promise<void> {
  return changeBot(tx, botId, NO_FORMER_SECRET)
}

/** Secrets that no longer count are not kept: those of bots, and those of further addresses of their webhooks. */
export const forgetFormerSecrets =
  (table: 'bots' | 'webhook_addresses') =>
  (db: Queryable, now: number, limit: number): Promise<boolean> =>
    cleanStep(db, {
      table,
      key: 'org_id, id',
      set: NO_FORMER_SECRET,
      where: sql`previous_secret_until <= ${now}`,
      limit,
    })

/** A new API key and a new secret, shown once; the ones before are refused from this commit on. */
export async function replaceApiKey(
  tx: Transaction,
  secrets: Secrets,
  botId: string,
): Promise<ApiKeyCredentials> {
  const apiKey = randomToken(KEY_BITS)
  const apiSecret = randomToken(SECRET_BITS)
  await tx.query(sql`delete from api_keys where org_id = ${tx.orgId} and bot_id = ${botId}`)
  await tx.query(sql`
    insert into api_keys (key_hash, org_id, bot_id) values (${sha256(apiKey)}, ${tx.orgId}, ${botId})`)
  await changeBot(
    tx,
    botId,
    sql`secret = ${secrets.encrypt(apiSecret, botId)}, key_hint = ${apiKey.slice(0, KEY_HINT_LENGTH)}, ${NO_FORMER_SECRET}`,
  )
  return { botId, apiKey, apiSecret }
}

/**
 * Ends a bot for good. Its profile stays, so that what it wrote keeps its name; credentials, webhook and memberships go.
 * Deliveries and updates that it did not get are unreachable from here on, and retention removes them with their events.
 * Direct messages keep it as the other participant.
 */
export async function deleteBot(tx: Transaction, botId: string, actorId: string): Promise<void> {
  const here = sql`org_id = ${tx.orgId} and bot_id = ${botId}`
  await tx.query(sql`delete from api_keys where ${here}`)
  await tx.query(sql`delete from former_bot_secrets where ${here}`)
  await tx.query(sql`delete from bot_usage where ${here}`)
  await tx.query(sql`delete from bot_directory where ${here}`)
  await tx.query(sql`delete from bots where org_id = ${tx.orgId} and id = ${botId}`)
  await tx.query(sql`
    update profiles set status = 'Deleted', updated_at = ${tx.now()} where org_id = ${tx.orgId} and id = ${botId}`)
  await tx.query(sql`delete from org_unit_members where org_id = ${tx.orgId} and profile_id = ${botId}`)
  await tellMember(tx, botId)
  await leaveAllTopics(tx, botId, actorId)
  await identityChanged(tx, botId)
}

/** A deactivated bot can do nothing; its tokens stay revoked when it is activated again. */
export function deactivateBot(tx: Transaction, botId: string): Promise<void> {
  return changeBot(tx, botId, sql`active = false, token_generation = token_generation + 1`)
}

export function activateBot(tx: Transaction, botId: string): Promise<void> {
  return changeBot(tx, botId, sql`active = true`)
}

/**
 * A paused bot can do nothing and gets no events; it keeps its tokens and memberships, and later gets what it missed.
 */
export async function setPaused(tx: Transaction, botId: string, isPaused: boolean): Promise<void> {
  await changeBot(tx, botId, sql`paused_at = ${isPaused ? tx.now() : null}`)
  await tellMember(tx, botId)
  tx.wakes([botId])
}

/** Every token minted so far becomes invalid; the secret stays. */
export function revokeTokens(tx: Transaction, botId: string): Promise<void> {
  return changeBot(tx, botId, sql`token_generation = token_generation + 1`)
}

async function changeBot(tx: Transaction, botId: string, changes: Sql): Promise<void> {
  await tx.query(sql`
    update bots set ${changes}, updated_at = ${tx.now()} where org_id = ${tx.orgId} and id = ${botId}`)
  await identityChanged(tx, botId)
}
