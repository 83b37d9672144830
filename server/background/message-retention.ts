import { NO_TOPIC } from '../actions/organization/audit.ts'
import { forgetUnheld } from '../actions/organization/holds.ts'
import { deleteDueMessages, putOffRetention } from '../actions/organization/message-retention.ts'
import { applyKeptMessages } from '../actions/organization/message-retention-settings.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Parley } from '../parley.ts'
import { listDue, listPlanned } from '../queries/organization/message-retention.ts'
import { type DueOptions, DueRounds } from './due-rounds.ts'

/** Looks so often for topics whose time has come; each of them once an hour at most. */
export const LOOK_MS = 60_000
/** Topics of one page, each by one step. */
const AT_ONCE = 20
/** Time to rest for each time that was worked, while there is more to do: people's messages go first. */
const REST_FACTOR = 4

const lookAt = (tx: Transaction, topicId: string): Promise<boolean> =>
  topicId === NO_TOPIC ? forgetUnheld(tx) : deleteDueMessages(tx, { topicId })

/**
 * Deletes expired messages of all organizations. Returns the milliseconds to the next look. Topics take turns; a failed
 * one is put off, and the others go on.
 */
export async function deleteOldMessages(
  { db, clock }: Pick<Parley, 'db' | 'clock'>,
  { rounds = new DueRounds(), noteFailure = () => {} }: DueOptions = {},
): Promise<number> {
  const began = performance.now()
  const deleteStep = async (orgId: string, topicId: string): Promise<boolean> => {
    try {
      return await db.write(orgId, (tx) => lookAt(tx, topicId))
    } catch (error) {
      noteFailure(error, { orgId, topicId })
      await db.write(orgId, (tx) => putOffRetention(tx, { topicId })).catch(() => {}) // the others go on in any case
      return false
    }
  }
  for (const { orgId } of await listPlanned(db, clock(), AT_ONCE))
    await db.write(orgId, applyKeptMessages).catch((error: unknown) => noteFailure(error, { orgId }))
  const isMore = await rounds.serveNext({
    now: clock(),
    limit: AT_ONCE,
    list: (range, limit) => listDue(db, range, limit),
    async serve(page) {
      let hasMore = false
      for (const { orgId, id } of page) hasMore = (await deleteStep(orgId, id)) || hasMore
      return hasMore
    },
  })
  return isMore ? REST_FACTOR * (performance.now() - began) : LOOK_MS
}
