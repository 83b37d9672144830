import { postponeDueMessage, sendDueMessage } from '../actions/messages/scheduled-messages.ts'
import type { Parley } from '../parley.ts'
import { type DueMessage, listDueMessages, readNextDue } from '../queries/messages/scheduled-messages.ts'
import { restUntil } from '../worker.ts'
import { type DueOptions, DueRounds } from './due-rounds.ts'

/** Interval of looking for messages given to other nodes, and their longest delay. */
export const LOOK_MS = 2000
const AT_ONCE = 100

/**
 * Sends due messages of all organizations. Returns the milliseconds to the next one that is due soon: when the next is due, at most two
 * seconds. Every node looks; the second finds nothing. A message that cannot be sent is put off, and the others are
 * sent.
 */
export async function sendDueMessages(
  { db, clock, botLoops }: Pick<Parley, 'db' | 'clock' | 'botLoops'>,
  { rounds = new DueRounds(), noteFailure = () => {} }: DueOptions = {},
): Promise<number | undefined> {
  const send = async (message: DueMessage): Promise<void> => {
    try {
      await db.write(message.orgId, (tx) => sendDueMessage(tx, message))
    } catch (error) {
      noteFailure(error, { orgId: message.orgId, scheduledMessageId: message.id })
      await db.write(message.orgId, (tx) => postponeDueMessage(tx, message)).catch(() => {}) // the others go on in any case
    }
  }
  const isMore = await rounds.serveNext({
    now: clock(),
    limit: AT_ONCE,
    list: (range, limit) => listDueMessages(db, range, limit),
    async serve(page) {
      await Promise.all(page.map(send))
      for (const orgId of new Set(page.map((message) => message.orgId))) botLoops.watch(orgId)
      return false
    },
  })
  if (isMore) return 0
  return restUntil(await readNextDue(db, rounds.until), clock(), LOOK_MS)
}
