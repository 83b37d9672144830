import type { ActionAnswer, ActionElement } from '../../../contract/actions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { isAdminRole } from '../../../contract/operation.ts'
import type { pressAction as pressContract } from '../../../contract/people/actions.ts'
import { ACTION_NOTED, MESSAGE_ACTION } from '../../../contract/people/stream.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToBot, emitToPeople } from '../../events/log.ts'
import { questionHash } from '../../presenters/questions.ts'
import { type MessageRow, readMessage, type StoredActions } from '../../queries/messages/messages.ts'
import { actorOf, audit } from '../organization/audit.ts'
import { refuseClosedTopic } from '../topics/topics.ts'
import { formValues } from './form-values.ts'
import { closeQuestion, outcomeOf } from './question-ends.ts'

type Press = BodyOf<typeof pressContract>
type Answer = { value?: string; values?: Record<string, string> }
type Answered = { id: string; createdAt: number }

/** Answers a bot's buttons. If one answer counts, repeating it returns the first record. */
export async function pressAction(
  tx: Transaction,
  caller: PersonCaller,
  messageId: string,
  press: Press,
): Promise<{ answered: Answered; isNew: boolean }> {
  const message = await readMessage(caller, tx, messageId)
  if (!message) throw refusal('message_not_found')
  await refuseClosedTopic(tx, caller, message.topic_id)
  const { actions, hash } = requireSeen(message, press)
  if (!mayAnswer(actions, caller)) throw refusal('forbidden')
  const element = actions.elements.find(({ id }) => id === press.elementId)
  if (!element) throw refusal('field_invalid', { field: 'elementId' })
  const answer = await answerOf(tx, caller, element, press)
  const slot = { once: '', each: caller.profileId, always: null }[actions.use]
  const known = slot === null ? undefined : await readAnswer(tx, actions.id, slot)
  if (known) {
    if (!isSame(known, caller, element, answer)) throw refusal('answer_given')
    return { answered: { id: known.id, createdAt: known.created_at }, isNew: false }
  }
  if (actions.outcome)
    throw refusal(actions.outcome.status === 'expired' ? 'answer_too_late' : 'answer_given')
  if (actions.expiresAt !== undefined && actions.expiresAt <= tx.now()) throw refusal('answer_too_late')
  const given = { message, actions, hash, element, answer, slot }
  return { answered: await keepAnswer(tx, caller, given), isNew: true }
}

/**
 * The question of a message, where it is the one that was seen. Pages of the version before send no hash; under it a text could change while
 * the question kept its id, so they answer only messages whose text never changed.
 */
export function requireSeen(
  { text, details, is_edited }: Pick<MessageRow, 'text' | 'details' | 'is_edited'>,
  seen: Pick<Press, 'actionsId' | 'hash'>,
): { actions: StoredActions; hash: string } {
  const actions = details?.actions
  if (actions?.id !== seen.actionsId.toLowerCase()) throw refusal('question_changed')
  if (seen.hash === undefined && is_edited) throw refusal('question_outdated')
  const hash = questionHash(text, actions)
  if (seen.hash !== undefined && seen.hash !== hash) throw refusal('question_changed')
  return { actions, hash }
}

function mayAnswer({ who, people = [] }: StoredActions, { profileId, role }: PersonCaller): boolean {
  if (who === 'owners') return role === 'owner'
  if (who === 'admins') return isAdminRole(role)
  return who === 'anyone' || people.includes(profileId)
}

/** The answer for the bot; refuses values that the element does not ask for. */
async function answerOf(
  tx: Transaction,
  caller: PersonCaller,
  { value, options, fields }: ActionElement,
  press: Press,
): Promise<Answer> {
  if (fields) {
    if (press.value !== undefined) throw refusal('field_invalid', { field: 'value' })
    return { values: await formValues(tx, caller, fields, press.values ?? {}) }
  }
  if (press.values !== undefined) throw refusal('field_invalid', { field: 'values' })
  const given = options ? press.value : (press.value ?? value)
  const isOffered = options ? options.some((option) => option.value === given) : given === value
  if (!isOffered) throw refusal('field_invalid', { field: 'value' })
  return given === undefined ? {} : { value: given }
}

type AnswerRow = {
  id: string
  profile_id: string
  element_id: string
  value: string | null
  field_values: Record<string, string> | null
  created_at: number
}

async function readAnswer(tx: Transaction, actionsId: string, slot: string): Promise<AnswerRow | undefined> {
  const [row] = await tx.query<AnswerRow>(sql`
    select id, profile_id, element_id, value, field_values, created_at from message_actions
    where org_id = ${tx.orgId} and actions_id = ${actionsId} and slot = ${slot}`)
  return row
}

function isSame(
  row: AnswerRow,
  { profileId }: Caller,
  { id }: ActionElement,
  { value, values }: Answer,
): boolean {
  if (row.profile_id !== profileId || row.element_id !== id || row.value !== (value ?? null)) return false
  const [before, now] = [Object.entries(row.field_values ?? {}), Object.entries(values ?? {})]
  return before.length === now.length && now.every(([field, text]) => row.field_values?.[field] === text)
}

type Given = {
  message: MessageRow
  actions: StoredActions
  hash: string
  element: ActionElement
  answer: Answer
  slot: string | null
}

async function keepAnswer(tx: Transaction, caller: PersonCaller, given: Given): Promise<Answered> {
  const { message, actions, hash, element, answer, slot } = given
  const { id, at: createdAt } = tx.moment()
  const option = element.options?.find(({ value }) => value === answer.value)
  const label = option ? `${element.text}: ${option.text}` : element.text
  const [row] = await tx.query<{ name: string }>(sql`
    with a as (
      insert into message_actions (org_id, id, bot_id, topic_id, message_id, actions_id, slot, profile_id, element_id, label,
        value, field_values, created_at)
      select m.org_id, ${id}, m.profile_id, m.topic_id, ${message.id}, ${actions.id}, ${slot}, ${caller.profileId},
        ${element.id}, ${label}, ${answer.value}, ${answer.values && JSON.stringify(answer.values)}, ${createdAt}
      from topic_members m
      where m.org_id = ${tx.orgId} and m.topic_id = ${message.topic_id} and m.profile_id = ${message.sender_id}
      returning *
    )
    select p.name from a join profiles p on p.org_id = ${tx.orgId} and p.id = a.profile_id`)
  if (!row) throw refusal('question_bot_left')
  const { topic_id: topicId, id: messageId, sender_id: botId } = message
  const { profileId: userId } = caller
  const { value } = answer
  const shown: ActionAnswer = {
    id,
    userId,
    elementId: element.id,
    ...(value !== undefined && { value }),
    createdAt,
  }
  if (actions.use !== 'always' && actions.answers.length < LIMITS.actionAnswersShown) {
    await tx.query(sql`
      update messages
      set details = jsonb_set(details, '{actions,answers}', details #> '{actions,answers}' || ${JSON.stringify([shown])}::jsonb)
      where org_id = ${tx.orgId} and id = ${messageId}`)
    await emitToPeople(tx, 'message.answered', topicId, {
      topicId,
      messageId,
      actionsId: actions.id,
      answer: shown,
    })
  }
  await emitToBot(tx, MESSAGE_ACTION, topicId, botId, {
    actionId: id,
    messageId,
    topicId,
    userId,
    userName: row.name,
    elementId: element.id,
    ...answer,
    createdAt,
  })
  if (actions.approval)
    await audit(tx, actorOf(caller), {
      action: 'bot.answered',
      target: { type: 'bot', id: botId, name: message.sender_name },
      changes: [
        { field: 'question', to: message.text },
        ...(actions.title === undefined ? [] : [{ field: 'title', to: actions.title }]),
        ...(actions.facts
          ? [{ field: 'facts', to: actions.facts.map(({ label, text }) => `${label}: ${text}`).join('\n') }]
          : []),
        { field: 'answer', to: label },
        ...(value === undefined ? [] : [{ field: 'value', to: value }]),
        ...(answer.values ? [{ field: 'form', to: JSON.stringify(answer.values) }] : []),
        { field: 'hash', to: hash },
        { field: 'message', to: messageId },
      ],
    })
  const outcome =
    actions.question &&
    (await outcomeOf(tx, actions.question, actions.id, { id, elementId: element.id, value }))
  if (actions.question && outcome) await closeQuestion(tx, actions.question.id, outcome)
  return { id, createdAt }
}

/** Tells the person alone who answered; kept beside the answer, so that a page that is opened later shows it too. */
export async function noteAction(
  tx: Transaction,
  caller: Caller,
  actionId: string,
  text: string,
): Promise<void> {
  const [row] = await tx.query<{ topic_id: string; message_id: string; profile_id: string }>(sql`
    update message_actions set note = ${text}
    where org_id = ${tx.orgId} and id = ${actionId} and bot_id = ${caller.profileId}
    returning topic_id, message_id, profile_id`)
  if (!row) throw refusal('action_not_found')
  await emitToPeople(tx, ACTION_NOTED, row.topic_id, {
    topicId: row.topic_id,
    messageId: row.message_id,
    actionId: actionId.toLowerCase(),
    userId: row.profile_id,
    text,
  })
}
