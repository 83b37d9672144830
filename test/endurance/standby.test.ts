import { afterEach, describe, expect, it } from 'vitest'
import { keepLedger } from '../support/ledger/ledger.ts'
import { FLAWLESS } from '../support/ledger/verdict.ts'
import { hasStandbys } from '../support/replicated-postgres.ts'
import { stopAll } from '../support/server-process.ts'

if (!hasStandbys)
  console.log('skipped: a standby needs PostgreSQL in /usr/lib/postgresql (apt install postgresql)')

/** The promotion itself, some 0.2 s, and a second for the nodes to find it, on a busy machine. */
const MOST_GAP_MS = 5000
/** The same, and until a node takes a machine for gone that does not answer: 3 s. */
const MOST_SILENT_GAP_MS = 10_000

describe.skipIf(!hasStandbys)('a synchronous standby that is promoted under load', () => {
  afterEach(stopAll)

  it('has everything that was acknowledged, and is found by itself', async () => {
    const report = await keepLedger({
      faults: [
        { fault: 'promoted standby', node: 0 },
        { fault: 'silent primary', node: 0 },
        { fault: 'restarted database', node: 0 },
        { fault: 'promoted standby', node: 0 },
      ],
      calm: { ms: 1500, messages: 100 },
      replication: 'synchronous',
    })
    expect(report).toMatchObject(FLAWLESS)
    expect(report.verdict.acknowledged).toBeGreaterThanOrEqual(400)
    for (const { fault, gapMs } of report.faults)
      expect(gapMs, fault).toBeLessThan(fault === 'silent primary' ? MOST_SILENT_GAP_MS : MOST_GAP_MS)
  })
})
