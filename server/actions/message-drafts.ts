import type { Caller } from '../caller.ts'
import type { LogEvent } from '../db/transaction.ts'
import {
  badRequest,
  botsStopped,
  forbidden,
  notFound,
  type Refusal,
  topicArchived,
  wordBlocked,
} from '../errors.ts'
import type { IdempotentRequest } from '../http/idempotency.ts'
import { randomTail, type Tick, tickAfter, uuidFromTick } from '../ids.ts'
import { hasBlockedWord } from '../limits/blocked-words.ts'
import { presentEventMessage } from '../presenters/messages.ts'
import type { KnownTopic, NarrowBot } from '../queries/topic-directory.ts'
import { mentionsIn } from '../text.ts'

export type TextMessage = { topicId: string; text: string; parentId?: string; externalId?: string }

type Checked = { topic: KnownTopic; mentions: string[] }

/** Whether this may be sent, as far as memberships tell; its parent is looked up when it is written. */
export function checkMessage(
  { profileId }: Caller,
  { text }: TextMessage,
  topic: KnownTopic | undefined,
): Checked | { refusal: Refusal } {
  if (!topic?.members.has(profileId)) return { refusal: notFound('Topic not found') }
  if (topic.isArchived) return { refusal: topicArchived() }
  if (topic.areBotsStopped && isBot(profileId)) return { refusal: botsStopped() }
  if (topic.writers && !topic.writers.has(profileId)) return { refusal: forbidden() }
  if (hasBlockedWord(topic.blockedWords, text)) return { refusal: wordBlocked() }
  const mentions = mentionsIn(text)
  if (!mentions.every((id) => topic.members.has(id))) return { refusal: badRequest('Invalid mention') }
  return { topic, mentions }
}

/** Whether a bot that hears less than everything hears this message, whatever thread it is in. */
const isConcerned = ({ id, reach }: NarrowBot, senderId: string, mentions: readonly string[]): boolean =>
  reach !== 'commands' && (id === senderId || mentions.includes(id))

const isBot = (id: string): boolean => id.startsWith('b@')

/** Whether it needs a look at more than its topic as it is written: it lets bots go on, or some hear it only where they wrote in its thread. */
export const takesTransaction = (caller: Caller, message: TextMessage, checked: Checked): boolean =>
  (checked.topic.areBotsStopped && !isBot(caller.profileId)) || isForThread(caller, message, checked)

/** Whether a bot writes where there are others that may answer it. */
export const isAmongBots = ({ profileId }: Caller, { botIds, narrowBots }: KnownTopic): boolean =>
  isBot(profileId) && botIds.length + narrowBots.length > 1

const isForThread = (
  { profileId }: Caller,
  { parentId }: TextMessage,
  { topic, mentions }: Checked,
): boolean =>
  parentId !== undefined &&
  topic.narrowBots.some((bot) => bot.reach === 'threads' && !isConcerned(bot, profileId, mentions))

function audienceOf(topic: KnownTopic, senderId: string, mentions: readonly string[]) {
  const { botIds, addressIds, narrowBots } = topic
  if (narrowBots.length === 0) return { botIds, addressIds }
  const concerned = narrowBots.filter((bot) => isConcerned(bot, senderId, mentions))
  return {
    botIds: [...botIds, ...concerned.map(({ id }) => id)],
    addressIds: [...addressIds, ...concerned.flatMap((bot) => bot.addressIds)],
  }
}

/** A message that may be sent, with all of its event but its id and its time, which it gets when it is written. */
export type Draft = {
  topicId: string
  senderId: string
  text: string
  mentions: readonly string[]
  parentId: string | undefined
  externalId: string | undefined
  /** The random halves of the message's id and of its event's. */
  tails: readonly [string, string]
  /** The event's payload from behind the id to before the times, and what comes after them. */
  head: string
  ending: string
  botIds: readonly string[]
  /** Addresses of webhooks that get it. */
  addressIds: readonly string[]
  key?: IdempotentRequest | undefined
}

const START = '{"message":{"id":"'
/** In a text, quotes are escaped: this stands where the presenter put it, and nowhere else. */
const NO_TIMES = '"createdAt":0,"updatedAt":0'

export function draftOf(
  { profileId }: Caller,
  { topicId, text, parentId, externalId }: TextMessage,
  { topic, mentions }: Checked,
): Draft {
  const shown = presentEventMessage(
    {
      id: '',
      topic_id: topicId.toLowerCase(),
      sender_id: profileId,
      sender_name: topic.members.get(profileId) ?? '',
      type: 'text',
      text,
      mentions,
      parent_id: parentId?.toLowerCase() ?? null,
      external_id: externalId ?? null,
      is_system: false,
      is_edited: false,
      reply_count: 0,
      reactions: [],
      details: null,
      attachments: null,
      created_at: 0,
      updated_at: 0,
    },
    topic.members,
    0,
  )
  const payload = JSON.stringify({ message: shown, truncated: shown.truncated })
  const times = payload.indexOf(NO_TIMES)
  return {
    topicId: shown.topicId,
    senderId: profileId,
    text,
    mentions,
    parentId: shown.parentId,
    externalId,
    tails: [randomTail(), randomTail()],
    head: payload.slice(START.length, times),
    ending: payload.slice(times + NO_TIMES.length),
    ...audienceOf(topic, profileId, mentions),
  }
}

/** The sender's answer for a message that was written at this tick. */
export const sentOf = ({ topicId, tails }: Draft, tick: Tick) => ({
  id: uuidFromTick(tick, tails[0]),
  topicId,
  createdAt: tick.ms,
})

/** The event of a message that was written at this tick, as the database has it (`send_messages`). */
export function eventOf(draft: Draft, seq: number, tick: Tick): LogEvent {
  const { head, ending, tails, topicId, botIds } = draft
  const times = `"createdAt":${tick.ms},"updatedAt":${tick.ms}`
  const after = tickAfter(tick, 1)
  return {
    seq,
    id: uuidFromTick(after, tails[1]),
    type: 'message.created',
    topicId,
    data: `${START}${uuidFromTick(tick, tails[0])}${head}${times}${ending}`,
    createdAt: after.ms,
    botIds,
  }
}
