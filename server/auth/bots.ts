import type { Hmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Clock } from '../db/database.ts'
import { forbidden, Refusal } from '../errors.ts'
import type { Identities, Identity } from './identity.ts'
import { isFresh, isSignature, signing } from './static-key.ts'
import { hasTokenShape, type Tokens } from './tokens.ts'

/** Who acts. Queries and actions take it as their first argument and reach data through it. */
export type Caller = { orgId: string; profileId: string }

export type BotCaller = Caller & {
  identity: Identity
  /** What a token allows; undefined for a static key, which has a permission instead. */
  scopes: ReadonlySet<Scope> | undefined
}

/** Known from the headers alone; the rest needs the body. */
export type Claim = {
  /** A digest to feed with a body that is too large to be held; undefined where nothing is signed. */
  startDigest(): Hmac | undefined
  /** The body, or what `startDigest` made of it. */
  confirm(body: Buffer | { digest: Buffer | undefined }): BotCaller
}

type Parts = { identities: Identities; tokens: Tokens; clock: Clock }

/**
 * The first half of authentication: nothing of the body is read for a caller who is unknown. For one who is known there is
 * nothing to wait for.
 */
export function claimIdentity(request: IncomingMessage, parts: Parts): Claim | Promise<Claim> {
  const bearer = /^bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer === undefined) throw unauthorized('The request has no bearer credentials')
  return hasTokenShape(bearer) ? claimByToken(bearer, parts) : claimByKey(request, bearer, parts)
}

async function claimByToken(bearer: string, { identities, tokens }: Parts): Promise<Claim> {
  const token = await tokens.read(bearer)
  if (!token) throw unauthorized('The access token is invalid or has expired')
  const identity = await identities.byBotId(token.botId)
  if (!identity?.active || identity.credential !== 'oauth' || identity.tokenGeneration !== token.generation) {
    throw unauthorized('The access token was revoked')
  }
  // A scope that was taken from the bot is gone from its tokens too.
  const scopes = new Set([...token.scopes].filter((scope) => identity.scopes.has(scope)))
  const caller = { orgId: identity.orgId, profileId: identity.botId, identity, scopes }
  return { startDigest: () => undefined, confirm: () => caller }
}

function claimByKey(
  request: IncomingMessage,
  apiKey: string,
  { identities, clock }: Parts,
): Claim | Promise<Claim> {
  const identity = identities.byApiKey(apiKey)
  if (identity instanceof Promise) return identity.then((loaded) => claimFor(request, loaded, clock))
  return claimFor(request, identity, clock)
}

function claimFor(request: IncomingMessage, identity: Identity | undefined, clock: Clock): Claim {
  const { 'x-timestamp': timestamp, 'x-signature': signature } = request.headers
  if (!identity?.active || identity.credential !== 'static') throw unauthorized('The API key is not valid')
  if (typeof timestamp !== 'string' || !isFresh(timestamp, clock())) {
    throw unauthorized('X-Timestamp is missing or too far from the current time')
  }
  const digestOf = (body: Buffer): Buffer => {
    const signed = request.method === 'GET' || request.method === 'HEAD' ? (request.url ?? '') : body
    return signing(identity, timestamp).update(signed).digest()
  }
  return {
    startDigest: () => signing(identity, timestamp),
    confirm(body) {
      const expected = Buffer.isBuffer(body) ? digestOf(body) : body.digest
      if (!expected || !isSignature(typeof signature === 'string' ? signature : undefined, expected)) {
        throw unauthorized('X-Signature is missing or does not match the request')
      }
      return { orgId: identity.orgId, profileId: identity.botId, identity, scopes: undefined }
    },
  }
}

/** Tokens need the operation's scope. Static keys with `read` permission may call what only reads. */
export function permit(caller: BotCaller, operation: Operation): void {
  if (operation.scope === null) return
  if (caller.scopes) {
    if (!caller.scopes.has(operation.scope)) throw insufficientScope(operation.scope)
  } else if (
    caller.identity.permission === 'read' &&
    operation.method !== 'GET' &&
    !operation.readPermissionSuffices
  ) {
    throw forbidden()
  }
}

export function unauthorized(description: string): Refusal {
  return new Refusal(401, 'unauthorized', {
    'WWW-Authenticate': `Bearer realm="service", error="invalid_token", error_description="${description}"`,
  })
}

function insufficientScope(scope: Scope): Refusal {
  return new Refusal(403, 'forbidden', {
    'WWW-Authenticate': `Bearer realm="service", error="insufficient_scope", scope="${scope}"`,
  })
}
