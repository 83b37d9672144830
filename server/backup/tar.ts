import { type ByteReader, DamagedBackup } from './byte-reader.ts'

const BLOCK = 512
/** The largest size that eleven octal digits hold; beyond it the field is a number of eight bytes, as GNU tar has it. */
const OCTAL_LIMIT = 8 ** 11
const NAME_BYTES = 100
const SIZE_AT = 124
const CHECKSUM_AT = 148
const FILE_MODE = '0000600\0'

/** The header before a file's content; names are our own, and short. */
export function tarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`too long for an archive: ${name}`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write(FILE_MODE, 100)
  header.write('0000000\0', 108) // owner
  header.write('0000000\0', 116) // group
  if (size < OCTAL_LIMIT) header.write(size.toString(8).padStart(11, '0'), SIZE_AT)
  else {
    header[SIZE_AT] = 0x80
    header.writeBigUInt64BE(BigInt(size), SIZE_AT + 4)
  }
  header.write('00000000000', 136) // no times: the same content makes the same bytes
  header.write('        ', CHECKSUM_AT)
  header.write('0', 156) // a plain file
  header.write('ustar\x0000', 257)
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT)
  return header
}

/** Fills content up to whole blocks. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** An archive ends with two empty blocks. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

export type TarEntry = { name: string; size: number; content(): AsyncGenerator<Buffer> }

/** The entries of an archive in their order. The unread rest of one is skipped when the next is asked for. */
export async function* readTar(bytes: ByteReader): AsyncGenerator<TarEntry> {
  for (;;) {
    const header = await bytes.take(BLOCK)
    if (header.every((byte) => byte === 0)) return
    const { name, size } = parseHeader(header)
    let left = size
    yield {
      name,
      size,
      async *content() {
        while (left > 0) {
          const part = await bytes.takeUpTo(left)
          left -= part.length
          yield part
        }
      },
    }
    while (left > 0) left -= (await bytes.takeUpTo(left)).length
    await bytes.take(tarPadding(size).length)
  }
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const stored = Number.parseInt(header.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + 6), 8)
  const unsigned = Buffer.from(header).fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8)
  if (sumOf(unsigned) !== stored) throw new DamagedBackup('a header is damaged')
  const name = header.toString('utf8', 0, header.indexOf(0))
  const size =
    header[SIZE_AT] === 0x80
      ? Number(header.readBigUInt64BE(SIZE_AT + 4))
      : Number.parseInt(header.toString('latin1', SIZE_AT, SIZE_AT + 11), 8)
  return { name, size }
}

const sumOf = (header: Buffer): number => header.reduce((sum, byte) => sum + byte, 0)
