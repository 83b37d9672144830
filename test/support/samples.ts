import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { LIMITS } from '../../contract/limits.ts'

const execute = promisify(execFile)

/** An image of one colour, small, so that a test costs nothing. */
export const plain = (width = 12, height = 8, background = '#3366cc'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })

export const PNG = await plain().png().toBuffer()
export const JPEG = await plain().jpeg().toBuffer()
export const PDF = Buffer.from(
  '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
)
export const ZIP = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')
export const HTML = '<!doctype html><html><body><script>alert(1)</script></body></html>'
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

/** Red, green and blue side by side, or one below the other. */
export async function stripes(
  width: number,
  height: number,
  direction: 'across' | 'down' = 'across',
): Promise<Buffer> {
  const across = direction === 'across'
  const [stripeWidth, stripeHeight] = across ? [width / 3, height] : [width, height / 3]
  const parts = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map(async (colour, index) => ({
      input: await plain(stripeWidth, stripeHeight, colour).png().toBuffer(),
      left: across ? index * stripeWidth : 0,
      top: across ? 0 : index * stripeHeight,
    })),
  )
  return plain(width, height).composite(parts).png().toBuffer()
}

/** A photo as cameras write it: rotated, with the place where it was taken. */
export function photo(picture: Buffer): Promise<Buffer> {
  return sharp(picture)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExif({
      IFD0: { Make: 'Lighthouse Optics' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    })
    .toBuffer()
}

/** An animation of two frames in two colours. */
export async function moving(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#0000ff'].map((colour) => plain(12, 8, colour).png().toBuffer()),
  )
  return sharp(frames, { join: { animated: true } })
    [format]({ delay: [100, 200] })
    .toBuffer()
}

/** The rough colour of a pixel: the largest of red, green and blue. */
export async function colourAt(image: Buffer, left: number, top: number): Promise<'red' | 'green' | 'blue'> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const start = (top * info.width + left) * info.channels
  const pixel = [...data.subarray(start, start + 3)]
  return (['red', 'green', 'blue'] as const)[pixel.indexOf(Math.max(...pixel))] ?? 'red'
}

/** A nearly empty PNG whose header claims this size. */
export function claimingPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A small image whose header claims this size. */
export async function claiming(
  format: keyof typeof LIMITS.imagePixels,
  width: number,
  height: number,
): Promise<Buffer> {
  if (format === 'png') return claimingPng(width, height)
  if (format === 'gif') return claimingGif(width, height, 1)
  const image = await plain(16, 16)[format]().toBuffer()
  if (format === 'jpeg') {
    const frame = image.indexOf(Buffer.from([0xff, 0xc0]))
    image.writeUInt16BE(height, frame + 5)
    image.writeUInt16BE(width, frame + 7)
  }
  if (format === 'webp') {
    image.writeUInt16LE(width, image.indexOf('9d012a', 'hex') + 3)
    image.writeUInt16LE(height, image.indexOf('9d012a', 'hex') + 5)
  }
  if (format === 'avif') {
    image.writeUInt32BE(width, image.indexOf('ispe') + 8)
    image.writeUInt32BE(height, image.indexOf('ispe') + 12)
  }
  return image
}

/** A GIF that moves on a stage of this size, although each of its frames is one pixel. */
export function claimingGif(width: number, height: number, frames: number): Buffer {
  const stage = Buffer.alloc(7)
  stage.writeUInt16LE(width, 0)
  stage.writeUInt16LE(height, 2)
  stage.writeUInt8(0x80, 4)
  const frame = Buffer.from('21f904000a000000' + '2c00000000010001000002024401' + '00', 'hex')
  const colours = Buffer.from('ff00000000ff', 'hex')
  return Buffer.concat([
    Buffer.from('GIF89a'),
    stage,
    colours,
    ...Array.from({ length: frames }, () => frame),
    Buffer.from(';'),
  ])
}

const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1']
const SIGHT = ['-f', 'lavfi', '-i', 'testsrc=duration=1:size=64x48:rate=10']

/** A second of sound, of moving pictures, or of both, as ffmpeg writes it under this ending. */
export async function media(
  what: 'sound' | 'film' | 'silent film',
  ending: string,
  ...options: string[]
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-media-'))
  try {
    const path = join(folder, `made.${ending}`)
    const sources = { sound: SOUND, film: [...SIGHT, ...SOUND], 'silent film': SIGHT }[what]
    await execute('ffmpeg', ['-nostdin', '-v', 'error', ...sources, ...options, path])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
