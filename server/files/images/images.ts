import {
  IMAGE_TOO_SLOW,
  INVALID_IMAGE,
  NOT_A_PICTURE,
  NOT_AN_EMOJI,
  TOO_MANY_IMAGES,
} from '../../../contract/files.ts'
import { badRequest, tooMany } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { sniff } from '../kinds.ts'
import { ImageChild, ImageProcessEnded, ImageTookTooLong } from './child.ts'
import type { PageFacts } from './page.ts'
import type { ImageTask, Made, PageTask, Picture, PictureKind } from './task.ts'
import { NoRoom, Turns } from './turns.ts'

export type { Picture } from './task.ts'

/** Sign-ups of strangers share one turn. */
export const SIGN_UP = 'sign-up'

/** Requests that wait for a turn: of one organization, and in all. Each of them is a file on disk and a few hundred bytes. */
const WAITING_OF_ONE = 32
const WAITING = 256
const RETRY_AFTER_MS = 5000
/** Idle time after which a process gives its memory back; the next one takes 0.2 s to start. */
const IDLE_MS = 60_000
const PAGE_LIMIT_MS = 2000
/** A process that ends may have been hit by chance; one image that ends two is to blame. */
const TRIES = 2

const STILL = ['image/jpeg', 'image/png']
const PICTURE_TYPES: Readonly<Record<PictureKind, readonly string[]>> = {
  cover: STILL,
  logo: STILL,
  emoji: [...STILL, 'image/gif', 'image/webp'],
  preview: [...STILL, 'image/gif', 'image/webp', 'image/avif'],
}

type Settings = { imageSeconds: number; imageProcesses: number }
type Options = { patient?: boolean; signal?: AbortSignal }

/**
 * Everything that decodes an image, or a page of the web: in processes of its own, bounded in time, in turns of the organizations. One of
 * several processes is always left to the others, so that an organization with costly images waits for itself.
 */
export class Images {
  readonly turns: Turns
  /** Images that exceeded the time limit since the start. */
  tooSlow = 0
  #limitMs: number
  #log: Log
  #idle: { child: ImageChild; timer: NodeJS.Timeout }[] = []
  #busy = new Set<ImageChild>()
  #closed = false

  constructor({ imageSeconds, imageProcesses }: Settings, log: Log) {
    this.#limitMs = imageSeconds * 1000
    this.#log = log
    this.turns = new Turns({
      running: imageProcesses,
      runningOfOne: Math.max(1, imageProcesses - 1),
      waiting: WAITING,
      waitingOfOne: WAITING_OF_ONE,
    })
  }

  get pids(): number[] {
    const children = [...this.#busy, ...this.#idle.map(({ child }) => child)]
    return children.flatMap(({ pid }) => pid ?? [])
  }

  /** Refuses an image that is truncated, damaged or too large to decode. */
  async check(owner: string, path: string): Promise<void> {
    await this.#picture(owner, { kind: 'check', path })
  }

  /** Encodes an accepted image again, with a thumbnail beside it. */
  remake(
    owner: string,
    files: { path: string; target: string; thumbnail: string },
    { compress, signal }: { compress: boolean; signal: AbortSignal },
  ): Promise<Picture> {
    return this.#picture(owner, { kind: 'remake', ...files, compress }, { patient: true, signal })
  }

  async makePicture(
    owner: string,
    kind: PictureKind,
    files: { path: string; target: string },
  ): Promise<Picture> {
    const { contentType } = await sniff(files.path)
    if (!PICTURE_TYPES[kind].includes(contentType))
      throw badRequest(kind === 'emoji' ? NOT_AN_EMOJI : NOT_A_PICTURE)
    return this.#picture(owner, { kind, ...files })
  }

  /** Reads the facts that a web page states about itself; undefined if there are none. */
  async readPage(
    owner: string,
    page: { path: string; contentType: string },
    signal: AbortSignal,
  ): Promise<PageFacts | undefined> {
    const made = await this.#run(owner, { kind: 'page', ...page }, { patient: true, signal })
    return ('page' in made && made.page) || undefined
  }

  close(): void {
    this.#closed = true
    for (const child of this.#busy) child.kill()
    for (const { child, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      child.kill()
    }
  }

  async #picture(owner: string, task: ImageTask, options: Options = {}): Promise<Picture> {
    const made = await this.#run(owner, task, options)
    if (!('picture' in made)) throw new Error('the image process made no picture')
    return made.picture
  }

  async #run(owner: string, task: ImageTask | PageTask, options: Options): Promise<Made> {
    try {
      return await this.turns.run(owner, () => this.#perform(task, options), options)
    } catch (error) {
      throw error instanceof NoRoom ? tooMany(RETRY_AFTER_MS, TOO_MANY_IMAGES) : error
    }
  }

  async #perform(task: ImageTask | PageTask, { signal }: Options): Promise<Made> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#performOnce(task, signal)
      } catch (error) {
        if (error instanceof ImageTookTooLong) {
          this.tooSlow++
          throw badRequest(IMAGE_TOO_SLOW)
        }
        signal?.throwIfAborted()
        if (!(error instanceof ImageProcessEnded) || this.#closed) throw error
        this.#log.warn({ err: error, attempt }, 'an image process ended while it had an image in hand')
        if (attempt === TRIES) throw badRequest(INVALID_IMAGE)
      }
    }
  }

  async #performOnce(task: ImageTask | PageTask, signal: AbortSignal | undefined): Promise<Made> {
    const child = this.#takeChild()
    try {
      const limitMs = task.kind === 'page' ? PAGE_LIMIT_MS : this.#limitMs
      const report = await child.perform(task, limitMs, signal)
      if ('refused' in report) throw badRequest(report.refused)
      if ('failed' in report) throw new Error(report.failed)
      return report
    } finally {
      this.#giveBack(child)
    }
  }

  #takeChild(): ImageChild {
    if (this.#closed) throw new ImageProcessEnded('the server stops')
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (idle.child.hasEnded) continue
      this.#busy.add(idle.child)
      return idle.child
    }
    const child = new ImageChild()
    this.#busy.add(child)
    return child
  }

  #giveBack(child: ImageChild): void {
    this.#busy.delete(child)
    if (this.#closed) child.kill()
    if (child.hasEnded) return
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((idle) => idle.child !== child)
      child.kill()
    }, IDLE_MS).unref()
    this.#idle.push({ child, timer })
  }
}
