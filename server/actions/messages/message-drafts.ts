import type { MessageType } from '../../../contract/message.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import type { LogEvent } from '../../db/transaction.ts'
import { botsStopped, type Refusal, refusal } from '../../errors.ts'
import type { IdempotentRequest } from '../../idempotency/kept-answers.ts'
import { randomTail, type Tick, tickAfter, uuidFromTick } from '../../ids.ts'
import { hasBlockedWord } from '../../limits/blocked-words.ts'
import { marked } from '../../presenters/event-links.ts'
import { presentEventMessage } from '../../presenters/messages.ts'
import type { MessageDetails, MessageRow, StoredAttachment } from '../../queries/messages/messages.ts'
import type { KnownTopic, NarrowBot } from '../../queries/topics/topic-directory.ts'
import { groupWordsIn, mentionsIn } from '../../text.ts'
import { mayMentionGroups } from './group-mentions.ts'

export type TextMessage = {
  topicId: string
  text: string
  parentId?: string
  /** Whether the topic of a reply shows it, beside its thread. */
  alsoInTopic?: boolean
  externalId?: string
}

type Checked = { topic: KnownTopic; mentions: string[] }

/** Checks by memberships whether this may be sent; the parent is looked up on writing. */
export function checkMessage(
  { profileId }: Caller,
  { text }: TextMessage,
  topic: KnownTopic | undefined,
): Checked | { refusal: Refusal } {
  if (!topic?.members.has(profileId)) return { refusal: refusal('topic_not_found') }
  if (topic.isArchived) return { refusal: refusal('topic_archived') }
  if (topic.areBotsStopped && isBotId(profileId)) return { refusal: botsStopped() }
  if (topic.writers && !topic.writers.has(profileId)) return { refusal: refusal('forbidden') }
  if (hasBlockedWord(topic.blockedWords, text)) return { refusal: refusal('word_blocked') }
  const mentions = mentionsIn(text)
  if (!mentions.every((id) => topic.members.has(id))) return { refusal: refusal('mention_invalid') }
  return { topic, mentions }
}

/** Whether a bot with a narrower reach gets this message, regardless of its thread. */
const isConcerned = ({ id, reach }: NarrowBot, senderId: string, mentions: readonly string[]): boolean =>
  reach !== 'commands' && (id === senderId || mentions.includes(id))

/**
 * Whether writing it needs more than its topic: it lets bots go on, may mention groups, or some bots get it only if they wrote in
 * its thread.
 */
export const takesTransaction = (caller: Caller, message: TextMessage, checked: Checked): boolean =>
  (checked.topic.areBotsStopped && !isBotId(caller.profileId)) ||
  (mayMentionGroups(caller) && groupWordsIn(message.text).length > 0) ||
  isForThread(caller, message, checked)

const isForThread = (
  { profileId }: Caller,
  { parentId }: TextMessage,
  { topic, mentions }: Checked,
): boolean =>
  parentId !== undefined &&
  topic.narrowBots.some((bot) => bot.reach === 'threads' && !isConcerned(bot, profileId, mentions))

/** Bots and webhook addresses that hear of a message; or the members it concerns, from whom the database finds those bots. */
type Hearers = { botIds: readonly string[]; addressIds: readonly string[] } | { concerned: readonly string[] }

function hearersOf(topic: KnownTopic, senderId: string, mentions: readonly string[]): Hearers {
  const { botIds, addressIds, narrowBots } = topic
  if (narrowBots.length === 0) return { botIds, addressIds }
  const concerned = narrowBots.filter((bot) => isConcerned(bot, senderId, mentions))
  return {
    botIds: [...botIds, ...concerned.map(({ id }) => id)],
    addressIds: [...addressIds, ...concerned.flatMap((bot) => bot.addressIds)],
  }
}

/** Columns of a message that plain texts leave at their defaults, and an id and time that it has already. */
type Rest = {
  type?: MessageType
  isSystem?: boolean
  details?: MessageDetails
  attachments?: readonly StoredAttachment[]
  appearedId?: string
  threadOnly?: true
  id?: string
  at?: number
}

/** A message that may be written, with all of its event but its id and its times, which it gets then. */
export type Draft = {
  topicId: string
  senderId: string
  text: string
  mentions: readonly string[]
  parentId: string | undefined
  externalId: string | undefined
  rest?: Rest
  /** The random halves of the message's id and of its event's. */
  tails: readonly [string, string]
  /** The event's JSON from behind the id to before the times, and what comes after them. */
  head: string
  ending: string
  hearers: Hearers
  key?: IdempotentRequest | undefined
}

/** A message as it is before it has an id and a time. */
export type NewRow = Pick<MessageRow, 'topic_id' | 'sender_id' | 'sender_name' | 'text' | 'mentions'> &
  Partial<MessageRow>

/** The whole row. Its defaults stand before the spread: V8 adds names behind one so slowly that making this row took 15 µs, and takes 0.7. */
const newRowOf = (row: NewRow): MessageRow => ({
  id: '',
  type: 'text',
  parent_id: null,
  external_id: null,
  is_system: false,
  is_edited: false,
  reply_count: 0,
  thread_only: false,
  reactions: [],
  details: null,
  attachments: null,
  created_at: 0,
  updated_at: 0,
  ...row,
})

/*
 * The JSON of an event is cut here, where its id and its times will stand, and put together in two places: `eventOf` for readers on this
 * node, and `write_messages` for the log.
 */
const START = '{"message":{"id":"'
/** Quotes are escaped in texts, so this string occurs only where the presenter put it. */
const NO_TIMES = '"createdAt":0,"updatedAt":0'

export function draftOf(row: NewRow, names: ReadonlyMap<string, string>, hearers: Hearers, now = 0): Draft {
  const shown = presentEventMessage(newRowOf(row), names, now)
  const data = { message: shown, truncated: shown.truncated }
  const payload = JSON.stringify(marked(data, row))
  const times = payload.indexOf(NO_TIMES)
  return {
    topicId: row.topic_id,
    senderId: row.sender_id,
    text: row.text,
    mentions: row.mentions,
    parentId: row.parent_id ?? undefined,
    externalId: row.external_id ?? undefined,
    tails: [randomTail(), randomTail()],
    head: payload.slice(START.length, times),
    ending: payload.slice(times + NO_TIMES.length),
    hearers,
    ...(row.thread_only && { rest: { threadOnly: true as const } }),
  }
}

export const textDraftOf = (
  { profileId }: Caller,
  { topicId, text, parentId, alsoInTopic = false, externalId }: TextMessage,
  { topic, mentions }: Checked,
): Draft =>
  draftOf(
    {
      topic_id: topicId.toLowerCase(),
      sender_id: profileId,
      sender_name: topic.members.get(profileId) ?? '',
      text,
      mentions,
      parent_id: parentId?.toLowerCase() ?? null,
      external_id: externalId ?? null,
      thread_only: parentId !== undefined && !alsoInTopic && !topic.showsReplies,
    },
    topic.members,
    hearersOf(topic, profileId, mentions),
  )

/** The sender's answer for a message that was written at this tick. */
export const sentOf = ({ topicId, tails, rest }: Draft, tick: Tick) => ({
  id: rest?.id ?? uuidFromTick(tick, tails[0]),
  topicId,
  createdAt: rest?.at ?? tick.ms,
})

/** The event of a message that was written at this tick, as the log has it. */
export function eventOf(draft: Draft, seq: number, tick: Tick, botIds: readonly string[]): LogEvent {
  const { id, topicId, createdAt } = sentOf(draft, tick)
  const after = tickAfter(tick, 1)
  return {
    seq,
    id: uuidFromTick(after, draft.tails[1]),
    type: 'message.created',
    topicId,
    data: `${START}${id}${draft.head}"createdAt":${createdAt},"updatedAt":${createdAt}${draft.ending}`,
    createdAt: after.ms,
    botIds,
  }
}

/** The bots that a draft names; the others are found as it is written. */
export const botsOf = ({ hearers }: Draft): readonly string[] => ('botIds' in hearers ? hearers.botIds : [])
