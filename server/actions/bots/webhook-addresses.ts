import type { EventType } from '../../../contract/events.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newAddressId, randomToken } from '../../ids.ts'
import type { Parley } from '../../parley.ts'
import type { BotRow } from '../../queries/bots/bots.ts'
import type { WebhookAddressRow } from '../../queries/bots/webhook-addresses.ts'
import { type Actor, changesBetween } from '../organization/audit.ts'
import { checkAddress, refuseKnownAddress, requireBot, tell } from './bot-settings.ts'
import { SECRET_BITS } from './bots.ts'
import { resumeWebhook } from './deliveries.ts'
import { changeHeaders, type HeaderChanges } from './webhook-headers.ts'

type Parts = Pick<Parley, 'secrets' | 'config'>
type Place = { botId: string; addressId: string }

export async function requireAddress(
  tx: Transaction,
  { botId, addressId }: Place,
): Promise<{ bot: BotRow; address: WebhookAddressRow }> {
  const bot = await requireBot(tx, tx, botId)
  const address = bot.addresses.find(({ id }) => id === addressId.toLowerCase())
  if (!address) throw refusal('webhook_address_not_found')
  return { bot, address }
}

export type WantedAddress = { url: string; events?: EventType[] | null; headers?: HeaderChanges }

/** An address gets what happens from now on. Its secret is shown here and never again. */
export async function addAddress(
  tx: Transaction,
  parts: Parts,
  by: Actor,
  botId: string,
  { url, events = null, headers = {} }: WantedAddress,
): Promise<{ addressId: string; secret: string }> {
  const bot = await requireBot(tx, tx, botId)
  await checkAddress(tx, parts.config, url, 'url')
  refuseKnownAddress(bot, url, 'url')
  if (bot.addresses.length + 1 >= LIMITS.webhookAddresses) throw refusal('webhook_addresses_full')
  const addressId = newAddressId()
  const secret = randomToken(SECRET_BITS)
  const now = tx.now()
  await tx.query(sql`
    insert into webhook_addresses (org_id, id, bot_id, webhook_url, webhook_events, secret, created_at, updated_at)
    values (${tx.orgId}, ${addressId}, ${bot.id}, ${url}, ${events}, ${parts.secrets.encrypt(secret, addressId)}, ${now}, ${now})`)
  const names =
    Object.keys(headers).length > 0 ? await changeHeaders(tx, parts, addressId, headers, 'headers') : []
  const told = { webhookUrl: url, webhookEvents: events, webhookHeaders: names.join(' ') || undefined }
  await tell(tx, by, bot, 'bot.address_added', changesBetween({}, told))
  return { addressId, secret }
}

/** Omitted settings stay. Another address lets a pause end, and loses no event. */
export async function changeAddress(
  tx: Transaction,
  parts: Parts,
  by: Actor,
  place: Place,
  { url, events, headers = {} }: Partial<WantedAddress>,
): Promise<void> {
  const { bot, address } = await requireAddress(tx, place)
  const before = { webhookUrl: address.url, webhookEvents: address.events }
  const changes = changesBetween(before, { webhookUrl: url, webhookEvents: events })
  if (url !== undefined && url !== address.url) {
    await checkAddress(tx, parts.config, url, 'url')
    refuseKnownAddress(bot, url, 'url')
  }
  if (changes.length > 0) {
    await tx.query(sql`
      update webhook_addresses set webhook_url = coalesce(${url}, webhook_url),
        webhook_events = case when ${events !== undefined}::boolean then ${events}::text[] else webhook_events end,
        updated_at = ${tx.now()}
      where org_id = ${tx.orgId} and id = ${address.id}`)
  }
  if (Object.keys(headers).length > 0) {
    const names = await changeHeaders(tx, parts, address.id, headers, 'headers')
    changes.push({ field: 'webhookHeaders', from: address.headers.join(' '), to: names.join(' ') })
  }
  if (changes.length === 0) return
  if (url !== undefined && url !== address.url) await resumeWebhook(tx, address.id)
  tx.wakes([bot.id])
  await tell(tx, by, bot, 'bot.address_changed', [...named(address, changes), ...changes])
}

/** Removes the address for good. Its pending deliveries stay, and are removed with their events. */
export async function removeAddress(tx: Transaction, by: Actor, place: Place): Promise<void> {
  const { bot, address } = await requireAddress(tx, place)
  await tx.query(sql`delete from webhook_addresses where org_id = ${tx.orgId} and id = ${address.id}`)
  await tell(tx, by, bot, 'bot.address_removed', named(address))
}

/** The new secret is shown here and never again. The former one signs beside it for `overlapMs`. */
export async function replaceAddressSecret(
  tx: Transaction,
  { secrets }: Parts,
  by: Actor,
  place: Place,
  overlapMs: number,
): Promise<string> {
  const { bot, address } = await requireAddress(tx, place)
  const formerUntil = overlapMs > 0 ? Math.round(tx.now() + overlapMs) : null
  const secret = randomToken(SECRET_BITS)
  await tx.query(sql`
    update webhook_addresses set previous_secret = case when ${formerUntil}::bigint is null then null else secret end,
      previous_secret_until = ${formerUntil}, secret = ${secrets.encrypt(secret, address.id)}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${address.id}`)
  const until = formerUntil === null ? {} : { formerSecretUntil: new Date(formerUntil).toISOString() }
  await tell(tx, by, bot, 'bot.address_secret_rotated', [...named(address), ...changesBetween({}, until)])
  return secret
}

/** Ends the former secret before its time. */
export async function endAddressOverlap(tx: Transaction, by: Actor, place: Place): Promise<void> {
  const { bot, address } = await requireAddress(tx, place)
  if (address.formerSecretUntil === null || address.formerSecretUntil <= tx.now()) return
  await tx.query(sql`
    update webhook_addresses set previous_secret = null, previous_secret_until = null, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${address.id}`)
  await tell(tx, by, bot, 'bot.address_former_secret_ended', named(address))
}

/** The address of an entry in the audit log; left out if its change names it already. */
const named = ({ url }: WebhookAddressRow, changes: readonly { field: string }[] = []) =>
  changes.some(({ field }) => field === 'webhookUrl') ? [] : changesBetween({}, { webhookUrl: url })
