import { type Static, Type } from 'typebox'
import { ProfileId, Timestamp, Uuid } from '../common.ts'
import { INCOMING_FORMATS } from '../incoming.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, Name, ORGANIZATION } from './common.ts'

const TAG = 'People: bots'
const ADDRESSES = `${ORGANIZATION}/bots/{botId}/incoming-webhooks` as const
const ADDRESS = `${ADDRESSES}/{incomingWebhookId}` as const
const inBot = InOrganization({ botId: ProfileId('The bot') })
const params = InOrganization({
  botId: ProfileId('The bot'),
  incomingWebhookId: Uuid('The incoming webhook'),
})
const NOT_FOUND = ['bot_not_found', 'incoming_webhook_not_found'] as const

const Format = Type.Enum(INCOMING_FORMATS, {
  description: 'The format; `auto` detects it for each call, by its headers and content',
})
const Template = Type.String({
  minLength: 1,
  maxLength: LIMITS.incomingTemplate,
  description:
    'Template for `generic`: Markdown in which `{{path.to.field}}` is replaced by a value of the call',
})
const SECRET_TOO_SHORT = `secret must have at least ${LIMITS.incomingSecretMin} characters`
const Secret = Type.String({
  minLength: LIMITS.incomingSecretMin,
  maxLength: LIMITS.incomingSecretMax,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Calls must prove that they know it, by signature or token; never shown again',
  'x-errors': {
    minLength: SECRET_TOO_SHORT,
    pattern: 'secret must be printable ASCII without spaces',
  },
})

/** Reasons why a call wrote nothing, or only repeated an earlier one. */
export const CALL_REASONS = [
  'ignored',
  'repeated',
  'held',
  'unproven',
  'unreadable',
  'rate',
  'budget',
  'bot_inactive',
  'bot_paused',
  'bot_not_permitted',
  'not_member',
  'archived',
  'bots_stopped',
  'failed',
] as const
export type CallReason = (typeof CALL_REASONS)[number]

export const IncomingCall = Type.Object({
  at: Timestamp('When it came'),
  status: Type.Integer({ description: 'The status of the answer' }),
  source: Type.Optional(Type.String({ description: 'The format that it was read as' })),
  event: Type.Optional(Type.String({ description: 'The event, in the words of its source' })),
  reason: Type.Optional(Type.Enum(CALL_REASONS, { description: 'The reason why it wrote nothing' })),
  detail: Type.Optional(Type.String({ description: 'The exact fault' })),
  messageId: Type.Optional(Uuid('The message that was written')),
  isFormer: Type.Boolean({ description: 'Whether it used the former address' }),
})
export type IncomingCall = Static<typeof IncomingCall>

export const IncomingWebhook = Type.Object({
  id: Uuid('The incoming webhook'),
  name: Type.String(),
  topicId: Uuid('The topic of its messages'),
  topicName: Type.String(),
  format: Format,
  template: Type.Optional(Template),
  hasSecret: Type.Boolean({ description: 'Whether calls must prove that they know a secret' }),
  hint: Type.String({ description: 'The beginning of the secret part of its address' }),
  formerUntil: Type.Optional(Timestamp('The time until which the former address still works')),
  lastCall: Type.Optional(IncomingCall),
  createdAt: Timestamp('When it was made'),
  updatedAt: Timestamp('When it last changed'),
})
export type IncomingWebhook = Static<typeof IncomingWebhook>

const example: IncomingWebhook = {
  id: '5b6c7d8e-9f01-4a2b-8c3d-4e5f60718293',
  name: 'Builds',
  topicId: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
  topicName: 'Releases',
  format: 'auto',
  hasSecret: false,
  hint: 'Qm4r',
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}

export const MadeAddress = Type.Object({
  incomingWebhook: IncomingWebhook,
  url: Type.String({ description: 'The address; shown here and never again' }),
})
export type MadeAddress = Static<typeof MadeAddress>
const made = {
  incomingWebhook: example,
  url: 'https://parley.example.com/in/Qm4rT8vYx1zA3cE5gH7jKLmN9pR2sU4wXb',
}

export const listIncomingWebhooks = peopleOperation({
  id: 'listIncomingWebhooks',
  method: 'GET',
  path: ADDRESSES,
  tag: TAG,
  summary: 'List the incoming webhooks of a bot',
  description: 'The oldest first, and the topics that another one could be made for.',
  access: 'admin',
  params: inBot,
  success: {
    200: {
      description: 'All of them',
      schema: Type.Object({
        incomingWebhooks: Type.Array(IncomingWebhook),
        topics: Type.Array(Type.Object({ id: Uuid('A topic that the bot is in'), name: Type.String() }), {
          description: 'The first 500, sorted by name',
        }),
      }),
      example: { incomingWebhooks: [example], topics: [{ id: example.topicId, name: 'Releases' }] },
    },
  },
  refusals: ['bot_not_found'],
})

export const createIncomingWebhook = peopleOperation({
  id: 'createIncomingWebhook',
  method: 'POST',
  path: ADDRESSES,
  tag: TAG,
  summary: 'Make an address that other programs post to',
  description:
    'Creates an address whose posts appear in the topic as messages of the bot. The answer holds the only copy of the address.',
  access: 'admin',
  params: inBot,
  body: Type.Object({
    topicId: Uuid('The topic of its messages; the bot must be in it'),
    name: Name(LIMITS.incomingName, 'The purpose'),
    format: Type.Optional(Format),
    template: Type.Optional(Template),
    secret: Type.Optional(Secret),
  }),
  bodyExample: { topicId: example.topicId, name: 'Builds' },
  success: { 201: { description: 'The address', schema: MadeAddress, example: made } },
  refusals: [
    'bot_not_in_topic',
    'incoming_template_misplaced',
    'bot_may_not_send',
    'incoming_webhooks_full',
    'incoming_secret_invalid',
    'bot_not_found',
  ],
})

export const updateIncomingWebhook = peopleOperation({
  id: 'updateIncomingWebhook',
  method: 'PATCH',
  path: ADDRESS,
  tag: TAG,
  summary: 'Change an incoming webhook',
  description: 'Omitted fields stay; null removes a template or a secret. The address stays the same.',
  access: 'admin',
  params,
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.incomingName, 'The purpose')),
    format: Type.Optional(Format),
    template: Type.Optional(Type.Union([Template, Type.Null()])),
    secret: Type.Optional(Type.Union([Secret, Type.Null()])),
  }),
  bodyExample: { name: 'Builds of main', format: 'github' },
  success: {
    200: { description: 'The incoming webhook', schema: IncomingWebhook, example },
  },
  refusals: ['incoming_template_misplaced', 'incoming_secret_invalid', ...NOT_FOUND],
})

export const rotateIncomingWebhook = peopleOperation({
  id: 'rotateIncomingWebhook',
  method: 'POST',
  path: `${ADDRESS}/address`,
  tag: TAG,
  summary: 'Replace the address of an incoming webhook',
  description:
    'The answer holds the only copy of the new one. The old one works for `overlapHours` more, or no longer; one before that ends in any case.',
  access: 'admin',
  params,
  body: Type.Object({
    overlapHours: Type.Optional(
      Type.Number({ minimum: 0, maximum: 30 * 24, description: '0 where it is left out' }),
    ),
  }),
  bodyExample: { overlapHours: 24 },
  success: { 200: { description: 'The new address', schema: MadeAddress, example: made } },
  refusals: [...NOT_FOUND],
})

export const endFormerAddress = peopleOperation({
  id: 'endFormerAddress',
  method: 'DELETE',
  path: `${ADDRESS}/address/former`,
  tag: TAG,
  summary: 'End the time in which the former address still works',
  description: 'Without a former address, nothing changes.',
  access: 'admin',
  params,
  success: { 204: { description: 'Only the new address works now' } },
  refusals: [...NOT_FOUND],
})

export const revokeIncomingWebhook = peopleOperation({
  id: 'revokeIncomingWebhook',
  method: 'DELETE',
  path: ADDRESS,
  tag: TAG,
  summary: 'Revoke an incoming webhook',
  description: 'Its addresses are refused at once, and its calls are deleted. Its messages stay.',
  access: 'admin',
  params,
  success: { 204: { description: 'Revoked' } },
  refusals: [...NOT_FOUND],
})

export const listIncomingCalls = peopleOperation({
  id: 'listIncomingCalls',
  method: 'GET',
  path: `${ADDRESS}/calls`,
  tag: TAG,
  summary: 'List the last calls of an incoming webhook',
  description: `The newest first, ${LIMITS.incomingCalls} at most, without what they brought. Of calls beyond the rate limit one a minute is kept.`,
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The calls',
      schema: Type.Object({ calls: Type.Array(IncomingCall) }),
      example: {
        calls: [{ at: 1767225600000, status: 401, source: 'github', reason: 'unproven', isFormer: false }],
      },
    },
  },
  refusals: [...NOT_FOUND],
})
