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
import { isDiskFull, isUnavailable } from './db/unavailable.ts'
import { Refusal, refusal, retryAfterSeconds } from './errors.ts'
import { botApi } from './http/bot-api.ts'
import { codeHeaders } from './http/code-headers.ts'
import { commonHeaders } from './http/common-headers.ts'
import { answerAndClose } from './http/raw-answer.ts'
import { bodyReader } from './http/read-body.ts'
import { stopAccepting } from './http/stop-accepting.ts'
import { askToLeave, Traffic, type Visit } from './http/traffic.ts'
import { newRequestId } from './ids.ts'
import type { Parley } from './parley.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { auditEventRoutes } from './routes/audit-events.ts'
import { botRoutes } from './routes/bot/index.ts'
import { docsRoutes } from './routes/docs.ts'
import { healthRoutes } from './routes/health.ts'
import { incomingRoutes } from './routes/incoming.ts'
import { libraryRoutes } from './routes/library.ts'
import { mcpRoutes } from './routes/mcp/index.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { oauthRoutes } from './routes/oauth/index.ts'
import { pageRoutes } from './routes/pages/index.ts'
import { peopleRoutes } from './routes/people/index.ts'
import { rehearsalRoutes } from './routes/rehearsal/index.ts'
import { scimRoutes } from './routes/scim/index.ts'
import { webRoutes } from './routes/web.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | null
  }
}

const KEEP_ALIVE_MS = 72_000 // longer than the 60 s of common load balancers, so that they close first
/** How often a server that stops looks for connections on which nothing is under way any more. */
const CLOSE_IDLE_MS = 20
/** A connection on which nothing is under way may bring one more request for so long after the listener has closed. */
const LINGER_MS = 1000
/** An operator has to free space first. */
const DISK_FULL_RETRY_SECONDS = 60
/** Interval at which Node looks for requests with slow headers. */
const CHECK_HEADERS_MS = 5000

/** One proxy in front: the address is the one that it saw, whatever the caller wrote before it. */
const isNearest = (_address: string, hop: number): boolean => hop === 0

/** Builds the HTTP server, which does not listen yet. */
export function buildApp(parley: Parley): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: parley.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: parley.config.trustProxy === true ? isNearest : parley.config.trustProxy,
    bodyLimit: LIMITS.jsonBodyBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    pluginTimeout: 0, // a start may be slow on a busy machine, and is no failure for that
    return503OnClosing: false, // requests that have come in are still served, and answers are in our form to the end
    genReqId: newRequestId,
    // A logger for each request costs more than many a request; what is logged names the request itself.
    childLoggerFactory: (logger) => logger,
    routerOptions: { maxParamLength: 4096 },
    frameworkErrors: answerUnroutable(parley),
    http: {
      requireHostHeader: false, // Node itself would answer, with a body that is not ours
      headersTimeout: parley.config.headerMs,
      connectionsCheckingInterval: Math.min(CHECK_HEADERS_MS, parley.config.headerMs / 2),
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
  })
  const traffic = new Traffic(app.server, parley.config, parley)
  const answerBrokenRequest = brokenRequestAnswer(parley.config, traffic)

  app.server.on('checkExpectation', (request, response) => app.routing(request, response))

  // Bodies stay raw bytes here: signatures are checked over them before anything is parsed.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', bodyReader(parley.bodies))

  // Closes the listener before the routes' hooks end polls and streams: their clients come back at once, to another node.
  app.addHook('preClose', async () => {
    parley.draining.announce()
    await stopAccepting(app.server)
  })
  app.decorateRequest('visit', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(parley.config, request.id))
    try {
      request.visit = traffic.begin(request, reply)
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error('not admitted'))
    }
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const { raw, visit } = request
    // An answer may leave before the whole body has arrived; the rest has a time limit.
    if (!raw.complete) parley.bodies.begin(raw, visit?.network ?? '', 'time', () => raw.socket.destroy())
    done()
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refusal('not_found')))

  healthRoutes(app, parley)
  const metrics = metricsRoutes(app, parley)
  parley.telemetry?.watch(app, metrics)
  if (parley.config.roles.includes('api')) {
    const bots = botApi(app, parley)
    botRoutes(bots)
    rehearsalRoutes(app, parley, bots.runs)
    attachmentRoutes(app, parley)
    oauthRoutes(app, parley)
    incomingRoutes(app, parley)
    docsRoutes(app, parley)
    libraryRoutes(app)
    pageRoutes(app, parley)
    const people = peopleRoutes(app, parley)
    mcpRoutes(app, parley, { bots: bots.runs, people })
    scimRoutes(app, parley)
    auditEventRoutes(app, parley)
    webRoutes(app, parley)
  }
  app.addHook('preClose', async () => {
    parley.longPolls.stop()
    await closeAsTheyFinish(traffic, Math.min(LINGER_MS, parley.config.drainMs))
  })
  return app
}

/** Hangs up on connections on which nothing is under way, the first time after `lingerMs`. Resolves when none is left. */
function closeAsTheyFinish(traffic: Traffic, lingerMs: number): Promise<void> {
  const lingersUntil = performance.now() + lingerMs
  return new Promise((resolve) => {
    const look = () => {
      if (performance.now() >= lingersUntil) traffic.hangUpOnIdle()
      if (traffic.connections > 0) return
      clearInterval(timer)
      resolve()
    }
    const timer = setInterval(look, CLOSE_IDLE_MS)
    look()
  })
}

/** On every `/v2` path an error's body is a JSON string; nothing internal ever gets into it. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return sendRefusal(reply, error)
  if (isFrameworkRefusal(error)) {
    const tooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    return sendRefusal(reply, refusal(tooLarge ? 'body_too_large' : 'malformed_request'))
  }
  const { id: reqId, method, routeOptions } = request
  if (method !== 'GET' && isDiskFull(error)) {
    request.log.error({ reqId, err: error, method, route: routeOptions.url }, 'the disk is full')
    // The bot API has no 507 among its statuses.
    const status = request.url.startsWith('/v2/') ? 503 : 507
    return sendRefusal(reply.header('Retry-After', DISK_FULL_RETRY_SECONDS), refusal('disk_full'), status)
  }
  if (isUnavailable(error)) {
    request.log.warn(
      { reqId, err: error, method, route: routeOptions.url },
      'the database could not do it now',
    )
    return sendRefusal(reply.header('Retry-After', retryAfterSeconds()), refusal('temporarily_unavailable'))
  }
  request.log.error({ reqId, err: error, method, route: routeOptions.url }, 'request failed')
  return sendRefusal(reply, refusal('internal_error'))
}

/** Errors of Fastify itself: a body that is too large or broken off, an unreadable header. */
function isFrameworkRefusal(error: unknown): error is FastifyError {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    Number(error.statusCode) >= 400 &&
    Number(error.statusCode) < 500
  )
}

function sendRefusal(reply: FastifyReply, refusal: Refusal, status: number = refusal.status): FastifyReply {
  return reply
    .code(status)
    .headers({ ...refusal.headers, ...codeHeaders(refusal) })
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(JSON.stringify(refusal.message))
}

/** A path that the router cannot read: broken percent-encoding, or a part longer than any id. No hook runs for it. */
const answerUnroutable =
  ({ config, draining }: Pick<Parley, 'config' | 'draining'>) =>
  (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    if (draining.isAnnounced) askToLeave(reply)
    sendRefusal(reply.headers(commonHeaders(config, request.id)), refusal('malformed_path'))
  }

/** Bytes that are not HTTP at all, headers beyond all measure, or headers that take too long. */
const brokenRequestAnswer =
  (config: Config, traffic: Traffic) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    // Browsers open connections in advance: one that never asked for anything is closed without a word. So is one on which
    // something is being answered: whatever were written now would become part of that.
    if (!socket.writable || socket.bytesRead === 0 || traffic.isAnswering(socket)) {
      socket.destroy()
      return
    }
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    answerAndClose(socket, config, refusal(isLate ? 'request_too_slow' : 'malformed_request'))
  }
