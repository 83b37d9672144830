import type { Message } from '../../../../contract/message.ts'
import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { ChatState, ContactDraft, LocationDraft, Outgoing } from '../model.ts'
import { addMessage, hasPlace } from './content.ts'
import { edited } from './state-edit.ts'

/** Adds or updates a message in the outbox, unless it has already arrived. */
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
 * Turns a sent text into a message as soon as the server has accepted it. Its event then changes little, so it does
 * not matter which comes first: the text never appears twice, and never disappears for a moment.
 */
export function settleOutgoing(
  state: ChatState,
  item: Outgoing,
  { id, createdAt }: { id: string; createdAt: number },
): ChatState {
  const { me } = state
  if (!me || state.messages.has(id)) return dropOutgoing(state, item.localId)
  // The message of a poll or a task has an id of its own, which the event tells.
  if (item.card?.kind === 'poll' || item.card?.kind === 'task') {
    const taken: Outgoing = { ...item, state: 'accepted', id }
    return hasArrived(state, taken) ? dropOutgoing(state, item.localId) : putOutgoing(state, taken)
  }
  const message: ChatMessage = {
    id,
    topicId: item.topicId,
    senderId: me.id,
    senderName: me.name,
    senderType: me.type,
    type: item.card?.kind ?? 'text',
    text: item.text,
    createdAt,
    updatedAt: createdAt,
    isEdited: false,
    isSystem: false,
    truncated: false,
    ...(item.parentId !== undefined && { parentId: item.parentId }),
    ...(isThreadOnly(state, item) && { threadOnly: true as const }),
    externalId: item.localId,
    attachments: [],
    ...(item.card?.kind === 'location' && { location: locationOf(item.card.location) }),
    ...(item.card?.kind === 'contact' && { contact: contactOf(item.card.contact) }),
    ...mentionsIn(state, item.text),
    reactions: [],
    replyCount: 0,
  }
  // The event counts a reply that no loaded conversation shows.
  return edited(dropOutgoing(state, item.localId), (edit) => {
    if (hasPlace(edit, message)) addMessage(edit, message)
  })
}

/** Whether it will stay in its thread. */
export const isThreadOnly = (
  { organization }: Pick<ChatState, 'organization'>,
  { parentId, alsoInTopic = false }: Outgoing,
): boolean => parentId !== undefined && !alsoInTopic && organization?.repliesInTopics !== true

/** The location in the server's format. */
export const locationOf = ({ latitude, longitude, ...words }: LocationDraft) => ({
  latitude: String(latitude),
  longitude: String(longitude),
  ...words,
})
export const contactOf = (draft: ContactDraft) => ({
  phoneNumbers: [],
  emails: [],
  role: '',
  location: '',
  linkedIn: '',
  profileId: '',
  ...draft,
})

const MENTION = /<@((?:b@)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi

export function mentionsIn(
  { members }: ChatState,
  text: string,
): Pick<Message, 'mentions' | 'mentionDetails'> {
  const mentions = [...new Set(Array.from(text.matchAll(MENTION), ([, id = '']) => id.toLowerCase()))]
  return { mentions, mentionDetails: mentions.map((id) => ({ id, name: members.get(id)?.name ?? '' })) }
}

function hasArrived(state: ChatState, item: Outgoing): boolean {
  const { id, localId, topicId, parentId } = item
  const { messages, me, conversations, polls, tasks } = state
  if (id !== undefined && (messages.has(id) || polls.has(id) || tasks.has(id))) return true
  // The newest few are enough: a message just sent is at the end.
  const key = isThreadOnly(state, item) && parentId !== undefined ? parentId : topicId
  const newest = conversations.get(key)?.ids.slice(-50) ?? []
  return newest.some((messageId) => {
    const message = messages.get(messageId)
    return message?.externalId === localId && message.senderId === me?.id
  })
}

/** Removes messages from the outbox that were found in loaded pages. */
export function dropArrived(state: ChatState): ChatState {
  const outbox = state.outbox.filter((item) => !hasArrived(state, item))
  return outbox.length === state.outbox.length ? state : { ...state, outbox }
}
