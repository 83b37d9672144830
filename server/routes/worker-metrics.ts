import { Counter, Gauge, type Registry } from 'prom-client'
import type { Parley } from '../parley.ts'

const labelNames = ['worker'] as const

/** Metrics of background work, by worker. */
export function workerMetrics(
  { workers, clock }: Pick<Parley, 'clock' | 'workers'>,
  registry: Registry,
): void {
  new Counter({
    name: 'parley_worker_runs_total',
    help: 'Runs of background work of this node that have ended',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { state } of workers) this.inc({ worker: state.name }, state.runs)
    },
  })
  new Counter({
    name: 'parley_worker_failures_total',
    help: 'Runs of background work of this node that failed, in whole or in part',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { state } of workers) this.inc({ worker: state.name }, state.failures)
    },
  })
  const secondsSince = (time: number | null) => (time === null ? 0 : Math.max(0, clock() - time) / 1000)
  new Gauge({
    name: 'parley_worker_failing_seconds',
    help: 'For how long each run of this background work has failed; 0: the last one succeeded',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { state } of workers) this.set({ worker: state.name }, secondsSince(state.failingSince))
    },
  })
  new Gauge({
    name: 'parley_worker_running_seconds',
    help: 'For how long the run of this background work has lasted that is under way; 0: none is',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { state } of workers) this.set({ worker: state.name }, secondsSince(state.runningSince))
    },
  })
}
