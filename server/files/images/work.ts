import { open } from 'node:fs/promises'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { LIMITS } from '../../../contract/limits.ts'
import { Refusal, refusal } from '../../errors.ts'
import type { ImageTask, Picture } from './task.ts'

const THUMBNAIL_SIDE = 320
const COMPRESSED_SIDE = 2048
const LOGO_SIDE = 512
const PREVIEW_SIDE = 640
const EMOJI_SIDE = 128

/** The loaders of the five formats that are taken; everything else that libvips could open stays closed. */
const LOADERS = [
  'VipsForeignLoadJpegFile',
  'VipsForeignLoadPngFile',
  'VipsForeignLoadNsgifFile',
  'VipsForeignLoadWebpFile',
  'VipsForeignLoadHeifFile',
]

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })

const OPTIONS: SharpOptions = {
  limitInputPixels: Math.max(...Object.values(LIMITS.imagePixels)),
  failOn: 'error',
  sequentialRead: true,
}
const load = (path: string, options: SharpOptions = {}): Sharp => sharp(path, { ...OPTIONS, ...options })

export function makeImage(task: ImageTask): Promise<Picture> {
  switch (task.kind) {
    case 'check':
      return checkImage(task.path)
    case 'remake':
      return remakeImage(task)
    case 'cover':
      return makeCover(task)
    case 'logo':
      return makeLogo(task)
    case 'emoji':
      return makeEmoji(task)
    case 'preview':
      return makePreview(task)
  }
}

type Header = Picture & { format: Format; moves: boolean }
type Format = keyof typeof LIMITS.imagePixels
const TYPES: Record<Format, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}
const isFormat = (name: string): name is Format => name in TYPES

/** Reads the header alone, in milliseconds at any size, and refuses images that cost too much to decode. */
async function readHeader(path: string, side = Number.POSITIVE_INFINITY): Promise<Header> {
  const tooLarge = side === Number.POSITIVE_INFINITY ? 'image_pixels_exceeded' : 'image_too_large'
  const found = await load(path, { animated: true })
    .metadata()
    .catch((error: unknown) => {
      throw isOverLimit(error) ? refusal(tooLarge) : error
    })
  const { width, height, pageHeight, pages = 1 } = found
  const format = found.format === 'heif' ? 'avif' : found.format
  if (!isFormat(format)) throw new Error(`no image format of ours: ${format}`)
  if (width * height > LIMITS.imagePixels[format] || Math.max(width, height) > side) throw refusal(tooLarge)
  return { format, moves: pages > 1, contentType: TYPES[format], width, height: pageHeight ?? height }
}

const isOverLimit = (error: unknown): boolean =>
  error instanceof Error && /exceeds pixel limit/.test(error.message)

/** Reads all of an image, at a fraction of its size: one that is broken off or damaged is refused. */
async function checkImage(path: string, side?: number): Promise<Header> {
  try {
    const header = await readHeader(path, side)
    await load(path, { animated: true }).resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer()
    if (header.format === 'gif' && !(await endsAsGif(path))) throw refusal('image_invalid')
    return header
  } catch (error) {
    throw error instanceof Refusal ? error : refusal('image_invalid')
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

/**
 * Encodes an image again: rotated by its EXIF data, without that data or anything else besides the picture. Adds a
 * thumbnail.
 */
async function remakeImage(task: ImageTask & { kind: 'remake' }): Promise<Picture> {
  const { path, target, thumbnail, compress } = task
  const { format, moves, contentType } = await readHeader(path)
  await load(path)
    .autoOrient()
    .resize({ ...square(THUMBNAIL_SIDE), fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toFile(thumbnail)
  const image = moves ? load(path, { animated: true }) : load(path).autoOrient()
  if (compress) image.resize({ ...square(COMPRESSED_SIDE), fit: 'inside', withoutEnlargement: true })
  const { width, height, pageHeight } = await encode(image, format, compress).toFile(target)
  return { contentType, width, height: pageHeight ?? height }
}

type PictureTask = { path: string; target: string }

/** A topic's cover: a square JPEG, cut from the middle. */
async function makeCover({ path, target }: PictureTask): Promise<Picture> {
  const { width, height } = await checkImage(path, LIMITS.coverSide)
  const made = await load(path)
    .autoOrient()
    .resize({ ...square(Math.min(width, height)), fit: 'cover', position: 'centre' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 88 })
    .toFile(target)
  return { contentType: 'image/jpeg', width: made.width, height: made.height }
}

/** An organization's logo, reduced to the largest size shown. */
async function makeLogo({ path, target }: PictureTask): Promise<Picture> {
  const { format, contentType } = await checkImage(path, LIMITS.logoSide)
  const image = load(path)
    .autoOrient()
    .resize({ ...square(LOGO_SIDE), fit: 'inside', withoutEnlargement: true })
  const { width, height } = await encode(image, format, false).toFile(target)
  return { contentType, width, height }
}

/** A custom emoji: small, uncropped, and animated if it was. */
async function makeEmoji({ path, target }: PictureTask): Promise<Picture> {
  const { moves } = await checkImage(path)
  const image = moves ? load(path, { animated: true }) : load(path).autoOrient()
  const { width, height, pageHeight } = await image
    .resize({ ...square(EMOJI_SIDE), fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(target)
  return { contentType: 'image/webp', width, height: pageHeight ?? height }
}

/** The picture of a link preview: small, still, and always in one format. */
async function makePreview({ path, target }: PictureTask): Promise<Picture> {
  await checkImage(path)
  const { width, height } = await load(path)
    .autoOrient()
    .resize({ ...square(PREVIEW_SIDE), fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toFile(target)
  return { contentType: 'image/webp', width, height }
}

const square = (side: number) => ({ width: side, height: side })

function encode(image: Sharp, format: Format, compress: boolean): Sharp {
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 7, palette: compress })
    case 'gif':
      return image.gif()
    case 'webp':
      return image.webp({ quality: compress ? 75 : 90 })
    case 'avif':
      return image.avif({ quality: compress ? 50 : 65, effort: 2 })
    case 'jpeg':
      return image.jpeg({ quality: compress ? 80 : 92 })
  }
}
