import type { BotEvent, ConsoleDelivery, DeliveryDetail } from '../../contract/people/bots.ts'
import type { Link } from '../files/links.ts'
import type { Parley } from '../parley.ts'
import type {
  AttemptRow,
  DeliveryRow,
  DeliverySource,
  DeliveryWithHistory,
} from '../queries/bots/deliveries.ts'
import type { ShownUpdate } from '../queries/events/updates.ts'
import { forPeople, withLinks } from './event-links.ts'
import { envelopeOf, headersFor } from './webhook-requests.ts'
import { openSecrets, targetEnvelope } from './webhook-targets.ts'

export const presentDelivery = (row: DeliveryRow): ConsoleDelivery => ({
  id: row.id,
  ...(row.addressId.startsWith('w@') && { address: row.addressId }),
  eventId: `evt_${row.eventId}`,
  eventType: row.type,
  createdAt: row.createdAt,
  state: row.state,
  attempts: row.attempts,
  ...(row.state === 'pending' && { dueAt: row.dueAt }),
})

/** Each attempt with its request, whose content is left out where it is not shown. Requests are not kept: they are built again, with links that work. */
export function presentDeliveryDetail(
  row: DeliveryWithHistory,
  { data, gzip, isShown, ...stored }: DeliverySource,
  { link, ...parley }: Pick<Parley, 'secrets' | 'config'> & { link: Link },
): DeliveryDetail {
  const body = Buffer.from(envelopeOf({ ...row, data: withLinks(forPeople({ ...row, data }), link) }))
  const target = openSecrets(parley, row.addressId, stored)
  const ownHeaders = target.ownHeaders && hidden(target.ownHeaders)
  const envelope = { deliveryId: row.id, gzip, headerPrefix: parley.config.webhookHeaderPrefix }
  return {
    ...presentDelivery(row),
    bytes: body.length,
    ...(isShown && { body: body.toString() }),
    history: row.history.map((attempt) => ({
      ...presentAttempt(isShown ? attempt : { ...attempt, answer: null }),
      request: {
        url: stored.url ?? '',
        headers: headersFor(
          row,
          { ...envelope, ...targetEnvelope(target, attempt.at), ownHeaders, sentAt: attempt.at },
          body,
        ),
      },
    })),
  }
}

/** Hides header values, which may be secrets of the receiver. */
const hidden = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, '•••']))

const presentAttempt = ({ status, answer, error, ...attempt }: AttemptRow) => ({
  ...attempt,
  ...(status !== null && { status }),
  ...(answer !== null && { answer }),
  ...(error !== null && { error }),
})

export const presentBotEvent = (row: ShownUpdate, link: Link): BotEvent => ({
  id: `evt_${row.id}`,
  seq: row.seq,
  type: row.type,
  createdAt: row.createdAt,
  ...(row.data !== null && { data: JSON.parse(withLinks(forPeople({ ...row, data: row.data }), link)) }),
})
