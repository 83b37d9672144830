import type { PersonCaller } from '../../auth/sessions.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { MessageRow } from '../../queries/messages/messages.ts'
import { listMessagesOfAnyone } from '../../queries/topics/topic-content.ts'
import { actorOf, audit, changesBetween } from '../organization/audit.ts'
import { requireReading } from '../organization/readings.ts'
import { requireAnyTopic } from './console-topics.ts'

/**
 * Messages of a topic that their reader may not be in. The audit entry and the reading are one transaction, so that no
 * reading goes unrecorded.
 */
export async function readTopicContent(
  tx: Transaction,
  caller: PersonCaller,
  topicId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ messages: MessageRow[]; hasBefore: boolean }> {
  const { id, name } = await requireAnyTopic(tx, topicId)
  const reading = await requireReading(tx, caller, { type: 'topic', id })
  const rows = await listMessagesOfAnyone(tx, tx, id, { before, limit: limit + 1 })
  const messages = rows.slice(0, limit).reverse()
  const timeOf = (row: MessageRow | undefined) => row && new Date(row.created_at).toISOString()
  await audit(tx, actorOf(caller), {
    action: 'topic.content_read',
    target: { type: 'topic', id, name },
    changes: [
      ...reading,
      ...changesBetween(
        {},
        { messages: messages.length, since: timeOf(messages[0]), until: timeOf(messages.at(-1)) },
      ),
    ],
  })
  return { messages, hasBefore: rows.length > limit }
}
