import { crc32 } from 'node:zlib'

const VERSION = 20
/** 1980-01-01, the first day that an archive can name: the same files make the same archive. */
const DAY = 33
/** Attributes of a plain Unix file that all users may read. */
const MADE_BY = 0x0300 | VERSION
const MODE = 0o100644 * 0x10000

/** A zip archive of `[name, content]` files, uncompressed. */
export function zipOf(files) {
  const parts = []
  const directory = []
  let offset = 0
  for (const [name, content] of files) {
    const named = Buffer.from(name)
    const { length } = content
    const about = fields(
      [2, VERSION],
      [4, 0],
      [2, 0],
      [2, DAY],
      [4, crc32(content)],
      [4, length],
      [4, length],
    )
    const nameLengths = fields([2, named.length], [2, 0])
    const local = Buffer.concat([fields([4, 0x04034b50]), about, nameLengths, named, content])
    const place = fields([2, 0], [2, 0], [2, 0], [4, MODE], [4, offset])
    directory.push(fields([4, 0x02014b50], [2, MADE_BY]), about, nameLengths, place, named)
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const counts = [
    [2, files.length],
    [2, files.length],
  ]
  const end = fields([4, 0x06054b50], [4, 0], ...counts, [4, listed.length], [4, offset], [2, 0])
  return Buffer.concat([...parts, listed, end])
}

/** Numbers of so many bytes each, the lowest byte first. */
function fields(...numbers) {
  const bytes = Buffer.alloc(numbers.reduce((sum, [size]) => sum + size, 0))
  let at = 0
  for (const [size, value] of numbers) at = bytes.writeUIntLE(value, at, size)
  return bytes
}
