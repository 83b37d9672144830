import { LIMITS } from '../../contract/limits.ts'
import type { Queryable } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import { emailKey } from '../text.ts'
import { DAY_MS, takeFromBudget } from './budget.ts'

/**
 * Ceilings of mails to one address in a day, over all organizations. Each kind has its own: invitations that strangers send keep nobody
 * from a new password, and requests of strangers for one keep its owner, in a browser that has signed in before, from none.
 */
const CEILINGS = {
  invitation: LIMITS.mailsToAddressPerDay,
  reset: LIMITS.resetMailsPerDay,
  'reset in a known browser': LIMITS.resetMailsPerDay,
}

/**
 * Counts one more mail to an address, whether there is an account or not. Returns the milliseconds until there is room; 0: it may be
 * sent. The budget has a keyed hash of the address in its name, so that nobody learns from the table who was written to.
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
