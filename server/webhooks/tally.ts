import type { AttemptResult } from '../queries/bots/deliveries.ts'

/** Counters of this process, for `/metrics`. */
export const tally = {
  outcomes: new Map<AttemptResult, number>(),
  inFlight: 0,
  /** Attempts to notify a browser. */
  pushes: new Map<AttemptResult, number>(),
}

export function count(outcome: AttemptResult, outcomes = tally.outcomes): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}
