import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { type BotCaller, type Claim, claimIdentity, permit } from '../auth/bots.ts'
import type { Identity } from '../auth/identity.ts'
import { busy, tooMany } from '../errors.ts'
import { effectiveRateLimit } from '../limits/organization-limits.ts'
import type { Allowance } from '../limits/rate-limiter.ts'
import type { Parley } from '../parley.ts'
import type { TurnsAway } from './conversation-api.ts'
import { PacedRefusals } from './paced-refusals.ts'
import { signedPart } from './request-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    claim: Claim | null
  }
}

/** Uploads do not wait in the queue of texts. */
const hasForm = ({ headers }: FastifyRequest) => headers['content-type']?.startsWith('multipart/') ?? false

/** Built once, because it refuses thousands of requests a second. */
const BUSY = busy()
const refusals = new PacedRefusals()

export const claim =
  (parley: Parley, turnsAway?: TurnsAway): onRequestHookHandler =>
  (request, _reply, done) => {
    const take = (claimed: Claim) => {
      const { orgId } = claimed
      if (turnsAway && orgId !== undefined && !hasForm(request) && turnsAway(parley, orgId)) {
        refusals.add(() => done(BUSY))
        return
      }
      request.claim = claimed
      done()
    }
    try {
      const claimed = claimIdentity(request.raw, parley)
      if (claimed instanceof Promise) claimed.then(take, done)
      else take(claimed)
    } catch (error) {
      done(error instanceof Error ? error : new Error('not authenticated'))
    }
  }

/** Authentication (401), then the rate limit (429), then permission (403). */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  parley: Parley,
  operation: Operation,
): Promise<BotCaller> {
  const confirmed = await confirm(request)
  if (!operation.isUncounted) await countRequest(reply, parley, confirmed, operation)
  const caller = await permit(parley.identities, confirmed, operation)
  parley.identities.noteSeen(caller.identity, parley.clock())
  return caller
}

/** Completes the authentication, once the body is there. */
export function confirm(request: FastifyRequest): BotCaller | Promise<BotCaller> {
  if (!request.claim) throw new Error('an admitted request has a claim')
  return request.claim.confirm(signedPart(request))
}

/** Counts a request for the organization, and refuses one above the limit. */
export async function countRequest(
  reply: FastifyReply,
  parley: Parley,
  caller: BotCaller,
  counted: Counted = {},
): Promise<void> {
  const allowance = await takeRequest(parley, caller.identity, counted)
  if (!allowance) return
  const { allowed, limit, remaining, resetMs } = allowance
  reply.header('RateLimit-Limit', limit)
  reply.header('RateLimit-Remaining', remaining)
  reply.header('RateLimit-Reset', Math.ceil(resetMs / 1000))
  if (!allowed) throw tooMany(resetMs)
}

/** Polls and the like have a budget of their own beside the one of all other requests, with the same figure. */
type Counted = { isCountedApart?: boolean }

/** One request of the organization's budget; undefined where it has none. A limit by which one is refused is read once more. */
export async function takeRequest(
  { identities, rateLimiter, config }: Pick<Parley, 'identities' | 'rateLimiter' | 'config'>,
  identity: Identity,
  { isCountedApart = false }: Counted = {},
): Promise<Allowance | undefined> {
  const limit = effectiveRateLimit(identity.rateLimits, config)
  if (limit <= 0) return undefined
  const name = isCountedApart ? `${identity.orgId}:polls` : identity.orgId
  const allowance = await rateLimiter.take(name, limit, identity)
  if (allowance.allowed) return allowance
  const renewed = await identities.renewed(identity)
  const limitNow = renewed ? effectiveRateLimit(renewed.rateLimits, config) : limit
  if (limitNow === limit) return allowance
  identities.drop(identity.orgId) // word of its change is late
  return limitNow > 0 ? rateLimiter.take(name, limitNow, identity) : undefined
}
