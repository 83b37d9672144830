import type { Attachment } from '../../contract/message.ts'

export type Kind = Attachment['type']

/** The kind of a file according to its bytes. */
export type Sniffed = { contentType: string; kind: Kind }

/** A file that was not recognized, or not in time. */
export const UNKNOWN: Sniffed = { contentType: 'application/octet-stream', kind: 'file' }

/** Images that are taken apart and put together again; every other kind of image is a plain file. */
const IMAGES: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
])
/** Content types that browsers show or play in place. */
const SHOWN = /^(image\/(jpeg|png|gif|webp|avif)|(audio|video)\/[\w.+-]+)$/

export function kindOf(contentType: string): Kind {
  if (IMAGES.has(contentType)) return 'image'
  const [family] = contentType.split('/')
  return family === 'audio' || family === 'video' ? family : 'file'
}

export const isShown = (contentType: string): boolean => SHOWN.test(contentType)
