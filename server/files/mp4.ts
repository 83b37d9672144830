import { type FileHandle, open } from 'node:fs/promises'

/** Boxes that are looked at before one gives up: a film has a handful, one that is made to be slow has millions. */
const MAX_BOXES = 1000

export type FilmFacts = { seconds?: number; width?: number; height?: number }

/**
 * The length of an MP4 or QuickTime film from its header (`moov`, in it `mvhd`), and the size of its picture (`tkhd` of
 * a track). The audio library lacks the first for films without sound, and always the second.
 */
export async function readFilm(path: string): Promise<FilmFacts> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const [movie] = await boxesIn(file, 'moov', 0, size)
    if (!movie) return {}
    const [header] = await boxesIn(file, 'mvhd', movie.start, movie.end)
    const seconds = header && lengthIn(await readAt(file, header.start, 32))
    return { ...(seconds !== undefined && { seconds }), ...(await sizeIn(file, movie)) }
  } finally {
    await file.close()
  }
}

type Box = { start: number; end: number }

/** All boxes of this name; a film has several tracks. */
async function boxesIn(file: FileHandle, name: string, start: number, end: number): Promise<Box[]> {
  const found: Box[] = []
  let position = start
  for (let count = 0; count < MAX_BOXES && position + 8 <= end; count++) {
    const head = await readAt(file, position, 16)
    const short = head.readUInt32BE(0)
    const headBytes = short === 1 ? 16 : 8
    // 0: up to the end of the file; 1: the size is in the next eight bytes.
    const bytes = short === 0 ? end - position : short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (bytes < headBytes) break
    if (head.toString('latin1', 4, 8) === name) {
      found.push({ start: position + headBytes, end: position + bytes })
      if (name !== 'trak') break
    }
    position += bytes
  }
  return found
}

/** Version 1 has times of eight bytes, version 0 of four. */
function lengthIn(header: Buffer): number | undefined {
  const isLong = header[0] === 1
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale > 0 && length > 0 ? length / scale : undefined
}

/** The size of the first track that has one: tracks of sound have none. A phone that was held upright says so by a rotation. */
async function sizeIn(file: FileHandle, movie: Box): Promise<Pick<FilmFacts, 'width' | 'height'>> {
  for (const track of await boxesIn(file, 'trak', movie.start, movie.end)) {
    const [header] = await boxesIn(file, 'tkhd', track.start, track.end)
    if (!header) continue
    const bytes = await readAt(file, header.start, 96)
    const matrix = bytes[0] === 1 ? 52 : 40
    const [width, height] = [bytes.readUInt16BE(matrix + 36), bytes.readUInt16BE(matrix + 40)]
    if (width === 0 || height === 0) continue
    const isTurned = bytes.readInt32BE(matrix) === 0 && bytes.readInt32BE(matrix + 16) === 0
    return isTurned ? { width: height, height: width } : { width, height }
  }
  return {}
}

/** Bytes beyond the end are zeros. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  await file.read(buffer, 0, length, position)
  return buffer
}
