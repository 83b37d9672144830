import { afterEach, expect, it } from 'vitest'
import { FLAWLESS, keepLedger } from '../support/ledger/ledger.ts'
import { stopAll } from '../support/server-process.ts'

/** The long form, with more that goes wrong, is in test/endurance. */
/** The others must go on without a frozen node within this time. */
const MOST_GAP_MS = 5000
/** For a commit that waits, on a busy machine. */
const MOST_CLOCK_OFF_MS = 3000

afterEach(stopAll)

it('keeps what it acknowledged while nodes are killed, frozen and wrong about the time, connections end and the database restarts', async () => {
  const report = await keepLedger({
    faults: ['killed node', 'frozen node', 'ended connections', 'restarted database', 'wrong clocks'],
    calm: { ms: 1500, messages: 100 },
  })
  expect(report).toMatchObject(FLAWLESS)
  expect(report.verdict.acknowledged).toBeGreaterThanOrEqual(400)
  const frozen = report.faults.find(({ fault }) => fault === 'frozen node')
  expect(frozen?.gapMs).toBeLessThan(MOST_GAP_MS)
  expect(report.verdict.clockOffMs).toBeLessThan(MOST_CLOCK_OFF_MS)
})
