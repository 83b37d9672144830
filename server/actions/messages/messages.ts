import type { ActionsInput } from '../../../contract/actions.ts'
import type { Contact, Location, MessageType } from '../../../contract/message.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import { byAssistant, type Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emit } from '../../events/log.ts'
import { redactMessages, withoutFormerWords } from '../../events/redact-messages.ts'
import { releaseFiles } from '../../files/files.ts'
import { LAST_ID } from '../../ids.ts'
import { addJob } from '../../jobs/queue.ts'
import { linkIn } from '../../link-in-text.ts'
import { inThread, marked } from '../../presenters/event-links.ts'
import { presentEventMessage } from '../../presenters/messages.ts'
import { readChatMember } from '../../queries/members/chat-members.ts'
import {
  filesOf,
  type MessageDetails,
  type MessageRow,
  namedIn,
  readMessage,
  readNames,
  type StoredAttachment,
  type StoredGroupMentions,
} from '../../queries/messages/messages.ts'
import { groupWordsIn, mentionsIn } from '../../text.ts'
import { releaseBots } from '../bots/bot-loops.ts'
import { shareHeldFiles } from '../organization/held-files.ts'
import { messageMark, noteDeleted } from '../organization/import-marks.ts'
import { refuseClosedTopic, requireTopicToWriteIn } from '../topics/topics.ts'
import { maskedIn } from '../topics/written-texts.ts'
import { deleteStreaming } from './discarded-streams.ts'
import { groupMentionsOf } from './group-mentions.ts'
import { concernedBy, forgetMentions, recordMentions } from './mentions.ts'
import { draftOf } from './message-drafts.ts'
import { deletePending, markPending } from './pending-messages.ts'
import { removePin } from './pin-events.ts'
import { followQuestion, withdrawOf } from './question-ends.ts'
import { actionsAfter, actionsOf, wordsOf } from './questions.ts'
import { showOrphans } from './shown-replies.ts'
import { writeMessage } from './write-messages.ts'

/** Texts that a sender may change: what was typed, and captions of files. */
const EDITABLE: readonly MessageType[] = ['text', 'image', 'file', 'video', 'audio']

const MINUTE_MS = 60_000

export type NewMessage = {
  topicId: string
  senderId: string
  type: MessageType
  text?: string
  mentions?: readonly string[]
  parentId?: string | undefined
  /** Whether the topic of a reply shows it, beside its thread. */
  alsoInTopic?: boolean | undefined
  externalId?: string | undefined
  isSystem?: boolean
  details?: MessageDetails
  attachments?: readonly StoredAttachment[]
  /** Members who get it besides those mentioned, such as the assignee of a task. */
  concerned?: readonly string[]
  /** The id and time of sending, if it appears later: its files had to be processed. */
  sent?: { id: string; at: number }
}

/** Puts a message of any kind into a topic and tells its bots. Whether the sender may, was checked before. */
export async function postMessage(
  tx: Transaction,
  message: NewMessage,
): Promise<{ id: string; createdAt: number }> {
  const {
    topicId,
    senderId,
    type,
    text = '',
    mentions = [],
    isSystem = false,
    details,
    attachments,
  } = message
  const { sent, parentId, alsoInTopic = false, externalId, concerned = [] } = message
  const threadOnly = parentId !== undefined && !alsoInTopic && !(await showReplies(tx))
  const appearedId = sent && (await appearanceOf(tx, topicId, sent.id))
  // An assistant is not the person: it may be what the bots have answered all the time.
  const isPerson = !isBotId(senderId) && !details?.assistant
  if (isPerson) await releaseBots(tx, { orgId: tx.orgId, profileId: senderId }, topicId)
  const row = {
    topic_id: topicId,
    sender_id: senderId,
    type,
    text,
    mentions: [...mentions],
    parent_id: parentId?.toLowerCase() ?? null,
    external_id: externalId ?? null,
    is_system: isSystem,
    details: details ?? null,
    attachments: attachments ? [...attachments] : null,
    appeared_id: appearedId ?? null,
    thread_only: threadOnly,
  }
  const names = await readNames(tx, tx, [senderId, ...namedIn(row)])
  const senderName = names.get(senderId)
  if (senderName === undefined) throw new Error('a message must have a sender')
  const hearers = { concerned: [senderId, ...mentions, ...concerned] }
  const { id, createdAt } = await writeMessage(tx, {
    ...draftOf({ ...row, sender_name: senderName }, names, hearers, tx.now()),
    rest: {
      type,
      isSystem,
      ...(details && { details }),
      ...(attachments && { attachments }),
      ...(appearedId && { appearedId }),
      ...(threadOnly && { threadOnly }),
      ...sent,
    },
  })
  if (!isSystem && linkIn(text) !== undefined) await addJob(tx, 'preview', id)
  return { id, createdAt }
}

/** The place of a message that was sent before others of its topic and appears now; undefined if nothing came between. */
async function appearanceOf(tx: Transaction, topicId: string, id: string): Promise<string | undefined> {
  const [newer] = await tx.query(sql`
    select 1 from messages x
    where x.org_id = ${tx.orgId} and (x.topic_id, x.id) > (${topicId}::uuid, ${id}::uuid)
      and (x.topic_id, x.id) <= (${topicId}::uuid, ${LAST_ID}::uuid)
    order by x.topic_id, x.id limit 1`)
  return newer && tx.moment().id
}

/** Whether the topics of the organization show all replies. */
async function showReplies(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ shown: boolean }>(sql`
    select replies_in_topics as shown from organizations where org_id = ${tx.orgId}`)
  return row?.shown ?? false
}

export type CardPlace = { topicId: string; parentId?: string; alsoInTopic?: boolean; externalId?: string }

export const sendLocation = (tx: Transaction, caller: Caller, place: CardPlace, location: Location) =>
  sendCard(tx, caller, place, { type: 'location', details: { location } })

/** Unknown fields of a contact are empty. */
export async function sendContact(
  tx: Transaction,
  caller: Caller,
  place: CardPlace,
  known: Partial<Contact> & { name: string },
) {
  const profileId = known.profileId?.toLowerCase() ?? ''
  if (profileId !== '' && (await readChatMember(caller, tx, profileId)) === undefined)
    throw refusal('field_invalid', { field: 'profileId' })
  const nothingKnown = { phoneNumbers: [], emails: [], role: '', location: '', linkedIn: '' }
  const contact = { ...nothingKnown, ...known, profileId }
  return sendCard(tx, caller, place, { type: 'contact', details: { contact } })
}

async function sendCard(
  tx: Transaction,
  caller: Caller,
  { topicId, parentId, alsoInTopic, externalId }: CardPlace,
  card: Required<Pick<NewMessage, 'type' | 'details'>>,
) {
  const topic = await requireTopicToWriteIn(tx, caller, topicId, wordsOfCard(card.details))
  if (parentId !== undefined) await checkParent(tx, topic.id, parentId)
  const { id, createdAt } = await postMessage(tx, {
    topicId: topic.id,
    senderId: caller.profileId,
    parentId,
    alsoInTopic,
    externalId,
    ...card,
  })
  return { id, topicId: topic.id, createdAt }
}

/** The words on a card, with links and e-mail addresses of a contact. */
const wordsOfCard = ({ location, contact }: MessageDetails): string[] =>
  [location, contact].flatMap((card) =>
    Object.values(card ?? {})
      .flat()
      .filter((value): value is string => typeof value === 'string'),
  )

export type Question = CardPlace & { text: string; actions?: ActionsInput }

/** Sends a text, with buttons, choices or forms where there are some, in a transaction that does more than that. */
export async function sendText(
  tx: Transaction,
  caller: Caller,
  { topicId, text: given, actions, parentId, alsoInTopic, externalId }: Question,
) {
  const topic = await requireTopicToWriteIn(
    tx,
    caller,
    topicId,
    [given, ...(actions ? wordsOf(actions) : [])],
    { maskable: given, held: 'wait' },
  )
  const text = maskedIn(tx, given)
  if (parentId !== undefined) await checkParent(tx, topic.id, parentId)
  const mentions = await checkMentions(tx, topic.id, text)
  const groupMentions = await groupMentionsOf(tx, caller, { topicId: topic.id, text, parentId, alsoInTopic })
  const details = {
    ...(actions && { actions: await actionsOf(tx, topic.id, actions) }),
    ...(groupMentions && { groupMentions }),
    ...byAssistant(caller),
  }
  const { id, createdAt } = await postMessage(tx, {
    topicId: topic.id,
    senderId: caller.profileId,
    type: 'text',
    text,
    mentions,
    parentId,
    alsoInTopic,
    externalId,
    ...(Object.keys(details).length > 0 && { details }),
  })
  return { id, topicId: topic.id, createdAt }
}

/** `actions` replaces the buttons, null removes them. Left out, they stay, but a new text clears their answers. */
export type MessageChange = { text?: string; actions?: ActionsInput | null }

/** Changes a message. An unchanged text emits no event. */
export async function editMessage(
  tx: Transaction,
  caller: Caller,
  messageId: string,
  { text: newText, actions: newActions }: MessageChange,
) {
  const before = await requireOwnMessage(tx, caller, messageId)
  if (newActions !== undefined && !isBotId(caller.profileId)) throw refusal('forbidden')
  await refuseLateEdit(tx, caller, before)
  if (before.is_system || !EDITABLE.includes(before.type)) throw refusal('message_not_editable')
  const {
    stream,
    actions: asked,
    assistant: author,
    preview,
    groupMentions: former,
    ...others
  } = before.details ?? {}
  const given = newText ?? before.text
  const isOtherThan = (one: string) => one !== before.text
  const isUnchanged = newActions === null ? asked === undefined : newActions === undefined
  if (!isOtherThan(given) && isUnchanged) return { id: before.id, updatedAt: before.updated_at }
  const written = [...(isOtherThan(given) ? [given] : []), ...(newActions ? wordsOf(newActions) : [])]
  await refuseClosedTopic(tx, caller, before.topic_id, written, { kind: 'edit', maskable: given })
  const text = isOtherThan(given) ? maskedIn(tx, given) : given
  const isOtherText = isOtherThan(text)
  if (!isOtherText && isUnchanged) return { id: before.id, updatedAt: before.updated_at }
  const isOtherLink = isOtherText && linkIn(text) !== linkIn(before.text)
  const mentions = isOtherText ? await checkMentions(tx, before.topic_id, text) : before.mentions
  const groupMentions = isOtherText ? await groupMentionsAfter(tx, caller, before, text) : former
  const actions = await actionsAfter(tx, before, { isOtherText, actions: newActions })
  const updatedAt = tx.now()
  // A complete new text repairs one that a stream left unfinished.
  const writtenBy = isOtherText ? byAssistant(caller) : author && { assistant: author }
  const kept = {
    ...others,
    ...(stream && !isOtherText && { stream }),
    ...(preview && !isOtherLink && { preview }),
    ...(actions && { actions }),
    ...(groupMentions && { groupMentions }),
    ...writtenBy,
  }
  // A message that once had details keeps them, even empty: history looks for notes on such messages.
  const details = before.details || Object.keys(kept).length > 0 ? kept : null
  const isEdited = before.is_edited || isOtherText
  await tx.query(sql`
    update messages set text = ${text}, mentions = ${mentions}, is_edited = ${isEdited}, updated_at = ${updatedAt},
      details = ${details && JSON.stringify(details)}
    where org_id = ${tx.orgId} and id = ${before.id}`)
  await followQuestion(tx, asked, actions)
  await shareHeldFiles(tx, [before], updatedAt)
  if (isOtherLink) await replacePreview(tx, before, text)
  await forgetMentions(tx, before)
  const after: MessageRow = { ...before, text, details, mentions, is_edited: isEdited, updated_at: updatedAt }
  await recordMentions(tx, after)
  const message = presentEventMessage(after, await readNames(tx, tx, namedIn(after)), updatedAt)
  const data = {
    message: { ...message, ...(isOtherText && { previousText: before.text }) },
    truncated: message.truncated,
    updatedFields: [
      ...(isOtherText ? ['text'] : []),
      ...(isOtherText && stream ? ['stream'] : []),
      ...(actions?.id === asked?.id ? [] : ['actions']),
    ],
  }
  await withoutFormerWords(tx, before.id)
  await emit(tx, 'message.updated', before.topic_id, marked(data, after), concernedBy(after, before.mentions))
  return { id: before.id, updatedAt }
}

/** Mentions of an edited text. Words that stay mention the same people as before: those who came since were not told. */
async function groupMentionsAfter(
  tx: Transaction,
  caller: Caller,
  before: MessageRow,
  text: string,
): Promise<StoredGroupMentions | undefined> {
  const former = before.details?.groupMentions
  if (former && groupWordsIn(text).sort().join(' ') === groupWordsIn(before.text).sort().join(' '))
    return former
  const { topic_id: topicId, parent_id: parentId, thread_only: isThreadOnly } = before
  return groupMentionsOf(tx, caller, {
    topicId,
    text,
    parentId: parentId ?? undefined,
    alsoInTopic: !isThreadOnly,
  })
}

/** Drops the preview of the former link, and requests one for the new link. */
async function replacePreview(tx: Transaction, { id, details }: MessageRow, text: string): Promise<void> {
  await releaseFiles(tx, filesOf({ details, attachments: null }))
  if (linkIn(text) !== undefined) await addJob(tx, 'preview', id)
}

/**
 * Deletes the message from reads, with its files, reactions, saved marks and its poll. Replies stay. A message whose
 * files are still being processed never appears, and emits no event; one that is still being written disappears for
 * people.
 */
export async function deleteMessage(tx: Transaction, caller: Caller, messageId: string): Promise<void> {
  const message = await readMessage(caller, tx, messageId)
  if (!message && (await deletePending(tx, caller, messageId))) return
  if (!message && (await deleteStreaming(tx, caller, messageId))) return
  if (!message) throw refusal('message_not_found')
  if (message.sender_id !== caller.profileId) throw refusal('forbidden')
  await refuseLateEdit(tx, caller, message)
  await removeMessage(tx, caller, message)
}

/** The caller's right was checked before. */
export async function removeMessage(tx: Transaction, caller: Caller, message: MessageRow): Promise<void> {
  await withdrawOf(tx, message.details?.actions)
  await redactMessages(tx, [message.id])
  await tx.query(sql`delete from messages where org_id = ${tx.orgId} and id = ${message.id}`)
  await noteDeleted(tx, [messageMark(tx, message.id)])
  await shareHeldFiles(tx, [message])
  await forgetMentions(tx, message)
  await removePin(tx, caller, message)
  if (message.details?.poll) {
    await tx.query(sql`delete from polls where org_id = ${tx.orgId} and id = ${message.details.poll.id}`)
  }
  await releaseFiles(tx, filesOf(message))
  if (message.parent_id !== null) await countReply(tx, message.parent_id, -1)
  await tx.query(sql`delete from saved_messages where org_id = ${tx.orgId} and message_id = ${message.id}`)
  await tx.query(sql`delete from thread_follows where org_id = ${tx.orgId} and parent_id = ${message.id}`)
  const data = {
    messageId: message.id,
    topicId: message.topic_id,
    deletedAt: tx.now(),
    deletedBy: caller.profileId,
    message: { id: message.id, topicId: message.topic_id, senderId: message.sender_id },
  }
  await emit(tx, 'message.deleted', message.topic_id, inThread(data, [message]), concernedBy(message))
  await showOrphans(tx, message.topic_id, [message.id])
}

export type Mark = { messageId: string; deliveredAt: number; readAt: number | null }

/** Marks are kept for each member; the first time counts, and reading implies delivery. */
export async function markMessage(
  tx: Transaction,
  caller: Caller,
  messageId: string,
  mark: 'delivered' | 'read',
): Promise<Mark> {
  const message = await readMessage(caller, tx, messageId)
  const pending = message ? undefined : await markPending(tx, caller, messageId, mark)
  if (pending) return pending
  if (!message) throw refusal('message_not_found')
  const now = tx.now()
  const [row] = await tx.query<{ delivered_at: number; read_at: number | null }>(sql`
    insert into message_marks as m (org_id, message_id, profile_id, delivered_at, read_at)
    values (${tx.orgId}, ${message.id}, ${caller.profileId}, ${now}, ${mark === 'read' ? now : null})
    on conflict (org_id, message_id, profile_id) do update set read_at = coalesce(m.read_at, excluded.read_at)
    returning delivered_at, read_at`)
  return { messageId: message.id, deliveredAt: row?.delivered_at ?? now, readAt: row?.read_at ?? null }
}

export async function requireMessage(
  tx: Transaction,
  caller: Caller,
  messageId: string,
): Promise<MessageRow> {
  const message = await readMessage(caller, tx, messageId)
  if (!message) throw refusal('message_not_found')
  return message
}

async function requireOwnMessage(tx: Transaction, caller: Caller, messageId: string): Promise<MessageRow> {
  const message = await requireMessage(tx, caller, messageId)
  if (message.sender_id !== caller.profileId) throw refusal('forbidden')
  return message
}

/** Refuses people whose organization lets them edit and delete own messages for some minutes only. */
async function refuseLateEdit(
  tx: Transaction,
  { profileId }: Caller,
  { created_at: createdAt }: MessageRow,
): Promise<void> {
  if (isBotId(profileId)) return
  const [late] = await tx.query(sql`
    select 1 from organizations
    where org_id = ${tx.orgId} and edit_minutes * ${MINUTE_MS}::bigint <= ${tx.now() - createdAt}::bigint`)
  if (late) throw refusal('edit_time_over')
}

/** All mentioned members must be in the topic. */
export async function checkMentions(tx: Transaction, topicId: string, text: string): Promise<string[]> {
  const mentions = mentionsIn(text)
  if (mentions.length === 0) return mentions
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) from topic_members
    where org_id = ${tx.orgId} and topic_id = ${topicId} and profile_id = any(${mentions})`)
  if (row?.count !== mentions.length) throw refusal('mention_invalid')
  return mentions
}

export async function checkParent(tx: Transaction, topicId: string, parentId: string): Promise<void> {
  const [parent] = await tx.query(sql`
    select 1 from messages where org_id = ${tx.orgId} and id = ${parentId} and topic_id = ${topicId}`)
  if (!parent) throw refusal('field_invalid', { field: 'parentId' })
}

async function countReply(tx: Transaction, parentId: string, change: 1 | -1): Promise<void> {
  await tx.query(sql`
    update messages set reply_count = reply_count + ${change} where org_id = ${tx.orgId} and id = ${parentId}`)
}
