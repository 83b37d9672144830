import type { Reaction } from '../../../contract/reactions.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emit } from '../../events/log.ts'
import { type MessageRow, readMessage } from '../../queries/messages/messages.ts'
import { isCustomEmoji } from '../../queries/organization/custom-emoji.ts'
import { isOneEmoji } from '../../text.ts'
import { refuseClosedTopic } from '../topics/topics.ts'
import { concernedBy } from './mentions.ts'
import { requireMessage } from './messages.ts'

type ReactionRow = { id: string; message_id: string; profile_id: string; emoji: string; created_at: number }

export async function addReaction(
  tx: Transaction,
  caller: Caller,
  messageId: string,
  emoji: string,
): Promise<{ reaction: Reaction; isNew: boolean }> {
  if (!isOneEmoji(emoji) && !(await isCustomEmoji(tx, tx, emoji))) throw refusal('reaction_not_emoji')
  const message = await requireMessage(tx, caller, messageId)
  const [known] = await tx.query<ReactionRow>(sql`
    select id, message_id, profile_id, emoji, created_at from reactions
    where org_id = ${tx.orgId} and message_id = ${message.id} and profile_id = ${caller.profileId}
      and emoji = ${emoji}`)
  if (known) return { reaction: present(known), isNew: false }

  await refuseClosedTopic(tx, caller, message.topic_id)
  const { id, at } = tx.moment()
  const row = { id, message_id: message.id, profile_id: caller.profileId, emoji, created_at: at }
  await tx.query(sql`
    insert into reactions (org_id, id, message_id, profile_id, emoji, created_at)
    values (${tx.orgId}, ${id}, ${message.id}, ${caller.profileId}, ${emoji}, ${at})`)
  await count(tx, message, emoji, 1)
  await emit(
    tx,
    'reaction.added',
    message.topic_id,
    eventData(message, row, at),
    concernedBy(message, [row.profile_id]),
  )
  return { reaction: present(row), isNew: true }
}

export async function removeReaction(
  tx: Transaction,
  caller: Caller,
  messageId: string,
  reactionId: string,
): Promise<void> {
  const message = await readMessage(caller, tx, messageId)
  const [row] = message
    ? await tx.query<ReactionRow>(sql`
        select id, message_id, profile_id, emoji, created_at from reactions
        where org_id = ${tx.orgId} and id = ${reactionId} and message_id = ${message.id}`)
    : []
  if (!message || !row) throw refusal('reaction_not_found')
  if (row.profile_id !== caller.profileId) throw refusal('forbidden')
  await refuseClosedTopic(tx, caller, message.topic_id)
  await tx.query(sql`delete from reactions where org_id = ${tx.orgId} and id = ${row.id}`)
  await count(tx, message, row.emoji, -1)
  const data = eventData(message, row, tx.now())
  await emit(tx, 'reaction.removed', message.topic_id, data, concernedBy(message, [row.profile_id]))
}

/** Keeps the counts on the message, in the order of first use; an unused emoji disappears. */
async function count(tx: Transaction, message: MessageRow, emoji: string, change: 1 | -1): Promise<void> {
  const known = message.reactions.some((entry) => entry.emoji === emoji)
  const entries = known ? message.reactions : [...message.reactions, { emoji, count: 0 }]
  const counted = entries
    .map((entry) => (entry.emoji === emoji ? { emoji, count: entry.count + change } : entry))
    .filter((entry) => entry.count > 0)
  await tx.query(sql`
    update messages set reactions = ${JSON.stringify(counted)} where org_id = ${tx.orgId} and id = ${message.id}`)
}

function present(row: ReactionRow): Reaction {
  return { id: row.id, messageId: row.message_id, reaction: row.emoji, createdAt: row.created_at }
}

function eventData(message: MessageRow, { id, profile_id: userId, emoji }: ReactionRow, createdAt: number) {
  const { id: messageId, topic_id: topicId } = message
  return {
    messageId,
    topicId,
    emoji,
    userId,
    reactionId: id,
    createdAt,
    reaction: { id, messageId, topicId, userId, emoji },
  }
}
