import type { TSchema } from 'typebox'
import { errorCode } from './error-codes.ts'
import { formRefusals } from './files.ts'
import { LIMITS } from './limits.ts'
import { type Endpoint, FILE_PART, type Form, type StreamedText } from './operation.ts'
import { inBody, TEXT_CHARSET, TEXT_KEY, TEXT_SIGNED } from './text-refusals.ts'

/* Parts of the descriptions of both APIs, of bots and of people. */

export const ERROR = {
  type: 'string',
  description: 'A short text that says what is wrong',
  examples: ['unauthorized'],
}

export const HEADERS = {
  XRequestId: { description: 'Names this request in the log of the server', schema: { type: 'string' } },
  RateLimitLimit: { description: 'Requests a minute that are allowed', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in this minute', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the minute ends', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
  XAuthError: {
    description:
      'The reason why the request was not authenticated: an old timestamp, or a signature that does not match (or an unknown key, which gets the same text)',
    schema: { type: 'string' },
  },
  XErrorCode: {
    description: 'The code of the refusal, for pages that say it in their own words: `topic-not-found`',
    schema: { type: 'string' },
  },
  WWWAuthenticate: {
    description: 'The fault of the credentials, as in RFC 6750',
    schema: { type: 'string' },
  },
}

export const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })
export const EVERY_ANSWER = { 'X-Request-Id': header('XRequestId') }
/** Headers of answers to requests that are counted by the minute. */
export const LIMITED_ANSWER = {
  ...EVERY_ANSWER,
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
}

/** Operations by path and method, each described by `describe`. */
export function pathsOf<O extends Endpoint>(operations: readonly O[], describe: (operation: O) => unknown) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = describe(operation)
    paths[operation.path] = path
  }
  return paths
}

export const IDEMPOTENCY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `The first answer to this key is kept for ${LIMITS.idempotencyHours} hours and given again; with another request it is refused`,
  schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
}

export const requestBody = ({ body, bodyExample, form, streamedText }: Endpoint) =>
  body && {
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: body, ...(bodyExample !== undefined && { example: bodyExample }) },
        ...(form && { 'multipart/form-data': describeForm(form) }),
        ...(streamedText && {
          'text/plain': {
            schema: { type: 'string', description: streamedText.description },
            example: streamedText.example,
          },
        }),
      },
    },
  }

function describeForm({ metaParts: [metaPart], meta, metaExample, description, files }: Form) {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description }
  const several = {
    type: 'array',
    items: file,
    minItems: files.minimum,
    maxItems: files.maximum,
    description,
  }
  return {
    schema: {
      type: 'object',
      required: [metaPart, ...(files.minimum > 0 ? [FILE_PART] : [])],
      properties: { [metaPart]: meta, [FILE_PART]: files.maximum > 1 ? several : file },
    },
    encoding: { [metaPart]: { contentType: 'application/json' } },
    example: { [metaPart]: metaExample },
  }
}

export function parameters(schema: TSchema | undefined, where: 'path' | 'query') {
  if (!schema || !('properties' in schema)) return []
  const required: unknown[] = 'required' in schema && Array.isArray(schema.required) ? schema.required : []
  const properties: Record<string, { description?: string }> = Object(schema.properties)
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(property.description && { description: property.description }),
    schema: property,
  }))
}

export function successes({ success }: Endpoint, headers: object) {
  return Object.fromEntries(
    Object.entries(success).map(([status, { description, schema, example, texts = {} }]) => [
      status,
      {
        description,
        headers,
        ...(schema && {
          content: {
            'application/json': { schema, ...(example !== undefined && { example }) },
            ...Object.fromEntries(
              Object.entries(texts).map(([type, text]) => [
                type,
                { schema: { type: 'string' }, example: text },
              ]),
            ),
          },
        }),
      },
    ]),
  )
}

/** Refusals that every operation can get before it is looked at: for the moment there is too much under way. */
export const CROWDED = {
  429: ['too many requests at once from this address'],
  503: ['the server is busy, try again'],
} as const

/** Refusals that any request with a body can get. */
export const UNFINISHED = ['body too large', 'request took too long']

/** Headers of a temporary refusal. */
export const waitHeaders = (status: string) =>
  status === '429' || status === '503' ? { 'Retry-After': header('RetryAfter') } : {}

/** The texts of an operation's own refusals before those that it shares, by status. */
export function allRefusals(
  { refusals = {} }: Endpoint,
  shared: Record<number, readonly string[]>,
): [status: string, texts: readonly string[]][] {
  const own = Object.entries(refusals).map(([status, texts]): [string, readonly string[]] => [
    status,
    [...texts, ...(shared[Number(status)] ?? [])],
  ])
  return Object.entries({ ...shared, ...Object.fromEntries(own) })
}

export function refusal(description: string, texts: readonly string[], headers = {}) {
  const examples = [...new Set(texts)].map((text) => [errorCode(text), { value: text }])
  return {
    description,
    headers: { ...EVERY_ANSWER, ...headers },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

type Property = { minimum?: number; maximum?: number; 'x-errors'?: Record<string, string> }

const propertiesOf = (schema: TSchema | undefined): [name: string, property: Property][] =>
  Object.entries(Object(Object(schema).properties))

/** Refusals before it is known whom a request is for: headers beyond measure, a path that cannot be read. */
export const malformed = ({ params }: Endpoint): string[] => [
  'malformed request',
  ...(params ? ['malformed request path'] : []),
]

/** Refusals of invalid input. */
export function inputRefusals({ params, query, body, form, streamedText }: Endpoint): string[] {
  const inPath = propertiesOf(params).map(([name]) => `Invalid ${name}`)
  const outOfBounds = [...propertiesOf(query), ...propertiesOf(streamedText?.query)]
    .filter(([, { minimum, maximum }]) => minimum !== undefined && maximum !== undefined)
    .map(([name, { minimum, maximum }]) => `${name} must be between ${minimum} and ${maximum}`)
  return [
    ...inPath,
    ...outOfBounds,
    ...(body ? ['malformed JSON', ...bodyRefusals(body)] : []),
    ...(form ? formRefusals(form) : []),
    ...(streamedText ? textRefusals(streamedText) : []),
  ]
}

/** Refusals that a body of plain text can get, and one of JSON that is asked for like it. */
const textRefusals = ({ query }: StreamedText): string[] => [
  ...propertiesOf(query).map(([name]) => inBody(name)),
  TEXT_SIGNED,
  TEXT_KEY,
  TEXT_CHARSET,
  'body must be valid UTF-8',
  'text must not contain NUL or lone surrogates',
]

function bodyRefusals(body: TSchema): string[] {
  const properties = propertiesOf(body)
  const required: unknown[] = Object(body).required ?? []
  const missing = properties
    .filter(([name, property]) => required.includes(name) && property['x-errors']?.required === undefined)
    .map(([name]) => `${name} is required`)
  return [...properties.flatMap(([, property]) => Object.values(property['x-errors'] ?? {})), ...missing]
}
