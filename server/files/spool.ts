import type { Hash, Hmac } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { badRequest } from '../errors.ts'
import { newUuid } from '../ids.ts'

/** Reading, hashing and writing go on side by side, with so much between them. */
const BUFFER_BYTES = 1024 * 1024

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

type Options = {
  folder: string
  limit: number
  digests: Digests<Hash | Hmac>
  /** False: read to its end and hashed, but not written; for who will be refused anyway. */
  isKept: boolean
}

/** Writes a body to disk as it comes in, hashed and bounded. The file has no name, so nothing of it outlives its handle. */
export async function spool(
  source: Readable,
  { folder, limit, digests, isKept }: Options,
): Promise<SpooledBody> {
  const { signed, hash } = digests
  const path = join(folder, `${newUuid()}.body`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    let size = 0
    let waiting: Buffer[] = []
    let waitingBytes = 0
    let writing = Promise.resolve()
    for await (const chunk of received(source)) {
      size += chunk.length
      if (size > limit) throw badRequest('file too large')
      signed?.update(chunk)
      hash?.update(chunk)
      if (!isKept) continue
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (waitingBytes < BUFFER_BYTES) continue
      await writing
      writing = writeAll(file, waiting)
      writing.catch(() => {}) // told when it is waited for
      waiting = []
      waitingBytes = 0
    }
    await writing
    if (waitingBytes > 0) await writeAll(file, waiting)
    return new SpooledBody(file, { signed: signed?.digest(), hash: hash?.digest() })
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Leaving the loop early must not close the connection, on which the refusal is still to be sent. */
async function* received(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false })
  } catch {
    throw badRequest('body broke off')
  }
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks)
  const all = chunks.reduce((sum, { length }) => sum + length, 0)
  if (bytesWritten < all) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten))
}
