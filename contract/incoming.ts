import { Type } from 'typebox'
import { LIMITS } from './limits.ts'
import { EVERY_ANSWER } from './openapi-parts.ts'
import { KEY_REFUSALS, refusalResponses, UNADMITTED, UNFINISHED } from './openapi-refusals.ts'

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

export const INCOMING_UNREADABLE = [
  'malformed_json',
  'body_not_object',
  'body_not_utf8',
  'field_required.text',
  'incoming_payload_missing',
  'content_type_unsupported.application/json or application/x-www-form-urlencoded',
  'fields_missing.text, attachments or blocks',
  'incoming_field_missing.X-GitHub-Event',
  'incoming_alerts_invalid',
  'incoming_payload_empty',
] as const

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
      description: 'From the address, which is shown when it is made',
      schema: { type: 'string' },
    },
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: `A second call with this key writes nothing, for ${LIMITS.idempotencyHours} hours; the ids that GitHub, GitLab and Sentry give their deliveries count as such`,
      schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: Type.Object({
          text: Type.Optional(Type.String({ description: 'In Slack’s form and in the plain one' })),
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
    ...refusalResponses(
      [
        ...INCOMING_UNREADABLE,
        ...UNFINISHED,
        ...KEY_REFUSALS,
        'malformed_path',
        'incoming_signature_invalid',
        'incoming_address_not_found',
        'rate_limited',
        'bot_budget_spent',
        'bots_slowed',
        'word_blocked',
        'message_refused',
        'message_check_away',
        'incoming_bot_stopped',
        'disk_full',
        ...UNADMITTED,
      ],
      {
        400: 'The body does not have the form that the address takes',
        401: 'A secret was set, and the call does not prove that it knows it',
        404: 'The address is unknown or no longer works; the answer does not say which',
        429: 'Too many calls',
        500: 'Something went wrong on the server; the request id names it in the log',
        503: 'The bot is stopped for now, or its texts cannot be checked; repeat the call later',
        507: 'The disk of the server is full',
      },
      { statuses: { disk_full: 507 } },
    ),
  },
}
