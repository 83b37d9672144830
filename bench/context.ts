import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './parts/child.ts'
import { startServer } from './parts/server.ts'
import type { Context, Figure, Scenario } from './scenario.ts'

export type Place = { root: string; processes: string }
export type Measuring = {
  runs: number
  seconds: number
  quick: boolean
  folder: string | undefined
  /** Limits a scenario to these figures; one that is not named here shows all of its figures. */
  figures: Record<string, readonly string[]>
}

/** Far beyond what any scenario takes: one that hangs does not keep the others. */
const LIMIT_MS = 40 * 60_000

type Ending = () => Promise<void>
const open = new Set<Ending>()
let interrupted = false

/** Ends everything that was started, for an interrupted benchmark. */
export async function endEverything(): Promise<void> {
  interrupted = true
  await Promise.all([...open].map((end) => end()))
}

/** Runs a scenario with all its parts, and cleans up after it. */
export async function runScenario(
  scenario: Scenario,
  place: Place,
  measuring: Measuring,
): Promise<Figure[][]> {
  const folder = await mkdtemp(join(measuring.folder ?? tmpdir(), 'parley-bench-'))
  const endings: Ending[] = [() => rm(folder, { recursive: true, force: true })]
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= endAll(endings)
    return ended
  }
  open.add(end)
  try {
    return await withLimit(scenario.run(contextOf(scenario, place, measuring, folder, endings)))
  } finally {
    await end()
    open.delete(end)
    // An interrupt also ends this process: nothing is measured or written any more.
    if (interrupted) await new Promise(() => {})
  }
}

/** Runs the endings in reverse order, including those added while it runs. */
async function endAll(endings: Ending[]): Promise<void> {
  for (let ending = endings.pop(); ending; ending = endings.pop()) await ending().catch(complain)
}

function contextOf(
  { name: scenario }: Scenario,
  { root, processes }: Place,
  { runs, seconds, quick, figures }: Measuring,
  folder: string,
  endings: Ending[],
): Context {
  const say = (text: string) => process.stderr.write(`  ${text}\n`)
  return {
    runs,
    seconds,
    quick,
    wants: (figure) => figures[scenario]?.includes(figure) ?? true,
    folder,
    say,
    onEnd: (end) => endings.push(end),
    async startServer({ environment = {}, dataDir } = {}) {
      const data = dataDir ?? (await mkdtemp(join(folder, 'data-')))
      return startServer({ root, dataDir: data, environment, onSpawn: (stop) => endings.push(stop) })
    },
    startProcess(name) {
      const child = startChild<never>(join(processes, `${name}.js`))
      endings.push(child.end)
      return child
    },
    async repeat(run) {
      const all: Figure[][] = []
      // A server runs for weeks: the time until its code is compiled does not count.
      if (!quick) await run(0)
      for (let number = 1; number <= runs; number++) {
        const figures = await run(number)
        say(`run ${number} of ${runs}: ${figures.map(inShort).join(', ')}`)
        all.push(figures)
      }
      return all
    },
  }
}

function inShort({ name, value, floor, unit, latency }: Figure): string {
  const against = floor === undefined ? '' : ` (floor ${floor.toPrecision(4)})`
  return `${name} ${value.toPrecision(4)}${against} ${unit}${latency ? `, p99 ${latency.p99.toPrecision(3)} ms` : ''}`
}

function complain(error: unknown): void {
  process.stderr.write(`  while ending: ${error}\n`)
}

async function withLimit<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${LIMIT_MS / 60_000} minutes`)), LIMIT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
