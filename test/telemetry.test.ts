import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../server/config.ts'
import { organization, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  ON_LOOPBACK,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
  webhookBot,
} from './support/receiver.ts'

type Taken = { path: string; headers: Record<string, unknown>; body: Record<string, never> }

/** Takes spans and metrics, as a collector does. */
async function startCollector() {
  const taken: Taken[] = []
  const server = createServer(async (request, response) => {
    taken.push({ path: request.url ?? '', headers: request.headers, body: Object(await json(request)) })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { taken, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const CALLER = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
let collector: Awaited<ReturnType<typeof startCollector>>
let receiver: Receiver
let server: TestParley
const sent: string[] = []

/** Two bots send messages: one with its own trace, the other without. */
beforeAll(async () => {
  collector = await startCollector()
  receiver = await startReceiver()
  const { telemetry } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=very%20secret',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  })
  server = await startTestParley({ ...ON_LOOPBACK, telemetry })
  const orgId = await organization(server)
  const sender = await staticBot(server, orgId)
  const bot = await webhookBot(server, orgId, receiver.url)
  const topic = await sender.post('/v2/topics', { name: 'Traces', members: [bot.id] })
  const topicId = Object(topic.body).id
  const headers = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` }
  for (const options of [{}, { headers }]) {
    const { body } = await sender.post('/v2/messages', { topicId, text: 'hello' }, options)
    sent.push(Object(body).id)
  }
  await sender.post('/v2/messages', { topicId: 'nonsense', text: 'refused' })
  const dispatcher = startDispatcher(server)
  await until(() => receiver.received.filter(({ body }) => String(body).includes('hello')).length === 2)
  await dispatcher.stop()
  await server.close()
})
afterAll(async () => {
  collector.close()
  await receiver.close()
})

const spans = () =>
  collector.taken
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => Object(body).resourceSpans[0].scopeSpans[0].spans)
const of = (messageId: string) =>
  spans().filter(({ traceId }: { traceId: string }) => traceId === messageId.replaceAll('-', ''))

it('leads from the request that sent a message to its delivery', () => {
  const [plain = ''] = sent
  const request = of(plain).find(({ kind }) => kind === 2)
  const delivery = of(plain).find(({ name }) => name === 'deliver webhook')
  expect(request.name).toBe('POST /v2/messages')
  expect(delivery.parentSpanId).toBe(request.spanId)
  expect(BigInt(delivery.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano))
  expect(BigInt(delivery.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(delivery.startTimeUnixNano))
  const heard = receiver.received.map(({ headers }) => headers.traceparent)
  expect(heard).toContain(`00-${delivery.traceId}-${delivery.spanId}-01`)
})

it('is part of the trace of a caller that has one, and leads from there to the deliveries', () => {
  const called = sent[1] ?? ''
  const request = spans().find(
    ({ parentSpanId }: { parentSpanId?: string }) => parentSpanId === CALLER.spanId,
  )
  expect(request.traceId).toBe(CALLER.traceId)
  const [link] = request.links
  expect(of(called).find(({ name }) => name === 'deliver webhook')).toMatchObject({
    traceId: link.traceId,
    parentSpanId: link.spanId,
  })
})

it('traces refused requests too, without paths, texts and keys', () => {
  const all = JSON.stringify(collector.taken.map(({ body }) => body))
  expect(all).toContain('"intValue":"400"')
  for (const secret of ['hello', 'nonsense', 'very secret']) expect(all).not.toContain(secret)
  expect(collector.taken[0]?.headers['x-key']).toBe('very secret')
})

it('sends the metrics of /metrics as well', () => {
  const last = Object(collector.taken.filter(({ path }) => path === '/v1/metrics').at(-1)?.body)
    .resourceMetrics[0]
  const attributes = last.resource.attributes.map(({ key }: { key: string }) => key)
  expect(attributes).toEqual(
    expect.arrayContaining(['service.name', 'service.version', 'deployment.environment']),
  )
  const metrics = last.scopeMetrics[0].metrics
  const named = (name: string) => metrics.find((metric: { name: string }) => metric.name === name)
  expect(named('parley_database_up').gauge.dataPoints[0].asDouble).toBe(1)
  expect(named('parley_webhook_attempts_total').sum).toMatchObject({
    isMonotonic: true,
    aggregationTemporality: 2,
  })
  for (const point of named('parley_http_request_seconds').histogram.dataPoints) {
    const inBuckets = point.bucketCounts.reduce((sum: number, count: string) => sum + Number(count), 0)
    expect(inBuckets).toBe(Number(point.count))
    expect(point.bucketCounts.length).toBe(point.explicitBounds.length + 1)
  }
})

it('is off unless a receiver is set, and names what is wrong', () => {
  expect(readConfig({}).telemetry).toBeUndefined()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).telemetry).toBeUndefined()
  expect(readConfig({ ...endpoint, OTEL_METRICS_EXPORTER: 'none' }).telemetry).toMatchObject({
    tracesUrl: 'http://127.0.0.1:4318/v1/traces',
    metricsUrl: undefined,
  })
  expect(() => readConfig({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/speaks http\/json/)
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(/must be an http or https/)
  expect(() => readConfig({ ...endpoint, OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow(
    /OTEL_TRACES_SAMPLER is/,
  )
})
