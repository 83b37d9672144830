import type { AuditAction } from '../../../contract/people/organization.ts'
import type { Scope } from '../../../contract/scopes.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { checkWebhookUrl } from '../../network/guard.ts'
import type { Parley } from '../../parley.ts'
import { type BotRow, readBot } from '../../queries/bots/bots.ts'
import { readWebhookReach } from '../../queries/bots/webhook-reach.ts'
import { changePhoto } from '../members/profiles.ts'
import { type Actor, audit, type Change, changesBetween, memberChange } from '../organization/audit.ts'
import { releaseDirectMessages } from './bot-loops.ts'
import {
  type ApiKeyCredentials,
  activateBot,
  type BotSettings,
  createOAuthBot,
  createStaticBot,
  type Delivery,
  deactivateBot,
  deleteBot,
  endFormerSecret,
  replaceApiKey,
  rotateSecret,
  setBot,
  setOwner,
  setPaused,
} from './bots.ts'
import { changeHeaders, type HeaderChanges } from './webhook-headers.ts'

type Parts = Pick<Parley, 'secrets' | 'config'>

export type WantedBot = {
  name: string
  description?: string
  credential: 'static' | 'oauth'
  permission?: 'read' | 'write'
  scopes?: readonly Scope[]
  delivery: 'polling' | 'webhook'
  webhookUrl?: string
  pollVoteEvents?: boolean
}

export type BotCredentials =
  | { botId: string; apiKey?: string; apiSecret: string }
  | { botId: string; clientId: string; clientSecret: string }

export async function createBot(
  tx: Transaction,
  { secrets, config }: Parts,
  by: Actor,
  wanted: WantedBot,
): Promise<BotCredentials> {
  const { credential, permission, scopes, delivery, webhookUrl } = wanted
  refuseOther(credential, wanted)
  await checkAddress(tx, config, webhookUrl, 'webhookUrl')
  const common = {
    name: wanted.name,
    ...deliveryOf(delivery, webhookUrl),
    ...(wanted.pollVoteEvents !== undefined && { pollVoteEvents: wanted.pollVoteEvents }),
  }
  const made =
    credential === 'static'
      ? await createStaticBot(tx, secrets, { ...common, permission: permission ?? 'write' })
      : await createOAuthBot(tx, secrets, { ...common, ...(scopes && { scopes }) })
  if (delivery === 'polling' && webhookUrl !== undefined) await setBot(tx, made.botId, { webhookUrl })
  const { description } = wanted
  if (description !== undefined) await setBot(tx, made.botId, { description })
  if (by.kind === 'person') await setOwner(tx, made.botId, by.id)
  const bot = await requireBot(tx, tx, made.botId)
  await tell(tx, by, bot, 'bot.created', changesBetween({}, { credential, ...settingsOf(bot) }))
  return made
}

function deliveryOf(delivery: 'polling' | 'webhook', webhookUrl: string | undefined): Delivery {
  if (delivery === 'polling') return { delivery }
  if (webhookUrl === undefined) throw refusal('field_required', { field: 'webhookUrl' })
  return { delivery, webhookUrl }
}

export type ChangedBot = BotSettings & {
  active?: boolean
  paused?: boolean
  ownerId?: string
  webhookHeaders?: HeaderChanges
}

/** Omitted settings stay. A change of mode or address loses no event, and lets a paused webhook go on. */
export async function changeBot(
  tx: Transaction,
  parts: Parts,
  by: Actor,
  botId: string,
  { active, paused, ownerId, webhookHeaders, ...settings }: ChangedBot,
): Promise<void> {
  const before = await requireBot(tx, tx, botId)
  refuseOther(before.credential, settings)
  await checkAddress(tx, parts.config, settings.webhookUrl, 'webhookUrl')
  if (settings.webhookUrl !== undefined && settings.webhookUrl !== before.webhookUrl)
    refuseKnownAddress(before, settings.webhookUrl, 'webhookUrl')
  if (settings.delivery === 'webhook')
    deliveryOf('webhook', settings.webhookUrl ?? before.webhookUrl ?? undefined)
  const changes = changesBetween(settingsOf(before), settings)
  const bot = { ...before, name: settings.name ?? before.name }
  if (changes.length > 0) {
    await setBot(tx, botId, settings)
    tx.wakes([botId])
  }
  if (webhookHeaders && Object.keys(webhookHeaders).length > 0) {
    const names = await changeHeaders(tx, parts, botId, webhookHeaders, 'webhookHeaders')
    changes.push({ field: 'webhookHeaders', from: before.webhookHeaders.join(' '), to: names.join(' ') })
  }
  if (ownerId !== undefined) changes.push(...(await changeOwner(tx, before, ownerId.toLowerCase())))
  if (changes.length > 0) await tell(tx, by, bot, 'bot.changed', changes)
  if (paused !== undefined) await pauseOrResume(tx, by, bot, paused)
  if (active === undefined || active === before.active) return
  if (active) await activateBot(tx, botId)
  else await deactivateBot(tx, botId)
  await tell(tx, by, bot, active ? 'bot.activated' : 'bot.deactivated')
}

/** The owner must be an active person, who can be asked about the bot. The audit log gets names, not ids. */
async function changeOwner(tx: Transaction, bot: BotRow, ownerId: string): Promise<Change[]> {
  if (bot.ownerId === ownerId) return []
  const people = await tx.query<{ id: string; name: string; is_active: boolean }>(sql`
    select id, name, status = 'Active' as is_active from profiles
    where org_id = ${tx.orgId} and id in (${ownerId}, ${bot.ownerId}) and kind = 'user'`)
  const owner = people.find(({ id }) => id === ownerId)
  if (!owner?.is_active) throw refusal('field_invalid', { field: 'ownerId' })
  await setOwner(tx, bot.id, ownerId)
  const former = people.find(({ id }) => id === bot.ownerId)
  return [memberChange('owner', { ...(former && { from: former }), to: owner })]
}

/** Emits `bot.paused` or `bot.resumed` only if the state changes. */
export async function pauseOrResume(
  tx: Transaction,
  by: Actor,
  bot: Pick<BotRow, 'id' | 'name' | 'pausedAt'>,
  isPaused: boolean,
): Promise<void> {
  if (isPaused === (bot.pausedAt !== null)) return
  await setPaused(tx, bot.id, isPaused)
  await tell(tx, by, bot, isPaused ? 'bot.paused' : 'bot.resumed')
  if (!isPaused) await releaseDirectMessages(tx, by, bot.id)
}

/** The new secret is shown here and never again. */
export async function replaceSecret(
  tx: Transaction,
  { secrets }: Parts,
  by: Actor,
  botId: string,
  overlapMs = 0,
): Promise<BotCredentials> {
  const bot = await requireBot(tx, tx, botId)
  const formerUntil = overlapMs > 0 ? Math.round(tx.now() + overlapMs) : undefined
  const secret = await rotateSecret(tx, secrets, botId, formerUntil)
  const until = formerUntil === undefined ? {} : { formerSecretUntil: new Date(formerUntil).toISOString() }
  await tell(tx, by, bot, 'bot.secret_rotated', changesBetween({}, until))
  return bot.credential === 'static'
    ? { botId, apiSecret: secret }
    : { botId, clientId: botId, clientSecret: secret }
}

/** Ends the former secret before its time. */
export async function endOverlap(tx: Transaction, by: Actor, botId: string): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  if (bot.formerSecretUntil === null || bot.formerSecretUntil <= tx.now()) return
  await endFormerSecret(tx, botId)
  await tell(tx, by, bot, 'bot.former_secret_ended')
}

/** The new key and secret are shown here and never again. */
export async function replaceKey(
  tx: Transaction,
  { secrets }: Pick<Parley, 'secrets'>,
  by: Actor,
  botId: string,
): Promise<ApiKeyCredentials> {
  const bot = await requireBot(tx, tx, botId)
  if (bot.credential === 'oauth') throw refusal('bot_has_no_key')
  const made = await replaceApiKey(tx, secrets, botId)
  const after = await requireBot(tx, tx, botId)
  const changes = changesBetween({ keyHint: bot.keyHint }, { keyHint: after.keyHint })
  await tell(tx, by, bot, 'bot.key_replaced', changes)
  return made
}

/** Sets the photo; undefined removes it. */
export async function changeBotPhoto(
  tx: Transaction,
  by: Actor,
  botId: string,
  fileId: string | undefined,
): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  if (!(await changePhoto(tx, { profileId: bot.id }, fileId))) return
  await tell(tx, by, bot, fileId === undefined ? 'bot.photo_removed' : 'bot.photo_set')
}

/** Deletes the bot for good. When an operator's command does it, the topics see the bot leave by itself. */
export async function removeBot(tx: Transaction, by: Actor, botId: string): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  await deleteBot(tx, bot.id, 'id' in by ? by.id : bot.id)
  await tell(tx, by, bot, 'bot.deleted')
}

export async function requireBot(
  caller: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
): Promise<BotRow> {
  const bot = await readBot(caller, db, botId)
  if (!bot) throw refusal('bot_not_found')
  return bot
}

export function tell(
  tx: Transaction,
  by: Actor,
  { id, name }: Pick<BotRow, 'id' | 'name'>,
  action: AuditAction,
  changes: readonly Change[] = [],
): Promise<void> {
  return audit(tx, by, { action, target: { type: 'bot', id, name }, changes })
}

function refuseOther(
  credential: 'static' | 'oauth',
  { permission, scopes, signatureVersion }: Pick<BotSettings, 'permission' | 'scopes' | 'signatureVersion'>,
): void {
  if (permission !== undefined && credential === 'oauth') throw refusal('permission_not_applicable')
  if (signatureVersion !== undefined && credential === 'oauth')
    throw refusal('signature_version_not_applicable')
  if (scopes !== undefined && credential === 'static') throw refusal('scopes_not_applicable')
}

export async function checkAddress(
  tx: Transaction,
  config: Parley['config'],
  url: string | undefined,
  field: 'url' | 'webhookUrl',
): Promise<void> {
  if (url === undefined) return
  const reach = await readWebhookReach(tx, config)
  const mistake = checkWebhookUrl(config, reach(tx.orgId), url)
  if (mistake) throw new Refusal(mistake.code, { text: mistake.message, field })
}

/** Refuses a second address with the same URL: each event goes once to an address. */
export function refuseKnownAddress(
  { webhookUrl, addresses }: BotRow,
  url: string,
  field: 'url' | 'webhookUrl',
): void {
  if (webhookUrl === url || addresses.some((address) => address.url === url))
    throw new Refusal('webhook_url_known', { field })
}

/** Settings that apply to this kind of bot. */
const settingsOf = (bot: BotRow): Record<string, unknown> => ({
  description: bot.description,
  name: bot.name,
  ...(bot.credential === 'static'
    ? { permission: bot.permission, signatureVersion: bot.signatureVersion }
    : { scopes: bot.scopes }),
  delivery: bot.delivery,
  webhookUrl: bot.webhookUrl,
  webhookGzip: bot.webhookGzip,
  webhookRate: bot.webhookRate,
  webhookEvents: bot.webhookEvents,
  pollVoteEvents: bot.pollVoteEvents,
  opensDirectMessages: bot.opensDirectMessages,
  externalIdIsKey: bot.externalIdIsKey,
  messagesPerDay: bot.messagesPerDay,
  tokensPerDay: bot.tokensPerDay,
})
