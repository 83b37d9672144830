import type { EventType } from '../../contract/events.ts'
import { isBotId } from '../../contract/profile-ids.ts'
import type { LogEvent } from '../db/transaction.ts'

/** The field of each event's data that names who caused it; null: the bot that it is for. */
const ACTOR_FIELDS: Record<EventType, string | null> = {
  'message.created': 'senderId',
  'message.updated': 'senderId',
  'message.deleted': 'deletedBy',
  'reaction.added': 'userId',
  'reaction.removed': 'userId',
  'member.added': 'actorId',
  'member.removed': 'actorId',
  'topic.updated': 'actorId',
  'poll_vote.created': 'voterId',
  'poll_vote.deleted': 'voterId',
  'message.action': 'userId',
  'question.closed': null,
  'message.command': 'userId',
  'scheduled_message.failed': null,
}
const fields: ReadonlyMap<string, string | null> = new Map(Object.entries(ACTOR_FIELDS))
const ASSISTANT = '"assistant":{"name":"'
/** Deletions by the server itself. */
const BY_SERVER = /"reason":"(retention|erasure)"/

/** An assistant's text counts as the assistant's own, because the person has not read it. */
export type Actor = { id: string; kind: 'person' | 'bot' | 'assistant' }

/** The actor behind an event that bots get; undefined for all other events, and for the server's own. */
export function actorOf({ type, data, botIds }: LogEvent): Actor | undefined {
  const field = fields.get(type)
  if (field === undefined || (type === 'message.deleted' && BY_SERVER.test(data))) return undefined
  const id = field === null ? botIds[0] : textIn(data, field)
  if (id === undefined) return undefined
  if (isBotId(id)) return { id, kind: 'bot' }
  return { id, kind: data.includes(ASSISTANT) ? 'assistant' : 'person' }
}

/** The first text of this name in JSON. Quotes are escaped in texts, and it stands before all that a sender chooses the names in. */
function textIn(data: string, field: string): string | undefined {
  const name = `"${field}":"`
  const start = data.indexOf(name) + name.length
  return start < name.length ? undefined : data.slice(start, data.indexOf('"', start))
}
