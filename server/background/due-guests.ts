import { endGuest } from '../actions/members/people.ts'
import type { DuePlace } from '../db/due-range.ts'
import type { Parley } from '../parley.ts'
import { listDueGuests, readNextGuestEnd } from '../queries/topics/guests.ts'
import { restUntil } from '../worker.ts'
import { type DueOptions, DueRounds } from './due-rounds.ts'

const AT_ONCE = 50
/** The longest wait between two looks: an admin may set an end that is near. */
export const LOOK_MS = 1000

/** Archives guests of all organizations whose access has ended. Returns the milliseconds to the next one that is due soon. */
export async function endDueGuests(
  { db, clock }: Pick<Parley, 'db' | 'clock'>,
  { rounds = new DueRounds(), noteFailure = () => {} }: DueOptions = {},
): Promise<number | undefined> {
  const end = ({ orgId, id }: DuePlace) =>
    db
      .write(orgId, (tx) => endGuest(tx, id))
      .catch((error: unknown) => noteFailure(error, { orgId, memberId: id }))
  const isMore = await rounds.serveNext({
    now: clock(),
    limit: AT_ONCE,
    list: (range, limit) => listDueGuests(db, range, limit),
    async serve(page) {
      await Promise.all(page.map(end))
      return false
    },
  })
  if (isMore) return 0
  return restUntil(await readNextGuestEnd(db, rounds.until), clock(), LOOK_MS)
}
