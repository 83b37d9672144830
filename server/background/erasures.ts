import { eraseSome, putOff } from '../actions/members/erasure-steps.ts'
import type { Parley } from '../parley.ts'
import { listDueErasures } from '../queries/members/erasures.ts'
import { type DueOptions, DueRounds } from './due-rounds.ts'
import { LOOK_MS } from './message-retention.ts'

/** People of one page, each by one step. */
const AT_ONCE = 20
/** Time to rest for each time that was worked, while there is more to do: what people write goes first. */
const REST_FACTOR = 4

/**
 * Erases a part of each person's data that is to be erased. Returns the milliseconds to the next look. People take
 * turns; a failed one is put off, and the others go on.
 */
export async function eraseData(
  { db, clock }: Pick<Parley, 'db' | 'clock'>,
  { rounds = new DueRounds(), noteFailure = () => {} }: DueOptions = {},
): Promise<number> {
  const began = performance.now()
  const eraseStep = async (orgId: string, profileId: string): Promise<boolean> => {
    try {
      return await db.write(orgId, (tx) => eraseSome(tx, profileId))
    } catch (error) {
      noteFailure(error, { orgId, profileId })
      await db.write(orgId, (tx) => putOff(tx, profileId)).catch(() => {}) // the others go on in any case
      return false
    }
  }
  const isMore = await rounds.serveNext({
    now: clock(),
    limit: AT_ONCE,
    list: (range, limit) => listDueErasures(db, range, limit),
    async serve(page) {
      let hasMore = false
      for (const { orgId, id } of page) hasMore = (await eraseStep(orgId, id)) || hasMore
      return hasMore
    },
  })
  return isMore ? REST_FACTOR * (performance.now() - began) : LOOK_MS
}
