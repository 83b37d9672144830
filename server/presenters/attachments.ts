import { LIMITS } from '../../contract/limits.ts'
import type { Attachment } from '../../contract/message.ts'
import { type Links, type LinkTarget, linkPlaceholder, linkTarget } from '../files/links.ts'
import type { StoredAttachment } from '../queries/messages.ts'
import { firstCodePoints } from '../text.ts'

export const attachmentId = (fileId: string): string => `att_${fileId}`
export const thumbnailId = (fileId: string): string => `thb_${fileId}`

const UNNAMED = 'file'

export const presentAttachment = (attachment: StoredAttachment, links: Links): Attachment =>
  present(attachment, (target) => links.to(target))

/** With places for links, and long texts cut. */
export function presentEventAttachment(stored: StoredAttachment): {
  attachment: Attachment
  truncated: boolean
} {
  const attachment = present(stored, linkPlaceholder)
  const { transcription } = attachment
  const text = transcription?.text
  if (transcription === undefined || text === undefined) return { attachment, truncated: false }
  const shown = firstCodePoints(text, LIMITS.transcriptionInEvents)
  return {
    attachment: { ...attachment, transcription: { ...transcription, text: shown } },
    truncated: shown !== text,
  }
}

function present(
  { id, type, name, thumbnail, ...facts }: StoredAttachment,
  link: (target: LinkTarget) => string,
): Attachment {
  return {
    id: attachmentId(id),
    type,
    ...(name !== undefined && { name }),
    url: link(linkTarget(attachmentId(id), name ?? UNNAMED)),
    ...facts,
    ...(thumbnail && { thumbnailUrl: link(linkTarget(thumbnailId(id), 'thumbnail.webp')) }),
  }
}
