import { NAMELESS } from '../../contract/members.ts'

/** Fields of a member that stay in an event. */
const KEPT = ['id', 'type', 'role', 'status']

/** An event's data without this member's name. */
export function redactName(data: unknown, profileId: string): unknown {
  if (Array.isArray(data)) return data.map((one) => redactName(one, profileId))
  if (typeof data !== 'object' || data === null) return data
  const told: Record<string, unknown> = Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, redactName(value, profileId)]),
  )
  if (told.senderId === profileId && 'senderName' in told) told.senderName = NAMELESS
  if (told.userId === profileId && 'userName' in told) told.userName = NAMELESS
  // Clears answers to a bot: a form's texts, and the bot's note about them.
  if (told.userId === profileId && 'actionId' in told) {
    if ('values' in told) told.values = {}
    if ('text' in told) told.text = ''
  }
  if (told.id !== profileId || typeof told.name !== 'string') return told
  const kept = Object.fromEntries(Object.entries(told).filter(([field]) => KEPT.includes(field)))
  return { ...kept, name: NAMELESS, ...('email' in told && { email: '' }) }
}
