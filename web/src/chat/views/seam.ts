import { createContext, type ReactNode, useContext } from 'react'
import type { Message } from '../../../../contract/message.ts'
import type { ConversationPlace, OutgoingCard, TaskState } from '../model.ts'

/**
 * Props that the shell gives to a conversation. `conversation/conversation.tsx` exports it as default: the list and, below
 * it, the composer, filling the height that there is. The shell draws header, banners and panes around it.
 */
export type ConversationProps = {
  topicId: string
  /** A permalink: the message to open at and to mark. */
  messageId?: string | undefined
  /** Stands at the beginning of the topic, above the first message; alone, close to the composer, where there is none. */
  beginning: ReactNode
  /** Cards of the first run, between list and composer. */
  above?: ReactNode
  /** Replaces the composer if the person may not write: joining, archived, announcements. */
  instead?: ReactNode
}

/** `conversation/thread-pane.tsx` exports it as default: head with a close button, the message, its replies, a composer. */
export type ThreadPaneProps = {
  topicId: string
  messageId: string
  /** A permalink: the reply to open at and to mark. */
  replyId?: string | undefined
  onClose: () => void
  instead?: ReactNode
}

/** A card to make: a new one, one that was not sent, a task from a message, or a task to change. */
export type MakeRequest = {
  kind: OutgoingCard['kind']
  place: ConversationPlace
  from?: OutgoingCard
  message?: Message
  task?: TaskState
}

/** Calls from conversations to the shell around them. */
export type Shell = {
  openThread(topicId: string, messageId: string): void
  /** A card beside what was pressed. */
  openProfile(memberId: string, anchor: Element): void
  /** Opens the window of a group, or of all groups. */
  openGroup(groupId?: string): void
  /** Goes to a message wherever it is: a quoted one, or a pinned one. */
  goToMessage(topicId: string, messageId: string): void
  goToTopic(topicId: string): void
  /** Opens the window in which a poll, a task, a place or a contact is made. */
  make(request: MakeRequest): void
  /** Opens the list of the organization's own emoji, where they are added. */
  manageEmoji(): void
}

export const ShellContext = createContext<Shell>({
  openThread: () => {},
  openProfile: () => {},
  openGroup: () => {},
  goToMessage: () => {},
  goToTopic: () => {},
  make: () => {},
  manageEmoji: () => {},
})
export const useShell = (): Shell => useContext(ShellContext)

/**
 * Puts a text into the composer of a topic, as a mention from a profile card. The composer that is shown listens; the shell
 * tells.
 */
export const INSERT_TEXT = 'parley:insert-text'
export type InsertText = CustomEvent<{ topicId: string; text: string }>
