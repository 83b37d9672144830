import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { ErrorCodes } from '../../contract/common.ts'
import { fillText } from '../../contract/refusals/index.ts'
import { inputCode } from '../../contract/refusals/input.ts'
import { Refusal, refusal } from '../errors.ts'
import { EMAIL } from '../text.ts'
import { hasProfileIds, withoutPersonPrefix } from './person-prefix.ts'
import { describeUnknownField, findUnknownField } from './unknown-fields.ts'

// Lengths in code points are Ajv's default. `verbose` hands the schema to the texts below. Unknown fields that are not refused are removed:
// no handler can pass on what the contract does not name.
const ajv = new Ajv({ strict: false, verbose: true, removeAdditional: 'all', formats: { email: EMAIL } })

/** Checks a value and gives it back typed by its schema, or refuses it with a text in the request's own words. */
export type Check = (value: unknown) => unknown

/** Compiles the schema on first use, so that unused endpoints cost nothing at the start. */
export function checker(
  schema: TSchema,
  where: 'body' | 'query' | 'params',
  { refusesUnknown = false } = {},
): Check {
  let validate: ValidateFunction | undefined
  const types = propertyTypes(schema)
  const namesProfiles = hasProfileIds(schema)
  return (value) => {
    validate ??= ajv.compile(schema)
    const given = where === 'query' ? readQuery(value, types) : value
    const input = namesProfiles ? withoutPersonPrefix(schema, given) : given
    if (where !== 'body') refuseControl(input)
    const unknown = refusesUnknown ? findUnknownField(schema, input) : undefined
    if (unknown) throw new Refusal('field_unknown', { text: describeUnknownField(unknown) })
    if (validate(input)) return input
    const [error] = validate.errors ?? []
    throw error ? refusalOf(error, where) : refusal('field_invalid', { field: where })
  }
}

function propertyTypes(schema: TSchema): Map<string, string> {
  const properties: Record<string, { type?: string }> =
    'properties' in schema ? Object(schema.properties) : {}
  return new Map(Object.entries(properties).map(([name, { type }]) => [name, type ?? 'string']))
}

/** Query values are strings on the wire; what is a number or a boolean in the contract becomes one here. */
function readQuery(value: unknown, types: Map<string, string>): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  for (const [name, raw] of Object.entries(Object(value))) {
    const type = types.get(name)
    if (type !== undefined) query[name] = readValue(raw, type)
  }
  return query
}

function readValue(raw: unknown, type: string): unknown {
  if (typeof raw !== 'string') return raw
  if (type === 'integer' && /^-?\d{1,16}$/.test(raw)) return Number(raw)
  if (type === 'number' && /^-?\d{1,16}(\.\d{1,16})?$/.test(raw)) return Number(raw)
  if (type === 'boolean' && /^(true|false)$/.test(raw)) return raw === 'true'
  return raw
}

/** The database cannot hold a NUL, and no id, filter or cursor has one. */
function refuseControl(input: unknown): void {
  for (const [name, value] of Object.entries(Object(input))) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
      throw refusal('field_invalid', { field: name })
  }
}

function refusalOf(error: ErrorObject, where: string): Refusal {
  const { keyword, params, parentSchema = {} } = error
  const missing = keyword === 'required' ? String(params.missingProperty) : undefined
  const schema = missing === undefined ? parentSchema : Object(parentSchema.properties?.[missing])
  const field = missing ?? fieldOf(error.instancePath)
  if (field === '' && where === 'body') return refusal('body_not_object')
  const own: unknown = schema['x-errors']?.[keyword]
  const code = inputCode(keyword, schema)
  const name = field || where
  const text =
    typeof own === 'string' ? own : (declaredText(keyword, schema) ?? describe(keyword, name, schema))
  return new Refusal(code, { field: name, text })
}

const declaredText = (keyword: string, schema: { 'x-codes'?: ErrorCodes }): string | undefined => {
  const code = schema['x-codes']?.[keyword]
  return code && fillText(code)
}

/** The last name in a path such as `/memberIds/0`: the array, not the index. */
function fieldOf(path: string): string {
  return path.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? ''
}

function describe(keyword: string, field: string, schema: Record<string, unknown>): string {
  const { type, minimum, maximum, minItems, maxItems } = schema
  switch (keyword) {
    case 'required':
    case 'minLength':
      return `${field} is required`
    case 'maxLength':
      return `${field} too long`
    case 'minItems':
    case 'maxItems':
      return minItems === undefined
        ? `${field} must have at most ${maxItems} elements`
        : `${field} must have between ${minItems} and ${maxItems} elements`
    case 'enum':
      return `${field} must be ${choices(schema.enum)}`
    case 'type':
      if (type === 'integer' && maximum === undefined) return `${field} must be an integer`
      if (type === 'boolean') return `${field} must be true or false`
      if (type === 'array') return `${field} must be an array`
      if (type !== 'integer') return `${field} must be ${type === 'object' ? 'an object' : `a ${type}`}`
      return `${field} must be between ${minimum} and ${maximum}`
    case 'minimum':
    case 'maximum':
      return maximum === undefined
        ? `${field} must be at least ${minimum}`
        : `${field} must be between ${minimum} and ${maximum}`
    default:
      return `Invalid ${field}`
  }
}

/** `"single" or "multiple"` */
function choices(values: unknown): string {
  const quoted = (Array.isArray(values) ? values : []).map((value) => JSON.stringify(value))
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
