import { postponeDueMessage, sendDueMessage } from '../actions/scheduled-messages.ts'
import type { Parley } from '../parley.ts'
import { readNextDue } from '../queries/scheduled-messages.ts'

/** Looks so often for what other nodes were given: nothing is later than this. */
export const LOOK_MS = 2000
const AT_ONCE = 100

/**
 * Sends what is due, of all organizations, and tells after how many milliseconds to look again: when the next is due, and
 * after two seconds in any case. Every node looks; the second finds nothing.
 */
export async function sendDueMessages({ db, clock, log, botLoops }: Parley): Promise<number> {
  const next = await readNextDue(db, AT_ONCE)
  const now = clock()
  const due = next.filter(({ dueAt }) => dueAt <= now)
  const results = await Promise.allSettled(
    due.map((message) => db.write(message.orgId, (tx) => sendDueMessage(tx, message))),
  )
  const unsent = due.filter((_, index) => results[index]?.status === 'rejected')
  for (const message of unsent) await db.write(message.orgId, (tx) => postponeDueMessage(tx, message))
  for (const orgId of new Set(due.map((message) => message.orgId))) botLoops.watch(orgId)
  const failures = results.filter((result) => result.status === 'rejected')
  if (failures[0])
    log.error(
      { err: failures[0].reason, count: failures.length },
      'could not send what is due; it is tried again',
    )
  if (due.length === AT_ONCE) return 0
  const upcoming = next.find(({ dueAt }) => dueAt > now)
  return Math.min(LOOK_MS, upcoming ? Math.max(0, upcoming.dueAt - clock()) : LOOK_MS)
}
