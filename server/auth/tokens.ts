import { exportJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { isScope, type Scope } from '../../contract/scopes.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../db/database.ts'
import { newUuid } from '../ids.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { Secrets } from '../secrets.ts'
import type { Identity } from './identity.ts'

/** Algorithms: a secret that all nodes share, or a key pair with its public half at `/.well-known/jwks.json`. */
const SHARED = 'HS256'
const KEY_PAIR = 'EdDSA'
/** Bounds of verified tokens in memory, with their scopes. */
const MAX_KEPT = { entries: 10_000, bytes: 16 * 1024 * 1024 }
const TOKEN_BYTES = 600
const JWT_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/

type TokenConfig = Pick<Config, 'accessTokenSeconds' | 'accessTokenSignature' | 'baseUrl'>

export type AccessToken = { botId: string; generation: number; scopes: ReadonlySet<Scope>; expiresAt: number }

export const hasTokenShape = (bearer: string): boolean => JWT_SHAPE.test(bearer)

/** Mints access tokens, and reads them: a token that was verified once is known by its text until it expires. */
export class Tokens {
  #secrets: Secrets
  #clock: Clock
  #config: TokenConfig
  #known = new BoundedMap<AccessToken>(MAX_KEPT, () => TOKEN_BYTES)

  constructor(secrets: Secrets, clock: Clock, config: TokenConfig) {
    this.#secrets = secrets
    this.#clock = clock
    this.#config = config
  }

  get #seconds(): number {
    return this.#config.accessTokenSeconds
  }

  async mint(identity: Pick<Identity, 'botId' | 'tokenGeneration'>, scopes: readonly Scope[]) {
    const issuedAt = Math.floor(this.#clock() / 1000)
    const token = new SignJWT({ scope: scopes.join(' '), gen: identity.tokenGeneration })
      .setSubject(identity.botId)
      .setJti(newUuid())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.#seconds)
    const accessToken = await this.#sign(token)
    return {
      access_token: accessToken,
      token_type: 'Bearer' as const,
      expires_in: this.#seconds,
      scope: scopes.join(' '),
    }
  }

  #sign(token: SignJWT): Promise<string> {
    const { accessTokenSignature, baseUrl } = this.#config
    if (accessTokenSignature === 'shared')
      return token.setProtectedHeader({ alg: SHARED, typ: 'at+jwt' }).sign(this.#secrets.tokenKey)
    const { id, privateKey } = this.#secrets.tokenPair
    return token
      .setIssuer(baseUrl)
      .setAudience(baseUrl)
      .setProtectedHeader({ alg: KEY_PAIR, typ: 'at+jwt', kid: id })
      .sign(privateKey)
  }

  /** The public keys that tokens can be checked with, the current one first; also a former one while its tokens live. */
  async publicKeys(): Promise<JWK[]> {
    const { tokenPair } = this.#secrets
    const pairs = this.#secrets.tokenKeys(this.#clock(), this.#seconds * 1000).map((key) => key.tokenPair)
    const others = pairs.filter(({ id }) => id !== tokenPair.id)
    return Promise.all(
      [tokenPair, ...others].map(async ({ id, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid: id,
        use: 'sig',
        alg: KEY_PAIR,
      })),
    )
  }

  /** Returns undefined for a foreign, changed or expired token. */
  async read(token: string): Promise<AccessToken | undefined> {
    const known = this.#known.get(token)
    if (known && known.expiresAt > this.#clock()) return known
    this.#known.delete(token)
    const verified = await this.#verify(token)
    return verified && verified.expiresAt > this.#clock() ? verified : undefined
  }

  async #verify(token: string): Promise<AccessToken | undefined> {
    const verified = await this.#payloadOf(token)
    if (!verified) return undefined
    const { sub, exp, scope, gen } = verified.payload
    if (sub === undefined || exp === undefined || typeof scope !== 'string' || typeof gen !== 'number')
      return undefined
    const accessToken: AccessToken = {
      botId: sub,
      generation: gen,
      scopes: new Set(scope.split(' ').filter(isScope)),
      // A token made with a stolen key may claim any end.
      expiresAt: Math.min(exp * 1000, verified.until),
    }
    this.#known.set(token, accessToken)
    return accessToken
  }

  /**
   * A stolen former secret key must not make new tokens: it is valid until its last token expires. `until` is that
   * time, or a token's lifetime from now if the key is replaced while this runs.
   */
  async #payloadOf(token: string): Promise<{ payload: JWTPayload; until: number } | undefined> {
    const now = this.#clock()
    const lifetimeMs = this.#seconds * 1000
    const known = this.#secrets.tokenKeys(now, lifetimeMs)
    // Tokens of both algorithms are always accepted, so that the setting can change while tokens are in use.
    const keys = [
      ...known.map(({ tokenKey, until }) => ({ key: tokenKey, algorithm: SHARED, until })),
      ...known.map(({ tokenPair, until }) => ({ key: tokenPair.publicKey, algorithm: KEY_PAIR, until })),
    ]
    for (const { key, algorithm, until } of keys) {
      const verified = await jwtVerify(token, key, {
        algorithms: [algorithm],
        typ: 'at+jwt',
        currentDate: new Date(now),
        requiredClaims: ['sub', 'exp'],
      }).catch(() => undefined)
      if (verified) return { payload: verified.payload, until: Math.min(until, now + lifetimeMs) }
    }
    return undefined
  }
}
