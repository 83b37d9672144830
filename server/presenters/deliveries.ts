import type { BotEvent, ConsoleDelivery, DeliveryDetail } from '../../contract/people/bots.ts'
import type { Parley } from '../parley.ts'
import type { AttemptRow, DeliveryRow, DeliverySource, DeliveryWithHistory } from '../queries/deliveries.ts'
import type { UpdateRow } from '../queries/updates.ts'
import { envelopeOf, headersFor } from './webhook-requests.ts'

export const presentDelivery = (row: DeliveryRow): ConsoleDelivery => ({
  id: row.id,
  eventId: `evt_${row.eventId}`,
  eventType: row.type,
  createdAt: row.createdAt,
  state: row.state,
  attempts: row.attempts,
  ...(row.state === 'pending' && { dueAt: row.dueAt }),
})

/** Each attempt with the request that was sent, built anew: what was sent is not kept, and its links have expired. */
export function presentDeliveryDetail(
  row: DeliveryWithHistory,
  { data, url, secret, gzip }: DeliverySource,
  botId: string,
  { links, secrets, config }: Pick<Parley, 'links' | 'secrets' | 'config'>,
): DeliveryDetail {
  const body = Buffer.from(envelopeOf({ ...row, data: links.refresh(data) }))
  const envelope = {
    deliveryId: row.id,
    secret: secrets.decrypt(secret, botId),
    gzip,
    headerPrefix: config.webhookHeaderPrefix,
  }
  return {
    ...presentDelivery(row),
    body: body.toString(),
    history: row.history.map((attempt) => ({
      ...presentAttempt(attempt),
      request: { url: url ?? '', headers: headersFor(row, { ...envelope, sentAt: attempt.at }, body) },
    })),
  }
}

const presentAttempt = ({ status, answer, error, ...attempt }: AttemptRow) => ({
  ...attempt,
  ...(status !== null && { status }),
  ...(answer !== null && { answer }),
  ...(error !== null && { error }),
})

export const presentBotEvent = (row: UpdateRow, { links }: Pick<Parley, 'links'>): BotEvent => ({
  id: `evt_${row.id}`,
  seq: row.seq,
  type: row.type,
  createdAt: row.createdAt,
  data: JSON.parse(links.refresh(row.data)),
})
