import { optionsOrExitCode } from '../bench/parts/command-line.ts'
import { Random } from '../fuzz/random.ts'
import {
  BRISK,
  BRISK_CALM,
  CALM,
  drawFault,
  LEISURELY,
  type PlannedFault,
} from '../test/support/ledger/faults.ts'
import { keepLedger, type LedgerReport } from '../test/support/ledger/ledger.ts'
import { isFlawless } from '../test/support/ledger/verdict.ts'
import { stopAll } from '../test/support/server-process.ts'
import { type Options, readOptions, USAGE } from './options.ts'

/** Faults per round. Each round is checked and starts with an empty record, which stays below 1 GB. */
const ROUND = 25
const UPGRADE: PlannedFault = { fault: 'rolling upgrade', node: 0 }

/** Returns the exit code: 1 when anything acknowledged was lost, doubled or out of order, or anything was wrongly answered. */
export async function main(args: readonly string[]): Promise<number> {
  const options = optionsOrExitCode(() => readOptions(args), USAGE)
  if (typeof options === 'number') return options
  console.log(`seed ${options.seed}`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stopAll().finally(() => process.exit(130)))
  const reports = await keepLedgers(options)
  console.log(describe(options.seed, reports))
  return reports.every(isFlawless) ? 0 : 1
}

async function keepLedgers({
  seed,
  count,
  minutes,
  brisk,
  workers,
  standby,
  fullDisk,
  from,
}: Options): Promise<LedgerReport[]> {
  const random = new Random(seed)
  const deadline = Date.now() + minutes * 60_000
  const reports: LedgerReport[] = []
  const drawn: PlannedFault[] = []
  function* nextRound(): Generator<PlannedFault> {
    for (let number = 0; number < ROUND && drawn.length < count && Date.now() < deadline; number++) {
      const isFirst = drawn.length === 0
      const next = isFirst && from !== undefined ? UPGRADE : drawFault(random, drawn, { standby, fullDisk })
      drawn.push(next)
      yield next
    }
  }
  do {
    reports.push(
      await keepLedger({
        faults: nextRound(),
        calm: brisk ? BRISK_CALM : CALM,
        pace: brisk ? BRISK : LEISURELY,
        seed,
        isBehindProxy: true,
        workers,
        replication: standby ? 'synchronous' : undefined,
        hasSmallDisk: fullDisk,
        former: drawn.length === 0 ? from : undefined,
        onFault: ({ fault, node, gapMs }) =>
          console.log(
            `${String(drawn.length).padStart(6)}  ${fault}, node ${node}: ${seconds(gapMs)} without an acknowledgement`,
          ),
      }),
    )
  } while (drawn.length < count && Date.now() < deadline)
  return reports
}

function describe(seed: number, reports: readonly LedgerReport[]): string {
  const sum = (figure: (report: LedgerReport) => number) =>
    reports.reduce((total, report) => total + figure(report), 0)
  const faults = reports.flatMap((report) => report.faults)
  const longest = faults.toSorted((one, other) => other.gapMs - one.gapMs)[0]
  const rows = {
    faults: faults.length,
    acknowledged: sum(({ verdict }) => verdict.amounts.acknowledged),
    'rightly refused': sum(({ verdict }) => total(verdict.amounts.rightlyRefused)),
    lost: sum(({ verdict, resets }) => verdict.missingInLists + total(verdict.missingAtListeners) + resets),
    doubled: sum(({ verdict, renamed }) => verdict.twiceInLists + verdict.twiceAtListeners + renamed),
    'out of order': sum(
      ({ verdict }) => verdict.disorderedAtListeners + verdict.disorderedWriters + verdict.disorderedTimes,
    ),
    'wrongly refused': sum(({ verdict }) => total(verdict.wronglyRefused)),
    'wrongly let through': sum(({ verdict }) => total(verdict.wronglyLetThrough)),
    'longest gap': longest ? `${seconds(longest.gapMs)} (${longest.fault})` : 'none',
    unexplained: reports.flatMap(({ verdict }) => verdict.unexpected).join('; ') || 'none',
  }
  const lines = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(21)}${value}`)
  return [
    `seed ${seed}: ${reports.every(isFlawless) ? 'nothing lost, nothing answered wrongly' : 'FAILED'}`,
    ...lines,
  ].join('\n')
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
