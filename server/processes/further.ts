import { type ChildProcess, fork } from 'node:child_process'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { Connection } from '../postgres/embedded.ts'
import { BUILD_FOLDER } from '../project.ts'
import { withLimit } from '../with-limit.ts'
import { Channel, type ProcessMessage } from './channel.ts'
import type { Siblings } from './siblings.ts'

/** Built beside the server (bin/build.mjs). */
const PROGRAM = join(BUILD_FOLDER, 'further-process.js')
/** The wait before a process that ended by itself is started again; it doubles up to the longest one. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** A process that has run for so long is started again without a longer wait. */
const STEADY_MS = 60_000
/** A process that hangs keeps a stop no longer than this, and is killed: clients whom it never accepts would be reset at its end. */
const LEAVE_LIMIT_MS = 10_000
/** The stop of each process has 20 seconds for its requests. */
const END_LIMIT_MS = 25_000

type Further = {
  number: number
  process: ChildProcess
  channel: Channel
  /** Resolves when it has left the listener. */
  accepting: Promise<void>
  exit: Promise<void>
}

type Options = {
  /** How many there are, besides this one. */
  count: number
  server: Server
  baseUrl: string
  /** The embedded database, which this process owns; undefined if each connects by the settings. */
  connection: Connection | undefined
  siblings: Siblings
  log: Log
}

/**
 * Further processes that answer requests on this one's port, each a node of the role `api`. They share its listener: the kernel gives a
 * new connection to the process that takes it first. One that ends by itself is started again; all end with this one.
 */
export class FurtherProcesses {
  #options: Options
  #running = new Map<number, Further>()
  #restarts = new Set<NodeJS.Timeout>()
  #isStopping = false
  #isDraining = false

  constructor(options: Options) {
    this.#options = options
    const { siblings, count } = options
    siblings.number = 1
    siblings.otherMetrics = () => this.#metrics()
    for (let number = 2; number <= count + 1; number++) this.#start(number, FIRST_WAIT_MS)
  }

  /** Says that the server is about to leave, as this process does. */
  drain(): void {
    this.#isDraining = true
    for (const { channel } of this.#running.values()) channel.tell({ kind: 'drain' })
  }

  /** Resolves when only this process still accepts connections. The others go on with the requests that they have. */
  async stopAccepting(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#restarts) clearTimeout(timer)
    for (const { channel } of this.#running.values()) channel.tell({ kind: 'stop' })
    await Promise.all(
      [...this.#running.values()].map(async ({ accepting, exit, process }) => {
        let hasLeft = false
        const leaving = Promise.race([accepting, exit]).then(() => {
          hasLeft = true
        })
        await withLimit(leaving, LEAVE_LIMIT_MS)
        if (hasLeft) return
        process.kill('SIGKILL')
        await exit
      }),
    )
  }

  /** Resolves when all of them have ended. */
  async stop(): Promise<void> {
    const exits = Promise.all([...this.#running.values()].map(({ exit }) => exit))
    await withLimit(exits, END_LIMIT_MS)
    for (const { process } of this.#running.values()) process.kill('SIGKILL')
    await exits
  }

  #start(number: number, waitMs: number): void {
    const { server, baseUrl, connection, log } = this.#options
    const startedAt = performance.now()
    const child = fork(PROGRAM, [], { env: { ...process.env, ROLES: 'api', WORKERS: '1' } })
    const channel = new Channel(
      // The listener of `exit` handles a process that has ended.
      (message, handle) => void (child.connected && child.send(message, handle, {}, () => {})),
      () => this.#metrics(number),
    )
    let stopsAccepting = () => {}
    const accepting = new Promise<void>((resolve) => {
      stopsAccepting = resolve
    })
    child.on('message', (message: ProcessMessage) => {
      if (message.kind === 'not accepting') stopsAccepting()
      else channel.hear(message)
    })
    const exit = new Promise<void>((resolve) => {
      const ended = (how: string) => {
        resolve()
        if (this.#running.get(number)?.process !== child) return
        this.#running.delete(number)
        if (this.#isStopping) return
        const nextMs = performance.now() - startedAt > STEADY_MS ? FIRST_WAIT_MS : waitMs
        log.error({ process: number }, `a process that answers requests ended (${how}); it is started again`)
        const restart = setTimeout(() => {
          this.#restarts.delete(restart)
          this.#start(number, Math.min(nextMs * 2, LONGEST_WAIT_MS))
        }, nextMs)
        this.#restarts.add(restart)
      }
      child.once('exit', (code, signal) => ended(signal ?? `exit ${code}`))
      child.once('error', (error) => ended(error.message))
    })
    this.#running.set(number, { number, process: child, channel, accepting, exit })
    channel.tell({ kind: 'start', number, baseUrl, connection }, Object(server)._handle)
    if (this.#isDraining) channel.tell({ kind: 'drain' })
  }

  /** The metrics of all processes but the one with this number. */
  async #metrics(without = 1): Promise<string[]> {
    const others = [...this.#running.values()].filter(({ number }) => number !== without)
    const own = without === 1 ? [] : [await this.#options.siblings.ownMetrics()]
    const theirs = await Promise.all(others.map(({ channel }) => channel.askForMetrics()))
    return [...own, ...theirs.flat()]
  }
}
