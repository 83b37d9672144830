import { createHash, randomBytes } from 'node:crypto'
import type { TelemetrySettings } from './settings.ts'

/** Spans that wait to be sent; more are dropped. */
const MAX_WAITING = 4096
const SERVER = 2
const PRODUCER_OF_REQUESTS = 3 // "client": a request that this program makes
const FAILED = 2

/** A place in a trace: 16 and 8 bytes in hexadecimal digits. */
export type SpanPlace = { traceId: string; spanId: string }

export type Value = string | number
type Span = {
  place: SpanPlace
  parentId?: string | undefined
  name: string
  kind: number
  startMs: number
  endMs: number
  attributes: Record<string, Value>
  isFailure: boolean
  links: SpanPlace[]
}

/** `00-<trace>-<span>-<flags>`, as defined by W3C. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * The trace of a message. Its deliveries, on any node and at any time, derive the same one from the message's id, so
 * that nothing has to be stored: the trace has the number of the message.
 */
export function placeOfMessage(messageId: string): SpanPlace {
  const spanId = createHash('sha256').update(messageId).digest('hex').slice(0, 16)
  return { traceId: messageId.replaceAll('-', ''), spanId }
}

export const traceparent = ({ traceId, spanId }: SpanPlace): string => `00-${traceId}-${spanId}-01`

const newSpanId = (): string => randomBytes(8).toString('hex')

/** Collects spans until they are sent. */
export class Traces {
  readonly #sampling: TelemetrySettings['sampling']
  #waiting: Span[] = []
  dropped = 0

  constructor(sampling: TelemetrySettings['sampling']) {
    this.#sampling = sampling
  }

  /** A request that was answered. `route` is its pattern: the path itself may hold what is secret. */
  request(request: {
    method: string
    route: string
    status: number
    requestId: string
    endMs: number
    elapsedMs: number
    caller: string | undefined
    /** The message that it sent. */
    messageId: string | undefined
  }): void {
    const { method, route, status, endMs, elapsedMs, messageId } = request
    const [, traceId, parentId, flags = '0'] = TRACEPARENT.exec(request.caller ?? '') ?? []
    const message = messageId === undefined ? undefined : placeOfMessage(messageId)
    const called = traceId === undefined ? undefined : { traceId, spanId: newSpanId() }
    const place = called ?? message ?? { traceId: randomBytes(16).toString('hex'), spanId: newSpanId() }
    const isDecided = called !== undefined && this.#sampling.followsCaller
    if (isDecided ? (Number.parseInt(flags, 16) & 1) === 0 : !this.isSampled(place)) return
    const span = {
      name: `${method} ${route}`,
      kind: SERVER,
      startMs: endMs - elapsedMs,
      endMs,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'parley.request_id': request.requestId,
        ...(messageId !== undefined && { 'parley.message_id': messageId }),
      },
      isFailure: status >= 500,
    }
    // A caller with a trace of its own gets the request into it; deliveries are in that of the message, and each leads to the other.
    this.#add({ ...span, place, parentId, links: called && message ? [message] : [] })
    if (called && message) this.#add({ ...span, place: message, links: [called] })
  }

  /** The place of a delivery attempt in the trace; undefined: it is not recorded. */
  planDelivery(messageId: string): SpanPlace | undefined {
    const { traceId } = placeOfMessage(messageId)
    return this.isSampled({ traceId }) ? { traceId, spanId: newSpanId() } : undefined
  }

  delivery(delivery: {
    place: SpanPlace
    messageId: string
    startMs: number
    endMs: number
    outcome: string
    status: number | undefined
    attributes: Record<string, Value>
  }): void {
    const { place, messageId, startMs, endMs, outcome, status, attributes } = delivery
    this.#add({
      place,
      parentId: placeOfMessage(messageId).spanId,
      name: 'deliver webhook',
      kind: PRODUCER_OF_REQUESTS,
      startMs,
      endMs,
      attributes: {
        'http.request.method': 'POST',
        ...(status !== undefined && { 'http.response.status_code': status }),
        'parley.message_id': messageId,
        'parley.outcome': outcome,
        ...attributes,
      },
      isFailure: outcome !== 'ok',
      links: [],
    })
  }

  /** Decides by the end of the trace's id, which is random for messages too, so that all nodes agree. */
  isSampled({ traceId }: Pick<SpanPlace, 'traceId'>): boolean {
    return Number.parseInt(traceId.slice(-12), 16) / 2 ** 48 < this.#sampling.ratio
  }

  #add(span: Span): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(span)
    else this.dropped += 1
  }

  take(): Span[] {
    return this.#waiting.splice(0)
  }

  /** Takes back unsent spans if there is room. */
  giveBack(spans: readonly Span[]): void {
    const room = Math.max(0, MAX_WAITING - this.#waiting.length)
    this.#waiting.unshift(...spans.slice(0, room))
    this.dropped += Math.max(0, spans.length - room)
  }
}

/** Spans in the JSON of OTLP. */
export const presentSpans = (spans: readonly Span[]) =>
  spans.map(({ place, parentId, name, kind, startMs, endMs, attributes, isFailure, links }) => ({
    ...place,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: presentAttributes(attributes),
    status: isFailure ? { code: FAILED } : {},
    links,
  }))

export const nanoseconds = (milliseconds: number): string =>
  String(BigInt(Math.round(milliseconds * 1000)) * 1000n)

export const presentAttributes = (attributes: Record<string, Value>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
