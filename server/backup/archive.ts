import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { counted, type LongWork, UNSEEN } from '../long-work.ts'
import { ByteReader, DamagedBackup } from './byte-reader.ts'
import { decrypt, encrypt } from './encryption.ts'
import type { Place } from './places.ts'
import { readTar, tarEnd, tarHeader, tarPadding } from './tar.ts'

/** The last entry, in the form of `sha256sum`: a backup without it is not whole. */
const CHECKSUMS = 'checksums.sha256'

/** Adds an entry, of a size that is known before. */
export type Add = (name: string, size: number, content: AsyncIterable<Buffer>) => Promise<void>

/** Writes an archive to a place, encrypted where there is a passphrase; gives its size. Nothing is there before all of it is. */
export async function writeArchive(
  place: Place,
  passphrase: string | undefined,
  fill: (add: Add) => Promise<void>,
  work: LongWork = UNSEEN,
): Promise<number> {
  const stream = new PassThrough()
  let bytes = 0
  const sealed = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of passphrase === undefined ? source : encrypt(source, passphrase)) {
      bytes += chunk.length
      yield chunk
    }
  }
  const written = place.write(sealed(stream))
  // A writer would wait forever for room in a stream that is no longer read.
  written.catch((error: Error) => stream.destroy(error))
  stream.on('error', () => {}) // told by what waits for it
  const write = async (chunk: Buffer): Promise<void> => {
    if (stream.destroyed) await written
    if (!stream.write(chunk)) await once(stream, 'drain')
  }

  const checksums: string[] = []
  const add: Add = async (name, size, content) => {
    const hash = createHash('sha256')
    await write(tarHeader(name, size))
    let left = size
    for await (const chunk of content) {
      work.advance(0)
      left -= chunk.length
      hash.update(chunk)
      await write(chunk)
    }
    if (left !== 0) throw new Error(`${name} changed its size while it was read`)
    await write(tarPadding(size))
    checksums.push(`${hash.digest('hex')}  ${name}\n`)
  }
  try {
    await fill(add)
    await addBytes(add, CHECKSUMS, Buffer.from(checksums.join('')))
    await write(tarEnd())
    stream.end()
    await written
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
    await written.catch(() => {})
    throw error
  }
  return bytes
}

export const addBytes = (add: Add, name: string, bytes: Buffer): Promise<void> =>
  add(
    name,
    bytes.length,
    (async function* () {
      if (bytes.length > 0) yield bytes
    })(),
  )

export type Entry = { name: string; size: number; content(): AsyncGenerator<Buffer> }

/** Goes through the entries of an archive, and refuses one that is not what was written. `part` names this to a person. */
export async function readArchive(
  place: Place,
  passphrase: string | undefined,
  visit: (entry: Entry) => Promise<void>,
  { work, part }: { work: LongWork; part: string } = { work: UNSEEN, part: '' },
): Promise<void> {
  work.begin(part, { total: await place.size(), unit: 'bytes' })
  const bytes = new ByteReader(decrypt(counted(place.read(), work), passphrase))
  const found: string[] = []
  let expected: string | undefined
  try {
    for await (const { name, size, content } of readTar(bytes)) {
      if (name === CHECKSUMS) {
        expected = (await bytesOf({ content })).toString()
        continue
      }
      const hash = createHash('sha256')
      const hashed = async function* () {
        for await (const chunk of content()) {
          hash.update(chunk)
          yield chunk
        }
      }
      await visit({ name, size, content: hashed })
      for await (const _ of hashed()); // the rest that the visitor did not read
      found.push(`${hash.digest('hex')}  ${name}\n`)
    }
  } finally {
    await bytes.close()
  }
  if (found.join('') !== expected) throw new DamagedBackup('its checksums do not fit')
}

/** Checksums come last: bytes read before them may be anything. */
export async function jsonOf(entry: Entry): Promise<unknown> {
  const text = String(await bytesOf(entry))
  try {
    return JSON.parse(text)
  } catch {
    throw new DamagedBackup(`${entry.name} is damaged`)
  }
}

export async function rowsOf(entry: Entry): Promise<Buffer> {
  const bytes = await bytesOf(entry)
  try {
    return gunzipSync(bytes)
  } catch {
    throw new DamagedBackup(`${entry.name} is damaged`)
  }
}

export async function bytesOf({ content }: Pick<Entry, 'content'>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content()) parts.push(part)
  return Buffer.concat(parts)
}
