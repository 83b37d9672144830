import type { TSchema } from 'typebox'
import type { ErrorCodes } from './common.ts'
import { EVERY_ANSWER, header } from './openapi-parts.ts'
import { type Endpoint, FILE_PART, type Form } from './operation.ts'
import { partsOfKey, type RefusalKey, statusOf, textOfKey } from './refusals/index.ts'
import { inputCode } from './refusals/input.ts'

/* Refusals of an operation, as the reference lists them: by status, each with its code and its text. */

/** A refusal with the text that a schema gives it. */
type Worded = readonly [key: RefusalKey, text: string]
export type Listed = RefusalKey | Worded

const keyOf = (listed: Listed): RefusalKey => (typeof listed === 'string' ? listed : listed[0])

/** Refusals that every operation can get before it is looked at. */
export const UNADMITTED = [
  'malformed_request',
  'concurrency_limited',
  'connections_limited',
  'internal_error',
  'server_busy',
  'connections_full',
  'temporarily_unavailable',
] as const

/** Refusals that any request with a body can get. */
export const UNFINISHED = ['body_too_large', 'body_incomplete', 'request_too_slow'] as const

/** Refusals of an `Idempotency-Key`. */
export const KEY_REFUSALS = ['idempotency_key_invalid', 'idempotency_key_reused'] as const

/** A response for each status; `statuses` are those that this API gives another status than is declared. */
export function refusalResponses(
  listed: readonly Listed[],
  descriptions: Record<string, string>,
  { headersOf = (_status: string): object => ({}), statuses = {} as Record<string, number> } = {},
) {
  const byStatus = new Map<string, Listed[]>()
  for (const one of listed) {
    const { code } = partsOfKey(keyOf(one))
    const status = String(statuses[code] ?? statusOf(code))
    byStatus.set(status, [...(byStatus.get(status) ?? []), one])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => [
      status,
      refusalResponse(descriptions[status] ?? 'Refused', refusals, headersOf(status)),
    ]),
  )
}

export function refusalResponse(description: string, listed: readonly Listed[], headers = {}) {
  return {
    description,
    headers: { ...refusalHeaders(listed), ...headers },
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: examplesOf(listed) },
    },
  }
}

/** Headers of a refusal; `X-Error-Code` names the codes that there can be. */
export const refusalHeaders = (listed: readonly Listed[]) => ({
  ...EVERY_ANSWER,
  ...codeHeader([...new Set(listed.map((one) => partsOfKey(keyOf(one)).code))]),
  'X-Error-Field': header('XErrorField'),
  ...(listed.some((one) => WAITS.has(statusOf(partsOfKey(keyOf(one)).code))) && {
    'Retry-After': header('RetryAfter'),
  }),
})
const WAITS: ReadonlySet<number> = new Set([429, 503])

export const codeHeader = (codes: readonly string[]) => ({
  'X-Error-Code': {
    description: 'The code of the refusal, which stays the same when its text changes',
    required: true,
    schema: { type: 'string', enum: codes },
  },
})

/** Texts by their keys, numbered where one key has several; a key that leaves a part of its text open is no example. */
function examplesOf(listed: readonly Listed[]) {
  const examples: Record<string, { value: string }> = {}
  for (const one of listed) {
    const [key, text] = typeof one === 'string' ? [one, textOfKey(one)] : one
    if (/\{\w+\}/.test(text)) continue
    const name = key.replace(/[^\w.-]+/g, '_')
    const taken = Object.keys(examples).filter((other) => other.replace(/\.\d+$/, '') === name)
    if (taken.some((other) => examples[other]?.value === text)) continue
    examples[taken.length === 0 ? name : `${name}.${taken.length + 1}`] = { value: text }
  }
  return examples
}

type Property = {
  minLength?: number
  minimum?: number
  maximum?: number
  'x-errors'?: Record<string, string>
  'x-codes'?: ErrorCodes
  items?: Property
}

const propertiesOf = (schema: TSchema | undefined): [name: string, property: Property][] =>
  Object.entries(Object(Object(schema).properties))

/** Codes of refusals for a value that does not fit its schema. */
const UNFIT = [
  'field_required',
  'field_too_long',
  'field_too_short',
  'field_out_of_range',
  'field_invalid',
] as const

/** Refusals of invalid input. */
export function inputRefusals(operation: Endpoint, { refusesUnknown = false } = {}): Listed[] {
  const { params, query, body, form, streamedText } = operation
  const inQuery = [...propertiesOf(query), ...propertiesOf(streamedText?.query)]
  return [
    ...(params ? (['malformed_path'] as const) : []),
    ...propertiesOf(params).flatMap(([name, { minLength }]): Listed[] => [
      `field_invalid.${name}`,
      ...(minLength === 1 ? ([`field_required.${name}`] as const) : []), // a path that ends where it should stand
    ]),
    ...inQuery.flatMap(outOfBounds),
    ...(inQuery.length > 0 ? UNFIT : []),
    ...[body, form?.meta].flatMap((schema) => (schema ? jsonRefusals(schema, refusesUnknown) : [])),
    ...(form ? formRefusals(form) : []),
    ...(streamedText ? TEXT_REFUSALS : []),
    ...propertiesOf(streamedText?.query).map(([name]): Listed => `field_misplaced.${name}`),
  ]
}

function outOfBounds([name, { minimum, maximum }]: [string, Property]): Worded[] {
  if (minimum === undefined || maximum === undefined) return []
  return [[`field_out_of_range.${name}`, `${name} must be between ${minimum} and ${maximum}`]]
}

const BODY_REFUSALS = [
  'malformed_json',
  'content_type_unsupported.application/json',
  'body_not_object',
  'body_not_utf8',
  'characters_not_allowed',
] as const

/** Refusals that a body of plain text can get. */
const TEXT_REFUSALS = [
  'plain_text_needs_token',
  'plain_text_takes_no_key',
  'plain_text_not_utf8',
  'body_not_utf8',
  'characters_not_allowed',
] as const

/** Refusals that any multipart request can get. */
const formRefusals = ({ metaParts: [metaPart], files }: Form): Listed[] => [
  'malformed_form',
  `field_required.${metaPart}`,
  ...(files.minimum > 0 ? ([`field_required.${FILE_PART}`] as const) : []),
  'part_limit_reached',
  'part_too_large',
  'part_repeated',
  'file_too_large',
  'file_empty',
  'file_limit_reached',
]

const jsonRefusals = (schema: TSchema, refusesUnknown: boolean): Listed[] => [
  ...BODY_REFUSALS,
  ...bodyRefusals(schema),
  ...UNFIT,
  ...(refusesUnknown ? (['field_unknown'] as const) : []),
]

function bodyRefusals(body: TSchema): Listed[] {
  const required: unknown[] = Object(body).required ?? []
  return propertiesOf(body).flatMap(([name, property]): Listed[] => {
    const isRequired = required.includes(name)
    const own = { ...property['x-errors'], ...property['x-codes'] }
    return [
      ...(isRequired && !('required' in own) ? [`field_required.${name}` as const] : []),
      ...wordedRefusals(name, property),
      ...(property.items ? wordedRefusals(name, property.items) : []),
    ]
  })
}

/** Refusals that a schema has texts or codes of its own for. */
const wordedRefusals = (name: string, property: Property): Listed[] => [
  ...Object.entries(property['x-errors'] ?? {}).map(
    ([keyword, text]): Worded => [`${inputCode(keyword, property)}.${name}`, text],
  ),
  ...Object.values(property['x-codes'] ?? {}),
]
