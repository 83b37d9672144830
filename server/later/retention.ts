import { NO_TOPIC } from '../actions/audit.ts'
import { forgetUnheld } from '../actions/holds.ts'
import { deleteDueMessages } from '../actions/retention.ts'
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

/** Deletes messages whose time is over, of all organizations, and tells after how many milliseconds to look again. */
export async function deleteOldMessages({ db, clock }: Pick<Parley, 'db' | 'clock'>): Promise<number> {
  const began = performance.now()
  const due = await listDue(db, clock(), AT_ONCE)
  let isMore = due.length === AT_ONCE
  for (const topic of due) isMore = (await db.write(topic.orgId, (tx) => lookAt(tx, topic))) || isMore
  return isMore ? REST_FACTOR * (performance.now() - began) : LOOK_MS
}
