import type { Message } from '../../../../contract/message.ts'
import type { ChatState, Outgoing } from '../model.ts'
import { addMessage } from './content.ts'
import { edited } from './state-edit.ts'

/** Adds what is on its way out, or how it stands now. What has arrived meanwhile does not come back. */
export const putOutgoing = (state: ChatState, item: Outgoing): ChatState => {
  if (hasArrived(state, item)) return state
  const isKnown = state.outbox.some(({ localId }) => localId === item.localId)
  const outbox = isKnown
    ? state.outbox.map((one) => (one.localId === item.localId ? item : one))
    : [...state.outbox, item].sort((one, other) => one.createdAt - other.createdAt)
  return { ...state, outbox }
}

export function dropOutgoing(state: ChatState, localId: string): ChatState {
  const outbox = state.outbox.filter((item) => item.localId !== localId)
  return outbox.length === state.outbox.length ? state : { ...state, outbox }
}

/**
 * The server has taken a text: it is a message from here on, and the event that tells of it changes little. So nothing
 * depends on which of the two comes first, and nobody sees it twice, or not at all for a moment.
 */
export function settleOutgoing(
  state: ChatState,
  item: Outgoing,
  { id, createdAt }: { id: string; createdAt: number },
): ChatState {
  const { me } = state
  if (!me || state.messages.has(id)) return dropOutgoing(state, item.localId)
  const message: Message = {
    id,
    topicId: item.topicId,
    senderId: me.id,
    senderName: me.name,
    senderType: me.type,
    type: 'text',
    text: item.text,
    createdAt,
    updatedAt: createdAt,
    isEdited: false,
    isSystem: false,
    truncated: false,
    ...(item.parentId !== undefined && { parentId: item.parentId }),
    externalId: item.localId,
    attachments: [],
    ...mentionsIn(state, item.text),
    reactions: [],
    replyCount: 0,
  }
  return edited(dropOutgoing(state, item.localId), (edit) => addMessage(edit, message))
}

const MENTION = /<@((?:b@)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi

export function mentionsIn(
  { members }: ChatState,
  text: string,
): Pick<Message, 'mentions' | 'mentionDetails'> {
  const mentions = [...new Set(Array.from(text.matchAll(MENTION), ([, id = '']) => id.toLowerCase()))]
  return { mentions, mentionDetails: mentions.map((id) => ({ id, name: members.get(id)?.name ?? '' })) }
}

function hasArrived({ messages, me, conversations }: ChatState, { id, localId, topicId }: Outgoing): boolean {
  if (id !== undefined && messages.has(id)) return true
  // The newest few are enough: what was just sent is at the end.
  const newest = conversations.get(topicId)?.ids.slice(-50) ?? []
  return newest.some((messageId) => {
    const message = messages.get(messageId)
    return message?.externalId === localId && message.senderId === me?.id
  })
}

/** After pages were read: what they show is no longer on its way out. */
export function dropArrived(state: ChatState): ChatState {
  const outbox = state.outbox.filter((item) => !hasArrived(state, item))
  return outbox.length === state.outbox.length ? state : { ...state, outbox }
}
