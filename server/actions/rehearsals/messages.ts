import type { ActionsInput } from '../../../contract/actions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Progress } from '../../../contract/message-progress.ts'
import type { editMessage, sendMessage } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { askQuestion, Question } from '../../../contract/questions.ts'
import type { appendToMessage, finishMessage } from '../../../contract/streaming.ts'
import type { RehearsalCaller } from '../../auth/rehearsals.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import type { SayingData } from '../../queries/bots/rehearsals.ts'
import { isTopicMember, type MessageRow, readMessage } from '../../queries/messages/messages.ts'
import { isCustomEmoji } from '../../queries/organization/custom-emoji.ts'
import { isOneEmoji } from '../../text.ts'
import { pointsIn } from '../messages/growing-text.ts'
import { checkMentions, checkParent } from '../messages/messages.ts'
import { actionsOf, wordsOf } from '../messages/questions.ts'
import { refuseClosedTopic, requireTopicToWriteIn } from '../topics/topics.ts'
import { findKept, type KeptSaying, keep, rekeep, requireShared } from './sayings.ts'

/*
 * Sayings of a bot in a rehearsal. Nothing here writes anything but rows of the rehearsal: what it calls of others only reads and refuses.
 */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Key = string | undefined

/** Checks a text as for a real message, and returns its topic. */
async function requireSayable(
  tx: Transaction,
  caller: RehearsalCaller,
  {
    topicId,
    parentId,
    text = '',
    actions,
  }: { topicId: string; parentId?: string; text?: string; actions?: ActionsInput },
): Promise<string> {
  const topic = await requireTopicToWriteIn(tx, caller, topicId, [text, ...(actions ? wordsOf(actions) : [])])
  await requireShared(caller, tx, topic.id)
  if (parentId !== undefined) await requireParent(tx, caller, topic.id, parentId)
  await checkMentions(tx, topic.id, text)
  if (actions) await actionsOf(tx, topic.id, actions)
  return topic.id
}

/** A message of the topic, or one of this rehearsal. */
async function requireParent(
  tx: Transaction,
  caller: RehearsalCaller,
  topicId: string,
  parentId: string,
): Promise<void> {
  const kept = await findKept(caller, tx, parentId)
  if (kept?.topicId !== topicId) await checkParent(tx, topicId, parentId)
}

const buttonsOf = (actions: Pick<ActionsInput, 'elements'>): string[] =>
  actions.elements.map(({ text }) => text)

export async function say(
  tx: Transaction,
  caller: RehearsalCaller,
  body: BodyOf<typeof sendMessage>,
  key: Key,
) {
  const { text, parentId, actions, sendAt, streaming, forwardMessageId } = body
  if (forwardMessageId !== undefined) throw refusal('not_in_rehearsals')
  if (streaming && actions) throw refusal('fields_conflict', { fields: 'streaming and actions' })
  if (streaming && sendAt !== undefined) throw refusal('fields_conflict', { fields: 'streaming and sendAt' })
  if (!streaming && text === undefined) throw refusal('field_required', { field: 'text' })
  if (sendAt !== undefined && (sendAt < tx.now() || sendAt > tx.now() + LIMITS.scheduledDays * DAY_MS))
    throw refusal('send_time_invalid')
  const topicId = await requireSayable(tx, caller, body)
  const data: SayingData = {
    ...(parentId !== undefined && { parentId: parentId.toLowerCase() }),
    ...(actions && { buttons: buttonsOf(actions) }),
    ...(sendAt !== undefined && { sendAt }),
    ...(streaming && { streaming }),
  }
  const { id, saidAt } = await keep(tx, caller, { kind: 'message', text: text ?? '', topicId, data, key })
  return { id, topicId, createdAt: saidAt, ...(sendAt !== undefined && { sendAt }) }
}

export async function edit(
  tx: Transaction,
  caller: RehearsalCaller,
  messageId: string,
  { text, actions }: BodyOf<typeof editMessage>,
) {
  if (text === undefined && actions === undefined) throw refusal('field_required', { field: 'text' })
  const { kept, topicId } = await requireKept(tx, caller, messageId)
  await requireSayable(tx, caller, {
    topicId,
    ...(text !== undefined && { text }),
    ...(actions && { actions }),
  })
  const { buttons, ...others } = kept.data
  const after = actions ? buttonsOf(actions) : actions === null ? undefined : buttons
  await rekeep(tx, caller, kept, {
    text: text ?? kept.text,
    data: { ...others, ...(after && { buttons: after }), edited: true },
  })
  return { id: kept.id, updatedAt: tx.now() }
}

export async function unsay(tx: Transaction, caller: RehearsalCaller, messageId: string): Promise<void> {
  const { kept } = await requireKept(tx, caller, messageId)
  await rekeep(tx, caller, kept, { text: kept.text, data: { ...kept.data, deleted: true } })
}

/** A message of this rehearsal. Those that the bot has really sent are not its own here. */
async function requireKept(
  tx: Transaction,
  caller: RehearsalCaller,
  messageId: string,
): Promise<{ kept: KeptSaying; topicId: string }> {
  const kept = await findKept(caller, tx, messageId)
  if (!kept || kept.topicId === null) throw refusal('message_not_found')
  return { kept, topicId: kept.topicId }
}

async function requireStreaming(tx: Transaction, caller: RehearsalCaller, messageId: string) {
  const found = await requireKept(tx, caller, messageId)
  if (!found.kept.data.streaming) throw refusal('stream_finished')
  return found
}

export async function append(
  tx: Transaction,
  caller: RehearsalCaller,
  messageId: string,
  { text, from }: BodyOf<typeof appendToMessage>,
) {
  const { kept, topicId } = await requireStreaming(tx, caller, messageId)
  const points = [...kept.text]
  if (from !== undefined && from > points.length) throw refusal('stream_gap')
  const longer = points.slice(0, from ?? points.length).join('') + text
  const length = pointsIn(longer)
  if (length > LIMITS.messageText) throw refusal('field_too_long', { field: 'text' })
  await requireTopicToWriteIn(tx, caller, topicId, [longer])
  await rekeep(tx, caller, kept, { text: longer, data: kept.data })
  return { id: kept.id, length }
}

export async function progress(
  tx: Transaction,
  caller: RehearsalCaller,
  messageId: string,
  { steps = [], ...others }: Progress,
): Promise<void> {
  if (new Set(steps.map(({ id }) => id)).size < steps.length) throw refusal('step_ids_repeated')
  if (Buffer.byteLength(JSON.stringify({ steps, ...others })) > LIMITS.progressBytes)
    throw refusal('progress_too_large')
  const { kept } = await requireStreaming(tx, caller, messageId)
  const { steps: _before, ...data } = kept.data
  const titles = steps.map(({ title }) => title)
  await rekeep(tx, caller, kept, {
    text: kept.text,
    data: { ...data, ...(titles.length > 0 && { steps: titles }) },
  })
}

export async function finish(
  tx: Transaction,
  caller: RehearsalCaller,
  messageId: string,
  { text, actions }: BodyOf<typeof finishMessage>,
) {
  const { kept, topicId } = await requireKept(tx, caller, messageId)
  const said = { id: kept.id, topicId, createdAt: kept.saidAt }
  if (!kept.data.streaming) return said // the answer before was lost
  const whole = text ?? kept.text
  if (whole === '') throw refusal('field_required', { field: 'text' })
  await requireSayable(tx, caller, { topicId, text: whole, ...(actions && { actions }) })
  const { streaming: _streaming, ...data } = kept.data
  await rekeep(tx, caller, kept, {
    text: whole,
    data: { ...data, ...(actions && { buttons: buttonsOf(actions) }) },
  })
  return said
}

/** A message that was there when the event happened that the bot has, in a topic of the rehearsal. */
export async function requireHeard(
  tx: Transaction,
  caller: RehearsalCaller,
  messageId: string,
): Promise<MessageRow> {
  const message = await readMessage(caller, tx, messageId)
  if (!message || message.created_at > caller.rehearsal.heardAt) throw refusal('message_not_found')
  await requireShared(caller, tx, message.topic_id).catch(asMessage)
  return message
}

/** The topic of a message is not named by the request. */
const asMessage = (error: unknown): never => {
  throw error instanceof Refusal && error.code === 'topic_not_found' ? refusal('message_not_found') : error
}

export async function react(
  tx: Transaction,
  caller: RehearsalCaller,
  messageId: string,
  emoji: string,
  key: Key,
) {
  if (!isOneEmoji(emoji) && !(await isCustomEmoji(tx, tx, emoji))) throw refusal('reaction_not_emoji')
  const message = await requireHeard(tx, caller, messageId)
  await refuseClosedTopic(tx, caller, message.topic_id)
  const about = { topicId: message.topic_id, messageId: message.id }
  const { id, saidAt } = await keep(tx, caller, { kind: 'reaction', text: emoji, ...about, key })
  return { id, messageId: message.id, reaction: emoji, createdAt: saidAt }
}

export async function sayPrivately(
  tx: Transaction,
  caller: RehearsalCaller,
  { messageId, memberId: requestedId }: { messageId: string; memberId: string },
  text: string,
): Promise<void> {
  const memberId = requestedId.toLowerCase()
  const { id, topic_id: topicId } = await requireHeard(tx, caller, messageId)
  await requireTopicToWriteIn(tx, caller, topicId, [text])
  if (isBotId(memberId) || !(await isTopicMember({ orgId: tx.orgId, profileId: memberId }, tx, topicId)))
    throw refusal('private_answer_member_invalid')
  await keep(tx, caller, { kind: 'private', text, topicId, messageId: id, data: { memberId } })
}

/** Ends the question at once, since no person is asked: what counts without an answer is its answer. */
export async function ask(
  tx: Transaction,
  caller: RehearsalCaller,
  asked: BodyOf<typeof askQuestion>,
  key: Key,
): Promise<Question> {
  const { text, elements, title, facts, who, people, approval, quorum = 1, otherwise, parentId } = asked
  const expiresAt = asked.expiresAt ?? tx.now() + LIMITS.questionDefaultHours * HOUR_MS
  if (expiresAt > tx.now() + LIMITS.questionDays * DAY_MS) throw refusal('question_expiry_too_far')
  if (otherwise !== undefined && !elements.some(({ id }) => id === otherwise))
    throw refusal('field_invalid', { field: 'otherwise' })
  const actions: ActionsInput = {
    ...{ elements, expiresAt },
    ...(title !== undefined && { title }),
    ...(facts && { facts }),
    ...(who && { who }),
    ...(people && { people }),
    ...(approval && { approval }),
  }
  const topicId = await requireSayable(tx, caller, {
    ...{ topicId: asked.topicId, text, actions },
    ...(parentId !== undefined && { parentId }),
  })
  const data = {
    buttons: buttonsOf(actions),
    ...(parentId !== undefined && { parentId: parentId.toLowerCase() }),
  }
  const { id, saidAt } = await keep(tx, caller, { kind: 'question', text, topicId, data, key })
  return {
    ...{
      id,
      messageId: id,
      topicId,
      status: 'expired' as const,
      quorum,
      approval: approval ?? false,
      answers: [],
    },
    ...(otherwise !== undefined && { elementId: otherwise }),
    ...{ expiresAt, createdAt: saidAt, closedAt: saidAt },
  }
}
