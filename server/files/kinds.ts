import type { Attachment } from '../../contract/message.ts'

export type Kind = Attachment['type']

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

/** Found out from the content alone: names and declared types are often wrong, and decide nothing. */
export async function sniff(path: string): Promise<{ contentType: string; kind: Kind }> {
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path)
  const contentType = found?.mime.split(';')[0] ?? 'application/octet-stream'
  return { contentType, kind: kindOf(contentType) }
}

export function kindOf(contentType: string): Kind {
  if (IMAGES.has(contentType)) return 'image'
  const [family] = contentType.split('/')
  return family === 'audio' || family === 'video' ? family : 'file'
}

export const isShown = (contentType: string): boolean => SHOWN.test(contentType)
