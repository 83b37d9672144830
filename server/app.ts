import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { LIMITS } from '../contract/limits.ts'
import type { Config } from './config.ts'
import { Refusal } from './errors.ts'
import { botApi } from './http/bot-api.ts'
import { commonHeaders } from './http/common-headers.ts'
import { randomText } from './ids.ts'
import type { Parley } from './parley.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { botRoutes } from './routes/bot/index.ts'
import { docsRoutes } from './routes/docs.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { pageRoutes } from './routes/pages/index.ts'
import { peopleRoutes } from './routes/people/index.ts'
import { webRoutes } from './routes/web.ts'

const KEEP_ALIVE_MS = 72_000 // longer than the 60 s of common load balancers, so that they close first
const CLOSE_IDLE_MS = 20

/** One proxy in front: the address is the one that it saw, whatever the caller wrote before it. */
const isNearest = (_address: string, hop: number): boolean => hop === 0

/** The whole HTTP surface on these parts; it does not listen yet. */
export function buildApp(parley: Parley): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: parley.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: parley.config.trustProxy === true ? isNearest : parley.config.trustProxy,
    bodyLimit: LIMITS.jsonBodyBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    // A logger for each request costs more than many a request; what is logged names the request itself.
    childLoggerFactory: (logger) => logger,
    routerOptions: { maxParamLength: 4096 },
    frameworkErrors: answerUnroutable(parley.config),
    // Both would be answered by Node itself, with a status or a body that is not ours.
    http: { requireHostHeader: false },
    clientErrorHandler: answerBrokenRequest(parley.config),
  })

  app.server.on('checkExpectation', (request, response) => app.routing(request, response))

  // Bodies stay raw bytes here: signatures are checked over them before anything is parsed.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(parley.config, request.id))
    done()
  })
  const connections = connectionsOf(app)
  app.addHook('preClose', async () => {
    parley.longPolls.stop()
    closeAsTheyFinish(app, connections)
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'not found'))

  healthRoutes(app, parley)
  metricsRoutes(app, parley)
  if (parley.config.roles.includes('api')) {
    botRoutes(botApi(app, parley))
    attachmentRoutes(app, parley)
    oauthRoutes(app, parley)
    docsRoutes(app, parley)
    pageRoutes(app, parley)
    peopleRoutes(app, parley)
    webRoutes(app, parley)
  }
  return app
}

/**
 * Connections that answer their last request while the server stops would otherwise stay open, kept alive. So would those
 * that never asked for anything, which browsers open in advance: they do not count as idle.
 */
function closeAsTheyFinish({ server }: FastifyInstance, connections: ReadonlySet<Socket>): void {
  const timer = setInterval(() => {
    server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }, CLOSE_IDLE_MS)
  server.once('close', () => clearInterval(timer))
}

function connectionsOf({ server }: FastifyInstance): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}

/** On every `/v2` path an error's body is a JSON string; nothing internal ever gets into it. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return sendError(reply.headers(error.headers), error.status, error.message)
  if (isFrameworkRefusal(error)) {
    const tooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    return sendError(reply, 400, tooLarge ? 'body too large' : 'malformed request')
  }
  const { id: reqId, method, routeOptions } = request
  request.log.error({ reqId, err: error, method, route: routeOptions.url }, 'request failed')
  return sendError(reply, 500, 'internal server error')
}

/** What Fastify itself turns down: a body that is too large or broken off, an unreadable header. */
function isFrameworkRefusal(error: unknown): error is FastifyError {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    Number(error.statusCode) >= 400 &&
    Number(error.statusCode) < 500
  )
}

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(JSON.stringify(message))
}

/** A path that the router cannot read: broken percent-encoding, or a part longer than any id. No hook runs for it. */
const answerUnroutable =
  (config: Config) =>
  (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    sendError(reply.headers(commonHeaders(config, request.id)), 400, 'malformed request path')
  }

/** Bytes that are not HTTP at all, or headers beyond all measure. */
const answerBrokenRequest =
  (config: Config) =>
  (_error: unknown, socket: Socket): void => {
    if (!socket.writable) return
    const body = JSON.stringify('malformed request')
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      Connection: 'close',
      ...commonHeaders(config, newRequestId()),
    }
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 400 Bad Request\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  }

const newRequestId = (): string => `req_${randomText()}`
