import { ChatError } from 'chat'

export const ADAPTER_NAME = 'parley'

/**
 * A conversation: a thread by the message that began it, or a topic as a whole. A direct message is one conversation, besides
 * the threads in it.
 */
export type ParleyThreadId = {
  topicId: string
  /** The first message of the thread. Missing for a topic or a direct message as a whole. */
  messageId?: string
  isDirectMessage: boolean
}

const THREAD_ID = /^parley:(?<dm>dm:)?(?<topicId>[0-9a-f-]{36})(?::(?<messageId>[0-9a-f-]{36}))?$/

export const encodeThread = ({ topicId, messageId, isDirectMessage }: ParleyThreadId): string =>
  [ADAPTER_NAME, ...(isDirectMessage ? ['dm'] : []), topicId, ...(messageId ? [messageId] : [])].join(':')

export function decodeThread(threadId: string): ParleyThreadId {
  const groups = THREAD_ID.exec(threadId)?.groups
  if (groups?.topicId === undefined)
    throw new ChatError(`"${threadId}" is not a thread of Parley`, 'INVALID_THREAD_ID')
  const { topicId, messageId, dm } = groups
  return { topicId, ...(messageId !== undefined && { messageId }), isDirectMessage: dm !== undefined }
}

/** The topic of a thread. */
export const channelOf = (threadId: string): string => {
  const { topicId, isDirectMessage } = decodeThread(threadId)
  return encodeThread({ topicId, isDirectMessage })
}

/** The thread of a message: messages of a topic begin a thread each, those of a direct message go on with it. */
export function threadOf(
  message: { id: string; topicId: string; parentId?: string },
  isDirectMessage: boolean,
): string {
  const { id, topicId, parentId } = message
  const messageId = parentId ?? (isDirectMessage ? undefined : id)
  return encodeThread({ topicId, ...(messageId !== undefined && { messageId }), isDirectMessage })
}

/** The place that a new message of a thread goes to. */
export function placeIn(threadId: string): { topicId: string; parentId?: string } {
  const { topicId, messageId } = decodeThread(threadId)
  return { topicId, ...(messageId !== undefined && { parentId: messageId }) }
}
