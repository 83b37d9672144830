import type { TSchema } from 'typebox'
import { EVENTS } from './events.ts'
import { formRefusals } from './files.ts'
import { OPERATIONS } from './index.ts'
import { LIMITS } from './limits.ts'
import { TOKEN_ERRORS, TokenError, TokenRequest, TokenResponse } from './oauth.ts'
import { FILE_PART, type Form, type Operation } from './operation.ts'
import { SCOPES } from './scopes.ts'

const VERSION = '2.0.0'

/** The OpenAPI 3.1 document of the whole bot API, derived from the contract. */
export function openApiDocument(baseUrl: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley bot API',
      version: VERSION,
      description:
        'Bots are full members: they read and write topics, messages, tasks and polls, and receive events.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(OPERATIONS.map(({ tag }) => tag)), 'Tokens'].map((name) => ({ name })),
    paths: { ...paths(), '/oauth/token': { post: tokenOperation() } },
    webhooks: webhooks(),
    components: { securitySchemes: securitySchemes(baseUrl), schemas: { Error: ERROR }, headers: HEADERS },
  }
}

const ERROR = {
  type: 'string',
  description: 'A short text that says what is wrong',
  examples: ['unauthorized'],
}

const HEADERS = {
  XRequestId: { description: 'Names this request in the log of the server', schema: { type: 'string' } },
  RateLimitLimit: { description: 'Requests a minute for the organization', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in this minute', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the minute ends', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
  WWWAuthenticate: {
    description: 'What was wrong with the credentials, as in RFC 6750',
    schema: { type: 'string' },
  },
}

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })
const EVERY_ANSWER = { 'X-Request-Id': header('XRequestId') }
const LIMITED_ANSWER = {
  ...EVERY_ANSWER,
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
}

function securitySchemes(baseUrl: string) {
  return {
    staticKey: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key. Each request also carries \`X-Timestamp\` (Unix time in ms, at most ${LIMITS.signatureAgeMs / 60_000} minutes off) and \`X-Signature\`: lowercase hex HMAC-SHA256, keyed with the API secret, over \`{timestamp}.{path and query}\` for GET and over \`{timestamp}.{raw body}\` for everything else.`,
    },
    oauth: {
      type: 'oauth2',
      description: 'Client credentials; the token is sent as `Authorization: Bearer`, without a signature.',
      flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes: SCOPES } },
    },
  }
}

function paths() {
  const result: Record<string, Record<string, unknown>> = {}
  for (const operation of OPERATIONS) {
    const path = result[operation.path] ?? {}
    path[operation.method.toLowerCase()] = describeOperation(operation)
    result[operation.path] = path
  }
  return result
}

function describeOperation(operation: Operation) {
  const { id, tag, summary, description, scope, body, bodyExample, form } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: scope === null ? [] : [{ staticKey: [] }, { oauth: [scope] }],
    parameters: [
      ...parameters(operation.params, 'path'),
      ...parameters(operation.query, 'query'),
      ...(operation.scope === null ? [] : SIGNATURE_PARAMETERS),
      ...(operation.method === 'POST' ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: body, ...(bodyExample !== undefined && { example: bodyExample }) },
          ...(form && { 'multipart/form-data': describeForm(form) }),
        },
      },
    }),
    responses: { ...successes(operation), ...refusals(operation) },
  }
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

const SIGNATURE_PARAMETERS = [
  {
    name: 'X-Timestamp',
    in: 'header',
    description: 'Unix time in ms; with a static key only',
    schema: { type: 'string', pattern: '^\\d{1,15}$' },
  },
  {
    name: 'X-Signature',
    in: 'header',
    description: 'With a static key only',
    schema: { type: 'string', pattern: '^[a-f0-9]{64}$' },
  },
]

const IDEMPOTENCY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `The first answer to this key is kept for ${LIMITS.idempotencyHours} hours and given again; with another request it is refused`,
  schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
}

function parameters(schema: TSchema | undefined, where: 'path' | 'query') {
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

function successes({ success, scope }: Operation) {
  return Object.fromEntries(
    Object.entries(success).map(([status, { description, schema, example }]) => [
      status,
      {
        description,
        headers: scope === null ? EVERY_ANSWER : LIMITED_ANSWER,
        ...(schema && {
          content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
        }),
      },
    ]),
  )
}

/** Refusals that come with authentication, limits and input, besides the operation's own. */
function refusals(operation: Operation) {
  const authenticated = operation.scope !== null
  const takesInput = operation.params ?? operation.query ?? operation.body
  const texts: Record<number, string[]> = {
    ...(takesInput && { 400: inputRefusals(operation) }),
    ...(authenticated && { 401: ['unauthorized'], 403: ['forbidden'], 429: ['rate limit exceeded'] }),
    500: ['internal server error'],
  }
  for (const [status, own] of Object.entries(operation.refusals ?? {})) {
    texts[Number(status)] = [...own, ...(texts[Number(status)] ?? [])]
  }
  return Object.fromEntries(
    Object.entries(texts).map(([status, examples]) => [
      status,
      refusal(status, examples, {
        ...(status === '429' && { 'Retry-After': header('RetryAfter') }),
        ...((status === '401' || status === '403') &&
          authenticated && { 'WWW-Authenticate': header('WWWAuthenticate') }),
      }),
    ]),
  )
}

function refusal(status: string, texts: string[], headers = {}) {
  const examples = [...new Set(texts)].map((text) => [exampleName(text), { value: text }])
  return {
    description: DESCRIPTIONS[status] ?? 'Refused',
    headers: { ...EVERY_ANSWER, ...headers },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

const DESCRIPTIONS: Record<string, string> = {
  400: 'Invalid or missing input, or a state that does not allow it',
  401: 'No valid credentials, or a wrong signature',
  403: 'Not permitted: missing scope, read-only key, or not yours to change',
  404: 'Does not exist, or is out of reach for this bot',
  409: 'In conflict with the current state',
  429: 'Too many requests',
  500: 'Something went wrong on the server; the request id names it in the log',
}

type Property = { minimum?: number; maximum?: number; 'x-errors'?: Record<string, string> }

const propertiesOf = (schema: TSchema | undefined): [name: string, property: Property][] =>
  Object.entries(Object(Object(schema).properties))

function inputRefusals({ params, query, body, form }: Operation): string[] {
  const inPath = propertiesOf(params).map(([name]) => `Invalid ${name}`)
  const outOfBounds = propertiesOf(query)
    .filter(([, { minimum, maximum }]) => minimum !== undefined && maximum !== undefined)
    .map(([name, { minimum, maximum }]) => `${name} must be between ${minimum} and ${maximum}`)
  return [
    ...inPath,
    ...outOfBounds,
    ...(body ? ['malformed JSON', ...bodyRefusals(body)] : []),
    ...(form ? formRefusals(form) : []),
  ]
}

function bodyRefusals(body: TSchema): string[] {
  const properties = propertiesOf(body)
  const required: unknown[] = Object(body).required ?? []
  const missing = properties
    .filter(([name, property]) => required.includes(name) && property['x-errors']?.required === undefined)
    .map(([name]) => `${name} is required`)
  return [...properties.flatMap(([, property]) => Object.values(property['x-errors'] ?? {})), ...missing]
}

const exampleName = (text: string) =>
  text
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

function tokenOperation() {
  const failure = (codes: (keyof typeof TOKEN_ERRORS)[], description: string, headers = {}) => ({
    description,
    headers: { ...EVERY_ANSWER, ...headers },
    content: {
      'application/json': {
        schema: TokenError,
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { error: code, error_description: TOKEN_ERRORS[code] } }]),
        ),
      },
    },
  })
  return {
    operationId: 'createToken',
    tags: ['Tokens'],
    summary: 'Exchange client credentials for an access token',
    description: 'RFC 6749, section 4.4. Credentials go into the form, or into HTTP Basic.',
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: TokenRequest,
          example: {
            grant_type: 'client_credentials',
            client_id: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060',
            client_secret: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
            scope: 'message:send message:read',
          },
        },
      },
    },
    responses: {
      200: {
        description: 'The token',
        headers: EVERY_ANSWER,
        content: {
          'application/json': {
            schema: TokenResponse,
            example: {
              access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
              token_type: 'Bearer',
              expires_in: 3600,
              scope: 'message:send message:read',
            },
          },
        },
      },
      400: failure(['invalid_request', 'invalid_grant', 'unsupported_grant_type'], 'Refused'),
      401: failure(['invalid_client'], 'Client id or secret missing or wrong', {
        'WWW-Authenticate': header('WWWAuthenticate'),
      }),
      429: failure(['invalid_request'], 'Too many failed attempts from this address for this client', {
        'Retry-After': header('RetryAfter'),
      }),
      500: refusal('500', ['internal server error']),
    },
  }
}

function webhooks() {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, { summary, envelope, example }]) => [
      type,
      {
        post: {
          operationId: `on-${type.replace(/[._]/g, '-')}`,
          tags: ['Events'],
          summary,
          parameters: WEBHOOK_HEADERS,
          requestBody: { required: true, content: { 'application/json': { schema: envelope, example } } },
          responses: { '2XX': { description: 'Received; any other answer is tried again later' } },
        },
      },
    ]),
  )
}

const WEBHOOK_HEADERS = [
  ['X-Service-Event', 'Type of the event'],
  ['X-Service-Delivery-Id', 'The same through all tries of one delivery'],
  ['X-Service-Timestamp', 'When it was sent, Unix time in ms'],
  [
    'X-Service-Signature',
    'Lowercase hex HMAC-SHA256 of `{timestamp}.{body}`, keyed with the secret of the bot',
  ],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))
