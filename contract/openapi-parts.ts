import type { TSchema } from 'typebox'
import { LIMITS } from './limits.ts'
import { type Endpoint, FILE_PART, type Form } from './operation.ts'

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
  XErrorField: {
    description: 'The field of the request that the refusal is about, where it is about one',
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
