import { open } from 'node:fs/promises'
import type { Sharp, SharpOptions } from 'sharp'
import { COVER_TOO_LARGE, INVALID_IMAGE, NOT_A_PICTURE, TOO_MANY_PIXELS } from '../../contract/files.ts'
import { LIMITS } from '../../contract/limits.ts'
import { badRequest, Refusal } from '../errors.ts'
import { sniff } from './kinds.ts'

const THUMBNAIL_SIDE = 320
const COMPRESSED_SIDE = 2048
const LOGO_SIDE = 512

const OPTIONS: SharpOptions = { limitInputPixels: LIMITS.imagePixels, failOn: 'error', sequentialRead: true }

/** One image at a time: what decoding costs is bounded for one, and must not be multiplied by who asks. */
let lastImage: Promise<unknown> = Promise.resolve()

export type Picture = { contentType: string; width: number; height: number }

/** Loaded when the first image comes: that takes a tenth of a second. */
async function inTurn<Result>(
  work: (open: (path: string, options?: SharpOptions) => Sharp) => Promise<Result>,
): Promise<Result> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  const mine = lastImage.then(() => work((path, options) => sharp(path, { ...OPTIONS, ...options })))
  lastImage = mine.catch(() => {})
  return mine
}

/** Reads all of an image, at a fraction of its size: one that is broken off, damaged or too large to decode is refused. */
export async function checkImage(
  path: string,
  { side = Number.POSITIVE_INFINITY, tooLarge = TOO_MANY_PIXELS } = {},
): Promise<{ width: number; height: number }> {
  try {
    return await inTurn(async (image) => {
      const { format, width, height, pageHeight } = await image(path, { animated: true }).metadata()
      if (width * height > LIMITS.imagePixels || Math.max(width, height) > side) throw badRequest(tooLarge)
      await image(path, { animated: true }).resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer()
      if (format === 'gif' && !(await endsAsGif(path))) throw badRequest(INVALID_IMAGE)
      return { width, height: pageHeight ?? height }
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw badRequest(isOverLimit(error) ? tooLarge : INVALID_IMAGE)
  }
}

const GIF_TRAILER = 0x3b
const TAIL_BYTES = 64

/** The decoder shows as many frames as there are and does not say that some are missing. */
async function endsAsGif(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(TAIL_BYTES, size))
    await file.read(tail, 0, tail.length, size - tail.length)
    return tail.findLast((byte) => byte !== 0) === GIF_TRAILER
  } finally {
    await file.close()
  }
}

const isOverLimit = (error: unknown): boolean =>
  error instanceof Error && /exceeds pixel limit/.test(error.message)

/** Puts an image together anew: turned as its EXIF data says, without that data or anything else that is not the picture. */
export async function remakeImage(
  path: string,
  target: string,
  { compress }: { compress: boolean },
): Promise<Picture> {
  return inTurn(async (open) => {
    const { format, pages = 1 } = await open(path).metadata()
    const moves = pages > 1
    const image = moves ? open(path, { animated: true }) : open(path).autoOrient()
    if (compress) image.resize({ ...square(COMPRESSED_SIDE), fit: 'inside', withoutEnlargement: true })
    const { width, height, pageHeight } = await encode(image, format, compress).toFile(target)
    return { contentType: TYPES[format] ?? 'image/jpeg', width, height: pageHeight ?? height }
  })
}

export async function makeThumbnail(path: string, target: string): Promise<void> {
  await inTurn((open) =>
    open(path)
      .autoOrient()
      .resize({ ...square(THUMBNAIL_SIDE), fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .toFile(target),
  )
}

/** A topic's cover: a square JPEG, cut from the middle. */
export async function makeCover(path: string, target: string): Promise<Picture> {
  await requirePicture(path)
  const { width, height } = await checkImage(path, { side: LIMITS.coverSide, tooLarge: COVER_TOO_LARGE })
  return inTurn((open) => asJpeg(open(path).autoOrient(), Math.min(width, height), target))
}

async function asJpeg(image: Sharp, side: number, target: string): Promise<Picture> {
  const { width, height } = await image
    .resize({ ...square(side), fit: 'cover', position: 'centre' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 88 })
    .toFile(target)
  return { contentType: 'image/jpeg', width, height }
}

/** An organization's logo: as it is, but no larger than it is ever shown. */
export async function makeLogo(path: string, target: string): Promise<Picture> {
  await requirePicture(path)
  await checkImage(path)
  return inTurn(async (open) => {
    const { format } = await open(path).metadata()
    const image = open(path)
      .autoOrient()
      .resize({ ...square(LOGO_SIDE), fit: 'inside', withoutEnlargement: true })
    const { width, height } = await encode(image, format, false).toFile(target)
    return { contentType: TYPES[format] ?? 'image/jpeg', width, height }
  })
}

async function requirePicture(path: string): Promise<void> {
  const { contentType } = await sniff(path)
  if (contentType !== 'image/jpeg' && contentType !== 'image/png') throw badRequest(NOT_A_PICTURE)
}

const square = (side: number) => ({ width: side, height: side })

const TYPES: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heif: 'image/avif',
}

function encode(image: Sharp, format: string, compress: boolean): Sharp {
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 7, palette: compress })
    case 'gif':
      return image.gif()
    case 'webp':
      return image.webp({ quality: compress ? 75 : 90 })
    case 'heif':
      return image.avif({ quality: compress ? 50 : 65, effort: 2 })
    default:
      return image.jpeg({ quality: compress ? 80 : 92 })
  }
}
