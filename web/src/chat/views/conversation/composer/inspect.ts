import { LIMITS } from '../../../../../../contract/limits.ts'

/** Why a file cannot be sent, before it is: the server would say the same after all of it has gone out. */
export type FileProblem = 'empty' | 'tooLarge' | 'folder' | 'damaged' | 'pixels' | 'unreadable'

type PictureFormat = keyof typeof LIMITS.imagePixels

export async function problemOf(file: File): Promise<FileProblem | undefined> {
  // A folder that was dropped has a size of its own in some browsers, and nothing that can be read.
  const head = await file
    .slice(0, 32)
    .arrayBuffer()
    .catch(() => undefined)
  if (!head) return file.type === '' ? 'folder' : 'unreadable'
  if (file.size === 0) return 'empty'
  const format = formatOf(new Uint8Array(head))
  return format && problemOfPicture(file, format)
}

/**
 * Detects the format by the first bytes, like the server: a file with only a picture's name is sent as a plain file.
 */
function formatOf(head: Uint8Array): PictureFormat | undefined {
  const text = String.fromCharCode(...head)
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return text.includes('acTL') ? undefined : 'png'
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('GIF8')) return 'gif'
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp'
  return text.slice(4, 12) === 'ftypavif' ? 'avif' : undefined
}

async function problemOfPicture(file: File, format: PictureFormat): Promise<FileProblem | undefined> {
  const source = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = source
    await picture.decode()
    // A moving one counts each of its frames there; how many it has, only the server finds out.
    return picture.naturalWidth * picture.naturalHeight > LIMITS.imagePixels[format] ? 'pixels' : undefined
  } catch {
    return 'damaged'
  } finally {
    URL.revokeObjectURL(source)
  }
}
