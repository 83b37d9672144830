import type { Database } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import { Worker, type WorkerParts } from '../worker.ts'
import {
  claimJobs,
  isJobDue,
  type Job,
  type JobKind,
  JobTakenOver,
  jobsChannel,
  postponeJob,
} from './queue.ts'

const POLL_MS = 1000
/** Time after which a dead node's job is begun again. */
const LEASE_MS = 10_000
const RENEW_MS = 3000
/** Number of remembered organizations; the others are served first again. */
const MAX_SERVED = 1000

export type JobDefinition = {
  kind: JobKind
  /** How many at a time on this node: of all organizations together, and of one of them. */
  concurrency: number
  concurrencyOfOne: number
  /** Waits before each further attempt; after the last one the job is given up. */
  retryAfterMs: readonly number[]
  /** Performs the job, and ends with `finishJob` in the transaction of the result. */
  perform(job: Job, signal: AbortSignal): Promise<void>
  /** Ends a job that kept failing, also with `finishJob`. */
  giveUp(job: Job): Promise<void>
}

type Parts = WorkerParts & { db: Database; notifications: Notifications }

/** Runs jobs of one kind for as long as the server runs. */
export class JobRunner {
  #parts: Parts
  #definition: JobDefinition
  #running = new Map<Promise<void>, Job>()
  /** Organizations that had a turn, the latest last. */
  #served = new Set<string>()
  #stop = new AbortController()
  #worker: Worker

  constructor(parts: Parts, definition: JobDefinition) {
    this.#parts = parts
    this.#definition = definition
    const { kind } = definition
    this.#worker = new Worker(`jobs: ${kind}`, parts, POLL_MS, () => this.#begin(), {
      isDue: (until) => isJobDue(kind, until),
    })
    parts.notifications.on(jobsChannel(kind), () => this.#worker.wake())
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#worker.stop()
    await Promise.all(this.#running.keys())
  }

  async #begin(): Promise<void> {
    const { db, clock } = this.#parts
    const { kind, concurrency } = this.#definition
    for (;;) {
      const limit = concurrency - this.#running.size
      if (limit <= 0 || this.#stop.signal.aborted) return
      const now = clock()
      const turns = { served: [...this.#served], busy: this.#busy() }
      const jobs = await claimJobs(db, kind, { now, until: now + LEASE_MS, limit, ...turns })
      if (jobs.length === 0) return
      for (const job of jobs) this.#start(job)
    }
  }

  /** Organizations that run as many jobs as they may. */
  #busy(): string[] {
    const counts = new Map<string, number>()
    for (const { orgId } of this.#running.values()) counts.set(orgId, (counts.get(orgId) ?? 0) + 1)
    return [...counts].flatMap(([orgId, count]) =>
      count >= this.#definition.concurrencyOfOne ? [orgId] : [],
    )
  }

  #start(job: Job): void {
    this.#served.delete(job.orgId)
    this.#served.add(job.orgId)
    const [longestAgo] = this.#served
    if (this.#served.size > MAX_SERVED && longestAgo !== undefined) this.#served.delete(longestAgo)
    const run = this.#run(job).finally(() => {
      this.#running.delete(run)
      this.#worker.wake()
    })
    this.#running.set(run, job)
  }

  async #run(job: Job): Promise<void> {
    const { db, clock, log } = this.#parts
    const renewal = setInterval(() => {
      postponeJob(db, job, clock() + LEASE_MS).catch(() => {})
    }, RENEW_MS)
    try {
      // An attempt that never ended took its node down; such a job is not repeated forever.
      if (this.#triesLeft(job) < 0) throw new Error('the server ended during each try')
      await this.#definition.perform(job, this.#stop.signal)
    } catch (error) {
      if (error instanceof JobTakenOver) return
      await this.#fail(job, error).catch((failure: unknown) => {
        log.error(
          { err: failure, kind: this.#definition.kind },
          'a failed job could not be put back; it comes up again',
        )
      })
    } finally {
      clearInterval(renewal)
    }
  }

  #triesLeft(job: Job): number {
    return this.#definition.retryAfterMs.length + 1 - job.attempts
  }

  async #fail(job: Job, error: unknown): Promise<void> {
    const { db, clock, log } = this.#parts
    const { kind, retryAfterMs } = this.#definition
    // A job that a stop interrupts does not count as tried: the next node takes it at once.
    if (this.#stop.signal.aborted) return postponeJob(db, job, clock(), job.attempts - 1)
    const about = { err: error, kind, messageId: job.messageId, attempt: job.attempts }
    if (this.#triesLeft(job) > 0) {
      const retryInMs = retryAfterMs[job.attempts - 1] ?? 0
      log.warn({ ...about, retryInMs }, 'a job failed; it will be tried again')
      return postponeJob(db, job, clock() + retryInMs)
    }
    log.error(about, 'a job was given up')
    await this.#definition.giveUp(job)
  }
}
