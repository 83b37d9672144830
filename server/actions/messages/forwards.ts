import type { MessageType } from '../../../contract/message.ts'
import { byAssistant, type Caller } from '../../caller.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { shareFiles } from '../../files/files.ts'
import { addJob } from '../../jobs/queue.ts'
import {
  type MessageRow,
  readNames,
  readVisibleMessage,
  type StoredForward,
} from '../../queries/messages/messages.ts'
import { MENTION, withoutGroupSigns } from '../../text.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { maskedIn, refuseTexts } from '../topics/written-texts.ts'
import { groupMentionsOf } from './group-mentions.ts'
import { type CardPlace, checkMentions, checkParent, postMessage } from './messages.ts'

export type Forward = CardPlace & { forwardMessageId: string; text?: string }

/** Kinds that stay where they are: a vote and a task belong to their topic, and a forward leads there. */
const STAYING: readonly MessageType[] = ['poll', 'task']

/**
 * Forwards a message that the caller may see into a topic where they may write. The content is kept as of now; files
 * are shared, not copied. A forward of a forward forwards the original, as from its first sender.
 */
export async function forwardMessage(tx: Transaction, caller: Caller, forward: Forward) {
  const { forwardMessageId, text: given = '', parentId, alsoInTopic, externalId } = forward
  const topic = await requireTopicToWriteIn(tx, caller, forward.topicId, [given], { maskable: given })
  const text = maskedIn(tx, given)
  const original = await readVisibleMessage(caller, tx, forwardMessageId)
  if (!original) throw refusal('message_not_found')
  const stays = STAYING.includes(original.type)
  if (original.type === 'call' || (original.is_system && !stays)) throw refusal('message_not_forwardable')
  const forwarded = original.details?.forwarded ?? (await forwardOf(tx, original))
  // Blocked words stood in the original already; a program that checks texts may mind where they go.
  refuseTexts(tx, caller, { ...topic, blocked_words: null }, [forwarded.text], { kind: 'forward' })
  if (parentId !== undefined) await checkParent(tx, topic.id, parentId)
  const mentions = await checkMentions(tx, topic.id, text)
  const groupMentions = await groupMentionsOf(tx, caller, { topicId: topic.id, text, parentId, alsoInTopic })
  const attachments = original.attachments ?? undefined
  const { location, contact } = original.details ?? {}
  const { id, createdAt } = await postMessage(tx, {
    topicId: topic.id,
    senderId: caller.profileId,
    type: stays ? 'text' : original.type,
    text,
    mentions,
    parentId,
    alsoInTopic,
    externalId,
    ...(attachments && { attachments }),
    details: {
      forwarded,
      ...(location && { location }),
      ...(contact && { contact }),
      ...(groupMentions && { groupMentions }),
      ...byAssistant(caller),
    },
  })
  if (attachments) {
    await shareFiles(
      tx,
      attachments.map((file) => file.id),
    )
    // A pending transcript is written to the original alone, so the copy needs a job of its own.
    for (const file of attachments)
      if (file.transcription?.status === 'Pending') await addJob(tx, 'transcribe', id, file.id)
  }
  return { id, topicId: topic.id, createdAt }
}

/** Mentions become plain names, so that a forward notifies no one. */
async function forwardOf(tx: Transaction, original: MessageRow): Promise<StoredForward> {
  const { id, topic_id, sender_id, type, text, mentions, created_at, details } = original
  const names = await readNames(tx, tx, mentions)
  const said = text.replace(MENTION, (whole, profileId: string) => {
    const name = names.get(profileId.toLowerCase())
    return name === undefined ? whole : `@${name}`
  })
  const shown = details?.groupMentions ? withoutGroupSigns(said) : said
  return {
    messageId: id,
    topicId: topic_id,
    senderId: sender_id,
    type,
    text: details?.poll?.title ?? details?.task?.title ?? shown,
    createdAt: created_at,
  }
}
