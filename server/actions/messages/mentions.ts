import { isBotId } from '../../../contract/profile-ids.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { MessageRow } from '../../queries/messages/messages.ts'

type Mentioning = Pick<MessageRow, 'id' | 'topic_id' | 'sender_id' | 'mentions' | 'parent_id' | 'thread_only'>

type Heard = Pick<MessageRow, 'id' | 'sender_id' | 'mentions' | 'parent_id'>

/** Members concerned by an event about a message, besides bots that hear everything: its sender, those mentioned, its thread. */
export const concernedBy = (
  { id, sender_id, mentions, parent_id }: Heard,
  others: readonly string[] = [],
) => ({
  concerned: [sender_id, ...mentions, ...others],
  thread: parent_id ?? id,
})

/** Puts a message among the unread mentions of people whom an edit mentions; new messages do this as they are written. */
export async function recordMentions(tx: Transaction, message: Mentioning): Promise<void> {
  const people = message.mentions.filter((id) => !isBotId(id) && id !== message.sender_id)
  if (people.length === 0) return
  await tx.query(sql`
    insert into mentions (org_id, profile_id, topic_id, message_id, parent_id)
    select ${tx.orgId}, person, ${message.topic_id}, ${message.id}, ${message.thread_only ? message.parent_id : null}
    from unnest(${people}::text[]) as person
    on conflict do nothing`)
}

/** Removes the mentions that a message had before it was edited or deleted. */
export async function forgetMentions(tx: Transaction, message: Mentioning): Promise<void> {
  if (message.mentions.length === 0) return
  await tx.query(sql`
    delete from mentions
    where org_id = ${tx.orgId} and profile_id = any(${message.mentions}) and topic_id = ${message.topic_id}
      and message_id = ${message.id}`)
}
