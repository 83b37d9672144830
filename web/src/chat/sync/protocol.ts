import type { ChatMember, ChatTopic } from '../../../../contract/people/chat-records.ts'
import type { StreamingMessage } from '../../../../contract/people/streaming-message.ts'
import type { ChatFailure, ChatState, Outgoing } from '../model.ts'
import type { ChatEvent } from '../store/events.ts'
import type { StartAnswer, StartRest, TopicPage } from '../store/start.ts'

export type SentAnswer = { id: string; createdAt: number; held?: true }
export type UploadResult =
  | { answer: SentAnswer }
  | { failure: ChatFailure; retryAfterMs?: number | undefined }

/** Messages from a tab to the hub, which holds the connection for all tabs of the browser. */
export type ToHub =
  | {
      type: 'attach'
      accountId: string
      organizationId: string
      /** Up to where the tab has everything; undefined if it has nothing. */
      position: number | undefined
      hasMembers: boolean
      hasTopics: boolean
      /** The topic that is being opened. */
      topicId: string | undefined
      /** The person's profile there, if the tab knows it. */
      profileId: string | undefined
    }
  /** The first messages are on the screen: whatever else is needed may be read. */
  | { type: 'painted' }
  | { type: 'leave' }
  /** This tab is in front. */
  | { type: 'front' }
  /** The network is back. */
  | { type: 'online' }
  | { type: 'send'; item: Outgoing }
  | { type: 'sendAgain'; localId: string }
  | { type: 'discard'; localId: string }
  | { type: 'progress'; localId: string; sentBytes: number }
  | { type: 'uploaded'; localId: string; result: UploadResult }

export type ToTab =
  /** There is another hub: it does not know this tab yet. */
  | { type: 'hello' }
  | { type: 'connection'; connection: ChatState['connection'] }
  /** The chat could not be read at all. */
  | { type: 'failed'; failure: ChatFailure }
  /** `outgoing`: ids of messages that still wait in the outbox. */
  | { type: 'start'; start: StartAnswer; isGap: boolean; outgoing: string[] }
  | { type: 'members'; members: ChatMember[] }
  /** A page of the topics that the start did not have. */
  | { type: 'topics'; page: TopicPage }
  /** All topics have been listed since the start: those with these ids, and these drafts. */
  | { type: 'topicsEnd'; topicIds: string[]; draftKeys: string[] }
  /** Lists of the start that were too long for it. */
  | { type: 'rest'; rest: StartRest }
  /** Messages that bots are writing, sent when pieces of them were missed. */
  | { type: 'streaming'; streaming: StreamingMessage[] }
  /** One that the person has just come into. */
  | { type: 'topic'; topic: ChatTopic }
  | { type: 'events'; events: ChatEvent[] }
  | { type: 'outgoing'; item: Outgoing }
  /** A text has been taken. */
  | { type: 'sent'; item: Outgoing; answer: SentAnswer }
  | { type: 'gone'; localId: string }
  /** Asks this tab to upload its files, or to stop that. */
  | { type: 'upload'; item: Outgoing }
  | { type: 'stopUpload'; localId: string }
  /** Whether this tab writes what is kept. */
  | { type: 'keeper'; isKeeper: boolean }

/** One end of a connection between a tab and the hub. */
export type Port<Incoming, Outgoing> = {
  post(message: Outgoing): void
  listen(listener: (message: Incoming) => void): void
}
export type TabPort = Port<ToTab, ToHub>
export type HubPort = Port<ToHub, ToTab>
