import type { PersonCaller } from '../../auth/sessions.ts'
import type { Transaction } from '../../db/transaction.ts'
import { actorOf, audit, changesBetween } from '../organization/audit.ts'
import { requireReading } from '../organization/readings.ts'
import { requireBot } from './bot-settings.ts'

/** Permits a caller to read the content of a bot's events, under a reading of the bot. `tell` records what was read. */
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
