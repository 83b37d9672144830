import { LIMITS } from '../../../../contract/limits.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import type { Visitor } from '../../../caller.ts'
import type { Clock } from '../../../db/database.ts'
import { type Attempt, AttemptLimit } from '../../../http/attempt-limit.ts'
import type { Parley } from '../../../parley.ts'
import { emailKey } from '../../../text.ts'

/** Many people can share a network; an account has one owner. */
const FAILURES_PER_NETWORK = 3 * LIMITS.signInFailuresPerMinute
/** A code has a million values, of which three are right at a time: a day of guesses must not find one. */
const CODES_PER_NETWORK_AND_HOUR = 10
const CODES_PER_HOUR = 30
const CHALLENGES_PER_MINUTE = 60
const HOUR_MS = 3_600_000

export type AccountLimits = ReturnType<typeof accountLimits>

export const accountLimits = (clock: Clock) => ({
  /** Passwords, also those that are asked for once more. */
  passwords: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: LIMITS.signInFailuresPerMinute,
    perAccount: LIMITS.signInFailuresEverywherePerMinute,
  }),
  /** Tokens of links and answers of passkeys: nobody can guess one, and nobody should be able to try for long. */
  guesses: new AttemptLimit(clock, { perNetwork: FAILURES_PER_NETWORK }),
  /** Codes of second factors, from people who have the password already. */
  codes: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: CODES_PER_NETWORK_AND_HOUR,
    perAccount: CODES_PER_HOUR,
    accountWindowMs: HOUR_MS,
  }),
  /** Mails that anybody can have sent to somebody else; how many an address gets is bounded where they are sent. */
  resets: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: LIMITS.passwordResetsPerHour,
    accountWindowMs: HOUR_MS,
  }),
  /** The same for requests to join by a link. */
  joins: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccountAndNetwork: LIMITS.passwordResetsPerHour,
    accountWindowMs: HOUR_MS,
  }),
  /** Challenges are kept for a moment on behalf of anybody who asks. */
  challenges: new AttemptLimit(clock, { perNetwork: CHALLENGES_PER_MINUTE }),
})

/** An attempt to prove that the account with this address is one's own. */
export const attemptOf = (
  { secrets }: Pick<Parley, 'secrets'>,
  visitor: Visitor,
  { email }: { email: string },
): Attempt => ({
  address: visitor.client.address,
  account: emailKey(email),
  knownBrowser: knownBrowser(secrets, visitor, email),
})
