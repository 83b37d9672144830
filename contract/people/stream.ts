import type { Static } from 'typebox'
import type { ActionAnswer, Outcome } from '../actions.ts'
import type { EventData, TopicUpdated } from '../events.ts'
import type { LinkPreview } from '../message.ts'
import type { Progress } from '../message-progress.ts'
import type { Reach } from '../reach.ts'
import type { RefusalCode } from '../refusals/index.ts'
import type { PollResults } from './card-records.ts'
import type { FollowedThread } from './chat.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ChatMember, Draft, SidebarSection, TopicState } from './chat-records.ts'
import type { AuditAction, AuditTarget } from './organization.ts'

/**
 * The live stream of an organization, `text/event-stream` at `/people/organizations/{organizationId}/stream`. It reads
 * the event log from a position. These events have their number in the log as `id`:
 *
 * - every event of the person's topics, by its type, with the data that a bot would get, and `member.removed` of topics
 *   that they were removed from;
 * - `admin.change` for every entry of the audit log to admins, and to others for changes to themselves;
 * - events of the chat that only people get (`PeopleEvents`).
 *
 * A disconnected browser sends the last `id` and misses nothing. At the very beginning, or if the log no longer reaches
 * back far enough, it gets `reset` and reads everything again.
 *
 * Events without an `id` are not kept. Admins get hints to read again: `activity` at most every two seconds, and once
 * more when it has become quiet, and `deliveries` of the bot that `watch` names. The chat gets `EphemeralEventData`,
 * which reaches connected browsers on any node; a disconnected one does not get it later. A stream ends at once with
 * the session, and with the membership.
 */
export const STREAM_PATH = '/people/organizations/{organizationId}/stream'

export type AdminChange = {
  action: AuditAction
  target: { type: AuditTarget; id: string }
}
export const ADMIN_CHANGE = 'admin.change'
export const MEMBER_UPDATED = 'member.updated'
export const EMOJI_CHANGED = 'emoji.changed'
/** Events for all members of the organization. */
export const FOR_EVERYBODY = [MEMBER_UPDATED, EMOJI_CHANGED] as const
export const POLL_VOTED = 'poll.voted'
export const MESSAGE_ACTION = 'message.action'
export const MESSAGE_COMMAND = 'message.command'
export const SCHEDULED_FAILED = 'scheduled_message.failed'
export const QUESTION_CLOSED = 'question.closed'
/** Events that are for one bot alone. */
export const FOR_ONE_BOT = [MESSAGE_ACTION, QUESTION_CLOSED, MESSAGE_COMMAND, SCHEDULED_FAILED] as const
export const ACTION_NOTED = 'action.noted'
export const BOTS_RELEASED = 'bots.released'

/** Events of the log that bots do not get. */
export type PeopleEvents = {
  /** Sent to the topic's first members. */
  'topic.created': { topicId: string; actorId: string }
  'message.pinned': { topicId: string; messageId: string; actorId: string; createdAt: number }
  'message.unpinned': { topicId: string; messageId: string; actorId: string; createdAt: number }
  /** A changed label without another change, or a new cover. Bots get `topic.updated` for all other changes. */
  'topic.updated': Static<typeof TopicUpdated> & { changes: { coverId?: string | null } }
  /**
   * A vote was cast, or the poll was closed: the current results. An anonymous poll counts votes and names no voters.
   */
  'poll.updated': { topicId: string; messageId: string; poll: PollResults; closedAt?: number }
  /** The voter's current choice, sent to all browsers of that person alone. */
  'poll.voted': { topicId: string; pollId: string; voterId: string; version: number; optionIds: string[] }
  /** A member answered a bot's buttons or form. Only the bot gets the form's values. */
  /** An answer, the end of a question, or both. */
  'message.answered': {
    topicId: string
    messageId: string
    actionsId: string
    answer?: ActionAnswer
    outcome?: Outcome
  }
  /** A message got a link preview, or its sender removed it. */
  'message.previewed': { topicId: string; messageId: string; preview: LinkPreview | null }
  /**
   * A bot's note about an answer, or its private answer under a message, with the bot that gave it; sent to all browsers of one person.
   * An empty text takes a private answer away.
   */
  'action.noted': {
    topicId: string
    messageId: string
    actionId: string
    userId: string
    text: string
    senderId?: string
    senderName?: string
  }
  /** A reply that stayed in its thread stands in its topic now: the message at the head of the thread was deleted. */
  'reply.shown': { topicId: string; messageId: string }
  /** A bot has deleted a message that it was still writing. */
  'stream.discarded': { topicId: string; messageId: string }
  /** A bot gets more or fewer events of the topic from now on. */
  'bot.reach_changed': { topicId: string; botId: string; reach: Reach; actorId: string }
  /** Bots only answered each other, and may not write here until a person has. */
  'bots.stopped': { topicId: string; stoppedAt: number }
  'bots.released': { topicId: string; actorId: string }
  /** Guests came into the topic, left it, or are none any more. */
  'topic.guests_changed': { topicId: string; guests: number }
  /** A task was moved in the list of its topic. */
  'task.moved': { topicId: string; taskId: string; actorId: string }
  /** A member joined, or has a new name, role or state. Sent to the whole organization. */
  'member.updated': { member: ChatMember }
  /** A custom emoji was added or removed. Sent to the whole organization. */
  'emoji.changed': { name: string; pictureId: string | null }
}

/** Events as pages get them: these say of replies whether their topic shows them, and who is mentioned by groups. */
export type PageEvents = Omit<EventData, 'message.created' | 'message.updated' | 'message.deleted'> & {
  'message.created': EventData['message.created'] & { threadOnly?: true; mentionedPeople?: string[] }
  'message.updated': EventData['message.updated'] & { threadOnly?: true; mentionedPeople?: string[] }
  /** Deleted replies that their topic did not show, each with the message at the head of its thread. */
  'message.deleted': EventData['message.deleted'] & { threadOnly?: Record<string, string> }
} & PeopleEvents

/** A thread that the person follows or no longer does, and what they have not read of it. */
export type ThreadChange = FollowedThread & { following: boolean }

/**
 * A piece of a growing message: its text is the first `from` UTF-16 units of the former text, and then `text`. Readers
 * who have less of it, or do not know it, read it with `listStreaming`.
 */
export type StreamedText = {
  messageId: string
  /** Grows with each change; older pieces are skipped. */
  version: number
  from: number
  text: string
  /** The message as it begins, sent with the first piece of text. */
  message?: ChatMessage
}

/** A message to notify a person of, worded for a notification. */
export type Notice = {
  organizationId: string
  topicId: string
  messageId: string
  /** The sender, and the topic of the message. */
  title: string
  /** The first 200 characters of the message in one line. */
  body: string
  /** Whether this is a reminder that the person set. */
  isReminder?: true
}

export type EphemeralEventData = {
  /** A person types, or a bot is at work. A bot's state lasts for `forMs`, or until its next message. */
  typing: { topicId: string; profileId: string; parentId?: string; forMs?: number }
  /** Whether a person is online: a page is open and was used within ten minutes. */
  presence: { profileId: string; online: boolean }
  /** Tells this person's browsers what they read, muted or drafted in one of them. */
  state: {
    states?: TopicState[]
    draft?: Draft
    /** `isTold` marks a new reply in a thread of theirs: pages that know the thread have counted it. */
    thread?: ThreadChange & { isTold?: true }
    /** All replies up to now were read. */
    threadsRead?: true
    /** All sections of their list, in their order. */
    sections?: SidebarSection[]
  }
  /** Carries the text that bots have written since the last such news, at most every 50 ms for each message. */
  streaming: { topicId: string; texts: StreamedText[] }
  /** Steps, sources and activity of a message that a bot is writing, in place of the former ones. */
  progress: { topicId: string; messageId: string; progress: Progress }
  /** Tells this person's browsers of a message that they want to be notified of. One that is looked at shows nothing. */
  notification: Notice
  /**
   * A change of the person's scheduled or saved messages, for their browsers: how many scheduled messages failed, and
   * why one just did.
   */
  later: {
    failed?: number
    failure?: { topicId: string; reason: string; reasonCode: RefusalCode }
    /** A message that was just held for a review. */
    held?: { topicId: string; reason: string }
  }
}
