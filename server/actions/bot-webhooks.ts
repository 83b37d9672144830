import type { Database } from '../db/database.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest } from '../errors.ts'
import type { BotRow } from '../queries/bots.ts'
import type { Bot } from '../queries/deliveries.ts'
import { type Actor, changesBetween } from './audit.ts'
import { requireBot, tell } from './bot-settings.ts'
import { replayDelivery, replayFailed, replayFrom, resumeWebhook, sendTestEvent } from './deliveries.ts'

export async function testWebhook(
  tx: Transaction,
  by: Actor,
  botId: string,
): Promise<{ deliveryId: string }> {
  const bot = await requireBot(tx, tx, botId)
  const sent = await sendTestEvent(tx, botId)
  await tell(tx, by, bot, 'bot.webhook_tested')
  return sent
}

/** Where nothing is paused, what had failed is tried again at once all the same. */
export async function resumeBot(tx: Transaction, by: Actor, botId: string): Promise<void> {
  const bot = await requireBot(tx, tx, botId)
  if (!(await resumeWebhook(tx, botId))) return
  const changes = changesBetween({ pauseReason: bot.pauseReason }, { pauseReason: null })
  await tell(tx, by, bot, 'bot.webhook_resumed', changes)
  tx.wakes([botId])
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

/** Tells how many. The audit log has it with the first ones; `whoActs` may refuse there, too. */
export function replaySince(
  db: Database,
  bot: Bot,
  from: number,
  whoActs: (tx: Transaction) => Promise<Actor>,
): Promise<number> {
  return replayFrom(db, bot, from, async (tx, count) => {
    const by = await whoActs(tx)
    const row = await requireBot(tx, tx, bot.botId)
    requireWebhook(row)
    if (count === 0) return
    await tell(tx, by, row, 'bot.replayed', changesBetween({}, { from: new Date(from).toISOString() }))
    tx.wakes([row.id])
  })
}

/** Everything that failed, in steps; tells how many. */
export function retryFailed(
  db: Database,
  bot: Bot,
  whoActs: (tx: Transaction) => Promise<Actor>,
): Promise<number> {
  return replayFailed(db, bot, async (tx, count) => {
    const by = await whoActs(tx)
    const row = await requireBot(tx, tx, bot.botId)
    requireWebhook(row)
    if (count === 0) return
    await tell(tx, by, row, 'bot.replayed', changesBetween({}, { failed: true }))
    tx.wakes([row.id])
  })
}

function requireWebhook({ delivery }: BotRow): void {
  if (delivery !== 'webhook') throw badRequest('delivery mode is not webhook')
}
