import { LIMITS } from './limits.ts'
import { FILE_PART, type Form } from './operation.ts'

export const INVALID_IMAGE = 'Invalid image'
export const TOO_MANY_PIXELS = 'image has too many pixels'
export const NOT_A_PICTURE = `${FILE_PART} must be a JPEG or PNG image`
export const NOT_AN_EMOJI = `${FILE_PART} must be a JPEG, PNG, GIF or WebP image`
/** The refusal of covers and logos, which have the same limit. */
export const PICTURE_TOO_LARGE = `image must be at most ${LIMITS.coverSide} by ${LIMITS.coverSide} pixels`
export const IMAGE_TOO_SLOW = 'image takes too long to read'
export const TOO_MANY_IMAGES = 'too many images at once'
export const STORAGE_FULL = 'storage quota exceeded'

/** Refusals of covers and logos. */
export const PICTURE_REFUSALS = {
  400: [NOT_A_PICTURE, INVALID_IMAGE, PICTURE_TOO_LARGE, IMAGE_TOO_SLOW],
  429: [TOO_MANY_IMAGES],
}

/** Refusals that any multipart request can get. */
export const formRefusals = ({ metaParts: [metaPart], files }: Form): string[] => [
  'malformed multipart body',
  `${metaPart} is required`,
  ...(files.minimum > 0 ? [`${FILE_PART} is required`] : []),
  'file too large',
  'file is empty',
  'too many files',
]
