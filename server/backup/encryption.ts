import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { OperatorError } from '../errors.ts'
import { ByteReader, DamagedBackup } from './byte-reader.ts'

/** How an encrypted backup begins; a plain one begins with the name of its first entry. */
const MAGIC = Buffer.from('parley-backup encrypted 1\n')
const SALT_BYTES = 16
const TAG_BYTES = 16
const FRAME_BYTES = 256 * 1024
/** The strength that OWASP asks for: 128 MB and some tenths of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const LAST = 1
const NOT_LAST = 0

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

/**
 * Encrypts in frames, each with its number as nonce, so that none can be changed, moved or left out; the last one says that it is.
 * The key is made of the passphrase and a salt of this one backup.
 */
export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(passphrase, salt, 32, COST)
  yield Buffer.concat([MAGIC, salt])
  let number = 0
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    size += chunk.length
    if (size < FRAME_BYTES) continue
    const bytes = Buffer.concat(waiting)
    let from = 0
    for (; bytes.length - from >= FRAME_BYTES; from += FRAME_BYTES)
      yield seal(key, number++, NOT_LAST, bytes.subarray(from, from + FRAME_BYTES))
    waiting = [bytes.subarray(from)]
    size = bytes.length - from
  }
  yield seal(key, number, LAST, Buffer.concat(waiting))
}

function seal(key: Buffer, number: number, last: number, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number))
  cipher.setAAD(Buffer.from([last]))
  const content = Buffer.concat([cipher.update(plain), cipher.final()])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(content.length)
  head[4] = last
  return Buffer.concat([head, content, cipher.getAuthTag()])
}

const nonceOf = (number: number): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 8)
  return nonce
}

const PLAIN_BACKUP =
  'The backup is not encrypted, though BACKUP_PASSPHRASE is set: somebody else may have made it. If you trust it, unset BACKUP_PASSPHRASE and try again.'

/**
 * The decrypted bytes of a backup, or its bytes if it is not encrypted. With a passphrase, only an encrypted backup is
 * accepted.
 */
export async function* decrypt(
  source: AsyncIterable<Buffer>,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(source)
  try {
    const beginning = await bytes.take(MAGIC.length)
    if (!beginning.equals(MAGIC)) {
      if (passphrase !== undefined) throw new OperatorError(PLAIN_BACKUP)
      yield beginning
      yield* bytes.rest()
      return
    }
    if (passphrase === undefined)
      throw new OperatorError('The backup is encrypted. Set BACKUP_PASSPHRASE to its passphrase.')
    const key = await derive(passphrase, await bytes.take(SALT_BYTES), 32, COST)
    for (let number = 0, last = NOT_LAST; last === NOT_LAST; number++) {
      const head = await bytes.take(5)
      last = head[4] ?? LAST
      const length = head.readUInt32BE()
      if (length > FRAME_BYTES) throw new DamagedBackup('a frame is damaged')
      const sealed = await bytes.take(length + TAG_BYTES)
      yield open(key, number, last, sealed.subarray(0, length), sealed.subarray(length))
    }
  } finally {
    await bytes.close()
  }
}

function open(key: Buffer, number: number, last: number, content: Buffer, tag: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number))
  decipher.setAAD(Buffer.from([last]))
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(content), decipher.final()])
  } catch {
    if (number > 0) throw new DamagedBackup('a frame is damaged')
    throw new OperatorError(
      'BACKUP_PASSPHRASE is not the passphrase of this backup, or the backup is damaged.',
    )
  }
}
