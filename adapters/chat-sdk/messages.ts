import { type Attachment, type Author, Message, parseMarkdown, toPlainText } from 'chat'
import type { Client, EventData, Operations } from '../../sdk/index.ts'
import { threadOf } from './threads.ts'

type Written =
  | EventData['message.created']['message']
  | EventData['message.updated']['message']
  | Operations['readMessage']['answer']
/** A message as Parley has it: out of an event, read, or just sent. */
export type ParleyMessage = Written | Operations['sendMessage']['answer']
type File = Extract<EventData['message.created']['message']['attachments'][number], object>

const isWritten = (raw: ParleyMessage): raw is Written => 'senderId' in raw

export function authorOf(member: { id: string; name: string; isBot: boolean }, ownId: string): Author {
  const { id, name, isBot } = member
  return { userId: id, userName: name, fullName: name, isBot, isMe: id === ownId }
}

/** A message for the Chat SDK. */
export function messageOf(
  parley: Client,
  raw: ParleyMessage,
  own: { id: string; name: string },
  isDirectMessage: boolean,
): Message<ParleyMessage> {
  const threadId = threadOf(raw, isDirectMessage)
  const dateSent = new Date(raw.createdAt)
  if (!isWritten(raw))
    return new Message<ParleyMessage>({
      id: raw.id,
      threadId,
      text: '',
      formatted: parseMarkdown(''),
      raw,
      author: authorOf({ ...own, isBot: true }, own.id),
      metadata: { dateSent, edited: false },
      attachments: [],
    })
  const formatted = parseMarkdown(withNames(raw))
  return new Message<ParleyMessage>({
    id: raw.id,
    threadId,
    text: toPlainText(formatted),
    formatted,
    raw,
    author: {
      ...authorOf({ id: raw.senderId, name: raw.senderName, isBot: raw.senderType === 'bot' }, own.id),
      ...(raw.isSystem && { isSystem: true }),
    },
    metadata: { dateSent, edited: raw.isEdited, ...(raw.isEdited && { editedAt: new Date(raw.updatedAt) }) },
    attachments: filesOf(raw).map((file) => attachmentOf(parley, raw.id, file)),
    isMention: mentionsIn(raw).some(({ id }) => id === own.id),
  })
}

/** Events have mentions and files as objects; what is read has ids, with the objects beside them. */
export const mentionsIn = (raw: Written): { id: string; name: string }[] =>
  'mentionDetails' in raw ? raw.mentionDetails : raw.mentions
const filesOf = (raw: Written): File[] =>
  'mentionDetails' in raw ? (raw.attachmentDetails ?? []) : raw.attachments

const withNames = (raw: Written): string =>
  mentionsIn(raw).reduce((text, { id, name }) => text.replaceAll(`<@${id}>`, () => `@${name}`), raw.text)

function attachmentOf(parley: Client, messageId: string, file: File): Attachment {
  const { id, type, name, url, contentType, size, width, height } = file
  return withData(parley, {
    type,
    url,
    mimeType: contentType,
    size,
    ...(name !== undefined && { name }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    fetchMetadata: { messageId, attachmentId: id },
  })
}

/** Downloads by a new link each time: the one that came with the message is valid for an hour. */
export function withData(parley: Client, attachment: Attachment): Attachment {
  const { messageId, attachmentId } = attachment.fetchMetadata ?? {}
  if (messageId === undefined) return attachment
  return {
    ...attachment,
    fetchData: async () => {
      const { attachmentDetails = [] } = await parley.readMessage({ params: { messageId } })
      const file = attachmentDetails.find(({ id }) => id === attachmentId)
      if (!file) throw new Error(`${attachmentId} is not in the message any more`)
      const response = await fetch(file.url)
      if (!response.ok) throw new Error(`${attachmentId} was not downloaded: ${response.status}`)
      return response.arrayBuffer()
    },
  }
}
