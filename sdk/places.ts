import type { Work } from './lanes.ts'

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields => Object(value)
const textsIn = (...values: unknown[]): string[] => values.filter((value) => typeof value === 'string')

/**
 * The place of an event: messages of a topic are handled in their order, and those of each thread in theirs. Commands and
 * answers to buttons do not wait for messages, so that a bot can be asked for its state, or answered, while it works.
 */
export function placeOf(type: string, data: unknown): Pick<Work, 'lane' | 'about'> {
  const event = fieldsOf(data)
  const message = fieldsOf(event.message)
  const topicId = event.topicId ?? message.topicId
  const parentId = event.parentId ?? message.parentId
  if (type === 'message.action') return { lane: `action ${event.messageId}`, about: [] }
  const place = `${topicId} ${parentId ?? ''}`
  if (type === 'message.command') return { lane: `command ${place}`, about: [] }
  return { lane: place, about: textsIn(message.id ?? event.messageId, parentId) }
}

/** The member who caused the event; undefined where none is named. */
export function actorOf(type: string, data: unknown): string | undefined {
  const event = fieldsOf(data)
  const message = fieldsOf(event.message)
  if (type === 'message.deleted') return textsIn(event.deletedBy)[0]
  if (type.startsWith('message.')) return textsIn(message.senderId ?? event.userId)[0]
  return textsIn(event.actorId ?? event.userId ?? event.voterId)[0]
}

/** Ids of bots begin so; people need not be compared. */
export const isBotId = (id: string | undefined): id is string => id?.startsWith('b@') === true
