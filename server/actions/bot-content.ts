import type { PersonCaller } from '../auth/sessions.ts'
import type { Transaction } from '../db/transaction.ts'
import { actorOf, audit, changesBetween } from './audit.ts'
import { requireBot } from './bot-settings.ts'
import { requireReading } from './readings.ts'

/** Lets somebody read what events of a bot say, under a reading of the bot. `tell` writes down what of it they read. */
export async function permitBotContent(
  tx: Transaction,
  caller: PersonCaller,
  botId: string,
): Promise<{ id: string; tell(page: Record<string, unknown>): Promise<void> }> {
  const { id, name } = await requireBot(caller, tx, botId)
  const reading = await requireReading(tx, caller, { type: 'bot', id })
  return {
    id,
    tell: (page) =>
      audit(tx, actorOf(caller), {
        action: 'bot.content_read',
        target: { type: 'bot', id, name },
        changes: [...reading, ...changesBetween({}, page)],
      }),
  }
}
