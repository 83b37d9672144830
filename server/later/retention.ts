import { NO_TOPIC } from '../actions/audit.ts'
import { forgetUnheld } from '../actions/holds.ts'
import { deleteDueMessages, putOffRetention } from '../actions/retention.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Parley } from '../parley.ts'
import { type Due, listDue } from '../queries/retention.ts'

/** Looks so often for topics whose time has come; each of them once an hour at most. */
export const LOOK_MS = 60_000
/** Topics of one round, each by one step. */
const AT_ONCE = 20
/** Time to rest for each time that was worked, while there is more to do: people's messages go first. */
const REST_FACTOR = 4

const lookAt = (tx: Transaction, topic: Due): Promise<boolean> =>
  topic.topicId === NO_TOPIC ? forgetUnheld(tx) : deleteDueMessages(tx, topic)

/**
 * Deletes messages whose time is over, of all organizations, and tells after how many milliseconds to look again. A topic in which that
 * fails is put off, and the others go on.
 */
export async function deleteOldMessages({
  db,
  clock,
  log,
}: Pick<Parley, 'db' | 'clock' | 'log'>): Promise<number> {
  const began = performance.now()
  const due = await listDue(db, clock(), AT_ONCE)
  let isMore = due.length === AT_ONCE
  for (const topic of due)
    try {
      isMore = (await db.write(topic.orgId, (tx) => lookAt(tx, topic))) || isMore
    } catch (error) {
      log.error(
        { err: error, ...topic },
        'messages whose time is over could not be deleted; tried again later',
      )
      await db.write(topic.orgId, (tx) => putOffRetention(tx, topic)).catch(() => {})
    }
  return isMore ? REST_FACTOR * (performance.now() - began) : LOOK_MS
}
