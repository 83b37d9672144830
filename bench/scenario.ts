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
  /** Numbers that help to judge it; shown in the results only. */
  details?: Record<string, number>
}

/** The goal of a figure; each that is given counts. */
export type Target = {
  /** Against the floor, where 1 is as good as the floor and more is better. */
  ratioAtLeast?: number
  valueUnder?: number
  valueAtLeast?: number
  /** Milliseconds. */
  p99Under?: number
}

export type Scenario = {
  name: string
  title: string
  /** The floor that it is held against, in words. */
  floor?: string
  /** Targets by the name of the figure. */
  target: Record<string, Target>
  /** All runs of it; the figures of each. */
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
  /** Whether this figure is asked for; a scenario may leave out what is not. */
  wants(figure: string): boolean
  /** A folder of its own, on the file system of the servers' data. */
  folder: string
  /** A server on fresh data; with `dataDir` on the data of one before. */
  startServer(options?: { environment?: Record<string, string>; dataDir?: string }): Promise<Server>
  startProcess<Asked extends Handlers>(name: ProcessName): Child<Asked>
  /** Something else to be ended with the scenario. */
  onEnd(end: () => Promise<void>): void
  /** Does it as often as was asked for. */
  repeat(run: (number: number) => Promise<Figure[]>): Promise<Figure[][]>
  say(text: string): void
}

/** 1 is as good as the floor, less is worse, whatever the figure is. */
export function ratioOf({ value, floor, better }: Figure): number | undefined {
  if (floor === undefined || floor === 0) return undefined
  if (better === 'more') return value / floor
  return value === 0 ? undefined : floor / value
}
