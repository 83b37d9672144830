import { LIMITS } from '../../contract/limits.ts'
import type { Attachment } from '../../contract/message.ts'
import { type Link, linkPlaceholder, linkTarget } from '../files/links.ts'
import type { StoredAttachment } from '../queries/messages/messages.ts'
import { firstCodePoints } from '../text.ts'

export const attachmentId = (fileId: string): string => `att_${fileId}`

const UNNAMED = 'file'

/** The files behind an attachment, as named in links. */
export const attachmentTargets = ({ id, name = UNNAMED }: Pick<Attachment, 'id' | 'name'>) => ({
  file: linkTarget(id, name),
  thumbnail: linkTarget(id.replace(/^att_/, 'thb_'), 'thumbnail.webp'),
})

export const previewTarget = (imageId: string) => linkTarget(imageId, 'preview.webp')

/** The attachment for an event: placeholders for links, long texts cut. */
export function presentEventAttachment(stored: StoredAttachment): {
  attachment: Attachment
  truncated: boolean
} {
  const attachment = presentAttachment(stored, linkPlaceholder)
  const { transcription } = attachment
  const text = transcription?.text
  if (transcription === undefined || text === undefined) return { attachment, truncated: false }
  const shown = firstCodePoints(text, LIMITS.transcriptionInEvents)
  return {
    attachment: { ...attachment, transcription: { ...transcription, text: shown } },
    truncated: shown !== text,
  }
}

export function presentAttachment(
  { id: fileId, type, name, thumbnail, ...facts }: StoredAttachment,
  link: Link,
): Attachment {
  const named = { id: attachmentId(fileId), ...(name !== undefined && { name }) }
  const targets = attachmentTargets(named)
  return {
    id: named.id,
    type,
    ...(name !== undefined && { name }),
    url: link(targets.file),
    ...facts,
    ...(thumbnail && { thumbnailUrl: link(targets.thumbnail) }),
  }
}
