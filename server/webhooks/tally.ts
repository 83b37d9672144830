import type { AttemptResult } from '../queries/deliveries.ts'

/** What this process has done, for `/metrics`. */
export const tally = { outcomes: new Map<AttemptResult, number>(), inFlight: 0 }

export function count(outcome: AttemptResult): void {
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1)
}
