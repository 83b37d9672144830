import { createContext } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import type { ChatState, Outgoing } from '../../../model.ts'

/** Actions of a conversation on its messages. One set of menus and windows serves all its messages. */
export type MessageTools = {
  react: (message: Message, emoji: string, isOn: boolean) => void
  openPicker: (message: Message, anchor: HTMLElement) => void
  openMenu: (message: Message, anchor: HTMLElement | { x: number; y: number }) => void
  reply: (message: Message) => void
  /** Answers it in the topic; undefined where there is no field for that. */
  quote: ((message: Message) => void) | undefined
  edit: (message: Message) => void
  remove: (message: Message) => void
  pin: (message: Message, isOn: boolean) => void
  save: (message: Message) => void
  /** Begins to select messages with this one. */
  select: (message: Message) => void
  remind: (message: Message, anchor: HTMLElement) => void
  markUnread: (message: Message) => void
  copyLink: (message: Message) => void
  copyText: (message: Message) => void
  /** Shows a picture or a document over the conversation. */
  openFile: (message: Message, attachmentId: string) => void
  /** Puts what was not sent back into the composer. */
  editOutgoing: (outgoing: Outgoing) => void
}

const nothing = () => {}

export const MessageToolsContext = createContext<MessageTools>({
  react: nothing,
  openPicker: nothing,
  openMenu: nothing,
  reply: nothing,
  quote: undefined,
  edit: nothing,
  remove: nothing,
  pin: nothing,
  save: nothing,
  select: nothing,
  remind: nothing,
  markUnread: nothing,
  copyLink: nothing,
  copyText: nothing,
  openFile: nothing,
  editOutgoing: nothing,
})

const MINUTE_MS = 60_000
/** Types with a typed text or a caption. */
const EDITABLE: readonly string[] = ['text', 'image', 'file', 'video', 'audio']

type Asking = Pick<ChatState, 'me' | 'organization'>

export const mayEdit = (message: Message, state: Asking): boolean =>
  mayDelete(message, state) && EDITABLE.includes(message.type)

/** Own messages, for the time that the organization allows. */
export const mayDelete = (
  { senderId, isSystem, createdAt }: Message,
  { me, organization }: Asking,
): boolean => {
  const minutes = organization?.editMinutes ?? Number.POSITIVE_INFINITY
  return senderId === me?.id && !isSystem && Date.now() - createdAt < minutes * MINUTE_MS
}

export const mayForward = ({ call, stream, isSystem, task }: Message): boolean =>
  !call && stream?.status !== 'streaming' && (!isSystem || task !== undefined)
