import { type Static, Type } from 'typebox'
import { BotReach, Page, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { ALL_SCOPES } from '../scopes.ts'
import { InOrganization, ListPage, Name, ORDERS, ORGANIZATION } from './common.ts'
import { CONTENT_REFUSALS } from './readings.ts'
import { URL_REFUSALS, WebhookAddress, WebhookUrl } from './webhook-addresses.ts'
import {
  ADDRESS_REFUSALS,
  AddressQuery,
  HEADER_REFUSALS,
  PAUSE_REASONS,
  SecretOverlap,
  WebhookEvents,
  WebhookHeaders,
} from './webhooks.ts'

const TAG = 'People: bots'

const Permission = Type.Enum(['read', 'write'])
const Scopes = Type.Array(Type.Enum(ALL_SCOPES), {
  maxItems: ALL_SCOPES.length,
  description: 'OAuth bots only',
})
const SignatureVersion = Type.Enum([1, 2], {
  description:
    'Static keys only. 1: accepts signatures of version 1, which cover only time and body, and of version 2; 2: of version 2 only',
})
const Delivery = Type.Enum(['polling', 'webhook'])

const PerDay = (what: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: LIMITS.budgetPerDay }), Type.Null()], {
    description: `${what} in a day, from midnight to midnight UTC; null: as many as it likes`,
  })
const MessagesPerDay = PerDay('Messages that it may send')
const TokensPerDay = PerDay('Tokens that it may use, by its own report,')

const BotDescription = Type.String({
  maxLength: LIMITS.botDescription,
  description: 'The purpose of the bot',
})

export const ConsoleBot = Type.Object({
  id: ProfileId('The bot'),
  name: Type.String(),
  description: Type.String({ description: 'The purpose of the bot, which all members can read' }),
  photoId: Type.Optional(Uuid('The id of the photo, for `…/chat/pictures/{fileId}`')),
  ownerId: Type.Optional(
    ProfileId('The person responsible for the bot: its creator, unless an admin chose another'),
  ),
  ownerName: Type.Optional(Type.String({ description: 'The name of the person responsible for it' })),
  credential: Type.Enum(['static', 'oauth']),
  keyHint: Type.String({ description: 'The beginning of its API key; empty with OAuth' }),
  permission: Type.Optional(Permission),
  scopes: Type.Optional(Scopes),
  signatureVersion: Type.Optional(SignatureVersion),
  active: Type.Boolean(),
  pausedAt: Type.Optional(Timestamp('When it was paused; a paused bot can do nothing and gets nothing')),
  delivery: Delivery,
  pollVoteEvents: Type.Boolean({ description: 'Whether it receives events about votes' }),
  opensDirectMessages: Type.Boolean({
    description: 'Whether it may open direct messages with people who share a topic with it',
  }),
  externalIdIsKey: Type.Boolean({
    description: 'Whether `externalId` of its messages and tasks counts as their `Idempotency-Key`',
  }),
  budget: Type.Object({ messagesPerDay: MessagesPerDay, tokensPerDay: TokensPerDay }),
  usedToday: Type.Optional(
    Type.Object(
      { messages: Type.Integer(), tokens: Type.Integer() },
      { description: 'Messages are counted while it has a budget. Missing in lists' },
    ),
  ),
  webhook: Type.Object({
    url: Type.Union([Type.String(), Type.Null()]),
    gzip: Type.Boolean({ description: 'Whether large bodies are compressed' }),
    rate: Type.Integer({ description: 'Deliveries a second while it catches up' }),
    events: WebhookEvents,
    headers: Type.Array(Type.String(), { description: 'Names of the headers that go with each delivery' }),
    pausedAt: Type.Optional(Timestamp('When the delivery was paused')),
    pauseReason: Type.Optional(Type.Enum(PAUSE_REASONS)),
    failingSince: Type.Optional(Timestamp('The first failed attempt since the last success')),
  }),
  addresses: Type.Array(WebhookAddress, {
    description: 'Further addresses of its webhook, the oldest first; each event goes to each',
  }),
  formerSecretUntil: Type.Optional(Timestamp('The time until which the former secret still works')),
  createdAt: Timestamp('When it was created'),
  updatedAt: Timestamp('When it last changed'),
})
export type ConsoleBot = Static<typeof ConsoleBot>

export const botExample: ConsoleBot = {
  id: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060',
  name: 'Deploy bot',
  description: 'Tells when something was released.',
  credential: 'static',
  keyHint: 'Qm4r',
  permission: 'write',
  signatureVersion: 1,
  active: true,
  delivery: 'polling',
  pollVoteEvents: false,
  opensDirectMessages: false,
  externalIdIsKey: false,
  budget: { messagesPerDay: 500, tokensPerDay: null },
  webhook: { url: null, gzip: true, rate: 50, events: null, headers: [] },
  addresses: [],
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}

export const Credentials = Type.Object({
  bot: ConsoleBot,
  apiKey: Type.Optional(Type.String({ description: 'Given with a static key' })),
  apiSecret: Type.Optional(Type.String({ description: 'Shown here and never again' })),
  clientId: Type.Optional(Type.String({ description: 'Given with OAuth' })),
  clientSecret: Type.Optional(Type.String({ description: 'Shown here and never again' })),
})
export type Credentials = Static<typeof Credentials>

const params = InOrganization({ botId: ProfileId('The bot') })
const BOT = `${ORGANIZATION}/bots/{botId}` as const
const botAnswer = { 200: { description: 'The bot', schema: ConsoleBot, example: botExample } }
const SETTING_REFUSALS = [
  ...URL_REFUSALS,
  'field_required.webhookUrl',
  'permission_not_applicable',
  'signature_version_not_applicable',
  'scopes_not_applicable',
] as const

export const BOT_SORTS = ['name', 'attention', 'lastSeen', 'createdAt'] as const
/** `paused`: its webhook; `held`: the bot itself. */
export const BOT_STATES = ['active', 'failing', 'paused', 'held', 'off'] as const
export const ACTIVITY_HOURS = 24

export const ListedBot = Type.Object({
  ...ConsoleBot.properties,
  topics: Type.Integer({ description: 'The number of its topics' }),
  lastSeenAt: Type.Optional(Timestamp('When it last called, to the hour')),
  activity: Type.Array(Type.Object({ delivered: Type.Integer(), failed: Type.Integer() }), {
    description: `Delivery attempts to its webhook in each of the last ${ACTIVITY_HOURS} hours, the oldest first, for events of that time; the newest 2000 are counted. Empty without a webhook`,
  }),
})
export type ListedBot = Static<typeof ListedBot>

export const listBots = peopleOperation({
  id: 'listBots',
  method: 'GET',
  path: `${ORGANIZATION}/bots`,
  tag: TAG,
  summary: 'List the bots of an organization',
  description:
    'The oldest first, unless another order is asked for. By `attention`: webhooks that are paused, then those that fail, bots that are paused, the others, and bots that are switched off.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of a name or a description' })),
    state: Type.Optional(Type.Enum(BOT_STATES, { description: 'Only those in this state' })),
    sort: Type.Optional(Type.Enum(BOT_SORTS)),
    order: Type.Optional(Type.Enum(ORDERS)),
  }),
  success: {
    200: {
      description: 'A page of bots',
      schema: ListPage('bots', ListedBot),
      example: {
        bots: [
          { ...botExample, ownerName: 'Ada Okafor', topics: 3, lastSeenAt: 1767225600000, activity: [] },
        ],
        hasMore: false,
        from: 0,
        total: 1,
      },
    },
  },
  refusals: ['cursor_invalid'],
})

export const createBot = peopleOperation({
  id: 'createBot',
  method: 'POST',
  path: `${ORGANIZATION}/bots`,
  tag: TAG,
  summary: 'Create a bot',
  description: 'The answer holds the only copy of its secret.',
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    name: Name(LIMITS.botName, 'Name of the bot'),
    description: Type.Optional(BotDescription),
    credential: Type.Enum(['static', 'oauth']),
    permission: Type.Optional(Permission),
    scopes: Type.Optional(Scopes),
    delivery: Delivery,
    webhookUrl: Type.Optional(WebhookUrl),
    pollVoteEvents: Type.Optional(Type.Boolean()),
    topicIds: Type.Optional(
      Type.Array(Uuid('A topic'), {
        maxItems: LIMITS.topicsOfNewBot,
        description: 'Topics that the bot is in from the start; who creates it must be in them',
      }),
    ),
    reach: Type.Optional(BotReach),
  }),
  bodyExample: { name: 'Deploy bot', credential: 'static', permission: 'write', delivery: 'polling' },
  success: {
    201: {
      description: 'The bot and its credentials',
      schema: Credentials,
      example: {
        bot: botExample,
        apiKey: 'Qm4rT8vYx1zA3cE5gH7jKL',
        apiSecret: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
      },
    },
  },
  refusals: ['topic_archived', ...SETTING_REFUSALS, 'topic_not_found'],
})

export const readBot = peopleOperation({
  id: 'readBot',
  method: 'GET',
  path: BOT,
  tag: TAG,
  summary: 'Read a bot',
  access: 'admin',
  params,
  success: botAnswer,
  refusals: ['bot_not_found'],
})

export const countBotAnswers = peopleOperation({
  id: 'countBotAnswers',
  method: 'GET',
  path: `${BOT}/answers`,
  tag: TAG,
  summary: 'Count the answers to the buttons of a bot',
  description: `Of the last ${LIMITS.countedAnswerDays} days, and of no more than the newest ${LIMITS.countedAnswers}. Texts and labels are left out: they may be from topics that an admin cannot read.`,
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The counts, the highest first',
      schema: Type.Object({
        answers: Type.Array(
          Type.Object({
            elementId: Type.String({
              description: 'The button, choice or form, by the id that the bot gave it',
            }),
            count: Type.Integer(),
          }),
          { maxItems: LIMITS.countedElements },
        ),
      }),
      example: {
        answers: [
          { elementId: 'helpful', count: 41 },
          { elementId: 'not-helpful', count: 3 },
        ],
      },
    },
  },
  refusals: ['bot_not_found'],
})

export const updateBot = peopleOperation({
  id: 'updateBot',
  method: 'PATCH',
  path: BOT,
  tag: TAG,
  summary: 'Change a bot',
  description:
    'Omitted fields stay. `active: false` revokes its tokens at once. `paused: true` refuses all its requests with 403 and delivers nothing to it, on every node within a second; `paused: false` delivers what it missed. A change of delivery mode or address loses no event.',
  access: 'admin',
  params,
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.botName, 'Name of the bot')),
    description: Type.Optional(BotDescription),
    permission: Type.Optional(Permission),
    scopes: Type.Optional(Scopes),
    signatureVersion: Type.Optional(SignatureVersion),
    active: Type.Optional(Type.Boolean()),
    paused: Type.Optional(Type.Boolean()),
    delivery: Type.Optional(Delivery),
    webhookUrl: Type.Optional(WebhookUrl),
    webhookGzip: Type.Optional(Type.Boolean()),
    webhookRate: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    webhookEvents: Type.Optional(WebhookEvents),
    webhookHeaders: Type.Optional(WebhookHeaders),
    pollVoteEvents: Type.Optional(Type.Boolean()),
    opensDirectMessages: Type.Optional(Type.Boolean()),
    externalIdIsKey: Type.Optional(Type.Boolean()),
    messagesPerDay: Type.Optional(MessagesPerDay),
    tokensPerDay: Type.Optional(TokensPerDay),
    ownerId: Type.Optional(ProfileId('The person responsible for it: an active member of the organization')),
  }),
  bodyExample: { delivery: 'webhook', webhookUrl: 'https://example.com/events' },
  success: botAnswer,
  refusals: [
    ...SETTING_REFUSALS,
    ...HEADER_REFUSALS,
    'webhook_url_known',
    'field_invalid.ownerId',
    'bot_not_found',
  ],
})

export const rotateBotSecret = peopleOperation({
  id: 'rotateBotSecret',
  method: 'POST',
  path: `${BOT}/secret`,
  tag: TAG,
  summary: 'Replace the secret of a bot',
  description:
    'The answer holds the only copy of the new one. The old one works for `overlapHours` more, or no longer; a secret before that one ends in any case. Tokens that it gave out live until they expire.',
  access: 'admin',
  params,
  body: SecretOverlap,
  bodyExample: { overlapHours: 24 },
  success: {
    200: {
      description: 'The bot and its new secret',
      schema: Credentials,
      example: { bot: botExample, apiSecret: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y' },
    },
  },
  refusals: ['bot_not_found'],
})

export const replaceBotKey = peopleOperation({
  id: 'replaceBotKey',
  method: 'POST',
  path: `${BOT}/key`,
  tag: TAG,
  summary: 'Replace the API key and the secret of a bot',
  description:
    'Replaces the key and the secret of a bot with a static key. The answer holds the only copy of both; the former ones are refused at once.',
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The bot, its new key and its new secret',
      schema: Credentials,
      example: {
        bot: botExample,
        apiKey: 'Qm4rT8vYx1zA3cE5gH7jKL',
        apiSecret: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
      },
    },
  },
  refusals: ['bot_has_no_key', 'bot_not_found'],
})

export const deleteBot = peopleOperation({
  id: 'deleteBot',
  method: 'DELETE',
  path: BOT,
  tag: TAG,
  summary: 'Delete a bot',
  description:
    'Deletes the bot for good. Its credentials, its webhook and its memberships end at once; the other members of its topics get `member.removed`. Its messages stay under its name, and so do topics that it created, with their external ids.',
  access: 'admin',
  params,
  success: { 204: { description: 'Deleted' } },
  refusals: ['bot_not_found'],
})

export const testWebhook = peopleOperation({
  id: 'testWebhook',
  method: 'POST',
  path: `${BOT}/webhook/test`,
  tag: TAG,
  summary: 'Send a `webhook.test` to the address of a bot',
  description:
    'Once: a test is not tried again, counts neither as a success nor as a failure of the webhook, and also goes out while it is paused.',
  access: 'admin',
  params,
  query: Type.Object(AddressQuery),
  success: {
    201: {
      description: 'The test was queued',
      schema: Type.Object({ deliveryId: Uuid('The id of the delivery') }),
      example: { deliveryId: '2c3d4e5f-6071-4293-84b5-c6d7e8f90a1b' },
    },
  },
  refusals: ['webhook_not_enabled', 'bot_not_active', ...ADDRESS_REFUSALS],
})

export const resumeBotWebhook = peopleOperation({
  id: 'resumeBotWebhook',
  method: 'POST',
  path: `${BOT}/webhook/resume`,
  tag: TAG,
  summary: 'Deliver again after a pause',
  access: 'admin',
  params,
  query: Type.Object(AddressQuery),
  success: botAnswer,
  refusals: ADDRESS_REFUSALS,
})

/** Matches the id of a delivery or of an event, with or without its prefix. */
const ID_PATTERN = '^(evt_)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted'] as const

export const ConsoleDelivery = Type.Object({
  id: Uuid('The delivery'),
  address: AddressQuery.address,
  eventId: Type.String({ description: '`evt_<uuid>`' }),
  eventType: Type.String(),
  createdAt: Timestamp('When the event happened'),
  state: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer({ description: 'So far' }),
  dueAt: Type.Optional(Timestamp('When the next attempt is due; while pending')),
})
export type ConsoleDelivery = Static<typeof ConsoleDelivery>

export const DeliveryAttempt = Type.Object({
  number: Type.Integer(),
  at: Timestamp('When it was sent'),
  outcome: Type.Enum(['ok', 'timeout', 'refused', 'dns', 'tls', 'status', 'blocked', 'redirect']),
  durationMs: Type.Integer(),
  status: Type.Optional(Type.Integer({ description: 'The status of the answer, if there was one' })),
  answer: Type.Optional(
    Type.String({
      description: 'The beginning of the answer; it may repeat the content, and is left out with it',
    }),
  ),
  error: Type.Optional(Type.String({ description: 'The error, if there was no answer' })),
  request: Type.Object(
    {
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
    },
    { description: 'Built with the current address and secret, signed for the time of the attempt' },
  ),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const DeliveryDetail = Type.Object({
  ...ConsoleDelivery.properties,
  bytes: Type.Integer({ description: 'Size of what is sent, before compression' }),
  body: Type.Optional(
    Type.String({
      description:
        'The content, before compression. Missing if it concerns a topic that the admin is not in, or something addressed to the bot alone',
    }),
  ),
  history: Type.Array(DeliveryAttempt),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

const delivery: ConsoleDelivery = {
  id: '2c3d4e5f-6071-4293-84b5-c6d7e8f90a1b',
  eventId: 'evt_019b76da-a800-7000-8000-000000000001',
  eventType: 'message.created',
  createdAt: 1767225600000,
  state: 'delivered',
  attempts: 1,
}

export const listBotDeliveries = peopleOperation({
  id: 'listBotDeliveries',
  method: 'GET',
  path: `${BOT}/deliveries`,
  tag: TAG,
  summary: 'The deliveries to an address of a bot, the newest event first',
  description:
    'With `eventType`, a page searches only the next 5000 deliveries: it may be short, or empty, while `hasMore` is true.',
  access: 'admin',
  params,
  query: Type.Object({
    ...PageQuery,
    state: Type.Optional(
      Type.Enum([...DELIVERY_STATES, 'failing'], {
        description: 'Only those in this state; `failing`: pending, and at least one attempt has failed',
      }),
    ),
    eventType: Type.Optional(Type.String({ maxLength: 100, description: 'Only events of this type' })),
    id: Type.Optional(
      Type.String({ pattern: ID_PATTERN, description: 'Only the delivery, or the event, with this id' }),
    ),
    from: Type.Optional(Timestamp('Only events at or after this time')),
    to: Type.Optional(Timestamp('Only events before this time')),
    ...AddressQuery,
  }),
  success: {
    200: {
      description: 'A page of deliveries',
      schema: Page('deliveries', ConsoleDelivery),
      example: { deliveries: [delivery], hasMore: false },
    },
  },
  refusals: ['cursor_invalid', ...ADDRESS_REFUSALS],
})

const deliveryParams = InOrganization({ botId: ProfileId('The bot'), deliveryId: Uuid('The delivery') })

const deliveryDetail: DeliveryDetail = {
  ...delivery,
  bytes: 49,
  body: '{"id":"evt_019b76da-a800-7000-8000-000000000001"}',
  history: [],
}

export const readBotDelivery = peopleOperation({
  id: 'readBotDelivery',
  method: 'GET',
  path: `${BOT}/deliveries/{deliveryId}`,
  tag: TAG,
  summary: 'One delivery with every attempt',
  description:
    'The content is left out, unless the admin is in its topic: `POST …/content` reads it with a reading.',
  access: 'admin',
  params: deliveryParams,
  success: {
    200: {
      description: 'The delivery',
      schema: DeliveryDetail,
      example: deliveryDetail,
    },
  },
  refusals: ['bot_not_found', 'delivery_not_found'],
})

export const readDeliveryContent = peopleOperation({
  id: 'readDeliveryContent',
  method: 'POST',
  path: `${BOT}/deliveries/{deliveryId}/content`,
  tag: TAG,
  summary: 'One delivery with what it says',
  description: 'Needs an open reading of the bot; each request is in the audit log, with its reason.',
  access: 'admin',
  params: deliveryParams,
  success: { 200: { description: 'The delivery', schema: DeliveryDetail, example: deliveryDetail } },
  refusals: [...CONTENT_REFUSALS, 'bot_not_found', 'delivery_not_found'],
})

export const replayBotDelivery = peopleOperation({
  id: 'replayBotDelivery',
  method: 'POST',
  path: `${BOT}/deliveries/{deliveryId}/replay`,
  tag: TAG,
  summary: 'Send a delivery again',
  access: 'admin',
  params: deliveryParams,
  success: { 204: { description: 'Queued' } },
  refusals: ['webhook_not_enabled', 'bot_not_found', 'delivery_not_found'],
})

export const replayBotDeliveries = peopleOperation({
  id: 'replayBotDeliveries',
  method: 'POST',
  path: `${BOT}/replay`,
  tag: TAG,
  summary: 'Send every event since a time again',
  access: 'admin',
  params,
  query: Type.Object(AddressQuery),
  body: Type.Object({ from: Timestamp('The first event is the one at or after this time') }),
  bodyExample: { from: 1767225600000 },
  success: {
    200: {
      description: 'The number of queued deliveries',
      schema: Type.Object({ count: Type.Integer() }),
      example: { count: 42 },
    },
  },
  refusals: ['webhook_not_enabled', ...ADDRESS_REFUSALS],
})

export const BotEvent = Type.Object({
  id: Type.String({ description: '`evt_<uuid>`' }),
  seq: Type.Integer({ description: 'Its number in the log of the organization' }),
  type: Type.String(),
  createdAt: Timestamp('When it happened'),
  data: Type.Optional(
    Type.Unknown({
      description:
        'Missing if it concerns a topic that the admin is not in, or something addressed to the bot alone',
    }),
  ),
})
export type BotEvent = Static<typeof BotEvent>

export const listBotEvents = peopleOperation({
  id: 'listBotEvents',
  method: 'GET',
  path: `${BOT}/events`,
  tag: TAG,
  summary: 'The newest events that a bot receives, the newest first',
  description:
    'The content is left out, unless the admin is in its topic: `POST …/events/content` reads it with a reading.',
  access: 'admin',
  params,
  query: Type.Object({
    limit: PageQuery.limit,
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events after this number' })),
  }),
  success: {
    200: {
      description: 'Events as the bot gets them',
      schema: Type.Object({ events: Type.Array(BotEvent) }),
      example: { events: [] },
    },
  },
  refusals: ['bot_not_found'],
})

export const readBotContent = peopleOperation({
  id: 'readBotContent',
  method: 'POST',
  path: `${BOT}/events/content`,
  tag: TAG,
  summary: 'The newest events that a bot receives, with what they say',
  description:
    'The newest first. Only with an open reading of the bot; each time is in the audit log, with its reason.',
  access: 'admin',
  params,
  body: Type.Object({
    limit: PageQuery.limit,
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events after this number' })),
  }),
  bodyExample: { limit: 50 },
  success: {
    200: {
      description: 'Events as the bot gets them',
      schema: Type.Object({ events: Type.Array(BotEvent) }),
      example: { events: [] },
    },
  },
  refusals: [...CONTENT_REFUSALS, 'bot_not_found'],
})

export const checkSignature = peopleOperation({
  id: 'checkSignature',
  method: 'POST',
  path: `${BOT}/signature-check`,
  tag: TAG,
  summary: 'Compare a signature with the one that was expected',
  description:
    'Helps developers of clients and receivers. `request`: a call of the bot with a static key; `webhook`: a delivery to it. Shows the signed bytes, checks a given signature, and shows the right one if it can no longer be used.',
  access: 'admin',
  params,
  // The body contains the body of a request or a delivery.
  bodyBytes: LIMITS.jsonBodyBytes,
  body: Type.Object({
    kind: Type.Enum(['request', 'webhook']),
    version: Type.Optional(
      Type.Enum([1, 2], { default: 1, description: 'The version of the request signature; 1 by default' }),
    ),
    nonce: Type.Optional(
      Type.String({ maxLength: 200, description: '`X-Nonce` of a request, with version 2' }),
    ),
    method: Type.Optional(
      Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'The method of a request' }),
    ),
    target: Type.Optional(Type.String({ maxLength: 8192, description: 'Path and query of a request' })),
    timestamp: Type.String({ maxLength: 20, description: 'The header with the time, as it was sent' }),
    body: Type.Optional(Type.String({ description: 'The raw body' })),
    signature: Type.Optional(
      Type.String({ maxLength: 200, description: 'The signature as sent or received' }),
    ),
  }),
  bodyExample: { kind: 'request', method: 'GET', target: '/v2/members/me', timestamp: '1767225600000' },
  success: {
    200: {
      description: 'The signed text and the expected signature',
      schema: Type.Object({
        signed: Type.String({ description: 'The text that is signed' }),
        signedHex: Type.String({ description: 'Its bytes, the first 4096 of them' }),
        expected: Type.Optional(
          Type.String({
            description:
              'Lowercase hex HMAC-SHA256. Left out while it could be used, at a time that is still accepted or yet to come, unless the signature that was given is right',
          }),
        ),
        matches: Type.Optional(Type.Boolean({ description: 'Given with a signature' })),
        hint: Type.Optional(
          Type.Enum(
            [
              'timestamp_not_milliseconds',
              'timestamp_too_old',
              'uppercase',
              'base64',
              'body_without_timestamp',
              'whole_url',
              'body_not_hashed',
              'nonce_malformed',
              'version_1',
              'version_2',
              'version_too_low',
              'trailing_newline',
              'wrong_secret',
            ],
            { description: 'The probable mistake' },
          ),
        ),
      }),
      example: {
        signed: '1767225600000./v2/members/me',
        signedHex: '313736373232353630303030302e2f76322f6d656d626572732f6d65',
        expected: 'fbae50b64fe3045cab39bab4562faa5c67659461d6c2d3f0b89c92584607869b',
      },
    },
  },
  refusals: ['bot_signs_nothing', 'bot_not_found'],
})
