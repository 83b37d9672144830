import { type FileHandle, open } from 'node:fs/promises'

/** Boxes that are looked at before one gives up: a film has a handful, one that is made to be slow has millions. */
const MAX_BOXES = 1000

/**
 * How long a film in MP4 or QuickTime takes, in seconds, as its header (`moov`, in it `mvhd`) says; undefined where it has
 * none. The library for sounds does not tell it for films without sound.
 */
export async function readFilmLength(path: string): Promise<number | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const movie = await findBox(file, 'moov', 0, size)
    const header = movie && (await findBox(file, 'mvhd', movie.start, movie.end))
    return header && lengthIn(await readAt(file, header.start, 32))
  } finally {
    await file.close()
  }
}

type Box = { start: number; end: number }

async function findBox(file: FileHandle, name: string, start: number, end: number): Promise<Box | undefined> {
  let position = start
  for (let count = 0; count < MAX_BOXES && position + 8 <= end; count++) {
    const head = await readAt(file, position, 16)
    const short = head.readUInt32BE(0)
    const headBytes = short === 1 ? 16 : 8
    // 0: to the end of the file; 1: the size is in the next eight bytes.
    const bytes = short === 0 ? end - position : short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (bytes < headBytes) return undefined
    if (head.toString('latin1', 4, 8) === name) return { start: position + headBytes, end: position + bytes }
    position += bytes
  }
  return undefined
}

/** Version 1 has times of eight bytes, version 0 of four. */
function lengthIn(header: Buffer): number | undefined {
  const isLong = header[0] === 1
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale > 0 && length > 0 ? length / scale : undefined
}

/** Beyond the end there are zeros. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  await file.read(buffer, 0, length, position)
  return buffer
}
