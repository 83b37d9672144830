import { LIMITS } from '../../../../contract/limits.ts'
import type { Clock } from '../../../db/database.ts'
import { AttemptLimit } from '../../../http/attempt-limit.ts'

/** Many people can share a network; an account has one owner. */
const FAILURES_PER_NETWORK = 3 * LIMITS.signInFailuresPerMinute
const RESETS_PER_HOUR = 5
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
  /** Mails that anybody can have sent to somebody else. */
  resets: new AttemptLimit(clock, {
    perNetwork: FAILURES_PER_NETWORK,
    perAccount: RESETS_PER_HOUR,
    accountWindowMs: HOUR_MS,
  }),
  /** What is kept for a moment on behalf of anybody who asks. */
  challenges: new AttemptLimit(clock, { perNetwork: CHALLENGES_PER_MINUTE }),
})
