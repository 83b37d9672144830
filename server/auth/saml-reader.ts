import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { BUILD_FOLDER } from '../project.ts'
import type { SamlConfig } from './saml-library.ts'

/** Built beside the server (bin/build.mjs): also what runs from the sources uses the built one. */
const PROGRAM = join(BUILD_FOLDER, 'saml-thread.js')
/** An honest answer takes 0.3 s, most of it for loading the library. */
const LIMIT_MS = 10_000
const HEAP_MB = 128
/** Threads at once, and answers that wait for one. */
const THREADS = 2
const MAX_WAITING = 20

export type SamlTask = { options: SamlConfig; answer: string }
export type SamlReading = { assertion: unknown } | { failure: string }

/**
 * Checks answers of the provider in threads that are ended in time: strangers can send answers too, and the library's time grows with the
 * square of their elements, also of those that are encrypted.
 */
export class SamlReader {
  #lanes: Promise<unknown>[] = Array.from({ length: THREADS }, async () => {})
  #next = 0
  #waiting = 0

  /** The assertion that is signed; throws what is wrong with the answer. */
  async read(task: SamlTask): Promise<unknown> {
    if (this.#waiting >= MAX_WAITING) throw new Error('too many answers wait to be read')
    this.#waiting += 1
    const lane = this.#next++ % THREADS
    const reading = (this.#lanes[lane] ?? Promise.resolve()).then(() => readInThread(task))
    this.#lanes[lane] = reading.catch(() => {})
    return reading.finally(() => {
      this.#waiting -= 1
    })
  }
}

function readInThread(task: SamlTask): Promise<unknown> {
  const thread = new Worker(PROGRAM, {
    workerData: task,
    env: {},
    execArgv: [],
    stdout: true, // the parser prints what it does not like
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the answer takes too long to read')), LIMIT_MS)
    thread.once('message', (reading: SamlReading) =>
      'failure' in reading ? reject(new Error(reading.failure)) : resolve(reading.assertion),
    )
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the answer could not be read')))
  }).finally(() => {
    clearTimeout(timer)
    void thread.terminate()
  })
}
