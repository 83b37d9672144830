import type { FastifyInstance } from 'fastify'
import { STREAM_PATH } from '../../../../contract/people/stream.ts'
import { NOWHERE } from '../../../events/live-stream.ts'
import { LiveStreams } from '../../../events/live-streams.ts'
import { commonHeaders } from '../../../http/common-headers.ts'
import { admit, refuseForeign } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'

const NUMBER = /^\d{1,15}$/
const BOT_ID = /^b@[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function streamRoutes(app: FastifyInstance, parley: Parley): void {
  const streams = new LiveStreams(parley)
  app.addHook('preClose', async () => streams.stop())

  const path = STREAM_PATH.replace(/\{(\w+)\}/g, ':$1')
  app.get(path, { exposeHeadRoute: false }, async (request, reply) => {
    refuseForeign(request, parley.config.baseUrl)
    const caller = await admit(request, parley, { access: 'guest' })
    streams.refuseTooMany(caller.accountId)
    const { after, watch }: { after?: unknown; watch?: unknown } = Object(request.query)
    reply.hijack()
    const { raw: response } = reply
    if (response.destroyed) return // the person left, and the stream would not notice
    response.writeHead(200, {
      ...commonHeaders(parley.config, request.id),
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close', // a server that stops ends it, and must not cut off the request after it
      'X-Accel-Buffering': 'no', // proxies that would collect answers pass this one on as it comes
    })
    streams.open({
      caller,
      position: positionOf(request.headers['last-event-id'] ?? after),
      watch: typeof watch === 'string' && BOT_ID.test(watch) ? watch.toLowerCase() : undefined,
      response,
    })
  })
}

const positionOf = (given: unknown): number =>
  typeof given === 'string' && NUMBER.test(given) ? Number(given) : NOWHERE
