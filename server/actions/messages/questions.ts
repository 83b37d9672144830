import type { ActionField, ActionsInput } from '../../../contract/actions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import type { MessageRow, StoredActions } from '../../queries/messages/messages.ts'

/** Checks a bot's actions and returns them as stored on a message without answers. */
export async function actionsOf(
  tx: Transaction,
  topicId: string,
  {
    title,
    facts,
    elements,
    who = 'anyone',
    people = [],
    use = 'once',
    expiresAt,
    approval = false,
  }: ActionsInput,
): Promise<StoredActions> {
  refuseSame(elements)
  for (const { options, fields } of elements) {
    if (options && fields) throw refusal('fields_conflict', { fields: 'options and fields' })
    refuseSameValues(options)
    checkFields(fields)
  }
  if (Buffer.byteLength(JSON.stringify([facts, elements])) > LIMITS.actionsBytes)
    throw refusal('actions_too_large')
  if (expiresAt !== undefined && expiresAt <= tx.now()) throw refusal('expiry_not_in_future')
  if ((who === 'people') !== people.length > 0) throw refusal('action_people_misplaced')
  const named = [...new Set(people.map((id) => id.toLowerCase()))]
  await checkPeople(tx, topicId, named)
  return {
    id: tx.moment().id,
    ...(title !== undefined && { title }),
    ...(facts && { facts }),
    elements,
    who,
    ...(named.length > 0 && { people: named }),
    use,
    ...(expiresAt !== undefined && { expiresAt }),
    approval,
    answers: [],
  }
}

/** Every text of a bot's actions that people read. */
export function wordsOf({ title, facts = [], elements }: ActionsInput): (string | undefined)[] {
  return [
    title,
    ...facts.flatMap(({ label, text }) => [label, text]),
    ...elements.flatMap(({ text, doneText, options = [], fields = [] }) => [
      text,
      doneText,
      ...options.map((option) => option.text),
      ...fields.flatMap((field) => [field.text, ...(field.options ?? []).map((option) => option.text)]),
    ]),
  ]
}

/** Refuses fields of a form that cannot be filled in, or tell their values apart. */
export function checkFields(fields: readonly ActionField[] = [], at = 'actions'): void {
  refuseSame(fields, at)
  for (const { type, options, min, max } of fields) {
    if ((type === 'choice') !== (options !== undefined))
      throw new Refusal('action_options_misplaced', { field: at })
    refuseSameValues(options, at)
    const bounds = [min, max].filter((bound) => bound !== undefined)
    const isUpsideDown = min !== undefined && max !== undefined && min > max
    const isTooFar = bounds.some((bound) => Math.abs(bound) > LIMITS.actionNumber)
    if (isUpsideDown || isTooFar || (bounds.length > 0 && type !== 'number'))
      throw new Refusal('action_range_invalid', { field: at })
  }
}

function refuseSame(things: readonly { id: string }[] = [], at = 'actions'): void {
  if (new Set(things.map(({ id }) => id)).size < things.length)
    throw new Refusal('action_ids_repeated', { field: at })
}

function refuseSameValues(options: readonly { value: string }[] = [], at = 'actions'): void {
  if (new Set(options.map(({ value }) => value)).size < options.length)
    throw new Refusal('action_option_values_repeated', { field: at })
}

/** Bots do not press buttons. */
async function checkPeople(tx: Transaction, topicId: string, people: readonly string[]): Promise<void> {
  if (people.length === 0) return
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) from topic_members
    where org_id = ${tx.orgId} and topic_id = ${topicId} and profile_id = any(${people}) and profile_id not like 'b@%'`)
  if (row?.count !== people.length) throw refusal('action_people_invalid')
}

/**
 * The actions of a message after an edit. A new text or new actions make a new question, with a new id and no answers.
 * An answered text stays as it was read until the bot ends the question or asks another. If every press counts, no
 * answer depends on the text.
 */
export async function actionsAfter(
  tx: Transaction,
  { topic_id, details }: MessageRow,
  { isOtherText, actions }: { isOtherText: boolean; actions: ActionsInput | null | undefined },
): Promise<StoredActions | undefined> {
  const asked = details?.actions
  if (actions === null) return undefined
  if (actions) return actionsOf(tx, topic_id, actions)
  if (asked && isOtherText && (asked.answers.length > 0 || asked.outcome)) throw refusal('question_answered')
  return asked && isOtherText ? { ...asked, id: tx.moment().id } : asked
}
