import { createSecretKey, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Caller } from '../caller.ts'
import type { Clock } from '../db/database.ts'
import { botPaused, forbidden, Refusal, unauthorized } from '../errors.ts'
import { type Identities, type Identity, secretsOf } from './identity.ts'
import type { Nonces } from './nonces.ts'
import { type Digest, digestOf, isSignature, readSignature, startDigest } from './static-key.ts'
import { hasTokenShape, type Tokens } from './tokens.ts'

export type BotCaller = Caller & {
  identity: Identity
  /** The scopes of a token; undefined for a static key, which has a permission instead. */
  scopes: ReadonlySet<Scope> | undefined
}

/** Known from the headers alone; the rest needs the body. */
export type Claim = {
  /** False: it will be refused, and nothing of its body need be kept. */
  isKnown: boolean
  /** The organization that it is of, if it is true. */
  orgId: string | undefined
  /** Whether it takes the whole body to confirm it. */
  isSigned: boolean
  /** A digest to feed with a body that is too large to be held; undefined where nothing is signed. */
  startDigest(): Digest | undefined
  /** The body, or what `startDigest` made of it. */
  confirm(body: Buffer | { digest: Buffer | undefined }): BotCaller | Promise<BotCaller>
}

type Parts = { identities: Identities; tokens: Tokens; nonces: Nonces; clock: Clock }

type GivenSignature = ReturnType<typeof readSignature>

const NO_SECRET = [createSecretKey(randomBytes(32))] as const

/** The first half of authentication. For a caller who is known there is nothing to wait for. */
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
  return {
    isKnown: true,
    orgId: identity.orgId,
    isSigned: false,
    startDigest: () => undefined,
    confirm: () => caller,
  }
}

function claimByKey(
  request: IncomingMessage,
  apiKey: string,
  { identities, nonces, clock }: Parts,
): Claim | Promise<Claim> {
  const now = clock()
  const given = readSignature(request, now)
  const identity = identities.byApiKey(apiKey)
  if (identity instanceof Promise) return identity.then((loaded) => claimFor(given, loaded, nonces, now))
  return claimFor(given, identity, nonces, now)
}

/**
 * A key that nobody has goes the same way as one that somebody has, to the same words at the end, with a secret that fits
 * nothing: neither the answer nor when it comes tells that a key exists.
 */
function claimFor(given: GivenSignature, identity: Identity | undefined, nonces: Nonces, now: number): Claim {
  const bot = identity?.credential === 'static' ? identity : undefined
  const secrets = bot ? secretsOf(bot, now) : NO_SECRET
  return {
    isKnown: bot !== undefined,
    orgId: bot?.orgId,
    isSigned: true,
    startDigest: () => startDigest(secrets, given),
    confirm(body) {
      const digest = Buffer.isBuffer(body) ? digestOf(secrets, given, body) : body.digest
      const isRight = digest !== undefined && isSignature(secrets, given, digest)
      if (!bot || !isRight)
        throw unauthorized('signature does not match: check the key, the secret and what was signed')
      // From here on it is the bot itself that is told what is wrong.
      if (!bot.active) throw unauthorized('The bot is deactivated')
      if (given.version < bot.signatureVersion)
        throw unauthorized('signature version too low: this bot is set to accept version 2 only')
      const caller = { orgId: bot.orgId, profileId: bot.botId, identity: bot, scopes: undefined }
      if (given.version === 1) return caller
      return nonces.take(bot, given.nonce, Number(given.timestamp)).then((isFirst) => {
        if (!isFirst) throw unauthorized('nonce used before: sign each request anew, with another X-Nonce')
        return caller
      })
    },
  }
}

/** A paused bot may only ask for its events, and gets none. */
export function refusePaused({ identity }: BotCaller, { worksWhilePaused = false }: Operation): void {
  if (identity.isPaused && !worksWhilePaused) throw botPaused()
}

export function permit(caller: BotCaller, operation: Operation): void {
  refusePaused(caller, operation)
  if (isPermitted(caller, operation)) return
  throw caller.scopes && operation.scope !== null ? insufficientScope(operation.scope) : forbidden()
}

/** Tokens need the operation's scope. Static keys with `read` permission may call what only reads. */
export function isPermitted({ scopes, identity }: BotCaller, operation: Operation): boolean {
  if (operation.scope === null) return true
  if (scopes) return scopes.has(operation.scope)
  return (
    identity.permission !== 'read' || operation.method === 'GET' || operation.readPermissionSuffices === true
  )
}

export function insufficientScope(scope: Scope): Refusal {
  return new Refusal(403, 'forbidden', {
    'WWW-Authenticate': `Bearer realm="service", error="insufficient_scope", scope="${scope}"`,
  })
}
