import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { TOKEN_ERRORS, type TokenErrorCode } from '../../contract/oauth.ts'
import { isScope, type Scope } from '../../contract/scopes.ts'
import { type ClientCredentials, readClientCredentials } from '../auth/client-credentials.ts'
import { type Identity, secretsOf, wasRotatedAway } from '../auth/identity.ts'
import { Refusal } from '../errors.ts'
import { rawBody } from '../http/request-body.ts'
import { sha256 } from '../ids.ts'
import { Attempts } from '../limits/attempts.ts'
import { networkKey } from '../network/address.ts'
import type { Parley } from '../parley.ts'
import { equalInConstantTime } from '../secrets.ts'

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i
const PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'scope']

export function oauthRoutes(app: FastifyInstance, parley: Parley): void {
  const attempts = new Attempts(LIMITS.tokenFailuresPerMinute, parley.clock)
  const keepOutOfCaches = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache')
  }
  const options = {
    onRequest: keepOutOfCaches,
    errorHandler: answerRefusal,
    bodyLimit: parley.config.smallBodyBytes,
  }
  app.post('/oauth/token', options, (request) => grantToken(request, parley, attempts))
}

/** Errors here are the objects of RFC 6749, also for a body that could not be read at all. */
function answerRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asTokenRefusal(error)
  if (!(refusal instanceof TokenRefusal)) throw error
  if (refusal.status === 401 && request.headers.authorization !== undefined) {
    reply.header('WWW-Authenticate', 'Basic realm="service"')
  }
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .send({ error: refusal.code, error_description: refusal.message })
}

/** Too large, too slow, broken off, one too many, or with a content type that is none: turned down before it got here. */
function asTokenRefusal(error: FastifyError): Error {
  const { statusCode = 500 } = error
  if (statusCode >= 400 && statusCode < 500) return new TokenRefusal(400, 'invalid_request')
  if (!(error instanceof Refusal)) return error
  const { status, message, headers } = error
  return status === 400 || status === 429 || status === 503
    ? new TokenRefusal(status, 'invalid_request', message, headers)
    : error
}

async function grantToken(request: FastifyRequest, parley: Parley, attempts: Attempts) {
  const form = readForm(request)
  const grantType = form.get('grant_type')
  if (!grantType) throw new TokenRefusal(400, 'invalid_request', 'grant_type is required')
  if (grantType !== 'client_credentials') throw new TokenRefusal(400, 'unsupported_grant_type')

  const credentials = readClientCredentials(request.headers.authorization, form)
  if (credentials === 'conflicting') {
    throw new TokenRefusal(
      400,
      'invalid_request',
      'credentials must be sent either by HTTP Basic or in the form',
    )
  }
  if (!credentials) throw new TokenRefusal(401, 'invalid_client')
  const attempt = `${networkKey(request.ip)} ${nameOf(credentials)}`
  const wait = attempts.waitFor(attempt)
  if (wait > 0) {
    throw new TokenRefusal(429, 'invalid_request', 'too many failed attempts, try again later', {
      'Retry-After': String(Math.ceil(wait / 1000)),
    })
  }
  const identity = await identify(parley, credentials).catch((error) => {
    if (error instanceof TokenRefusal) attempts.failed(attempt)
    throw error
  })
  return parley.tokens.mint(identity, grantedScopes(identity, form.get('scope')))
}

/**
 * Who is tried, however the id is written: by the last reading, the decoded one, so that not each way to encode
 * an id has attempts of its own. Hashed, a long one takes no room.
 */
function nameOf(readings: readonly ClientCredentials[]): string {
  return sha256(readings.at(-1)?.clientId ?? '').toString('base64url')
}

function readForm(request: FastifyRequest): URLSearchParams {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new TokenRefusal(400, 'invalid_request', 'content type must be application/x-www-form-urlencoded')
  }
  const form = new URLSearchParams(rawBody(request).toString('utf8'))
  const repeated = PARAMETERS.find((name) => form.getAll(name).length > 1)
  if (repeated) throw new TokenRefusal(400, 'invalid_request', `${repeated} must not be repeated`)
  return form
}

/** Each of the readings of the credentials is tried: Basic may come plain or form-encoded. */
async function identify(parley: Parley, readings: readonly ClientCredentials[]): Promise<Identity> {
  let former = false
  for (const { clientId, clientSecret } of readings) {
    const identity = clientId.includes('\0') ? undefined : await parley.identities.byBotId(clientId)
    if (identity?.credential !== 'oauth') continue
    const fits = secretsOf(identity, parley.clock()).map((secret) =>
      equalInConstantTime(clientSecret, secret.export()),
    )
    if (fits.includes(true)) {
      if (!identity.active) break
      return identity
    }
    former ||= await wasRotatedAway(parley.db, identity, clientSecret)
  }
  if (former) throw new TokenRefusal(400, 'invalid_grant', 'the client secret was replaced by a newer one')
  throw new TokenRefusal(401, 'invalid_client')
}

function grantedScopes(identity: Identity, requested: string | null): Scope[] {
  const names = (requested ?? '').split(' ').filter((name) => name !== '')
  if (names.length === 0) return [...identity.scopes]
  const scopes = names.filter(isScope).filter((scope) => identity.scopes.has(scope))
  if (scopes.length < names.length) {
    throw new TokenRefusal(400, 'invalid_grant', 'a requested scope is not configured on this client')
  }
  return [...new Set(scopes)]
}

type TokenStatus = 400 | 401 | 429 | 503

class TokenRefusal extends Error {
  readonly status: TokenStatus
  readonly code: TokenErrorCode
  readonly headers: Record<string, string>

  constructor(
    status: TokenStatus,
    code: TokenErrorCode,
    description: string = TOKEN_ERRORS[code],
    headers: Record<string, string> = {},
  ) {
    super(description)
    this.status = status
    this.code = code
    this.headers = headers
  }
}
