import { afterEach, expect, it } from 'vitest'
import { Random } from '../../fuzz/random.ts'
import { BRISK, BRISK_CALM, drawFaults } from '../support/ledger/faults.ts'
import { keepLedger } from '../support/ledger/ledger.ts'
import { REFUSALS } from '../support/ledger/model.ts'
import { FLAWLESS, flawsOf } from '../support/ledger/verdict.ts'
import { stopAll } from '../support/server-process.ts'
import { countOf, IS_THOROUGH } from '../support/thorough.ts'

/** The nightly run draws each kind of fault. A gate must not fail by chance: other seeds, and faults that last longer, are for `npm run faults`. */
const SEED = 119
const FAULTS = countOf(8, 25)
/** The nightly run takes 90 to 120 s; longer only where many other things run. */
const LIMIT_MS = 600_000
/** Allows for a commit that waits on a busy machine; the skewed clocks are ten minutes wrong. */
const MOST_CLOCK_OFF_MS = 30_000

afterEach(stopAll)

it(`keeps what it acknowledged, and answers rightly, while ${FAULTS} things go wrong, drawn from a seed`, {
  timeout: LIMIT_MS,
}, async () => {
  const faults = drawFaults(new Random(SEED), FAULTS)
  const report = await keepLedger({ faults, calm: BRISK_CALM, pace: BRISK, isBehindProxy: true })
  expect(flawsOf(report)).toEqual(FLAWLESS)
  const { rightlyRefused, certain, uncertain } = report.verdict.amounts
  expect(Object.values(REFUSALS)).toEqual(expect.arrayContaining(Object.keys(rightlyRefused)))
  // A short run does not come across each refusal.
  if (IS_THOROUGH) expect(Object.keys(rightlyRefused)).toHaveLength(Object.keys(REFUSALS).length)
  expect(certain).toBeGreaterThan(uncertain)
  expect(report.faults).toHaveLength(FAULTS)
  expect(report.verdict.amounts.acknowledged).toBeGreaterThan(FAULTS * BRISK_CALM.messages)
  expect(report.verdict.amounts.clockOffMs).toBeLessThan(MOST_CLOCK_OFF_MS)
})
