import type { EventMessage, Message } from '../../contract/message.ts'
import type { ChatMember, ChatTopic } from '../../contract/people/chat-records.ts'
import type { ChatState } from '../../web/src/chat/model.ts'
import { emptyState } from '../../web/src/chat/store/apply.ts'
import { fromEvent, mergeHistory } from '../../web/src/chat/store/content.ts'
import type { LogEvent } from '../../web/src/chat/store/events.ts'
import { conversationItems } from '../../web/src/chat/store/selectors.ts'
import { mergeStart, type StartAnswer } from '../../web/src/chat/store/start.ts'
import { edited } from '../../web/src/chat/store/state-edit.ts'
import { plainChatTopic } from './chat-topic.ts'

/* A chat of Ada with Ben, and its events as the stream sends them, for tests of the store. */

export const ADA = '00000000-0000-4000-8000-00000000000a'
export const BEN = '00000000-0000-4000-8000-00000000000b'
export const TOPIC = '10000000-0000-4000-8000-000000000001'
export const OTHER = '10000000-0000-4000-8000-000000000002'
export const AT = 1767225600000

/** Ids in the order of time, as the server makes them. */
export const idOf = (number: number) => `0197a1b2-c3d4-7e5f-8a9b-${String(number).padStart(12, '0')}`
export const member = (id: string, name: string, role: ChatMember['role'] = 'member'): ChatMember => ({
  id,
  type: 'user',
  name,
  email: `${name}@example.com`,
  role,
  status: 'Active',
})
export const topic = (id: string, changes: Partial<ChatTopic> = {}): ChatTopic =>
  plainChatTopic({
    id,
    name: id === TOPIC ? 'General' : 'Random',
    createdBy: BEN,
    createdAt: AT,
    memberIds: [ADA, BEN],
    ...changes,
  })
export const start = (changes: Partial<StartAnswer> = {}): StartAnswer => ({
  position: 10,
  me: member(ADA, 'Ada'),
  organization: { id: 'o', name: 'Lighthouse' },
  topics: [topic(TOPIC), topic(OTHER)],
  drafts: [],
  labels: [],
  online: [],
  ...changes,
})
export const message = (number: number, changes: Partial<EventMessage> = {}): EventMessage => ({
  id: idOf(number),
  topicId: TOPIC,
  senderId: BEN,
  senderName: 'Ben',
  senderType: 'user',
  type: 'text',
  text: `Message ${number}`,
  createdAt: AT + number,
  updatedAt: AT + number,
  isEdited: false,
  isSystem: false,
  truncated: false,
  attachments: [],
  mentions: [],
  mentionedProfiles: [],
  reactions: [],
  ...changes,
})
export const created = (position: number, one: EventMessage): LogEvent => ({
  type: 'message.created',
  position,
  data: { message: one, truncated: false },
})
export const reacted = (position: number, number: number, userId: string, isOn = true): LogEvent => {
  const reaction = { id: 'r', messageId: idOf(number), topicId: TOPIC, userId, emoji: '🎉' }
  return {
    type: isOn ? 'reaction.added' : 'reaction.removed',
    position,
    data: { ...reaction, reactionId: 'r', createdAt: AT, reaction },
  }
}
/** `threadId` names the thread of a reply that its topic did not show. */
export const deleted = (position: number, number: number, senderId = BEN, threadId?: string): LogEvent => ({
  type: 'message.deleted',
  position,
  data: {
    messageId: idOf(number),
    topicId: TOPIC,
    deletedAt: AT,
    deletedBy: senderId,
    message: { id: idOf(number), topicId: TOPIC, senderId },
    ...(threadId !== undefined && { threadOnly: { [idOf(number)]: threadId } }),
  },
})
export const updated = (position: number, one: EventMessage): LogEvent => ({
  type: 'message.updated',
  position,
  data: { message: { ...one, isEdited: true, previousText: 'x' }, truncated: false, updatedFields: ['text'] },
})

/** A started chat, with a conversation loaded up to its newest message. */
export const ready = (messages: EventMessage[] = [], changes: Partial<StartAnswer> = {}): ChatState =>
  edited(mergeStart(emptyState('o'), start(changes), { isGap: true }), (edit) =>
    mergeHistory(
      edit,
      { topicId: TOPIC },
      {
        messages: messages.map((one) => fromEvent(one)),
        hasBefore: false,
        hasAfter: false,
        polls: [],
        tasks: [],
      },
      { end: 'whole' },
    ),
  )
export const shown = (state: ChatState, key = TOPIC) =>
  conversationItems(state, key).map((item) => item.message?.text ?? `(${item.outgoing?.text})`)
export const topicOf = (state: ChatState, id = TOPIC): ChatTopic => {
  const found = state.topics.get(id)
  if (!found) throw new Error('the topic is not there')
  return found
}
export const messageOf = (state: ChatState, number: number): Message | undefined =>
  state.messages.get(idOf(number))
