import type { Database } from '../../db/database.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import type { BotRow } from '../../queries/bots/bots.ts'
import type { Bot } from '../../queries/bots/deliveries.ts'
import { type Actor, changesBetween } from '../organization/audit.ts'
import { requireBot, tell } from './bot-settings.ts'
import { replayDelivery, replayFailed, replayFrom, resumeWebhook, sendTestEvent } from './deliveries.ts'
import { requireAddress } from './webhook-addresses.ts'

/** A bot's address: the first, or the further one that is named. */
type Place = { botId: string; addressId?: string | undefined }

/** The bot, the id of the address, and its name for the audit log, where it is a further one. */
async function requirePlace(tx: Transaction, { botId, addressId }: Place) {
  if (addressId === undefined) {
    const bot = await requireBot(tx, tx, botId)
    return { bot, id: bot.id, pauseReason: bot.pauseReason, named: [] }
  }
  const { bot, address } = await requireAddress(tx, { botId, addressId })
  const named = changesBetween({}, { webhookUrl: address.url })
  return { bot, id: address.id, pauseReason: address.pauseReason, named }
}

export async function testWebhook(tx: Transaction, by: Actor, place: Place): Promise<{ deliveryId: string }> {
  const { bot, id, named } = await requirePlace(tx, place)
  const sent = await sendTestEvent(tx, bot.id, id)
  await tell(tx, by, bot, 'bot.webhook_tested', named)
  return sent
}

/** Failed deliveries are tried again at once even if nothing is paused. */
export async function resumeBot(tx: Transaction, by: Actor, place: Place): Promise<void> {
  const { bot, id, pauseReason, named } = await requirePlace(tx, place)
  if (!(await resumeWebhook(tx, id))) return
  const changes = changesBetween({ pauseReason }, { pauseReason: null })
  await tell(tx, by, bot, 'bot.webhook_resumed', [...named, ...changes])
  tx.wakes([bot.id])
}

export async function replayOne(
  tx: Transaction,
  by: Actor,
  botId: string,
  deliveryId: string,
): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  await replayDelivery(tx, botId, deliveryId)
  requireWebhook(bot)
  await tell(tx, by, bot, 'bot.replayed', changesBetween({}, { delivery: deliveryId }))
  tx.wakes([botId])
}

/** Sends everything again since a moment, in steps. Returns how many. */
export function replaySince(db: Database, bot: Bot, from: number, whoActs: WhoActs): Promise<number> {
  return replayFrom(db, bot, from, tellReplay(bot, { from: new Date(from).toISOString() }, whoActs), whoActs)
}

/** Sends everything again that failed, in steps. Returns how many. */
export function retryFailed(db: Database, bot: Bot, whoActs: WhoActs): Promise<number> {
  return replayFailed(db, bot, tellReplay(bot, { failed: true }, whoActs), whoActs)
}

/** Returns the person or operator who acts; throws if they no longer may. Asked in each step. */
type WhoActs = (tx: Transaction) => Promise<Actor>

/** Writes the replay to the audit log with its first step. */
const tellReplay =
  (bot: Bot, replayed: { from: string } | { failed: true }, whoActs: WhoActs) =>
  async (tx: Transaction, count: number): Promise<void> => {
    const by = await whoActs(tx)
    const { bot: row, named } = await requirePlace(tx, bot)
    requireWebhook(row)
    if (count === 0) return
    await tell(tx, by, row, 'bot.replayed', [...named, ...changesBetween({}, replayed)])
    tx.wakes([row.id])
  }

function requireWebhook({ delivery }: BotRow): void {
  if (delivery !== 'webhook') throw refusal('webhook_not_enabled')
}
