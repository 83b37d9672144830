import { LIMITS } from '../../../contract/limits.ts'
import type { Progress } from '../../../contract/message-progress.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { sendOnCommit } from '../../events/ephemeral.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { refusalOfEnded } from './streamed-messages.ts'

/** Shows what a bot does for a message that it is writing; kept beside its text, on the row alone. */
export async function setProgress(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  { steps = [], sources = [], activity = '' }: Progress,
): Promise<void> {
  if (new Set(steps.map(({ id }) => id)).size < steps.length) throw refusal('step_ids_repeated')
  const progress: Progress = {
    ...(steps.length > 0 && { steps }),
    ...(sources.length > 0 && { sources }),
    ...(activity !== '' && { activity }),
  }
  const json = JSON.stringify(progress)
  if (Buffer.byteLength(json) > LIMITS.progressBytes) throw refusal('progress_too_large')
  const [row] = await tx.query<{ id: string; topic_id: string }>(sql`
    update streaming_messages set progress = ${json}
    where org_id = ${tx.orgId} and id = ${requestedId} and sender_id = ${caller.profileId}
    returning id, topic_id`)
  if (!row) throw await refusalOfEnded(tx, caller, requestedId)
  const words = [
    activity,
    ...steps.flatMap(({ title, details, output }) => [title, details, output]),
    ...sources.flatMap(({ title, quote }) => [title, quote]),
  ]
  await requireTopicToWriteIn(tx, caller, row.topic_id, words, { kind: 'progress' }).catch(
    (error: unknown) => {
      throw error instanceof Refusal && error.status === 404 ? refusal('message_not_found') : error
    },
  )
  const { id: messageId, topic_id: topicId } = row
  await sendOnCommit(tx, {
    orgId: tx.orgId,
    type: 'progress',
    topicId,
    data: { topicId, messageId, progress },
  })
}
