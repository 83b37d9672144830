import { setMaxListeners } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { LIMITS } from '../../contract/limits.ts'
import { FILE_PART } from '../../contract/operation.ts'
import { badRequest, Refusal } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { CollectedBytes } from './collected.ts'
import type { SpooledBody } from './spool.ts'

/** A file of a form, on disk but not stored: it is removed with the form unless something took it over. */
export type Draft = {
  path: string
  size: number
  /** Fit to be shown and to stand in a link; undefined where the sender gave none. */
  name: string | undefined
}

export type ReceivedForm = {
  /** The part with the JSON, as it came. */
  meta: Buffer
  files: Draft[]
  discard(): Promise<void>
}

export type FormRules = {
  folder: string
  metaParts: readonly string[]
  files: { minimum: number; maximum: number; maxBytes: number }
}

const MAX_PARTS = 100
/** Room for a name of 255 characters, each percent-encoded, and then some. */
const PART_HEADER_BYTES = 16 * 1024
const FILE_NAME = 255
const BUFFER_BYTES = 64 * 1024

/**
 * Takes a form apart, from disk to disk. Parts of other names are ignored, as unknown fields are. In memory there are at
 * most one part of metadata, the headers of one part, and a buffer for reading and one for writing.
 */
export async function readForm(
  body: SpooledBody,
  contentType: string,
  rules: FormRules,
): Promise<ReceivedForm> {
  const abort = new AbortController()
  setMaxListeners(0, abort.signal)
  let meta: Promise<Buffer> | undefined
  const drafts: Draft[] = []
  const writing: Promise<void>[] = []

  const take = (part: string | undefined, stream: BusboyFileStream, fileName: string | undefined) => {
    if (part !== undefined && rules.metaParts.includes(part)) {
      if (meta) throw badRequest(`${rules.metaParts[0]} must be given once`)
      meta = readMeta(stream)
      return meta.catch((error: unknown) => abort.abort(error))
    }
    if (part !== FILE_PART) return stream.resume()
    if (drafts.length === rules.files.maximum) throw badRequest('too many files')
    const draft: Draft = {
      path: join(rules.folder, newUuid()),
      size: 0,
      name: cleanName(fileName),
    }
    drafts.push(draft)
    const written = writeDraft(draft, stream, abort.signal)
    written.catch((error: unknown) => abort.abort(error))
    return writing.push(written)
  }
  const discard = async () => {
    await Promise.all(drafts.map(({ path }) => rm(path, { force: true })))
  }

  try {
    await parse(body, contentType, rules.files.maxBytes, take, abort.signal)
    const json = await meta
    await Promise.all(writing)
    if (!json) throw badRequest(`${rules.metaParts[0]} is required`)
    if (drafts.length < rules.files.minimum) throw badRequest(`${FILE_PART} is required`)
    if (drafts.some(({ size }) => size === 0)) throw badRequest('file is empty')
    return { meta: json, files: drafts, discard }
  } catch (error) {
    abort.abort()
    await Promise.allSettled([...writing, meta])
    await discard()
    throw error instanceof Refusal ? error : malformed(error)
  }
}

type TakePart = (part: string | undefined, stream: BusboyFileStream, fileName: string | undefined) => unknown

function parse(
  body: SpooledBody,
  contentType: string,
  maxBytes: number,
  take: TakePart,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true, // every part is a stream: what it is, its name says
      limits: { fileSize: maxBytes, parts: MAX_PARTS, headerPairs: 50, headerSize: PART_HEADER_BYTES },
    })
    const source = body.read()
    let hasFailed = false
    const fail = (error: unknown) => {
      hasFailed = true
      source.unpipe(parser)
      source.destroy()
      reject(error)
    }
    parser.on('file', (part, stream, fileName) => {
      if (hasFailed) return stream.resume() // the rest of what was read already
      stream.on('limit', () => fail(badRequest(part === FILE_PART ? 'file too large' : `${part} too large`)))
      stream.on('error', fail)
      try {
        take(part, stream, fileName)
      } catch (error) {
        fail(error)
      }
    })
    parser.on('partsLimit', () => fail(badRequest('too many parts')))
    parser.on('error', () => fail(badRequest('malformed multipart body')))
    parser.on('finish', resolve)
    source.on('error', fail)
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    source.pipe(parser)
  })
}

/** What the parser throws by itself is about the form; what the disk throws is not. */
function malformed(error: unknown): unknown {
  const isOfDisk = error instanceof Error && 'syscall' in error
  return isOfDisk ? error : badRequest('malformed multipart body')
}

async function readMeta(stream: Readable): Promise<Buffer> {
  const bytes = new CollectedBytes()
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    if (bytes.length + chunk.length > LIMITS.jsonBodyBytes) throw badRequest('body too large')
    bytes.add(chunk)
  }
  return bytes.whole()
}

async function writeDraft(draft: Draft, stream: Readable, signal: AbortSignal): Promise<void> {
  const file = createWriteStream(draft.path, { flags: 'wx', mode: 0o600, highWaterMark: BUFFER_BYTES })
  await pipeline(stream, file, { signal })
  draft.size = file.bytesWritten
}

/** The last part of a path, without what cannot be shown. Browsers write a quote as `%22`. */
function cleanName(fileName: string | undefined): string | undefined {
  const last = fileName?.toWellFormed().replaceAll('%22', '"').split(/[/\\]/).at(-1) ?? ''
  const shown = [...last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()].slice(-FILE_NAME).join('')
  return /^\.*$/.test(shown) ? undefined : shown
}
