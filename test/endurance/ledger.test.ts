import { afterEach, expect, it } from 'vitest'
import { FLAWLESS, keepLedger } from '../support/ledger/ledger.ts'
import { stopAll } from '../support/server-process.ts'

const CALM = { ms: 4000, messages: 300 }
const LIMIT_MS = 600_000
/** The others must go on without a frozen node within this time. */
const MOST_GAP_MS = 5000
/** For a commit that waits, on a busy machine. */
const MOST_CLOCK_OFF_MS = 3000

afterEach(stopAll)

it('keeps what it acknowledged, once and in order, through kills, ended connections and restarts of the database', {
  timeout: LIMIT_MS,
}, async () => {
  const round = ['killed node', 'ended connections', 'restarted database'] as const
  const report = await keepLedger({ faults: [...round, ...round], calm: CALM })
  expect(report).toMatchObject(FLAWLESS)
})

it('goes on within seconds while a node is frozen, and keeps what it acknowledged', {
  timeout: LIMIT_MS,
}, async () => {
  const report = await keepLedger({ faults: ['frozen node', 'frozen node', 'frozen node'], calm: CALM })
  expect(report).toMatchObject(FLAWLESS)
  for (const { gapMs } of report.faults) expect(gapMs).toBeLessThan(MOST_GAP_MS)
})

it('keeps true times, and delivers at once, while one node is ten minutes ahead and one ten minutes behind', {
  timeout: LIMIT_MS,
}, async () => {
  const report = await keepLedger({ faults: ['wrong clocks'], calm: CALM })
  expect(report).toMatchObject(FLAWLESS)
  expect(report.verdict.clockOffMs).toBeLessThan(MOST_CLOCK_OFF_MS)
})
