import { endEverything, type Place } from './context.ts'
import { measure, show } from './measure.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { optionsOrExitCode } from './parts/command-line.ts'
import { runQuick } from './quick.ts'
import { writeRecorded } from './report/recorded.ts'
import { describeMachine, type Machine, readBefore, writeResults } from './report/results.ts'

/** Returns the exit code. */
export async function main(args: readonly string[], place: Place): Promise<number> {
  const options = optionsOrExitCode(() => readOptions(args), USAGE)
  if (typeof options === 'number') return options
  endOnSignals()
  const machine = await describeMachine(place.root, options.folder)
  warn(machine)
  return options.quick ? runQuick(options, place) : runAll(options, place, machine)
}

async function runAll(options: Options, place: Place, machine: Machine): Promise<number> {
  const before = await readBefore(place.root)
  const date = new Date().toISOString()
  const measured = await measure(options.names, options, place)
  const { runs, seconds, quick } = options
  const results = { date, machine, options: { runs, seconds, quick }, ...measured }
  if (options.json) console.log(JSON.stringify(results, undefined, 2))
  else show(measured, { title: 'before', summaries: before, missing: '' })
  const path = await writeResults(place.root, results)
  console.error(`\nWritten to ${path}.json and .svg`)
  if (options.record) await writeRecorded(place.root, measured.summaries)
  return Object.keys(measured.failures).length > 0 ? 1 : 0
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
