import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import type { Presence } from '../../../kit/face.tsx'
import type { ChatState } from '../../model.ts'

/**
 * Whether a member is there now; undefined where the organization does not show it. A bot with a webhook is called when something
 * happens, and so always awake while it is active; one that polls is awake while it asks. A paused one hears nothing.
 */
export function presenceOf(member: ChatMember, online: ChatState['online']): Presence | undefined {
  if (!online && member.type === 'user') return undefined
  if (member.status !== 'Active' || member.paused || member.appearsAway) return 'away'
  if (member.dndUntil !== undefined) return 'dnd'
  if (member.delivery === 'webhook') return 'here'
  return online?.has(member.id) ? 'here' : 'away'
}

/** A member's status in one line; empty if they set none. */
export const statusLine = ({ statusEmoji = '', statusText = '' }: ChatMember): string =>
  `${statusEmoji} ${statusText}`.trim()
