import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILD_FOLDER } from '../../project.ts'
import type { FileTask, ImageReport } from './task.ts'

/** Built beside the server (bin/build.mjs): also what runs from the sources uses the built one. */
const PROGRAM = join(BUILD_FOLDER, 'image-process.js')
/** Starting takes 0.2 s; this is for a machine that hardly moves. */
const START_LIMIT_MS = 30_000
/** Headers of sounds and films are read into this heap; pixels are outside of it. A document is taken apart inside of it. */
const HEAP_MB = { work: 64, looks: 64, texts: 192 } as const
/** The memory that a process may have in all while it reads a document, and how often that is looked at. */
const MAX_TEXT_MEMORY_MB = 512
const MEMORY_LOOK_MS = 100
const PAGE_BYTES = 4096

/** The readers that a process loads at its start: of images, sounds and pages, of the text inside files, or what tells the type of a file. */
export type ChildPurpose = 'work' | 'looks' | 'texts'

/** The file took longer than it may; its process was killed. */
export class ImageTookTooLong extends Error {
  override name = 'ImageTookTooLong'
}

/** The process ended during a task: a crash of the decoder, a lack of memory, or a stop. */
export class ImageProcessEnded extends Error {
  override name = 'ImageProcessEnded'
  /** Whether the process gave up by itself, as one without memory does: the same file would end the next one too. */
  wasAborted = false
}

/** A process that works on one file at a time. It has nothing of the server's environment, and ends with the server. */
export class ImageChild {
  #process: ChildProcess
  #ready: Promise<unknown>
  #tookTooMuch = false

  constructor(purpose: ChildPurpose) {
    this.#process = fork(PROGRAM, [purpose], {
      env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH },
      execArgv: [`--max-old-space-size=${HEAP_MB[purpose]}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#process.on('error', () => {}) // told to the task that waits for an answer
    // An idle process does not keep the server alive.
    this.#process.unref()
    this.#process.channel?.unref()
    this.#ready = this.#answer(START_LIMIT_MS)
    this.#ready.catch(() => {})
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get hasEnded(): boolean {
    return !this.#process.connected || this.#process.killed
  }

  async perform(task: FileTask, limitMs: number, signal?: AbortSignal): Promise<ImageReport> {
    const kill = () => this.kill()
    signal?.addEventListener('abort', kill, { once: true })
    const watch = task.kind === 'text' ? this.#watchMemory() : undefined
    try {
      await this.#ready
      if (this.hasEnded) throw new ImageProcessEnded('the image process has ended')
      this.#process.send(task)
      return await this.#answer(limitMs)
    } finally {
      signal?.removeEventListener('abort', kill)
      clearInterval(watch)
    }
  }

  /** Ends the process when it takes too much memory: unpacked streams are outside of the heap, which alone has a bound. */
  #watchMemory(): NodeJS.Timeout {
    return setInterval(() => {
      readFile(`/proc/${this.pid}/statm`, 'utf8').then(
        (statm) => {
          if (Number(statm.split(' ')[1]) * PAGE_BYTES > MAX_TEXT_MEMORY_MB * 1024 * 1024)
            this.#endForMemory()
        },
        () => {}, // the system is not Linux, or the process has ended
      )
    }, MEMORY_LOOK_MS)
  }

  #endForMemory(): void {
    this.#tookTooMuch = true
    this.kill()
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  /** The next answer of the process, which is killed if none comes within this time. */
  async #answer(limitMs: number): Promise<ImageReport> {
    const heard = new AbortController()
    let tookTooLong = false
    const timer = setTimeout(() => {
      tookTooLong = true
      this.kill()
    }, limitMs)
    try {
      const ended = once(this.#process, 'exit', { signal: heard.signal }).then(([code, signal]) => {
        if (tookTooLong) throw new ImageTookTooLong(`a file took longer than ${limitMs} ms`)
        const end = new ImageProcessEnded(`the image process ended: ${signal ?? `exit code ${code}`}`)
        end.wasAborted = signal === 'SIGABRT' || this.#tookTooMuch
        throw end
      })
      ended.catch(() => {})
      const [report] = await Promise.race([once(this.#process, 'message', { signal: heard.signal }), ended])
      return report
    } finally {
      clearTimeout(timer)
      heard.abort()
    }
  }
}
