import { afterEach, describe, expect, it } from 'vitest'
import { openCommandLine } from '../support/command-line.ts'
import { CALM } from '../support/ledger/faults.ts'
import { keepLedger } from '../support/ledger/ledger.ts'
import { FLAWLESS, flawsOf } from '../support/ledger/verdict.ts'
import { hasStandbys, ReplicatedPostgres } from '../support/replicated-postgres.ts'
import { stopAll } from '../support/server-process.ts'

if (!hasStandbys)
  console.log('skipped: a standby needs PostgreSQL in /usr/lib/postgresql (apt install postgresql)')

/** The promotion itself, some 0.2 s, and a second for the nodes to find it, on a busy machine. */
const MOST_GAP_MS = 5000
/** The gap above, and the 3 s after which a node takes a silent machine for gone. */
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
      calm: CALM,
      replication: 'synchronous',
    })
    expect(flawsOf(report)).toEqual(FLAWLESS)
    expect(report.verdict.amounts.acknowledged).toBeGreaterThanOrEqual(400)
    for (const { fault, gapMs } of report.faults)
      expect(gapMs, fault).toBeLessThan(fault === 'silent primary' ? MOST_SILENT_GAP_MS : MOST_GAP_MS)
  })
})

describe.skipIf(!hasStandbys)('what may be lost with the primary', () => {
  for (const { replication, sync, words } of [
    { replication: 'synchronous', sync: 'sync', words: 'has all that was acknowledged' },
    { replication: 'asynchronous', sync: 'async', words: 'if promoted, may lose what was acknowledged last' },
  ] as const) {
    it(`is told by "status" and "doctor" of a standby that is ${replication}`, async () => {
      const postgres = await ReplicatedPostgres.start(replication)
      const parley = await openCommandLine()
      try {
        const { user, password, host, port, database } = postgres.connection
        const own = { DATABASE_URL: `postgres://${user}:${password}@${host}:${port}/${database}` }
        await parley.run(['migrate'], own)
        expect(await parley.json(['status'], own)).toMatchObject({
          standbys: [{ state: 'streaming', sync, missingBytes: expect.any(Number) }],
        })
        for (const command of ['status', 'doctor'])
          expect((await parley.run([command], own)).stdout).toMatch(
            new RegExp(`Standby standby.*streaming, ${sync}, .*${words}`),
          )
        if (replication === 'synchronous') return // while its standby is frozen, nothing can be written
        await postgres.whileStandbyIsFrozen(async () => {
          await postgres.ask('create table written as select generate_series(1, 1000000)')
          const [standby] = Object(await parley.json(['status'], own)).standbys
          expect(standby.missingBytes).toBeGreaterThan(16 * 1024 * 1024)
          const { code, stdout } = await parley.run(['doctor'], own)
          expect(code).toBe(1)
          expect(stdout).toContain('See in its log why it does not follow')
        })
      } finally {
        await parley.close()
        await postgres.close()
      }
    })
  }
})
