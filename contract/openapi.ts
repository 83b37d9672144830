import { EVENTS } from './events.ts'
import { receiveWebhook } from './incoming.ts'
import { OPERATIONS } from './index.ts'
import { LIMITS } from './limits.ts'
import { callMcp } from './mcp.ts'
import { TOKEN_ERRORS, TokenError, TokenRequest, TokenResponse } from './oauth.ts'
import {
  ERROR,
  EVERY_ANSWER,
  HEADERS,
  header,
  IDEMPOTENCY_PARAMETER,
  LIMITED_ANSWER,
  parameters,
  pathsOf,
  requestBody,
  successes,
} from './openapi-parts.ts'
import { PEOPLE_TAGS, peoplePaths, SESSION_SCHEME } from './openapi-people.ts'
import {
  codeHeader,
  inputRefusals,
  KEY_REFUSALS,
  type Listed,
  refusalResponse,
  refusalResponses,
  UNADMITTED,
  UNFINISHED,
} from './openapi-refusals.ts'
import type { Operation } from './operation.ts'
import { SCOPES } from './scopes.ts'

const VERSION = '2.0.0'

/** The OpenAPI 3.1 document of everything that bots and people call, derived from the contract. */
export function openApiDocument(baseUrl: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley API',
      version: VERSION,
      description:
        'Bots are full members: they read and write topics, messages, tasks and polls, and receive events. What begins with `/people` is what the pages of this server use, for people who have signed in.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...new Set(OPERATIONS.map(({ tag }) => tag)),
      'Tokens',
      ...receiveWebhook.tags,
      ...callMcp.tags,
      ...PEOPLE_TAGS,
    ].map((name) => ({ name })),
    paths: {
      ...pathsOf(OPERATIONS, describeOperation),
      '/oauth/token': { post: tokenOperation() },
      '/in/{incomingToken}': { post: receiveWebhook },
      '/mcp': { post: callMcp },
      ...peoplePaths(),
    },
    webhooks: webhooks(),
    components: {
      securitySchemes: { ...securitySchemes(baseUrl), session: SESSION_SCHEME },
      schemas: { Error: ERROR },
      headers: HEADERS,
    },
  }
}

const staticKeyDescription = (
  baseUrl: string,
) => `An API key. Each request also carries \`X-Timestamp\` (Unix time in ms, at most ${LIMITS.signatureAgeMs / 60_000} minutes off) and \`X-Signature\`, a lowercase hex HMAC-SHA256 that is keyed with the API secret.

**Version 1** (the default) signs \`{timestamp}.{path and query}\` for GET and \`{timestamp}.{raw body}\` for everything else. What it does not protect: the signature of a write covers neither its method nor its path. For ${LIMITS.signatureAgeMs / 60_000} minutes, whoever sees one request can send it again, and can send its body to any other path; one signature over an empty body marks a message as read, and deletes it. Only TLS keeps requests from being seen.

**Version 2** (\`X-Signature-Version: 2\`) signs the whole request: six lines, joined by a line feed: \`v2\`, the method, the path with its query as sent, the timestamp, the nonce, and the lowercase hex SHA-256 of the raw body (of no bytes for a GET). The nonce is in \`X-Nonce\`: ${LIMITS.nonceMin} to ${LIMITS.nonceMax} letters, digits, \`-\` and \`_\`, another one for each request; one that was used before is refused. A bot can be set to accept version 2 only.

Why a request was refused stands in \`X-Auth-Error\`. The [console](${baseUrl}/console) has a signature checker, among the pages of each bot.`

function securitySchemes(baseUrl: string) {
  return {
    staticKey: {
      type: 'http',
      scheme: 'bearer',
      description: staticKeyDescription(baseUrl),
    },
    oauth: {
      type: 'oauth2',
      description: 'Client credentials; the token is sent as `Authorization: Bearer`, without a signature.',
      flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes: SCOPES } },
    },
  }
}

function describeOperation(operation: Operation) {
  const { id, tag, summary, description, scope } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: scope === null ? [] : [{ staticKey: [] }, { oauth: [scope] }],
    parameters: [
      ...parameters(operation.params, 'path'),
      ...parameters(operation.query, 'query'),
      ...parameters(operation.streamedText?.query, 'query'),
      ...(operation.scope === null ? [] : SIGNATURE_PARAMETERS),
      ...(operation.method === 'POST' ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...requestBody(operation),
    responses: {
      ...successes(operation, scope === null ? EVERY_ANSWER : LIMITED_ANSWER),
      ...refusals(operation),
    },
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
    description: 'Needed with a static key',
    schema: { type: 'string', pattern: '^[a-f0-9]{64}$' },
  },
  {
    name: 'X-Signature-Version',
    in: 'header',
    description: 'Static keys only: 2 for a signature over the whole request',
    schema: { type: 'string', enum: ['1', '2'], default: '1' },
  },
  {
    name: 'X-Nonce',
    in: 'header',
    description: 'Needed with a signature of version 2; a new one for each request',
    schema: { type: 'string', pattern: `^[\\w-]{${LIMITS.nonceMin},${LIMITS.nonceMax}}$` },
  },
]

/** Refusals that come with authentication, limits and input, besides the operation's own. */
function refusals(operation: Operation) {
  const { method, scope, worksWhilePaused, isHeardByBots, countsInBudget } = operation
  const brings = method !== 'GET'
  const isAuthenticated = scope !== null
  const listed: Listed[] = [
    ...(operation.refusals ?? []),
    ...inputRefusals(operation),
    ...(brings ? [...UNFINISHED, 'disk_full' as const] : []),
    ...(method === 'POST' ? KEY_REFUSALS : []),
    ...(isAuthenticated ? (['unauthorized', 'forbidden', 'rate_limited'] as const) : []),
    ...(isAuthenticated && !worksWhilePaused ? (['bot_paused'] as const) : []),
    ...(isHeardByBots ? (['bots_stopped', 'bots_slowed'] as const) : []),
    ...(countsInBudget ? (['bot_budget_spent'] as const) : []),
    ...UNADMITTED,
  ]
  const challenge = { 'WWW-Authenticate': header('WWWAuthenticate') }
  return refusalResponses(listed, DESCRIPTIONS, {
    headersOf: (status) => ({
      ...(status === '401' && { 'X-Auth-Error': header('XAuthError') }),
      ...((status === '401' || status === '403') && isAuthenticated && challenge),
    }),
  })
}

const DESCRIPTIONS: Record<string, string> = {
  400: 'Invalid or missing input, or a state that does not allow it',
  401: 'No valid credentials, or a wrong signature',
  403: 'The bot lacks the permission: missing scope, read-only key, an object of another member, or paused by an admin',
  404: 'Does not exist, or is out of reach for this bot',
  409: 'The current state conflicts with the request',
  429: 'Too many requests',
  500: 'Something went wrong on the server; the request id names it in the log',
  503: 'The server cannot do it now: nothing was changed, the same request will do later',
}

function tokenOperation() {
  const failure = (codes: (keyof typeof TOKEN_ERRORS)[], description: string, headers = {}) => ({
    description,
    headers: { ...EVERY_ANSWER, ...codeHeader(codes), ...headers },
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
      500: refusalResponse(DESCRIPTIONS[500] ?? '', ['internal_error']),
      503: failure(['invalid_request'], DESCRIPTIONS[503] ?? '', { 'Retry-After': header('RetryAfter') }),
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
  ['X-Service-Delivery-Id', 'The id of the delivery, equal in all its attempts'],
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
