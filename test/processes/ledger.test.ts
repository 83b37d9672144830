import { afterEach, expect, it } from 'vitest'
import { keepLedger } from '../support/ledger/ledger.ts'
import { FLAWLESS } from '../support/ledger/verdict.ts'
import { stopAll } from '../support/server-process.ts'

/** The long form is `npm run faults`. */
/** The others must go on without a frozen node within this time. */
const MOST_GAP_MS = 5000
/** For a commit that waits, on a busy machine. */
const MOST_CLOCK_OFF_MS = 3000

afterEach(stopAll)

it('keeps what it acknowledged while nodes are killed, frozen and wrong about the time, cut off from the database, and the database is killed', async () => {
  const report = await keepLedger({
    faults: [
      { fault: 'killed node', node: 1 },
      { fault: 'frozen node', node: 0 },
      { fault: 'killed database', node: 0 },
      { fault: 'cut line', node: 2 },
      { fault: 'wrong clocks', node: 0 },
    ],
    calm: { ms: 1500, messages: 100 },
  })
  expect(report).toMatchObject(FLAWLESS)
  expect(report.verdict.acknowledged).toBeGreaterThanOrEqual(400)
  const frozen = report.faults.find(({ fault }) => fault === 'frozen node')
  expect(frozen?.gapMs).toBeLessThan(MOST_GAP_MS)
  expect(report.verdict.clockOffMs).toBeLessThan(MOST_CLOCK_OFF_MS)
})
