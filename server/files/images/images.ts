import { Refusal, refusal, tooMany } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { type Sniffed, UNKNOWN } from '../kinds.ts'
import type { MediaFacts } from '../media.ts'
import { ImageProcessEnded, ImageTookTooLong } from './child.ts'
import type { PageFacts } from './page.ts'
import { ChildPool, type TaskOptions } from './pool.ts'
import type { FileTask, ImageReport, ImageTask, Made, Picture, PictureKind } from './task.ts'
import { NoRoom } from './turns.ts'

export type { Picture } from './task.ts'

/** Sign-ups of strangers share one turn. */
export const SIGN_UP = 'sign-up'

/** Requests that wait for a turn: of one organization, and in all. Each of them is a file on disk and a few hundred bytes. */
const ROOM = { waitingOfOne: 32, waiting: 256 }
/** Processes that only find out what a file is, in milliseconds: a note does not wait behind photos. */
const LOOKS = { running: 2, runningOfOne: 1 }
/** Processes that read the text inside files. Each takes up to 512 MB, and no request waits for it. */
const TEXTS = { running: 1, runningOfOne: 1 }
/** A file whose text takes longer has none: 500 pages take a few seconds. */
const TEXT_LIMIT_MS = 20_000
const RETRY_AFTER_MS = 5000
/** Reading the head of a page takes some milliseconds. */
const PAGE_LIMIT_MS = 2000

const STILL = ['image/jpeg', 'image/png']
const PICTURE_TYPES: Readonly<Record<PictureKind, readonly string[]>> = {
  cover: STILL,
  logo: STILL,
  emoji: [...STILL, 'image/gif', 'image/webp'],
  preview: [...STILL, 'image/gif', 'image/webp', 'image/avif'],
}

type Settings = { imageSeconds: number; imageProcesses: number }
type Options = Partial<TaskOptions>

/**
 * Everything that reads files of strangers, and pages of the web: in processes of its own, bounded in time, in turns of the organizations.
 * One of several processes is always left to the others, so that an organization with costly images waits for itself.
 */
export class Images {
  readonly work: ChildPool
  readonly looks: ChildPool
  readonly texts: ChildPool
  /** Images that took longer than they may, since the start. */
  tooSlow = 0
  #limitMs: number
  #log: Log

  constructor({ imageSeconds, imageProcesses }: Settings, log: Log) {
    this.#limitMs = imageSeconds * 1000
    this.#log = log
    this.looks = new ChildPool('looks', { ...LOOKS, ...ROOM }, log)
    this.texts = new ChildPool('texts', { ...TEXTS, ...ROOM }, log)
    this.work = new ChildPool(
      'work',
      { running: imageProcesses, runningOfOne: Math.max(1, imageProcesses - 1), ...ROOM },
      log,
    )
  }

  /** Finds out what a file is. One whose reader hangs or crashes is a plain file. Waits: requests under way are bounded elsewhere. */
  async sniff(owner: string, path: string): Promise<Sniffed> {
    const options = { patient: true, limitMs: this.#limitMs }
    const made = await this.#unlessKilled(this.looks, async () =>
      madeIn(await this.looks.run(owner, { kind: 'sniff', path }, options)),
    )
    return made && 'sniffed' in made ? made.sniffed : UNKNOWN
  }

  /** Finds out how long a sound or a film is. One whose reader hangs or crashes is a plain file. */
  async measure(owner: string, path: string, sniffed: Sniffed, signal: AbortSignal): Promise<MediaFacts> {
    const options = { patient: true, limitMs: this.#limitMs, signal }
    const made = await this.#unlessKilled(this.work, async () =>
      madeIn(await this.work.run(owner, { kind: 'media', path, sniffed }, options)),
    )
    return made && 'media' in made ? made.media : { ...sniffed, kind: 'file' }
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
    const { contentType } = await this.sniff(owner, files.path)
    if (!PICTURE_TYPES[kind].includes(contentType))
      throw refusal(kind === 'emoji' ? 'emoji_type_unsupported' : 'image_type_unsupported')
    return this.#picture(owner, { kind, ...files })
  }

  /** Reads the facts that a web page states about itself; undefined if there are none. */
  async readPage(
    owner: string,
    page: { path: string; contentType: string },
    signal: AbortSignal,
  ): Promise<PageFacts | undefined> {
    const options = { patient: true, signal, limitMs: PAGE_LIMIT_MS }
    const made = await this.#run(owner, { kind: 'page', ...page }, options)
    return ('page' in made && made.page) || undefined
  }

  /** Reads the text inside a file; empty if it has none, or takes its reader down. */
  async readText(
    owner: string,
    file: { path: string; contentType: string; limit: number },
    signal: AbortSignal,
  ): Promise<string> {
    const options = { patient: true, signal, limitMs: TEXT_LIMIT_MS }
    const report = await this.#unlessKilled(this.texts, () =>
      this.texts.run(owner, { kind: 'text', ...file }, options),
    )
    // Damaged files are common, and say nothing about this server.
    return report && 'text' in report ? report.text : ''
  }

  close(): void {
    this.work.close()
    this.looks.close()
    this.texts.close()
  }

  async #picture(owner: string, task: ImageTask, options: Options = {}): Promise<Picture> {
    const made = await this.#run(owner, task, options)
    if (!('picture' in made)) throw new Error('the image process made no picture')
    return made.picture
  }

  async #run(owner: string, task: FileTask, options: Options): Promise<Made> {
    try {
      return madeIn(await this.work.run(owner, task, { limitMs: this.#limitMs, ...options }))
    } catch (error) {
      if (error instanceof NoRoom) throw tooMany(RETRY_AFTER_MS, 'image_queue_full')
      if (error instanceof ImageProcessEnded && !this.work.isClosed) throw refusal('image_invalid')
      if (!(error instanceof ImageTookTooLong)) throw error
      this.tooSlow++
      throw refusal('image_too_slow')
    }
  }

  /** Undefined where the file took its process down, by time or by memory. */
  async #unlessKilled<Result>(pool: ChildPool, run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await run()
    } catch (error) {
      const isKilled = error instanceof ImageTookTooLong || error instanceof ImageProcessEnded
      if (!isKilled || pool.isClosed) throw error
      this.#log.warn({ err: error }, 'a file could not be looked into; it is taken as a plain file')
      return undefined
    }
  }
}

function madeIn(report: ImageReport): Made {
  if ('refused' in report) throw new Refusal(report.refused)
  if ('failed' in report) throw new Error(report.failed)
  return report
}
