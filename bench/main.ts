import { endEverything, type Place, runScenario } from './context.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { asRecorded, findLosses, type Recorded, readRecorded, writeRecorded } from './report/recorded.ts'
import { describeMachine, type Machine, type Results, readBefore, writeResults } from './report/results.ts'
import { nameOf, round, type Summary, summarize } from './report/summary.ts'
import { table } from './report/table.ts'
import type { Figure } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'

type Measured = Pick<Results, 'summaries' | 'runs' | 'failures'>

/** Returns the exit code. */
export async function main(args: readonly string[], place: Place): Promise<number> {
  const options = tryToRead(args)
  if (typeof options === 'number') return options
  endOnSignals()
  const machine = await describeMachine(place.root, options.folder)
  warn(machine)
  return options.quick ? runQuick(options, place) : runAll(options, place, machine)
}

/** The options; or the exit code, when there is nothing to run. */
function tryToRead(args: readonly string[]): Options | number {
  try {
    const options = readOptions(args)
    if (options) return options
    console.log(USAGE)
    return 0
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
}

async function runAll(options: Options, place: Place, machine: Machine): Promise<number> {
  const before = await readBefore(place.root)
  const date = new Date().toISOString()
  const measured = await measure(options.names, options, place)
  show(measured, before, 'before')
  const { runs, seconds, quick } = options
  const path = await writeResults(place.root, {
    date,
    machine,
    options: { runs, seconds, quick },
    ...measured,
  })
  console.log(`\nWritten to ${path}.json and .svg`)
  if (options.record) await writeRecorded(place.root, measured.summaries)
  return Object.keys(measured.failures).length > 0 ? 1 : 0
}

/** What seems to have become twice as slow is measured a second time: only who fails both times fails. */
async function runQuick(options: Options, place: Place): Promise<number> {
  const recorded = await readRecorded(place.root)
  if (Object.keys(recorded).length === 0) console.error('Nothing is recorded yet: --record does it.')
  const measured = await measure(options.names, options, place)
  show(measured, asRecorded(measured.summaries, recorded), 'recorded')
  if (options.record) await writeRecorded(place.root, measured.summaries)
  const again = suspects(measured, recorded)
  if (again.length === 0 || options.record) return Object.keys(measured.failures).length > 0 ? 1 : 0
  console.log(`\nOnce more: ${again.join(', ')}`)
  const second = await measure(again, options, place)
  show(second, asRecorded(second.summaries, recorded), 'recorded')
  for (const loss of findLosses(second.summaries, recorded)) {
    console.log(`${nameOf(loss)}: ${round(loss.ratio ?? 0)}, recorded was ${recorded[nameOf(loss)]}`)
  }
  return suspects(second, recorded).length > 0 ? 1 : 0
}

const suspects = ({ summaries, failures }: Measured, recorded: Recorded): string[] => [
  ...new Set([...findLosses(summaries, recorded).map(({ scenario }) => scenario), ...Object.keys(failures)]),
]

async function measure(names: readonly string[], options: Options, place: Place): Promise<Measured> {
  const summaries: Summary[] = []
  const runs: Record<string, Figure[][]> = {}
  const failures: Record<string, string> = {}
  for (const scenario of SCENARIOS.filter(({ name }) => names.includes(name))) {
    process.stderr.write(`${scenario.name}: ${scenario.title}\n`)
    try {
      const figures = await runScenario(scenario, place, options)
      runs[scenario.name] = figures
      summaries.push(...summarize(scenario, figures))
    } catch (error) {
      failures[scenario.name] = error instanceof Error ? error.message : String(error)
      process.stderr.write(`  failed: ${failures[scenario.name]}\n`)
    }
  }
  return { summaries, runs, failures }
}

function show({ summaries, failures }: Measured, before: readonly Summary[], name: string): void {
  console.log(`\n${table(summaries, before, name)}`)
  for (const [name, reason] of Object.entries(failures))
    console.log(`\n${name} failed: ${reason.split('\n')[0]}`)
}

function warn({ loadBefore, cores, inMemory }: Machine): void {
  if (loadBefore > cores / 4) {
    console.error(
      `This machine is busy (load ${loadBefore.toFixed(2)}): the figures will be worse than they could be.`,
    )
  }
  if (inMemory) {
    console.error('The temporary folder is in memory: writes cost less than on a disk. Give --folder.')
  }
}

function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      console.error('\nStopping …')
      void endEverything().finally(() => process.exit(130))
    })
  }
}
