import type { Outcome } from './call.ts'

/** What this process has done, for `/metrics`. */
export const tally = { outcomes: new Map<Outcome, number>(), inFlight: 0 }

export function count(outcome: Outcome): void {
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1)
}
