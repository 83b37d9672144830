import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { PageEvents } from '../../../../contract/people/stream.ts'

export type Mentioning = Pick<ChatMessage, 'senderId' | 'mentions' | 'groupMentions' | 'mentionedPeople'>

/** Whether a message mentions a person, by name or as one of a group. */
export function isMentioned(
  { senderId, mentions, groupMentions, mentionedPeople }: Mentioning,
  profileId: string | undefined,
): boolean {
  if (profileId === undefined) return false
  if (mentions.includes(profileId)) return true
  if (!groupMentions || senderId === profileId) return false
  return mentionedPeople?.includes(profileId) ?? groupMentions.everyone === true
}

/** Whom the message of an event mentions. */
export const mentioningOf = ({
  message: { senderId, mentionedProfiles, groupMentions },
  mentionedPeople,
}: PageEvents['message.created']): Mentioning => ({
  senderId,
  mentions: mentionedProfiles,
  ...(groupMentions && { groupMentions }),
  ...(mentionedPeople && { mentionedPeople }),
})
