import type { Emoji } from '../../contract/emoji.ts'
import { type Link, linkTarget } from '../files/links.ts'
import type { CustomEmojiRow } from '../queries/organization/custom-emoji.ts'
import { attachmentId } from './attachments.ts'

/** The emoji for bots, which have no session for reading its picture. */
export const presentEmoji = ({ pictureId, ...emoji }: CustomEmojiRow, link: Link): Emoji => ({
  ...emoji,
  url: link(linkTarget(attachmentId(pictureId), emoji.name)),
})
