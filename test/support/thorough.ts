import { it } from 'vitest'

/** Whether the run has time for everything: `npm run nightly` sets `THOROUGH=1`. The gate takes the same tests with fewer cases. */
export const IS_THOROUGH = process.env.THOROUGH === '1'

/** The number of cases that a test draws: few in the gate, and more at night. */
export const countOf = (gate: number, nightly: number): number => (IS_THOROUGH ? nightly : gate)

/** A test for the nightly run alone. */
export const itAtNight = it.skipIf(!IS_THOROUGH)

/** Cases of a table that only the nightly run takes. */
export const atNight = <Case>(...cases: Case[]): Case[] => (IS_THOROUGH ? cases : [])
