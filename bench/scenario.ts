import type { Child, Handlers } from './parts/child.ts'
import type { Latency } from './parts/histogram.ts'
import type { Server } from './parts/server.ts'

/** One measured value of a run. */
export type Figure = {
  name: string
  unit: string
  /** `more` for throughput; `less` for times and memory. */
  better: 'more' | 'less'
  value: number
  /** The floor's value, measured in the same run. */
  floor?: number
  latency?: Latency
  /** Further numbers, shown in the results only. */
  details?: Record<string, number>
}

/** The goals of a figure; all given ones apply. */
export type Target = {
  /** Ratio to the floor: 1 is as good as the floor, more is better. */
  ratioAtLeast?: number
  valueUnder?: number
  valueAtLeast?: number
  /** Milliseconds. */
  p99Under?: number
}

export type Scenario = {
  name: string
  title: string
  /** The floor that it is compared with, in words. */
  floor?: string
  /** Targets by the name of the figure. */
  target: Record<string, Target>
  /** Returns the figures of each run. */
  run(context: Context): Promise<Figure[][]>
}

export type ProcessName =
  | 'load'
  | 'bodies'
  | 'floor'
  | 'polls'
  | 'streams'
  | 'receivers'
  | 'webhook-floor'
  | 'workers'

/** The means of a scenario. All of it is ended and removed when the scenario is over. */
export type Context = {
  runs: number
  seconds: number
  quick: boolean
  /** Whether this figure is wanted; a scenario may leave out others. */
  wants(figure: string): boolean
  /** A folder on the file system of the servers' data. */
  folder: string
  /** Starts a server on new data, or on an earlier one's `dataDir`. */
  startServer(options?: { environment?: Record<string, string>; dataDir?: string }): Promise<Server>
  startProcess<Asked extends Handlers>(name: ProcessName): Child<Asked>
  /** Adds a clean-up for the end of the scenario. */
  onEnd(end: () => Promise<void>): void
  /** Repeats the run as often as was asked for. */
  repeat(run: (number: number) => Promise<Figure[]>): Promise<Figure[][]>
  say(text: string): void
}

/** Returns 1 if as good as the floor, less if worse, for any figure. */
export function ratioOf({ value, floor, better }: Figure): number | undefined {
  if (floor === undefined || floor === 0) return undefined
  if (better === 'more') return value / floor
  return value === 0 ? undefined : floor / value
}
