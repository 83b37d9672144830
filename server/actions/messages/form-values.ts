import type { ActionField } from '../../../contract/actions.ts'
import { UUID } from '../../../contract/common.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { refusal } from '../../errors.ts'
import { readKnownMember } from '../../queries/members/members.ts'
import { isTopicVisible } from '../../queries/messages/messages.ts'

/** The values of a form as its bot gets them, each as its type wants it. Empty fields count as not filled in. */
export async function formValues(
  db: Queryable,
  caller: Caller,
  fields: readonly ActionField[],
  given: Record<string, string>,
): Promise<Record<string, string>> {
  const ids = new Set(fields.map(({ id }) => id))
  if (!Object.keys(given).every((id) => ids.has(id))) throw refusal('field_invalid', { field: 'values' })
  const filled: [string, string][] = []
  for (const field of fields) {
    const value = Object.hasOwn(given, field.id) ? (given[field.id] ?? '') : ''
    if (value.trim() !== '') filled.push([field.id, await formValue(db, caller, field, value)])
    else if (field.required) throw refusal('answer_incomplete')
  }
  return Object.fromEntries(filled)
}

async function formValue(
  db: Queryable,
  caller: Caller,
  field: ActionField,
  written: string,
): Promise<string> {
  const value = await typedValue(db, caller, field, written)
  if (value === undefined) throw refusal('field_invalid', { field: 'values' })
  const { type, min, max } = field
  const isOutside = (min !== undefined && Number(value) < min) || (max !== undefined && Number(value) > max)
  if (type === 'number' && isOutside) throw refusal('field_out_of_range', { field: 'values' })
  return value
}

const PROFILE = new RegExp(`^(?:u@)?(${UUID})$`, 'i')
const TOPIC = new RegExp(`^${UUID}$`, 'i')

/** The value for the bot; undefined where it does not fit. What cannot be seen does not fit, like what is not there. */
async function typedValue(
  db: Queryable,
  caller: Caller,
  { type = 'text', options = [] }: ActionField,
  written: string,
): Promise<string | undefined> {
  switch (type) {
    case 'text':
      return /[\r\n]/.test(written) ? undefined : written
    case 'paragraph':
      return written
    case 'number':
      return numberOf(written)
    case 'choice':
      return options.some(({ value }) => value === written) ? written : undefined
    case 'date':
      return isDay(written) ? written : undefined
    case 'person': {
      const id = PROFILE.exec(written)?.[1]?.toLowerCase()
      const member = id === undefined ? undefined : await readKnownMember(caller, db, id)
      return member?.kind === 'user' && member.status === 'Active' ? id : undefined
    }
    case 'topic': {
      const id = TOPIC.test(written) ? written.toLowerCase() : undefined
      return id !== undefined && (await isTopicVisible(caller, db, id)) ? id : undefined
    }
  }
}

const NUMBER = /^-?\d{1,16}(?:[.,]\d{1,16})?$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A number with a point, as bots get it; people may write a comma. */
export const numberOf = (written: string): string | undefined =>
  NUMBER.test(written) ? written.replace(',', '.') : undefined

/** Whether it is a day that there is, such as `2027-01-31`. */
export function isDay(written: string): boolean {
  if (!DATE.test(written)) return false
  const at = new Date(`${written}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written)
}
