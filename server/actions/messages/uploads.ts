import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emit } from '../../events/log.ts'
import { keepFiles } from '../../files/files.ts'
import type { Kind } from '../../files/kinds.ts'
import { addJob, finishJob, type Job } from '../../jobs/queue.ts'
import { marked } from '../../presenters/event-links.ts'
import { presentEventMessage } from '../../presenters/messages.ts'
import {
  type MessageRow,
  namedIn,
  type PendingRow,
  readNames,
  type StoredAttachment,
} from '../../queries/messages/messages.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { maskedIn } from '../topics/written-texts.ts'
import { checkGroupMentions, groupMentionsLater } from './group-mentions.ts'
import { concernedBy } from './mentions.ts'
import { checkMentions, checkParent, postMessage } from './messages.ts'

export type Upload = {
  topicId: string
  caption?: string | undefined
  parentId?: string | undefined
  alsoInTopic?: boolean | undefined
  externalId?: string | undefined
  compressImage?: boolean | undefined
  waveform?: number[] | undefined
  /** Stored files, kept once the message refers to them. */
  attachments: StoredAttachment[]
}

/** Accepts files: the message has its id and its time, and appears when they have been processed. */
export async function acceptUpload(tx: Transaction, caller: Caller, upload: Upload) {
  const { caption: given = '', parentId, alsoInTopic = false, externalId, compressImage = false } = upload
  const attachments = withWaveform(upload)
  const topic = await requireTopicToWriteIn(tx, caller, upload.topicId, [given], { maskable: given })
  const caption = maskedIn(tx, given)
  const mentions = await checkMentions(tx, topic.id, caption)
  await checkGroupMentions(tx, caller, { topicId: topic.id, text: caption, parentId, alsoInTopic })
  if (parentId !== undefined) await checkParent(tx, topic.id, parentId)
  const { id, at } = tx.moment()
  await keepFiles(
    tx,
    attachments.map((attachment) => attachment.id),
  )
  await tx.query(sql`
    insert into pending_messages (org_id, id, topic_id, sender_id, text, mentions, parent_id, external_id, attachments,
      compress_images, also_in_topic, created_at)
    values (${tx.orgId}, ${id}, ${topic.id}, ${caller.profileId}, ${caption}, ${mentions}, ${parentId}, ${externalId},
      ${JSON.stringify(attachments)}, ${compressImage}, ${alsoInTopic}, ${at})`)
  await addJob(tx, 'process', id)
  return { id, topicId: topic.id, createdAt: at }
}

/** A waveform belongs to a single sound; processing finds out whether the file is one. */
function withWaveform({ attachments, waveform }: Upload): StoredAttachment[] {
  const [only] = attachments
  const mayBeSound = only?.type === 'audio' || only?.type === 'video'
  return only && mayBeSound && attachments.length === 1 && waveform ? [{ ...only, waveform }] : attachments
}

/** The message appears, with marks that came earlier; voice goes on to be transcribed. Once, whatever crashes. */
export async function publishUpload(
  tx: Transaction,
  job: Job,
  attachments: readonly StoredAttachment[],
): Promise<void> {
  await finishJob(tx, job)
  const [pending] = await tx.query<PendingRow>(sql`
    delete from pending_messages where org_id = ${tx.orgId} and id = ${job.messageId} returning *`)
  if (!pending) return // deleted since
  const groupMentions = await groupMentionsLater(tx, pending.sender_id, {
    topicId: pending.topic_id,
    text: pending.text,
    parentId: pending.parent_id ?? undefined,
    alsoInTopic: pending.also_in_topic,
  })
  await postMessage(tx, {
    sent: { id: pending.id, at: pending.created_at },
    topicId: pending.topic_id,
    senderId: pending.sender_id,
    type: typeOf(attachments),
    text: pending.text,
    mentions: pending.mentions,
    parentId: pending.parent_id ?? undefined,
    alsoInTopic: pending.also_in_topic,
    externalId: pending.external_id ?? undefined,
    ...(groupMentions && { details: { groupMentions } }),
    attachments: attachments.map((attachment) =>
      attachment.type === 'audio' ? { ...attachment, transcription: { status: 'Pending' } } : attachment,
    ),
  })
  if (Object.keys(pending.marks).length > 0) await applyMarks(tx, pending)
  for (const { id, type } of attachments) if (type === 'audio') await addJob(tx, 'transcribe', pending.id, id)
}

/** The kind that all attachments have; `file` for a mixture. */
export function typeOf(attachments: readonly StoredAttachment[]): Kind {
  const kinds = new Set(attachments.map(({ type }) => type))
  const [first = 'file'] = kinds
  return kinds.size === 1 ? first : 'file'
}

async function applyMarks(tx: Transaction, { id, marks }: PendingRow): Promise<void> {
  await tx.query(sql`
    insert into message_marks (org_id, message_id, profile_id, delivered_at, read_at)
    select ${tx.orgId}, ${id}, key, (value ->> 'deliveredAt')::bigint, (value ->> 'readAt')::bigint
    from jsonb_each(${JSON.stringify(marks)}::jsonb)`)
}

export type Transcription = { status: 'Done'; text: string } | { status: 'Failed'; reason?: 'no_engine' }

/** Adds the transcript to a voice message, and emits it to its bots. */
export async function recordTranscription(tx: Transaction, job: Job, result: Transcription): Promise<void> {
  await finishJob(tx, job)
  const [before] = await tx.query<MessageRow>(sql`
    select m.*, p.name as sender_name from messages m
    join profiles p on p.org_id = m.org_id and p.id = m.sender_id
    where m.org_id = ${tx.orgId} and m.id = ${job.messageId}`)
  if (!before?.attachments) return // deleted since
  const attachments = before.attachments.map((attachment) =>
    attachment.id === job.attachmentId ? { ...attachment, transcription: result } : attachment,
  )
  const after: MessageRow = { ...before, attachments, updated_at: tx.now() }
  await tx.query(sql`
    update messages set attachments = ${JSON.stringify(attachments)}, updated_at = ${after.updated_at}
    where org_id = ${tx.orgId} and id = ${after.id}`)
  const message = presentEventMessage(after, await readNames(tx, tx, namedIn(after)), after.updated_at)
  const data = { message, truncated: message.truncated, updatedFields: ['attachments', 'transcription'] }
  await emit(tx, 'message.updated', after.topic_id, marked(data, after), concernedBy(after))
}
