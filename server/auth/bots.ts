import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Caller } from '../caller.ts'
import type { Authority } from '../db/authority.ts'
import type { Clock } from '../db/database.ts'
import { Refusal, refusal, unauthorized } from '../errors.ts'
import { type Identities, type Identity, secretsOf } from './identity.ts'
import type { Nonces } from './nonces.ts'
import { type Digest, digestOf, findSigner, readSignature, startDigest } from './static-key.ts'
import { hasTokenShape, type Tokens } from './tokens.ts'

export type BotCaller = Caller & {
  identity: Identity
  /** The scopes of a token that its bot still has; undefined for a static key, which has a permission instead. */
  scopes: ReadonlySet<Scope> | undefined
  /** All scopes of the token, even those that its bot has lost. */
  tokenScopes: ReadonlySet<Scope> | undefined
  prove: Proof
  authority?: Authority<BotCaller> | undefined
}

/** Returns the bot if the request's credentials are right for it; undefined means that the bot is gone. */
type Proof = (bot: Identity | undefined) => Identity

/** The caller as known from the headers; the rest needs the body. */
export type Claim = {
  /** Whether the key is known. Otherwise the request will be refused, and its body is not kept. */
  isKnown: boolean
  /** The claimed organization. */
  orgId: string | undefined
  /** Whether confirming needs the whole body. */
  isSigned: boolean
  /** A digest to feed with a body that is too large to be held; undefined where nothing is signed. */
  startDigest(): Promise<Digest | undefined>
  /** `body` is the body itself, or its digest from `startDigest`. */
  confirm(body: Buffer | Digested): BotCaller | Promise<BotCaller>
}

type Digested = { digest: Buffer | undefined }

type Parts = { identities: Identities; tokens: Tokens; nonces: Nonces; clock: Clock }

type GivenSignature = ReturnType<typeof readSignature>

const NO_SECRET = [createSecretKey(randomBytes(32))] as const

/** The first half of authentication. For a caller who is known there is nothing to wait for. */
export function claimIdentity(request: IncomingMessage, parts: Parts): Claim | Promise<Claim> {
  const bearer = /^bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer === undefined) throw unauthorized('The request has no bearer credentials')
  return hasTokenShape(bearer) ? claimByToken(bearer, parts) : claimByKey(request, bearer, parts)
}

function callerOf(identity: Identity, tokenScopes: ReadonlySet<Scope> | undefined, prove: Proof): BotCaller {
  // Tokens lose the scopes that their bot has lost.
  const scopes = tokenScopes && new Set([...tokenScopes].filter((scope) => identity.scopes.has(scope)))
  return {
    orgId: identity.orgId,
    profileId: identity.botId,
    identity,
    scopes,
    tokenScopes,
    prove,
    authority: undefined, // `permit` replaces it: adding a name to a copy costs V8 ten times as much
  }
}

async function claimByToken(bearer: string, { identities, tokens }: Parts): Promise<Claim> {
  const token = await tokens.read(bearer)
  if (!token) throw unauthorized('The access token is invalid or has expired')
  const prove: Proof = (bot) => {
    if (!bot?.active || bot.credential !== 'oauth' || bot.tokenGeneration !== token.generation)
      throw revoked()
    return bot
  }
  const judged = async () => {
    const found = await identities.byBotId(token.botId)
    if (!found) throw revoked()
    return identities.judge(found, (bot) => callerOf(prove(bot), token.scopes, prove))
  }
  const caller = await judged()
  return {
    isKnown: true,
    orgId: caller.orgId,
    isSigned: false,
    startDigest: async () => undefined,
    confirm: judged,
  }
}

const revoked = () => unauthorized('The access token was revoked')

function claimByKey(
  request: IncomingMessage,
  apiKey: string,
  { identities, nonces, clock }: Parts,
): Claim | Promise<Claim> {
  const now = clock()
  const given = readSignature(request, now)
  const find = () => identities.byApiKey(apiKey)
  const claim = (identity: Identity | undefined) =>
    claimFor(given, identity, { identities, nonces, now, clock, find })
  const identity = find()
  return identity instanceof Promise ? identity.then(claim) : claim(identity)
}

type ClaimParts = Pick<Parts, 'identities' | 'nonces' | 'clock'> & {
  now: number
  find(): Promise<Identity | undefined> | Identity | undefined
}

/**
 * An unknown key goes through the same steps as a known one, to the same words at the end, with a secret that fits
 * nothing: neither the answer nor its timing reveals whether a key exists.
 */
function claimFor(
  given: GivenSignature,
  identity: Identity | undefined,
  { identities, nonces, now, clock, find }: ClaimParts,
): Claim {
  const staticBot = (one: Identity | undefined) => (one?.credential === 'static' ? one : undefined)
  let bot = staticBot(identity)
  const secretsFor = (one: Identity | undefined) => (one ? secretsOf(one, now) : NO_SECRET)

  /** Throws if this bot did not sign the request, or may not call. */
  const judge = (one: Identity | undefined, body: Buffer | Digested): BotCaller => {
    const secrets = secretsFor(one)
    const digest = Buffer.isBuffer(body) ? digestOf(secrets, given, body) : body.digest
    const signer = digest && findSigner(secrets, given, digest)
    if (!one || !signer) throw unsigned()
    const prove = proofOf(signer, given, clock)
    return callerOf(prove(one), undefined, prove)
  }
  /** Digests of version 1 are made with the secrets that `startDigest` has read for this request. */
  const isDecided = (body: Buffer | Digested) => given.version === 1 && !Buffer.isBuffer(body)
  const judged = (body: Buffer | Digested): BotCaller | Promise<BotCaller> => {
    const found = find() // it may have changed while its body came
    return found instanceof Promise ? found.then((one) => judgedAs(one, body)) : judgedAs(found, body)
  }
  const judgedAs = (one: Identity | undefined, body: Buffer | Digested): BotCaller | Promise<BotCaller> => {
    if (isDecided(body)) {
      const { prove } = judge(bot, body)
      if (!one) throw unsigned()
      return identities.judge(one, (known) => callerOf(prove(known), undefined, prove))
    }
    bot = staticBot(one)
    if (bot) return identities.judge(bot, (known) => judge(known, body))
    return identities.renewed(undefined).then(() => judge(undefined, body))
  }
  const takeNonce = async (caller: BotCaller): Promise<BotCaller> => {
    const isFirst = await nonces.take(caller.identity, given.nonce, Number(given.timestamp))
    if (!isFirst) throw unauthorized('nonce used before: sign each request anew, with another X-Nonce')
    return caller
  }

  return {
    isKnown: bot !== undefined,
    orgId: bot?.orgId,
    isSigned: true,
    async startDigest() {
      if (given.version === 1) bot = await identities.renewed(bot)
      return startDigest(secretsFor(bot), given)
    },
    confirm(body) {
      const caller = judged(body)
      if (given.version === 1) return caller
      return caller instanceof Promise ? caller.then(takeNonce) : takeNonce(caller)
    },
  }
}

const unsigned = () => unauthorized('signature does not match: check the key, the secret and what was signed')

/** The secret that signed the request must still be one of the bot's. Later refusals reach the bot itself. */
const proofOf =
  (signer: KeyObject, { version }: GivenSignature, clock: Clock): Proof =>
  (bot) => {
    const counts = bot?.credential === 'static' && secretsOf(bot, clock()).some((one) => one.equals(signer))
    if (!counts) throw unsigned()
    if (!bot.active) throw unauthorized('The bot is deactivated')
    if (version < bot.signatureVersion)
      throw unauthorized('signature version too low: this bot is set to accept version 2 only')
    return bot
  }

/** The caller, who may call the operation, or a refusal that the database has confirmed. */
export function permit(
  identities: Identities,
  caller: BotCaller,
  operation: Operation,
  refuse: (caller: BotCaller, operation: Operation) => Refusal = refusalOf,
): BotCaller | Promise<BotCaller> {
  const { tokenScopes } = caller
  // No change of the bot gives its token another scope: memory is enough for this refusal.
  const isHopeless = tokenScopes && operation.scope !== null && !tokenScopes.has(operation.scope)
  if (isHopeless && !caller.identity.isPaused) throw refuse(caller, operation)
  const permitted = (identity: Identity): BotCaller => {
    const judged = identity === caller.identity ? caller : callerOf(identity, tokenScopes, caller.prove)
    // A paused bot may only ask for its events, and gets none.
    if (identity.isPaused && operation.worksWhilePaused !== true) throw refusal('bot_paused')
    if (!isPermitted(judged, operation)) throw refuse(judged, operation)
    return { ...judged, authority: { version: identity.authorityVersion, renew } }
  }
  const renew: Authority<BotCaller>['renew'] = async (db, isLocked = false) => {
    const { identity } = caller
    const bot = db ? await identities.renewedIn(db, identity, isLocked) : await identities.renewed(identity)
    if (bot?.authorityVersion !== identity.authorityVersion) identities.drop(identity.botId)
    return permitted(caller.prove(bot))
  }
  return identities.judge(caller.identity, permitted)
}

/** Permits an operation that another one contains, for a caller of any kind. */
export async function permitAlso(
  identities: Identities,
  caller: Caller,
  operation: Operation & { scope: Scope },
): Promise<void> {
  if (isBotCaller(caller)) await permit(identities, caller, operation)
  else if (caller.scopes && !caller.scopes.has(operation.scope)) throw insufficientScope(operation.scope)
}

const isBotCaller = (caller: Caller): caller is BotCaller => 'identity' in caller

const refusalOf = ({ scopes }: BotCaller, { scope }: Operation): Refusal =>
  scopes && scope !== null ? insufficientScope(scope) : refusal('forbidden')

/** Tokens need the operation's scope. Static keys with `read` permission may call what only reads. */
export function isPermitted(
  { scopes, identity }: Pick<BotCaller, 'scopes' | 'identity'>,
  operation: Operation,
): boolean {
  if (operation.scope === null) return true
  if (scopes) return scopes.has(operation.scope)
  return (
    identity.permission !== 'read' || operation.method === 'GET' || operation.readPermissionSuffices === true
  )
}

function insufficientScope(scope: Scope): Refusal {
  return new Refusal('forbidden', {
    headers: {
      'WWW-Authenticate': `Bearer realm="service", error="insufficient_scope", scope="${scope}"`,
    },
  })
}
