import type { EventData } from '../../contract/events.ts'
import type { PeopleEvents } from '../../contract/people/stream.ts'
import { mentionsIn } from '../text.ts'

/** An event of the log; `data` is JSON. */
type Logged = { type: string; data: string }

/** Events that contain a message's text. */
const SAYING: readonly string[] = [
  'message.created',
  'message.updated',
  'message.previewed',
  'message.command',
]

/** The payload of `message.created` and `message.updated` begins with this and the message's id. */
const START = '{"message":{"id":"'
const UUID_LENGTH = 36

/** The message whose text an event contains; undefined if none. */
export function saidIn({ type, data }: Logged): string | undefined {
  if (!SAYING.includes(type)) return undefined
  return data.startsWith(START)
    ? data.slice(START.length, START.length + UUID_LENGTH)
    : JSON.parse(data).messageId
}

/** Words that an event takes out of the events before it: those of these messages, in this way. */
type TakenOut = {
  by: 'edit' | 'delete'
  messageIds: readonly string[]
  without: (event: Logged) => string
}

export function takenOutBy({ type, data }: Logged): TakenOut | undefined {
  if (type === 'message.deleted') {
    const { message, messages = [message] }: EventData['message.deleted'] = JSON.parse(data)
    return { by: 'delete', messageIds: messages.map(({ id }) => id), without: emptied }
  }
  if (type !== 'message.updated') return undefined
  const { message, updatedFields }: EventData['message.updated'] = JSON.parse(data)
  const isEdit = updatedFields.some((field) => field === 'text' || field === 'actions')
  return isEdit ? { by: 'edit', messageIds: [message.id], without: outdated } : undefined
}

/** The event as it would be of a message that says nothing: the message was deleted. */
export function emptied(event: Logged): string {
  if (event.type === 'message.command' || event.type === 'message.previewed') return outdated(event)
  const told: EventData['message.created'] = JSON.parse(event.data)
  const {
    id,
    topicId,
    senderId,
    senderName,
    senderType,
    createdAt,
    updatedAt,
    isEdited,
    isSystem,
    parentId,
  } = told.message
  const message = {
    ...{ id, topicId, senderId, senderName, senderType, type: 'text', text: '', createdAt, updatedAt },
    ...{ isEdited, isSystem, truncated: false, attachments: [], mentions: [], mentionedProfiles: [] },
    reactions: [],
    ...(parentId && { parentId }),
  }
  return JSON.stringify({ ...told, message, truncated: false })
}

/**
 * The event without the words of its message, which an edit has replaced: the event of that edit has the new ones, for those whom it is for.
 * Files stay. A command that was not handled yet names none any more: without its arguments it would mean something else.
 */
export function outdated({ type, data }: Logged): string {
  if (type === 'message.command') {
    const told: EventData['message.command'] = JSON.parse(data)
    return JSON.stringify({ ...told, name: '', text: '', arguments: {} })
  }
  if (type === 'message.previewed') {
    const told: PeopleEvents['message.previewed'] = JSON.parse(data)
    return JSON.stringify({ ...told, preview: null })
  }
  const told: EventData['message.updated'] = JSON.parse(data)
  const { previousText, preview: _preview, actions: _actions, ...message } = told.message
  const before = previousText !== undefined && { previousMentions: mentionsIn(previousText) }
  return JSON.stringify({ ...told, message: { ...message, ...before, text: '' } })
}
