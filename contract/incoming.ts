import { Type } from 'typebox'
import { BOT_BUDGET_SPENT, DISK_FULL, UNAVAILABLE } from './common.ts'
import { LIMITS } from './limits.ts'
import { CROWDED, EVERY_ANSWER, header, refusal, UNFINISHED } from './openapi-parts.ts'

/** The formats of calls that an incoming webhook accepts; `auto` recognizes the format of each call. */
export const INCOMING_FORMATS = [
  'auto',
  'text',
  'slack',
  'github',
  'gitlab',
  'grafana',
  'alertmanager',
  'sentry',
  'generic',
] as const
export type IncomingFormat = (typeof INCOMING_FORMATS)[number]
export type IncomingSource = Exclude<IncomingFormat, 'auto'>

export const INCOMING_NOT_FOUND = 'webhook not found'
export const INCOMING_STOPPED = 'the bot of this webhook is stopped; try again later'
export const INCOMING_UNPROVEN = 'signature or token does not match'
export const INCOMING_UNREADABLE = [
  'malformed JSON',
  'body must be a JSON object',
  'the form has no field payload',
  'content type must be application/json or application/x-www-form-urlencoded',
  'text, attachments or blocks is required',
  'X-GitHub-Event is missing',
  'alerts must be a list',
  'there is nothing to show in this payload',
]

/** How the reference describes an address. Each source has its own body, so none is prescribed. */
export const receiveWebhook = {
  operationId: 'receiveWebhook',
  tags: ['Incoming webhooks'],
  summary: 'Post to an address that was made for a bot and a topic',
  description:
    'Takes what Slack’s incoming webhooks take, and what GitHub, GitLab, Grafana, Alertmanager and Sentry send, as JSON or as a form with a field `payload`. What comes in becomes a message of the bot. The address is the secret; where another one was given, the call must prove that it knows it.',
  security: [],
  parameters: [
    {
      name: 'incomingToken',
      in: 'path',
      required: true,
      description: 'The secret part of the address, which is shown once',
      schema: { type: 'string' },
    },
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: `A second call with this key writes nothing for ${LIMITS.idempotencyHours} hours; the delivery ids of GitHub, GitLab and Sentry count as keys`,
      schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: Type.Object({
          text: Type.Optional(
            Type.String({ description: 'The text, in the form of Slack and in the plain one' }),
          ),
        }),
        example: { text: 'The build of *main* has failed: <https://ci.example.com/42|#42>' },
      },
      'application/x-www-form-urlencoded': {
        schema: Type.Object({ payload: Type.String({ description: 'The JSON' }) }),
        example: { payload: '{"text": "The build of *main* has failed"}' },
      },
    },
  },
  responses: {
    200: {
      description:
        '`ok` where a message was written, now or by a call before; `ignored` for events that are not told',
      headers: EVERY_ANSWER,
      content: { 'text/plain': { schema: { type: 'string', enum: ['ok', 'ignored'] }, example: 'ok' } },
    },
    400: refusal('The body does not have the form that the address takes', [
      ...INCOMING_UNREADABLE,
      ...UNFINISHED,
      'malformed request',
      'malformed request path',
    ]),
    401: refusal('A secret was set, and the call does not prove that it knows it', [INCOMING_UNPROVEN]),
    404: refusal('The address is unknown or no longer works; the answer does not say which', [
      INCOMING_NOT_FOUND,
    ]),
    429: refusal('Too many calls', ['rate limit exceeded', BOT_BUDGET_SPENT, ...CROWDED[429]], {
      'Retry-After': header('RetryAfter'),
    }),
    500: refusal('Something went wrong on the server; the request id names it in the log', [
      'internal server error',
    ]),
    503: refusal(
      'The bot is stopped for now; repeat the call later',
      [INCOMING_STOPPED, ...CROWDED[503], UNAVAILABLE],
      {
        'Retry-After': header('RetryAfter'),
      },
    ),
    507: refusal('The disk of the server is full', [DISK_FULL], { 'Retry-After': header('RetryAfter') }),
  },
}
