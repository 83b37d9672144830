import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { readVersion } from '../project.ts'
import { Worker, type WorkerParts } from '../worker.ts'
import { presentMetrics } from './metrics.ts'
import type { TelemetrySettings } from './settings.ts'
import { presentAttributes, presentSpans, type SpanPlace, Traces, traceparent } from './traces.ts'

const TRACES_EVERY_MS = 5000
const SEND_LIMIT_MS = 10_000
/** Paths that machines request every second. */
const NOT_TRACED = new Set(['/health/live', '/health/ready', '/metrics'])
const MESSAGE_ID = /"id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/

/** A traced delivery attempt. */
export type DeliveryTrace = {
  /** Passed to the receiver, so that its own spans follow. */
  traceparent: string
  ended(attempt: { outcome: string; status?: number | undefined; durationMs: number }): void
}

/**
 * Sends traces and metrics by OTLP over HTTP, as JSON: that is a few hundred lines, while the libraries for it are some
 * twenty packages that hook into every module. Loaded only if a receiver is set.
 */
export class Telemetry {
  readonly #settings: TelemetrySettings
  readonly #traces: Traces
  readonly #startedMs = Date.now()
  #registry: Registry | undefined
  #workers: Worker[] = []
  #parts: WorkerParts

  constructor(settings: TelemetrySettings, parts: WorkerParts) {
    this.#settings = settings
    this.#parts = parts
    this.#traces = new Traces(settings.sampling)
  }

  /** Traces every request of these routes, and sends the metrics. */
  watch(app: FastifyInstance, registry: Registry): void {
    const { tracesUrl, metricsUrl, metricsEveryMs } = this.#settings
    this.#registry = registry
    if (tracesUrl !== undefined) {
      this.#watchRequests(app)
      this.#workers.push(
        new Worker('traces', this.#parts, TRACES_EVERY_MS, () => this.#sendTraces(tracesUrl)),
      )
    }
    if (metricsUrl !== undefined)
      this.#workers.push(
        new Worker('metrics', this.#parts, metricsEveryMs, () => this.#sendMetrics(metricsUrl)),
      )
  }

  #watchRequests(app: FastifyInstance): void {
    const sent = new WeakMap<object, string>()
    app.addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode === 201 && typeof payload === 'string' && isSend(request.routeOptions.url)) {
        const [, id] = MESSAGE_ID.exec(payload) ?? []
        if (id !== undefined) sent.set(request, id)
      }
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown'
      const caller = request.headers.traceparent
      if (!NOT_TRACED.has(route))
        this.#traces.request({
          method: request.method,
          route,
          status: reply.statusCode,
          requestId: request.id,
          endMs: Date.now(),
          elapsedMs: reply.elapsedTime,
          caller: typeof caller === 'string' ? caller : undefined,
          messageId: sent.get(request),
        })
      done()
    })
  }

  /** Undefined if the event is not about a sent message, or its trace is not sampled. */
  delivery(event: { type: string; eventId: string; data: string }, botId: string): DeliveryTrace | undefined {
    if (this.#settings.tracesUrl === undefined || event.type !== 'message.created') return undefined
    const messageId: unknown = Object(JSON.parse(event.data)).message?.id
    if (typeof messageId !== 'string') return undefined
    const place: SpanPlace | undefined = this.#traces.planDelivery(messageId)
    if (!place) return undefined
    const startMs = Date.now()
    return {
      traceparent: traceparent(place),
      ended: ({ outcome, status, durationMs }) =>
        this.#traces.delivery({
          place,
          messageId,
          startMs,
          endMs: startMs + durationMs,
          outcome,
          status,
          attributes: { 'parley.event_id': event.eventId, 'parley.bot_id': botId },
        }),
    }
  }

  async #sendTraces(url: string): Promise<void> {
    const spans = this.#traces.take()
    if (spans.length === 0) return
    try {
      const scopeSpans = [{ scope: { name: 'parley' }, spans: presentSpans(spans) }]
      await this.#post(url, { resourceSpans: [{ resource: await this.#resource(), scopeSpans }] })
    } catch (error) {
      this.#traces.giveBack(spans)
      throw error
    }
  }

  async #sendMetrics(url: string): Promise<void> {
    if (!this.#registry) return
    const metrics = await presentMetrics(this.#registry, this.#startedMs, Date.now())
    const scopeMetrics = [{ scope: { name: 'parley' }, metrics }]
    await this.#post(url, { resourceMetrics: [{ resource: await this.#resource(), scopeMetrics }] })
  }

  async #resource() {
    const { serviceName, resource } = this.#settings
    return {
      attributes: presentAttributes({
        'service.name': serviceName,
        'service.version': await readVersion(),
        'service.instance.id': `${hostname()}:${process.pid}`,
        ...resource,
      }),
    }
  }

  async #post(url: string, body: object): Promise<void> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...this.#settings.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(SEND_LIMIT_MS),
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`whoever takes traces and metrics answered ${answer.status}`)
  }

  /** Sends the remaining spans and metrics. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()))
    const { tracesUrl, metricsUrl } = this.#settings
    await Promise.allSettled([
      tracesUrl !== undefined && this.#sendTraces(tracesUrl),
      metricsUrl !== undefined && this.#sendMetrics(metricsUrl),
    ])
  }
}

/** Whether a route sends messages: that of bots, or that of people in the chat. */
const isSend = (route: string | undefined): boolean => route?.endsWith('/messages') ?? false
