import { afterEach, expect, inject, it } from 'vitest'
import { BRISK, CALM, type PlannedFault } from '../support/ledger/faults.ts'
import { keepLedger } from '../support/ledger/ledger.ts'
import { FLAWLESS, flawsOf } from '../support/ledger/verdict.ts'
import { stopAll } from '../support/server-process.ts'

/*
 * Needs a cluster, and the right to restart its workers: CITUS_WORKER_RESTART is a command of a shell that finds the worker in HOST and PORT, and
 * in MODE whether it ends `fast` or `immediate`ly, and that is over when the worker is back. Without them this is skipped.
 */
const cluster = inject('cluster')
const command = process.env.CITUS_WORKER_RESTART

/** Restarts each worker as an operator does, and kills it. */
const FAULTS: PlannedFault[] = [
  { fault: 'restarted database', node: 0 },
  { fault: 'restarted database', node: 0 },
  { fault: 'killed database', node: 0 },
  { fault: 'killed database', node: 0 },
]
const LIMIT_MS = 900_000

afterEach(stopAll)

it.skipIf(!cluster || !command)(
  'keeps what it acknowledged while workers of a cluster are restarted',
  { timeout: LIMIT_MS },
  async () => {
    const report = await keepLedger({
      faults: FAULTS,
      calm: CALM,
      pace: BRISK,
      cluster: { cluster: cluster ?? [], command: command ?? '' },
    })
    expect(flawsOf(report)).toEqual(FLAWLESS)
    expect(report.faults).toHaveLength(FAULTS.length)
    expect(report.verdict.amounts.acknowledged).toBeGreaterThan(FAULTS.length * CALM.messages)
  },
)
