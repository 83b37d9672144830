import { MISLABELLED } from '../../contract/files.ts'
import type { Attachment } from '../../contract/message.ts'
import { badRequest } from '../errors.ts'

export type Kind = Attachment['type']

/** Images that are taken apart and put together again; every other kind of image is a plain file. */
const IMAGES: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
])
/** What browsers show or play in place. */
const SHOWN = /^(image\/(jpeg|png|gif|webp|avif)|(audio|video)\/[\w.+-]+)$/

/** What a name, or the type that the sender gave, promises: by ending, in families that are not told apart further. */
const PROMISES: [family: 'image' | 'media', endings: RegExp, types: RegExp][] = [
  ['image', /\.(jpe?g|png|gif|webp|avif)$/i, /^image\/(jpe?g|png|gif|webp|avif)$/i],
  [
    'media',
    /\.(mp3|wav|ogg|oga|ogv|opus|m4a|aac|flac|weba|mp4|m4v|mov|webm|mkv|avi)$/i,
    /^(audio|video)\/(mpeg|mp3|wav|x-wav|ogg|opus|mp4|x-m4a|aac|flac|webm|quicktime|x-matroska)$/i,
  ],
]

/** Found out from the content alone. */
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

/** An image, a sound or a film by name must be one: whoever opens it expects that. Other names promise nothing. */
export function refuseMislabelled(
  file: { name: string | undefined; declaredType: string | undefined },
  contentType: string,
): void {
  for (const [family, endings, types] of PROMISES) {
    const promised = endings.test(file.name ?? '') || types.test(file.declaredType ?? '')
    if (promised && familyOf(contentType) !== family) throw badRequest(MISLABELLED)
  }
}

function familyOf(contentType: string): string | undefined {
  if (/^image\//.test(contentType)) return 'image'
  return /^((audio|video)\/|application\/ogg)/.test(contentType) ? 'media' : undefined
}
