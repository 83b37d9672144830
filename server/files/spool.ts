import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { badRequest } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { CollectedBytes } from './collected.ts'

/** Reading, hashing and writing go on side by side, with so much between them. */
const BUFFER_BYTES = 64 * 1024

type RunningDigest = { update(piece: Buffer): unknown; digest(): Buffer }

/** What is made of a body as it comes in, as far as it is needed: what its signature is compared with, and its own hash. */
export type Digests<Digest> = { signed?: Digest | undefined; hash?: Digest | undefined }

/** A request's body on disk: too large for memory, and not looked at before its signature has been checked. */
export class SpooledBody {
  #file: FileHandle
  readonly digests: Digests<Buffer>

  constructor(file: FileHandle, digests: Digests<Buffer>) {
    this.#file = file
    this.digests = digests
  }

  read(): Readable {
    return this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: BUFFER_BYTES })
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** What is told of a body on its way: how much of it is in memory, and that it is over. */
export type Watched = { hold(bytes: number): void; release(): void }

type Options = {
  folder: string
  limit: number
  digests: Digests<RunningDigest>
  /** False: read to its end and hashed, but not written; for who will be refused anyway. */
  isKept: boolean
  /** Begins to watch the body; `giveUp` ends it with this error. */
  watch?: (giveUp: (error: Error) => void) => Watched
}

/** Writes a body to disk as it comes in, hashed and bounded. The file has no name, so nothing of it outlives its handle. */
export async function spool(source: Readable, options: Options): Promise<SpooledBody> {
  const { folder, digests } = options
  const path = join(folder, `${newUuid()}.body`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    await receive(source, file, options)
    return new SpooledBody(file, { signed: digests.signed?.digest(), hash: digests.hash?.digest() })
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Ending early only lets go of the source: closing it would close the connection, on which a refusal is still to be sent. */
async function receive(
  source: Readable,
  file: FileHandle,
  { limit, digests, isKept, watch }: Options,
): Promise<void> {
  let size = 0
  let collected = new CollectedBytes()
  let writing = Promise.resolve()
  let unwritten = 0
  const write = (bytes: Buffer): Promise<void> => {
    unwritten += bytes.length
    return file.writeFile(bytes).finally(() => {
      unwritten -= bytes.length
    })
  }
  /** Takes a piece; what comes back is to be waited for before the next one. */
  const take = (piece: Buffer): Promise<void> | undefined => {
    size += piece.length
    if (size > limit) throw badRequest('file too large')
    digests.signed?.update(piece)
    digests.hash?.update(piece)
    if (!isKept) return undefined
    collected.add(piece)
    if (collected.length < BUFFER_BYTES) return undefined
    const full = collected.whole()
    collected = new CollectedBytes()
    const before = writing
    writing = before.then(() => write(full))
    writing.catch(() => {}) // told when it is waited for
    return before
  }
  let watched: Watched | undefined
  let stop: (error: unknown) => void = () => {}
  const onData = (piece: Buffer) => {
    try {
      const before = take(piece)
      watched?.hold(collected.capacity + unwritten)
      if (!before) return
      source.pause()
      before.then(() => source.resume(), stop)
    } catch (error) {
      stop(error)
    }
  }
  try {
    await new Promise<void>((resolve, reject) => {
      stop = reject
      watched = watch?.(reject)
      source.on('data', onData)
      source.once('end', resolve)
      source.once('error', () => reject(badRequest('body broke off')))
      source.once('close', () => reject(badRequest('body broke off')))
    })
    await writing
    if (collected.length > 0) await write(collected.whole())
  } finally {
    watched?.release()
    source.off('data', onData)
    source.resume() // what still comes is let go
    await writing.catch(() => {}) // the file is closed after this
  }
}
