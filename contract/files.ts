import { LIMITS } from './limits.ts'
import { FILE_PART, type Form } from './operation.ts'

export const INVALID_IMAGE = 'Invalid image'
export const TOO_MANY_PIXELS = 'image has too many pixels'
export const NOT_A_PICTURE = `${FILE_PART} must be a JPEG or PNG image`
export const COVER_TOO_LARGE = `image must be at most ${LIMITS.coverSide} by ${LIMITS.coverSide} pixels`

/** Of covers and logos. */
export const PICTURE_REFUSALS = [NOT_A_PICTURE, INVALID_IMAGE]

/** Of every form. */
export const formRefusals = ({ metaParts: [metaPart], files }: Form): string[] => [
  'malformed multipart body',
  `${metaPart} is required`,
  ...(files.minimum > 0 ? [`${FILE_PART} is required`] : []),
  'file too large',
  'file is empty',
  'too many files',
]
