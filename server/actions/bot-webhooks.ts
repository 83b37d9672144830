import type { Database } from '../db/database.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest } from '../errors.ts'
import type { BotRow } from '../queries/bots.ts'
import type { Bot } from '../webhooks/claim.ts'
import { type Actor, changesBetween } from './audit.ts'
import { requireBot, tell } from './bot-settings.ts'
import { replayDelivery, replayFrom, resumeWebhook, sendTestEvent } from './deliveries.ts'

export async function testWebhook(
  tx: Transaction,
  by: Actor,
  botId: string,
): Promise<{ deliveryId: string }> {
  const bot = await requireBot(tx, botId)
  const sent = await sendTestEvent(tx, botId)
  await tell(tx, by, bot, 'bot.webhook_tested')
  return sent
}

/** Where nothing is paused, what had failed is tried again at once all the same. */
export async function resumeBot(tx: Transaction, by: Actor, botId: string): Promise<void> {
  const bot = await requireBot(tx, botId)
  await resumeWebhook(tx, botId)
  await tell(
    tx,
    by,
    bot,
    'bot.webhook_resumed',
    changesBetween({ pauseReason: bot.pauseReason }, { pauseReason: null }),
  )
  tx.addresses([botId])
}

export async function replayOne(
  tx: Transaction,
  by: Actor,
  botId: string,
  deliveryId: string,
): Promise<void> {
  const bot = await requireBot(tx, botId)
  await replayDelivery(tx, botId, deliveryId)
  requireWebhook(bot)
  await tell(tx, by, bot, 'bot.replayed', changesBetween({}, { delivery: deliveryId }))
  tx.addresses([botId])
}

/** Tells how many. The audit log has it before the first one goes out. */
export async function replaySince(db: Database, by: Actor, bot: Bot, from: number): Promise<number> {
  await db.write(bot.orgId, async (tx) => {
    const row = await requireBot(tx, bot.botId)
    requireWebhook(row)
    await tell(tx, by, row, 'bot.replayed', changesBetween({}, { from: new Date(from).toISOString() }))
  })
  return replayFrom(db, bot, from)
}

function requireWebhook({ delivery }: BotRow): void {
  if (delivery !== 'webhook') throw badRequest('delivery mode is not webhook')
}
