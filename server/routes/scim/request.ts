import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { SCIM_PATH } from '../../../contract/scim.ts'
import { bearerOf, findServiceCaller, type ServiceCaller } from '../../auth/service-tokens.ts'
import type { Queryable } from '../../db/database.ts'
import { isDiskFull, isUnavailable } from '../../db/unavailable.ts'
import { Refusal, refusal, retryAfterSeconds, tooMany } from '../../errors.ts'
import { parseJsonBody } from '../../http/json-body.ts'
import { rawBody } from '../../http/request-body.ts'
import { visitorOf } from '../../http/visitor.ts'
import type { Parley } from '../../parley.ts'
import { ScimRefusal, type ScimType } from '../../scim/refusal.ts'
import { type Refused, sendRefusal } from './answers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    scim: ServiceCaller | null
  }
}

/** The caller, which is set before a route runs. */
export function callerOf({ scim }: FastifyRequest): ServiceCaller {
  if (!scim) throw new Error('an admitted request has a caller')
  return scim
}

export type ScimParts = Pick<Parley, 'clock' | 'config' | 'db' | 'notifications' | 'rateLimiter' | 'secrets'>

export const baseOf = ({ config }: Pick<Parley, 'config'>): string => `${config.baseUrl}${SCIM_PATH}`

/** The organization that a request is for, by its token (401), within its rate (429). */
export async function admitScim(request: FastifyRequest, parley: ScimParts): Promise<ServiceCaller> {
  const token = bearerOf(request.headers.authorization)
  const { client } = visitorOf(request, parley.config)
  const find = async (db: Queryable = parley.db, isLocked = false): Promise<ServiceCaller> => {
    const found =
      token === undefined
        ? undefined
        : await findServiceCaller({ db, clock: parley.clock }, 'scim', { token, client }, isLocked)
    if (!found) throw unauthorized()
    const { authorityVersion, ...caller } = found
    return { ...caller, authority: { version: authorityVersion, renew: find } }
  }
  const caller = await find()
  await take(parley, `scim:${caller.orgId}`, LIMITS.scimRequestsPerMinute)
  return caller
}

const unauthorized = () =>
  new ScimRefusal(401, 'the token is missing, wrong or no longer valid', {
    headers: { 'WWW-Authenticate': 'Bearer realm="scim"' },
  })

/** A request that looks through all people of the organization. */
export const takeScan = (parley: ScimParts, { orgId }: ServiceCaller): Promise<void> =>
  take(parley, `scim-scan:${orgId}`, LIMITS.scimScansPerMinute)

async function take({ rateLimiter }: ScimParts, name: string, limit: number): Promise<void> {
  const { allowed, resetMs } = await rateLimiter.take(name, limit)
  if (!allowed) throw tooMany(resetMs)
}

export const bodyOf = (request: FastifyRequest): unknown =>
  parseJsonBody(rawBody(request), request.headers['content-type'])

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id in the path; what cannot be one is not found. */
export function idOf({ params }: FastifyRequest): string {
  const { id }: { id?: string } = Object(params)
  if (id === undefined || !UUID.test(id)) throw notFound()
  return id.toLowerCase()
}

export const notFound = () => new ScimRefusal(404, 'the resource does not exist')

/** Every answer that refuses has the form of SCIM, also where the request did not get as far as its route. */
export function answerScimError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { headers, ...refused } = refusedBy(error)
  if (refused.status === 500) {
    const { id: reqId, method, routeOptions } = request
    request.log.error({ reqId, err: error, method, route: routeOptions.url }, 'request failed')
  }
  return sendRefusal(reply.headers({ ...headers, 'Cache-Control': 'no-store' }), refused)
}

type Answered = Refused & { headers: Record<string, string> }

function refusedBy(error: FastifyError): Answered {
  if (error instanceof ScimRefusal) {
    const { status, scimType, message, headers } = error
    return { status, scimType, message, headers }
  }
  if (error instanceof Refusal) return refusedAs(error)
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refusedAs(refusal('body_too_large'))
  if ((error.statusCode ?? 500) < 500) return refusedAs(refusal('malformed_request'))
  if (isDiskFull(error)) return { ...refusedAs(refusal('disk_full')), headers: retryLater() }
  if (isUnavailable(error)) return { ...refusedAs(refusal('temporarily_unavailable')), headers: retryLater() }
  return refusedAs(refusal('internal_error'))
}

const retryLater = () => ({ 'Retry-After': String(retryAfterSeconds()) })

/** Statuses and words of SCIM for refusals that other requests get too. */
const IN_SCIM: Partial<Record<Refusal['code'], readonly [status: number, scimType?: ScimType]>> = {
  email_known: [409, 'uniqueness'],
  org_unit_tag_taken: [409, 'uniqueness'],
  body_too_large: [413],
  owner_required: [403],
  malformed_json: [400, 'invalidSyntax'],
  body_not_object: [400, 'invalidSyntax'],
  body_not_utf8: [400, 'invalidSyntax'],
  content_type_unsupported: [415],
}

function refusedAs({ code, status, message, headers }: Refusal): Answered {
  const [inScim, scimType] = IN_SCIM[code] ?? [status, status === 400 ? 'invalidValue' : undefined]
  return { status: inScim, scimType, message, headers }
}
