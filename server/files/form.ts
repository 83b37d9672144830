import { setMaxListeners } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { LIMITS } from '../../contract/limits.ts'
import { FILE_PART, type Form as FormContract } from '../../contract/operation.ts'
import { Refusal, refusal } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { CollectedBytes } from './collected.ts'

/** A file of a form, on disk but not stored: it is removed with the form unless something took it over. */
export type Draft = {
  path: string
  size: number
  /** A name fit for showing and for links; undefined if the sender gave none. */
  name: string | undefined
}

export type FormParts = {
  /** The JSON part as received. */
  meta: Buffer
  files: Draft[]
}

export type FormRules = {
  folder: string
  metaParts: FormContract['metaParts']
  files: { minimum: number; maximum: number; maxBytes: number }
}

const MAX_PARTS = 100
/** Room for a name of 255 characters, each percent-encoded, and then some. */
const PART_HEADER_BYTES = 16 * 1024
const FILE_NAME = 255
/** Bytes of a file that wait for the disk, while more are received and hashed. */
const BUFFER_BYTES = 256 * 1024

/**
 * Splits a form as it comes in. Each file is written to disk once, the JSON stays as received, and neither is read
 * before the sender is verified. Parts with other names are ignored, like unknown fields. Memory holds at most one
 * metadata part, the headers of one part, and what waits for the disk.
 */
export class FormSplitter {
  #rules: FormRules
  #parser: BusboyInstance | undefined
  #abort = new AbortController()
  #meta: Promise<Buffer> | undefined
  #drafts: Draft[] = []
  #writing: Promise<void>[] = []
  #held: (() => number)[] = []
  #drained: (() => void) | undefined
  #ended: (() => void) | undefined
  #isFinished = false
  /** The first mistake in the form, after which nothing is kept. */
  #error: unknown

  constructor(contentType: string, rules: FormRules) {
    this.#rules = rules
    setMaxListeners(0, this.#abort.signal)
    try {
      this.#parser = this.#parserOf(contentType)
    } catch (error) {
      this.#fail(error) // the header does not say how the parts are divided
    }
  }

  get bytesHeld(): number {
    return this.#held.reduce((sum, bytes) => sum + bytes(), this.#parser?.writableLength ?? 0)
  }

  /** Takes a piece. Await a returned promise before the next one. */
  write(piece: Buffer): Promise<void> | undefined {
    if (this.#error !== undefined || this.#parser?.write(piece)) return undefined
    return new Promise((resolve) => {
      this.#drained = resolve
    })
  }

  /** Ends the form. Resolves when everything is on disk; `parts` reports mistakes in the form. */
  async end(): Promise<void> {
    if (this.#error === undefined && !this.#isFinished) {
      await new Promise<void>((resolve) => {
        this.#ended = resolve
        this.#parser?.end()
      })
    }
    await Promise.allSettled(this.#writing)
    if (this.#error === undefined) await this.#meta?.catch(() => {}) // kept by `#fail`
    // Disk errors are not the form's fault, and are thrown at once.
    if (this.#error !== undefined && !(this.#error instanceof Refusal)) throw this.#error
  }

  /** The parts of a complete form. */
  async parts(): Promise<FormParts> {
    if (this.#error !== undefined) throw this.#error
    const { metaParts, files } = this.#rules
    const meta = await this.#meta
    if (!meta) throw refusal('field_required', { field: metaParts[0] })
    if (this.#drafts.length < files.minimum) throw refusal('field_required', { field: FILE_PART })
    if (this.#drafts.some(({ size }) => size === 0)) throw refusal('file_empty')
    return { meta, files: this.#drafts }
  }

  /** Removes files that no handler took over. */
  async discard(): Promise<void> {
    this.#abort.abort()
    await Promise.allSettled(this.#writing)
    await Promise.all(this.#drafts.map(({ path }) => rm(path, { force: true })))
  }

  #parserOf(contentType: string): BusboyInstance {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true, // every part is a stream: what it is, its name says
      highWaterMark: BUFFER_BYTES,
      fileHwm: BUFFER_BYTES,
      limits: {
        fileSize: this.#rules.files.maxBytes,
        parts: MAX_PARTS,
        headerPairs: 50,
        headerSize: PART_HEADER_BYTES,
      },
    })
    parser.on('file', (part, stream, fileName) => {
      if (this.#error !== undefined) return stream.resume() // the rest of what was read already
      stream.on('limit', () =>
        this.#fail(
          part === FILE_PART ? refusal('file_too_large') : refusal('part_too_large', { part: part ?? '' }),
        ),
      )
      stream.on('error', (error: unknown) => this.#fail(error))
      return this.#take(part, stream, fileName)
    })
    parser.on('partsLimit', () => this.#fail(refusal('part_limit_reached')))
    parser.on('error', (error: unknown) => this.#fail(error))
    parser.on('drain', () => this.#drained?.())
    parser.on('finish', () => {
      this.#isFinished = true // with the last boundary, which may come before the end of the body
      this.#ended?.()
    })
    return parser
  }

  #take(part: string | undefined, stream: BusboyFileStream, fileName: string | undefined): void {
    const { metaParts, files } = this.#rules
    const isMeta = part !== undefined && metaParts.includes(part)
    if (isMeta && !this.#meta) {
      const bytes = new CollectedBytes()
      this.#held.push(() => stream.readableLength + bytes.capacity)
      this.#meta = readMeta(stream, bytes)
      this.#meta.catch((error: unknown) => this.#fail(error))
    } else if (part === FILE_PART && this.#drafts.length < files.maximum) {
      const draft: Draft = { path: join(this.#rules.folder, newUuid()), size: 0, name: cleanName(fileName) }
      this.#drafts.push(draft)
      const written = this.#write(draft, stream)
      written.catch((error: unknown) => this.#fail(error))
      this.#writing.push(written)
    } else {
      stream.resume()
      if (isMeta) this.#fail(refusal('part_repeated', { field: metaParts[0] }))
      else if (part === FILE_PART) this.#fail(refusal('file_limit_reached'))
    }
  }

  async #write(draft: Draft, stream: Readable): Promise<void> {
    const file = createWriteStream(draft.path, { flags: 'wx', mode: 0o600, highWaterMark: BUFFER_BYTES })
    this.#held.push(() => stream.readableLength + file.writableLength)
    await pipeline(stream, file, { signal: this.#abort.signal })
    draft.size = file.bytesWritten
  }

  /** Keeps the first error, and drops everything else. */
  #fail(error: unknown): void {
    if (this.#error !== undefined) return
    this.#error = error instanceof Refusal || isOfDisk(error) ? error : refusal('malformed_form')
    this.#abort.abort()
    this.#drained?.()
    this.#ended?.()
  }
}

const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error

async function readMeta(stream: Readable, bytes: CollectedBytes): Promise<Buffer> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    if (bytes.length + chunk.length > LIMITS.jsonBodyBytes) throw refusal('body_too_large')
    bytes.add(chunk)
  }
  return bytes.whole()
}

/** The last part of a path, without what cannot be shown. Browsers write a quote as `%22`. */
export function cleanName(fileName: string | undefined): string | undefined {
  const last = fileName?.toWellFormed().replaceAll('%22', '"').split(/[/\\]/).at(-1) ?? ''
  const shown = [...last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()].slice(-FILE_NAME).join('')
  return /^\.*$/.test(shown) ? undefined : shown
}
