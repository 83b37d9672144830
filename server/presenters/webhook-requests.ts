import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { EVENT_VERSION } from '../../contract/events.ts'

const GZIP_FROM_BYTES = 16 * 1024
const USER_AGENT = 'Parley-Webhooks/1'

const compress = promisify(gzip)

export type StoredEvent = {
  eventId: string
  type: string
  createdAt: number
  /** Stored JSON with fresh links, never parsed again. */
  data: string
}

export type Envelope = {
  deliveryId: string
  /** The bot's secret, which makes both signatures. */
  secret: Buffer
  /** The former secret, while it still signs beside the new one. */
  formerSecret?: Buffer | undefined
  /** Headers that an admin added; their names differ from ours. */
  ownHeaders?: Record<string, string> | undefined
  sentAt: number
  gzip: boolean
  /** `X-Service-` by default. */
  headerPrefix: string
}

export type WebhookRequest = { headers: Record<string, string>; body: Buffer }

/** The event as it goes out: its envelope, signed in both ways over the body before compression. */
export async function buildRequest(event: StoredEvent, envelope: Envelope): Promise<WebhookRequest> {
  const body = Buffer.from(envelopeOf(event))
  const headers = headersFor(event, envelope, body)
  return { headers, body: isCompressed(envelope, body) ? await compress(body) : body }
}

const isCompressed = (envelope: Pick<Envelope, 'gzip'>, body: Buffer): boolean =>
  envelope.gzip && body.length >= GZIP_FROM_BYTES

/** `body` is signed before compression. */
export function headersFor(
  event: Pick<StoredEvent, 'type'>,
  envelope: Envelope,
  body: Buffer,
): Record<string, string> {
  const { deliveryId, sentAt, headerPrefix, secret, formerSecret } = envelope
  return {
    ...envelope.ownHeaders,
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    [`${headerPrefix}Event`]: event.type,
    // A receiver that knows only the former secret goes on as before; one that has the new one finds its signature beside it.
    [`${headerPrefix}Signature`]: sign(formerSecret ?? secret, `${sentAt}.`, body, 'hex'),
    ...(formerSecret && {
      [`${headerPrefix}Signature-Next`]: sign(secret, `${sentAt}.`, body, 'hex'),
    }),
    [`${headerPrefix}Timestamp`]: String(sentAt),
    [`${headerPrefix}Delivery-Id`]: deliveryId,
    ...standardHeaders(envelope, body),
    ...(isCompressed(envelope, body) && { 'Content-Encoding': 'gzip' }),
  }
}

export function envelopeOf({ eventId, type, createdAt, data }: StoredEvent): string {
  return `{"id":"evt_${eventId}","type":"${type}","eventVersion":${EVENT_VERSION},"timestamp":${createdAt},"data":${data}}`
}

/**
 * Headers of the Standard Webhooks specification, so that its ready-made verifiers work too. They take the key as
 * `whsec_` and base64: a bot gives them `'whsec_' + base64(secret)`, the secret's characters being its bytes.
 */
function standardHeaders(
  { deliveryId, sentAt, secret, formerSecret }: Envelope,
  body: Buffer,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1000))
  const signatures = [secret, ...(formerSecret ? [formerSecret] : [])].map(
    (key) => `v1,${sign(key, `${deliveryId}.${timestamp}.`, body, 'base64')}`,
  )
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

function sign(secret: Buffer, prefix: string, body: Buffer, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', secret).update(prefix).update(body).digest(encoding)
}
