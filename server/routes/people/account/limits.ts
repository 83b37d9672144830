import { LIMITS } from '../../../../contract/limits.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import type { Visitor } from '../../../caller.ts'
import type { Clock } from '../../../db/database.ts'
import { type Attempt, AttemptLimit } from '../../../http/attempt-limit.ts'
import type { Parley } from '../../../parley.ts'
import { emailKey } from '../../../text.ts'

/** A network can have many people; an account has one owner. */
const FAILURES_PER_NETWORK = 3 * LIMITS.signInFailuresPerMinute
/** A code has a million values, of which three are right at a time: a day of guesses must not find one. */
const CODES_PER_NETWORK_AND_HOUR = 10
const CODES_PER_HOUR = 30
const CHALLENGES_PER_MINUTE = 60
const HOUR_MS = 3_600_000

export type AccountLimits = ReturnType<typeof accountLimits>

export const accountLimits = (clock: Clock) => ({
  /** Passwords, including those asked for again. */
  passwords: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: LIMITS.signInFailuresPerMinute,
    perAccount: LIMITS.signInFailuresEverywherePerMinute,
  }),
  /** Tokens of links and passkey answers cannot be guessed; this limits long attempts anyway. */
  guesses: new AttemptLimit(clock, { perNetwork: FAILURES_PER_NETWORK }),
  /** Codes of second factors, from people who have the password already. */
  codes: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: CODES_PER_NETWORK_AND_HOUR,
    perAccount: CODES_PER_HOUR,
    accountWindowMs: HOUR_MS,
  }),
  /** Mails that a visitor can have sent to another person. The sender limits how many an address gets. */
  resets: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: LIMITS.passwordResetsPerHour,
    accountWindowMs: HOUR_MS,
  }),
  /** Requests to join by a link, which mail another person as well. */
  joins: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: LIMITS.passwordResetsPerHour,
    accountWindowMs: HOUR_MS,
  }),
  /** Challenges, which are kept for a moment for every visitor who asks. */
  challenges: new AttemptLimit(clock, { perNetwork: CHALLENGES_PER_MINUTE }),
})

/** An attempt to authenticate as the account of this address. */
export const attemptOf = (
  { secrets }: Pick<Parley, 'secrets'>,
  visitor: Visitor,
  { email }: { email: string },
): Attempt => ({
  address: visitor.client.address,
  account: emailKey(email),
  knownBrowser: knownBrowser(secrets, visitor, email),
})
