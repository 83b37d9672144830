import { type FileHandle, open } from 'node:fs/promises'

export type WebmFacts = {
  hasVideo: boolean
  hasAudio: boolean
  seconds?: number
  width?: number
  height?: number
}

/** Elements that are looked at before one gives up: an hour of voice has 60,000, a file that is made to be slow millions. */
const MAX_ELEMENTS = 500_000
const WINDOW_BYTES = 65_536
const NANOSECONDS = 1e9

const ID = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackType: 0x83,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const

/** Elements that hold others that matter: their content is walked through, everything else is skipped. */
const ENTERED: ReadonlySet<number> = new Set([
  ID.segment,
  ID.info,
  ID.tracks,
  ID.trackEntry,
  ID.video,
  ID.cluster,
  ID.blockGroup,
])
const READ: ReadonlySet<number> = new Set(Object.values(ID))
const VIDEO_TRACK = 1
const AUDIO_TRACK = 2

/**
 * Facts about a WebM or Matroska file; undefined for other files. Browsers write recordings as a stream: parts of
 * unknown size, and no length in the header. The length is then the time of the last block.
 */
export async function readWebm(path: string): Promise<WebmFacts | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return await walk(new Window(file), size)
  } finally {
    await file.close()
  }
}

async function walk(window: Window, end: number): Promise<WebmFacts | undefined> {
  const facts: WebmFacts = { hasVideo: false, hasAudio: false }
  let scale = 1_000_000
  let duration: number | undefined
  let cluster = 0
  let last = 0
  let gap = 0
  let position = 0
  for (let count = 0; count < MAX_ELEMENTS && position < end; count += 1) {
    const head = await window.at(position, 12)
    const element = headOf(head)
    if (!element || (count === 0 && element.id !== ID.header)) break
    const { id, size, headBytes } = element
    const content = position + headBytes
    if (ENTERED.has(id)) {
      if (id === ID.cluster && duration !== undefined) break
      position = content
      continue
    }
    if (size === undefined) break
    if (READ.has(id)) {
      const value = await window.at(content, Math.min(size, 8))
      if (id === ID.timestampScale) scale = unsigned(value)
      if (id === ID.duration) duration = size === 4 ? value.readFloatBE(0) : doubleIn(value)
      if (id === ID.trackType) {
        facts.hasVideo ||= unsigned(value) === VIDEO_TRACK
        facts.hasAudio ||= unsigned(value) === AUDIO_TRACK
      }
      if (id === ID.pixelWidth) facts.width ??= unsigned(value)
      if (id === ID.pixelHeight) facts.height ??= unsigned(value)
      if (id === ID.clusterTimestamp) cluster = unsigned(value)
      if (id === ID.block || id === ID.simpleBlock) {
        const at = cluster + blockTime(value)
        if (at > last) [gap, last] = [at - last, at]
      }
    }
    position = content + size
  }
  if (position === 0) return undefined
  // The last block lasts about as long as the one before it.
  const ticks = duration ?? (last > 0 ? last + gap : undefined)
  return { ...facts, ...(ticks !== undefined && { seconds: (ticks * scale) / NANOSECONDS }) }
}

type Element = { id: number; size: number | undefined; headBytes: number }

/** An id and a size, both in as many bytes as the zeros at their beginning say. A size of ones alone is unknown. */
function headOf(bytes: Buffer): Element | undefined {
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23
  if (idBytes < 1 || idBytes > 4) return undefined
  const first = bytes[idBytes] ?? 0
  const sizeBytes = Math.clz32(first) - 23
  if (sizeBytes < 1 || sizeBytes > 8) return undefined
  let size = first & (0xff >> sizeBytes)
  let isUnknown = size === 0xff >> sizeBytes
  for (let index = 1; index < sizeBytes; index += 1) {
    const byte = bytes[idBytes + index] ?? 0
    isUnknown &&= byte === 0xff
    size = size * 256 + byte
  }
  return {
    id: bytes.readUIntBE(0, idBytes),
    size: isUnknown ? undefined : size,
    headBytes: idBytes + sizeBytes,
  }
}

const unsigned = (bytes: Buffer): number =>
  bytes.length === 0 ? 0 : bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : longIn(bytes)
const longIn = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
const doubleIn = (bytes: Buffer): number | undefined =>
  bytes.length === 8 ? bytes.readDoubleBE(0) : undefined

/** The time after the track's number, relative to the cluster. */
function blockTime(bytes: Buffer): number {
  const trackBytes = Math.clz32(bytes[0] ?? 0) - 23
  return trackBytes >= 1 && trackBytes + 2 <= bytes.length ? bytes.readInt16BE(trackBytes) : 0
}

/** Reads a file in stretches: most elements are a few bytes behind the one before. */
class Window {
  #file: FileHandle
  #buffer = Buffer.alloc(WINDOW_BYTES)
  #start = 0
  #filled = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Returns fewer bytes at the end of the file. */
  async at(position: number, length: number): Promise<Buffer> {
    const isThere = position >= this.#start && position + length <= this.#start + this.#filled
    if (!isThere) {
      this.#start = position
      const { bytesRead } = await this.#file.read(this.#buffer, 0, WINDOW_BYTES, position)
      this.#filled = bytesRead
    }
    const from = position - this.#start
    return this.#buffer.subarray(from, Math.min(from + length, this.#filled))
  }
}
