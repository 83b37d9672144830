import { afterEach, expect, it } from 'vitest'
import { FLAWLESS, keepLedger } from '../support/ledger/ledger.ts'
import { stopAll } from '../support/server-process.ts'

/** The long form, with more that goes wrong, is in test/endurance. */
const LIMIT_MS = 240_000

afterEach(stopAll)

it('keeps what it acknowledged while a node is killed, connections end and the database restarts', {
  timeout: LIMIT_MS,
}, async () => {
  const report = await keepLedger({
    faults: ['killed node', 'ended connections', 'restarted database'],
    calm: { ms: 1500, messages: 100 },
  })
  expect(report).toMatchObject(FLAWLESS)
  expect(report.verdict.acknowledged).toBeGreaterThanOrEqual(400)
})
