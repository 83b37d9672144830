import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { TOKEN_ERRORS } from '../../../contract/oauth.ts'
import type { Config } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import { rawBody } from '../../http/request-body.ts'

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i

type OAuthStatus = 400 | 401 | 429 | 503

/** A refusal in the form of RFC 6749, by one of its codes or of those that other documents have added. */
export class OAuthRefusal extends Error {
  readonly status: OAuthStatus
  readonly code: string
  readonly headers: Record<string, string>

  constructor(
    status: OAuthStatus,
    code: string,
    description: string = Object(TOKEN_ERRORS)[code] ?? code,
    headers: Record<string, string> = {},
  ) {
    super(description)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** Options of OAuth routes: small bodies, answers that are not cached, refusals as objects. */
export const oauthRoute = ({ smallBodyBytes }: Config) => ({
  onRequest: async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache')
  },
  errorHandler: answerRefusal,
  bodyLimit: smallBodyBytes,
})

/** Errors here are the objects of RFC 6749, also for a body that could not be read at all. */
function answerRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asOAuthRefusal(error)
  if (!(refusal instanceof OAuthRefusal)) throw error
  if (refusal.status === 401 && request.headers.authorization !== undefined) {
    reply.header('WWW-Authenticate', 'Basic realm="service"')
  }
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'X-Error-Code': refusal.code })
    .send({ error: refusal.code, error_description: refusal.message })
}

/** Too large, too slow, broken off, one too many, or with a content type that is none: turned down before it got here. */
function asOAuthRefusal(error: FastifyError): Error {
  const { statusCode = 500 } = error
  if (statusCode >= 400 && statusCode < 500) return new OAuthRefusal(400, 'invalid_request')
  if (!(error instanceof Refusal)) return error
  const { status, message, headers } = error
  return status === 400 || status === 429 || status === 503
    ? new OAuthRefusal(status, 'invalid_request', message, headers)
    : error
}

export function readForm(request: FastifyRequest, parameters: readonly string[]): URLSearchParams {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new OAuthRefusal(400, 'invalid_request', 'content type must be application/x-www-form-urlencoded')
  }
  const form = new URLSearchParams(rawBody(request).toString('utf8'))
  const repeated = parameters.find((name) => form.getAll(name).length > 1)
  if (repeated) throw new OAuthRefusal(400, 'invalid_request', `${repeated} must not be repeated`)
  return form
}
