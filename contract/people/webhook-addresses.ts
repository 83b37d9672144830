import { type Static, Type } from 'typebox'
import { ProfileId, Timestamp } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ORGANIZATION } from './common.ts'
import {
  ADDRESS_REFUSALS,
  AddressId,
  HEADER_REFUSALS,
  PAUSE_REASONS,
  SecretOverlap,
  WebhookEvents,
  WebhookHeaders,
} from './webhooks.ts'

const TAG = 'People: bots'
const ADDRESSES = `${ORGANIZATION}/bots/{botId}/addresses` as const
const ADDRESS = `${ADDRESSES}/{addressId}` as const

const inBot = InOrganization({ botId: ProfileId('The bot') })
const params = InOrganization({ botId: ProfileId('The bot'), addressId: AddressId('The address') })

export const WebhookUrl = Type.String({ maxLength: 2048, description: 'The URL that gets the events' })

export const WebhookAddress = Type.Object({
  id: AddressId('The address'),
  url: Type.String(),
  events: WebhookEvents,
  headers: Type.Array(Type.String(), { description: 'Names of the headers that go with each delivery' }),
  pausedAt: Type.Optional(Timestamp('When the delivery was paused')),
  pauseReason: Type.Optional(Type.Enum(PAUSE_REASONS)),
  failingSince: Type.Optional(Timestamp('The first failed attempt since the last success')),
  formerSecretUntil: Type.Optional(Timestamp('The time until which the former secret still works')),
  createdAt: Timestamp('When it was added'),
  updatedAt: Timestamp('When it last changed'),
})
export type WebhookAddress = Static<typeof WebhookAddress>

const example: WebhookAddress = {
  id: 'w@7d6c5b4a-3f2e-4d1c-8b0a-9f8e7d6c5b4a',
  url: 'https://archive.example.com/events',
  events: null,
  headers: [],
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}

export const NewSecret = Type.Object({
  address: WebhookAddress,
  secret: Type.String({ description: 'Signs what goes to this address; shown here and never again' }),
})
export type NewSecret = Static<typeof NewSecret>
const made = { address: example, secret: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y' }

export const URL_REFUSALS = [
  'webhook_url_invalid',
  'webhook_url_not_https.https://parley.example.com',
  'webhook_url_has_credentials',
  'webhook_url_not_public.10.0.0.1',
] as const

export const addWebhookAddress = peopleOperation({
  id: 'addWebhookAddress',
  method: 'POST',
  path: ADDRESSES,
  tag: TAG,
  summary: 'Add an address to the webhook of a bot',
  description: `Each event of the bot goes once to each of its addresses, from now on. An address has a secret, event types, headers and retries of its own, and is paused alone. There are ${LIMITS.webhookAddresses} at most, the first among them, which is a setting of the bot. The answer holds the only copy of the secret.`,
  access: 'admin',
  params: inBot,
  body: Type.Object({
    url: WebhookUrl,
    events: Type.Optional(WebhookEvents),
    headers: Type.Optional(WebhookHeaders),
  }),
  bodyExample: { url: 'https://archive.example.com/events', events: ['message.created'] },
  success: { 201: { description: 'The address and its secret', schema: NewSecret, example: made } },
  refusals: [
    ...URL_REFUSALS,
    ...HEADER_REFUSALS,
    'webhook_url_known',
    'webhook_addresses_full',
    'bot_not_found',
  ],
})

export const updateWebhookAddress = peopleOperation({
  id: 'updateWebhookAddress',
  method: 'PATCH',
  path: ADDRESS,
  tag: TAG,
  summary: 'Change a further address of a bot',
  description: 'Omitted fields stay. A new `url` loses no event, and resumes paused deliveries.',
  access: 'admin',
  params,
  body: Type.Object({
    url: Type.Optional(WebhookUrl),
    events: Type.Optional(WebhookEvents),
    headers: Type.Optional(WebhookHeaders),
  }),
  bodyExample: { events: ['message.created', 'message.updated'] },
  success: { 200: { description: 'The address', schema: WebhookAddress, example } },
  refusals: [...URL_REFUSALS, ...HEADER_REFUSALS, 'webhook_url_known', ...ADDRESS_REFUSALS],
})

export const removeWebhookAddress = peopleOperation({
  id: 'removeWebhookAddress',
  method: 'DELETE',
  path: ADDRESS,
  tag: TAG,
  summary: 'Remove a further address of a bot',
  description: 'Removes the address for good, with its undelivered events.',
  access: 'admin',
  params,
  success: { 204: { description: 'Removed' } },
  refusals: ADDRESS_REFUSALS,
})

export const rotateAddressSecret = peopleOperation({
  id: 'rotateAddressSecret',
  method: 'POST',
  path: `${ADDRESS}/secret`,
  tag: TAG,
  summary: 'Replace the secret of a further address',
  description:
    'The answer holds the only copy of the new one. For `overlapHours` deliveries are signed with the old one too; a secret before that one ends in any case.',
  access: 'admin',
  params,
  body: SecretOverlap,
  bodyExample: { overlapHours: 24 },
  success: { 200: { description: 'The address and its new secret', schema: NewSecret, example: made } },
  refusals: ADDRESS_REFUSALS,
})

export const endFormerAddressSecret = peopleOperation({
  id: 'endFormerAddressSecret',
  method: 'DELETE',
  path: `${ADDRESS}/secret/former`,
  tag: TAG,
  summary: 'End the time in which the former secret of an address still signs',
  description: 'Without a former secret, nothing changes.',
  access: 'admin',
  params,
  success: { 204: { description: 'Only the new secret works now' } },
  refusals: ADDRESS_REFUSALS,
})
