import type { Outcome } from '../../../contract/actions.ts'
import { QUESTION_CLOSED } from '../../../contract/people/stream.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { append, emitToPeople } from '../../events/log.ts'
import type { StoredActions } from '../../queries/messages/messages.ts'

type Decided = Pick<Outcome, 'status' | 'elementId' | 'value'> & { answerId?: string }
type AskedQuestion = NonNullable<StoredActions['question']>

/** Returns the outcome that an answer decides, alone or because enough people have given it by now. */
export async function outcomeOf(
  tx: Transaction,
  { quorum, decisive = [] }: AskedQuestion,
  actionsId: string,
  { id, elementId, value }: { id: string; elementId: string; value: string | undefined },
): Promise<Decided | undefined> {
  const decided: Decided = {
    status: 'answered',
    elementId,
    ...(value !== undefined && { value }),
    answerId: id,
  }
  if (quorum === 1 || decisive.includes(elementId)) return decided
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from message_actions
    where org_id = ${tx.orgId} and actions_id = ${actionsId} and slot is not null
      and element_id = ${elementId} and value is not distinct from ${value ?? null}`)
  return (row?.count ?? 0) >= quorum ? decided : undefined
}

type ClosedRow = { topic_id: string; message_id: string; actions_id: string; asker_id: string }

/** Ends a question, once: its row, its message, and the one event about it. */
export async function closeQuestion(tx: Transaction, id: string, decided: Decided): Promise<void> {
  const { status, elementId, value, answerId } = decided
  const closedAt = tx.now()
  const [row] = await tx.query<ClosedRow>(sql`
    update questions set status = ${status}, element_id = ${elementId}, value = ${value}, decided_by = ${answerId},
      closed_at = ${closedAt}
    where org_id = ${tx.orgId} and id = ${id} and status = 'open'
    returning topic_id, message_id, actions_id, asker_id`)
  if (!row) return
  const outcome: Outcome = {
    status,
    ...(elementId !== undefined && { elementId }),
    ...(value !== undefined && { value }),
    closedAt,
  }
  const { topic_id: topicId, message_id: messageId, actions_id: actionsId, asker_id: askerId } = row
  const shown = await tx.query(sql`
    update messages set details = jsonb_set(details, '{actions,outcome}', ${JSON.stringify(outcome)}::jsonb)
    where org_id = ${tx.orgId} and id = ${messageId} and details #>> '{actions,question,id}' = ${id}
    returning id`)
  if (shown.length > 0)
    await emitToPeople(tx, 'message.answered', topicId, { topicId, messageId, actionsId, outcome })
  const data = { questionId: id, messageId, topicId, ...outcome, createdAt: closedAt }
  // A person's assistant waits for it, and has no events of its own.
  const also = isBotId(askerId) ? [askerId] : []
  await append(tx, { ...tx.moment(), type: QUESTION_CLOSED, topicId, data }, { ofTopic: false, also })
}

/** Ends the question of buttons that are about to go. */
export async function withdrawOf(tx: Transaction, actions: StoredActions | undefined): Promise<void> {
  if (actions?.question) await closeQuestion(tx, actions.question.id, { status: 'withdrawn' })
}

/** Keeps a question with the buttons of its message, or ends it with them. */
export async function followQuestion(
  tx: Transaction,
  before: StoredActions | undefined,
  after: StoredActions | undefined,
): Promise<void> {
  if (!before?.question || before.id === after?.id) return
  if (after?.question?.id !== before.question.id) return withdrawOf(tx, before)
  await tx.query(sql`
    update questions set actions_id = ${after.id}
    where org_id = ${tx.orgId} and id = ${before.question.id} and status = 'open'`)
}

export async function withdrawQuestion(tx: Transaction, caller: Caller, id: string): Promise<void> {
  const [own] = await tx.query(sql`
    select 1 from questions where org_id = ${tx.orgId} and id = ${id} and asker_id = ${caller.profileId}`)
  if (!own) throw refusal('question_not_found')
  await closeQuestion(tx, id, { status: 'withdrawn' })
}

/** Ends a question whose time is over: what it says for this case counts. */
export async function expireQuestion(tx: Transaction, id: string): Promise<void> {
  const [row] = await tx.query<{ otherwise: string | null; value: string | null }>(sql`
    select q.otherwise, (
      select e ->> 'value' from messages m, jsonb_array_elements(m.details #> '{actions,elements}') e
      where m.org_id = ${tx.orgId} and m.id = q.message_id and e ->> 'id' = q.otherwise
    ) as value
    from questions q
    where q.org_id = ${tx.orgId} and q.id = ${id} and q.status = 'open' and q.expires_at <= ${tx.now()}`)
  if (!row) return
  await closeQuestion(tx, id, {
    status: 'expired',
    ...(row.otherwise !== null && { elementId: row.otherwise }),
    ...(row.value !== null && { value: row.value }),
  })
}
