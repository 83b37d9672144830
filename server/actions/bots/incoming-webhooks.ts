import type { IncomingFormat } from '../../../contract/incoming.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { CallReason } from '../../../contract/people/incoming-webhooks.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid, randomToken, sha256, tickAt, uuidFromTick } from '../../ids.ts'
import { keyOf } from '../../incoming-webhooks/proof.ts'
import type { Parley } from '../../parley.ts'
import { type IncomingWebhookRow, readIncomingWebhook } from '../../queries/bots/incoming-webhooks.ts'
import { firstCodePoints } from '../../text.ts'
import { type Actor, changesBetween } from '../organization/audit.ts'
import { requireBot, tell } from './bot-settings.ts'

/** The address is the only credential of most callers. */
const TOKEN_BITS = 192
const HINT_LENGTH = 4

type Parts = Pick<Parley, 'secrets'>

export type NewIncomingWebhook = {
  topicId: string
  name: string
  format?: IncomingFormat
  template?: string
  secret?: string
}

/** The token, which is shown only once. */
export type MadeToken = { incomingWebhookId: string; token: string }

export async function createIncomingWebhook(
  tx: Transaction,
  { secrets }: Parts,
  by: Actor,
  botId: string,
  { topicId, name, format = 'auto', template, secret }: NewIncomingWebhook,
): Promise<MadeToken> {
  const bot = await requireBot(tx, tx, botId)
  const maySend =
    bot.credential === 'static' ? bot.permission === 'write' : bot.scopes.includes('message:send')
  if (!maySend) throw refusal('bot_may_not_send')
  refuseIdleTemplate(format, template)
  refuseWeakSecret(secret)
  const [topic] = await tx.query<{ id: string; name: string }>(sql`
    select t.id, t.name from topic_members m join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where m.org_id = ${tx.orgId} and m.topic_id = ${topicId} and m.profile_id = ${bot.id}`)
  if (!topic) throw refusal('bot_not_in_topic')
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) from incoming_webhooks where org_id = ${tx.orgId} and bot_id = ${bot.id}`)
  if ((row?.count ?? 0) >= LIMITS.incomingWebhooks) throw refusal('incoming_webhooks_full')
  const id = newUuid()
  const now = tx.now()
  await tx.query(sql`
    insert into incoming_webhooks (org_id, id, bot_id, topic_id, name, format, template, secret, created_at, updated_at)
    values (${tx.orgId}, ${id}, ${bot.id}, ${topic.id}, ${name}, ${format}, ${template},
      ${secret === undefined ? undefined : seal(secrets, id, secret)}, ${now}, ${now})`)
  const token = await addToken(tx, id)
  const told = { incomingWebhook: name, topic: topic.name, format, secret: secret && 'set' }
  await tell(tx, by, bot, 'bot.incoming_webhook_made', changesBetween({}, told))
  return { incomingWebhookId: id, token }
}

export type IncomingChanges = {
  name?: string
  format?: IncomingFormat
  template?: string | null
  secret?: string | null
}

export async function changeIncomingWebhook(
  tx: Transaction,
  { secrets }: Parts,
  by: Actor,
  { botId, id }: Place,
  { secret, ...changes }: IncomingChanges,
): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  const before = await requireIncoming(tx, { botId, id })
  const after = {
    name: changes.name ?? before.name,
    format: changes.format ?? before.format,
    template: changes.template === undefined ? before.template : changes.template,
  }
  refuseIdleTemplate(after.format, changes.template ?? undefined)
  refuseWeakSecret(secret)
  // Formats other than `generic` use no template.
  const template = after.format === 'generic' ? after.template : null
  const told = changesBetween(
    { name: before.name, format: before.format, template: before.template ?? '' },
    { name: after.name, format: after.format, template: template ?? '' },
  )
  if (secret !== undefined) told.push({ field: 'secret', to: secret === null ? 'removed' : 'set' })
  if (told.length === 0) return
  await tx.query(sql`
    update incoming_webhooks set name = ${after.name}, format = ${after.format}, template = ${template}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${before.id}`)
  if (secret !== undefined) {
    const sealed = secret === null ? null : seal(secrets, before.id, secret)
    await tx.query(sql`
      update incoming_webhooks set secret = ${sealed} where org_id = ${tx.orgId} and id = ${before.id}`)
  }
  await tell(tx, by, bot, 'bot.incoming_webhook_changed', [
    { field: 'incomingWebhook', to: before.name },
    ...told,
  ])
}

/** Makes a new address. The former one works for `overlapMs` more; older ones end. */
export async function rotateAddress(
  tx: Transaction,
  by: Actor,
  { botId, id }: Place,
  overlapMs: number,
): Promise<MadeToken> {
  const bot = await requireBot(tx, tx, botId)
  const before = await requireIncoming(tx, { botId, id })
  await forgetFormer(tx, before.id)
  const until = Math.round(tx.now() + overlapMs)
  if (overlapMs > 0)
    await tx.query(sql`
      update incoming_tokens set valid_until = ${until} where org_id = ${tx.orgId} and webhook_id = ${before.id}`)
  else
    await tx.query(sql`delete from incoming_tokens where org_id = ${tx.orgId} and webhook_id = ${before.id}`)
  const token = await addToken(tx, before.id)
  const told = {
    incomingWebhook: before.name,
    formerUntil: overlapMs > 0 ? new Date(until).toISOString() : undefined,
  }
  await tell(tx, by, bot, 'bot.incoming_webhook_rotated', changesBetween({}, told))
  return { incomingWebhookId: before.id, token }
}

/** Ends the former address before its time. */
export async function endFormerAddress(tx: Transaction, by: Actor, { botId, id }: Place): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  const { id: webhookId, name, formerUntil } = await requireIncoming(tx, { botId, id })
  if (formerUntil === null) return
  await forgetFormer(tx, webhookId)
  const told = changesBetween({}, { incomingWebhook: name })
  await tell(tx, by, bot, 'bot.incoming_webhook_former_ended', told)
}

export async function revokeIncomingWebhook(tx: Transaction, by: Actor, { botId, id }: Place): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  const { id: webhookId, name, topicName } = await requireIncoming(tx, { botId, id })
  await tx.query(sql`delete from incoming_tokens where org_id = ${tx.orgId} and webhook_id = ${webhookId}`)
  await tx.query(sql`delete from incoming_webhooks where org_id = ${tx.orgId} and id = ${webhookId}`)
  const told = changesBetween({}, { incomingWebhook: name, topic: topicName })
  await tell(tx, by, bot, 'bot.incoming_webhook_revoked', told)
}

type Place = { botId: string; id: string }

export async function requireIncoming(tx: Transaction, { botId, id }: Place): Promise<IncomingWebhookRow> {
  const row = await readIncomingWebhook(tx, tx, botId, { id, now: tx.now() })
  if (!row) throw refusal('incoming_webhook_not_found')
  return row
}

function refuseWeakSecret(secret: string | null | undefined): void {
  if (typeof secret === 'string' && keyOf(secret) === undefined) throw refusal('incoming_secret_invalid')
}

/** The context that a sender's secret is bound to when it is encrypted. */
export const secretContext = (id: string): string => `incoming:${id}`

const seal = (secrets: Parley['secrets'], id: string, secret: string): Buffer =>
  secrets.encrypt(secret, secretContext(id))

function refuseIdleTemplate(format: IncomingFormat, template: string | undefined): void {
  if (template !== undefined && format !== 'generic') throw refusal('incoming_template_misplaced')
}

async function addToken(tx: Transaction, webhookId: string): Promise<string> {
  const token = randomToken(TOKEN_BITS)
  await tx.query(sql`
    insert into incoming_tokens (token_hash, org_id, webhook_id, hint, created_at)
    values (${sha256(token)}, ${tx.orgId}, ${webhookId}, ${token.slice(0, HINT_LENGTH)}, ${tx.now()})`)
  return token
}

async function forgetFormer(tx: Transaction, webhookId: string): Promise<void> {
  await tx.query(sql`
    delete from incoming_tokens
    where org_id = ${tx.orgId} and webhook_id = ${webhookId} and valid_until is not null`)
}

export type NewCall = {
  at: number
  status: number
  source?: string | undefined
  event?: string | undefined
  reason?: CallReason | undefined
  detail?: string | undefined
  messageId?: string | undefined
  isFormer: boolean
}

const EVENT_LENGTH = 100
const DETAIL_LENGTH = 300

/** Records a call and deletes the oldest, beside the organization's writer, so that no write waits for it. */
export async function recordCall(
  db: Queryable,
  { orgId, id }: { orgId: string; id: string },
  { at, status, source, event, reason, detail, messageId, isFormer }: NewCall,
): Promise<void> {
  const [shownEvent, shownDetail] = [shown(event, EVENT_LENGTH), shown(detail, DETAIL_LENGTH)]
  const callId = uuidFromTick(tickAt(at))
  // The new call is not counted among the stored ones: on one machine the statement does not see it yet, on several it
  // does.
  await db.query(sql`
    with added as (
      insert into incoming_calls (org_id, webhook_id, id, at, status, source, event, reason, detail, message_id, is_former)
      select ${orgId}, id, ${callId}::uuid, ${at}, ${status}, ${source}, ${shownEvent}, ${reason}, ${shownDetail}, ${messageId}, ${isFormer}
      from incoming_webhooks where org_id = ${orgId} and id = ${id}
    )
    delete from incoming_calls where org_id = ${orgId} and webhook_id = ${id} and id <= (
      select c.id from incoming_calls c where c.org_id = ${orgId} and c.webhook_id = ${id} and c.id <> ${callId}
      order by c.id desc offset ${LIMITS.incomingCalls - 1} limit 1)`)
}

/** Event names come from the sender, so they are cut. */
const shown = (text: string | undefined, length: number): string | undefined =>
  text === undefined || text === ''
    ? undefined
    : firstCodePoints(
        text
          .replaceAll('\0', '')
          .toWellFormed()
          .slice(0, 2 * length),
        length,
      )
