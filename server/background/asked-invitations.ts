import { sendAskedInvitation } from '../actions/members/asked-invitations.ts'
import type { DuePlace } from '../db/due-range.ts'
import type { Parley } from '../parley.ts'
import { listDueInvitations } from '../queries/members/invitations.ts'
import { type DueOptions, DueRounds } from './due-rounds.ts'

const AT_ONCE = 20
/** The wait between two looks. */
export const LOOK_MS = 2000

/** Sends invitations of all organizations that admins asked for. Returns 0 while there are more. */
export async function sendAskedInvitations(
  { db, clock, secrets, config }: Pick<Parley, 'db' | 'clock' | 'secrets' | 'config'>,
  { rounds = new DueRounds(), noteFailure = () => {} }: DueOptions = {},
): Promise<number | undefined> {
  const send = ({ orgId, id }: DuePlace) =>
    db
      .write(orgId, (tx) => sendAskedInvitation(tx, { secrets, config }, id))
      .catch((error: unknown) => noteFailure(error, { orgId, memberId: id }))
  const isMore = await rounds.serveNext({
    now: clock(),
    limit: AT_ONCE,
    list: (range, limit) => listDueInvitations(db, range, limit),
    async serve(page) {
      await Promise.all(page.map(send))
      return false
    },
  })
  return isMore ? 0 : undefined
}
