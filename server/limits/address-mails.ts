import { LIMITS } from '../../contract/limits.ts'
import type { Queryable } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import { emailKey } from '../text.ts'
import { DAY_MS, takeFromBudget } from './budget.ts'

/**
 * Daily limits of mails to one address, over all organizations. Each kind has its own: strangers' invitations do not
 * keep an owner from a new password. Nor do strangers' reset requests, because a known browser of the owner counts
 * separately.
 */
const CEILINGS = {
  invitation: LIMITS.mailsToAddressPerDay,
  reset: LIMITS.resetMailsPerDay,
  'reset in a known browser': LIMITS.resetMailsPerDay,
}

/**
 * Counts one more mail to an address, whether it has an account or not. Returns the milliseconds until there is room; 0
 * means that it may be sent. The budget's name has a keyed hash of the address, so that the table does not reveal who
 * was written to.
 */
export async function waitForMailTo(
  tx: Queryable & { now(): number },
  secrets: Secrets,
  email: string,
  kind: keyof typeof CEILINGS,
): Promise<number> {
  const name = `mails:${kind}:${secrets.sign('mails to an address', emailKey(email))}`
  const { granted, endsAt } = await takeFromBudget(tx, () => tx.now(), name, CEILINGS[kind], 1, DAY_MS)
  return granted === 1 ? 0 : Math.max(1, endsAt - tx.now())
}
