import type { ChatMember } from '../../../../../contract/people/chat.ts'
import type { ChatState } from '../../model.ts'

/**
 * Whether a member is there now. A bot with a webhook is called when something happens, and so always awake while it is
 * active; one that polls is awake while it asks. A paused one hears nothing.
 */
export function presenceOf(member: ChatMember, online: ChatState['online']): 'here' | 'away' {
  if (member.status !== 'Active' || member.paused) return 'away'
  if (member.delivery === 'webhook') return 'here'
  return online.has(member.id) ? 'here' : 'away'
}
