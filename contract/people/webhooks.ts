import { Type } from 'typebox'
import { ProfileId, UUID } from '../common.ts'
import { EVENT_TYPES } from '../events.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ORGANIZATION } from './common.ts'

const TAG = 'People: bots'
const BOT = `${ORGANIZATION}/bots/{botId}` as const
const params = InOrganization({ botId: ProfileId('The bot') })

/** Why nothing is sent to an address: it said so, it failed for a day, or it came here without its secret. */
export const PAUSE_REASONS = ['gone', 'failing', 'imported'] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]

export const AddressId = (description: string) =>
  Type.String({
    pattern: `^w@${UUID}$`,
    description,
    examples: ['w@7d6c5b4a-3f2e-4d1c-8b0a-9f8e7d6c5b4a'],
  })

/** The address that an operation on a bot's webhook concerns. */
export const AddressQuery = {
  address: Type.Optional(AddressId('One of its further addresses; the first one by default')),
}
export const ADDRESS_REFUSALS = ['bot_not_found', 'webhook_address_not_found'] as const

export const WebhookEvents = Type.Union(
  [Type.Array(Type.Enum(EVENT_TYPES), { minItems: 1, maxItems: 50 }), Type.Null()],
  { description: 'The types of events that the webhook gets; null: all of them, also those to come' },
)

export const HEADER_REFUSALS = [
  'webhook_header_name_invalid',
  'webhook_header_value_invalid',
  'webhook_headers_full',
] as const

export const WebhookHeaders = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
  description:
    'Headers that go with each delivery: what is named here is set, or removed by null; the others stay. Values are never shown again',
})

/** The longest time for which the former secret may work. */
const OVERLAP_MAX_HOURS = 7 * 24

export const SecretOverlap = Type.Object({
  overlapHours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: OVERLAP_MAX_HOURS,
      description:
        'The time for which the former secret still works: requests may be signed with either, and deliveries are signed with both. 0 by default',
    }),
  ),
})

export const endFormerSecret = peopleOperation({
  id: 'endFormerSecret',
  method: 'DELETE',
  path: `${BOT}/secret/former`,
  tag: TAG,
  summary: 'End the time in which the former secret still counts',
  description: 'Without a former secret, nothing changes.',
  access: 'admin',
  params,
  success: { 204: { description: 'Only the new secret works now' } },
  refusals: ['bot_not_found'],
})

export const retryFailedDeliveries = peopleOperation({
  id: 'retryFailedDeliveries',
  method: 'POST',
  path: `${BOT}/deliveries/retry`,
  tag: TAG,
  summary: 'Send everything again that failed',
  description:
    'Sends again what was given up, and what has failed and waits for its next attempt: in the order of the events, at the pace of the bot. Tests are left out.',
  access: 'admin',
  params,
  query: Type.Object(AddressQuery),
  success: {
    200: {
      description: 'The number of queued deliveries',
      schema: Type.Object({ count: Type.Integer() }),
      example: { count: 3 },
    },
  },
  refusals: ['webhook_not_enabled', ...ADDRESS_REFUSALS],
})
