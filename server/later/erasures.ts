import { eraseSome, putOff } from '../actions/erasure-steps.ts'
import type { Parley } from '../parley.ts'
import { listDueErasures } from '../queries/erasures.ts'
import { LOOK_MS } from './retention.ts'

/** People of one round, each by one step. */
const AT_ONCE = 20
/** Time to rest for each time that was worked, while there is more to do: what people write goes first. */
const REST_FACTOR = 4

/**
 * Erases some of what is left of people whose data is to go, and tells after how many milliseconds to look again. One that fails is put
 * off, and the others go on.
 */
export async function eraseData({ db, clock, log }: Pick<Parley, 'db' | 'clock' | 'log'>): Promise<number> {
  const began = performance.now()
  const due = await listDueErasures(db, clock(), AT_ONCE)
  let isMore = due.length === AT_ONCE
  for (const { orgId, profileId } of due)
    try {
      isMore = (await db.write(orgId, (tx) => eraseSome(tx, profileId))) || isMore
    } catch (error) {
      log.error({ err: error, orgId, profileId }, 'a step of an erasure failed; it will be tried again later')
      await db.write(orgId, (tx) => putOff(tx, profileId)).catch(() => {}) // the others go on in any case
    }
  return isMore ? REST_FACTOR * (performance.now() - began) : LOOK_MS
}
