import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { isScope, type Scope } from '../../contract/scopes.ts'
import type { Clock } from '../db/database.ts'
import { newUuid } from '../ids.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { Secrets } from '../secrets.ts'
import type { Identity } from './identity.ts'

const ALGORITHM = 'HS256'
/** Tokens that were verified, and what they take with their scopes. */
const MAX_KEPT = { entries: 10_000, bytes: 16 * 1024 * 1024 }
const TOKEN_BYTES = 600
const JWT_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/

export type AccessToken = { botId: string; generation: number; scopes: ReadonlySet<Scope>; expiresAt: number }

export const hasTokenShape = (bearer: string): boolean => JWT_SHAPE.test(bearer)

/** Mints access tokens, and reads them: a token that was verified once is known by its text until it expires. */
export class Tokens {
  #secrets: Secrets
  #clock: Clock
  #seconds: number
  #known = new BoundedMap<AccessToken>(MAX_KEPT, () => TOKEN_BYTES)

  constructor(secrets: Secrets, clock: Clock, seconds: number) {
    this.#secrets = secrets
    this.#clock = clock
    this.#seconds = seconds
  }

  async mint(identity: Identity, scopes: readonly Scope[]) {
    const issuedAt = Math.floor(this.#clock() / 1000)
    const accessToken = await new SignJWT({ scope: scopes.join(' '), gen: identity.tokenGeneration })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt' })
      .setSubject(identity.botId)
      .setJti(newUuid())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.#seconds)
      .sign(this.#secrets.tokenKey)
    return {
      access_token: accessToken,
      token_type: 'Bearer' as const,
      expires_in: this.#seconds,
      scope: scopes.join(' '),
    }
  }

  /** Undefined for a token that is not ours, was changed, or has expired. */
  async read(token: string): Promise<AccessToken | undefined> {
    const known = this.#known.get(token) ?? (await this.#verify(token))
    if (known && known.expiresAt > this.#clock()) return known
    this.#known.delete(token)
    return undefined
  }

  async #verify(token: string): Promise<AccessToken | undefined> {
    const payload = await this.#payloadOf(token)
    if (!payload) return undefined
    const { sub, exp, scope, gen } = payload
    if (sub === undefined || exp === undefined || typeof scope !== 'string' || typeof gen !== 'number')
      return undefined
    const accessToken: AccessToken = {
      botId: sub,
      generation: gen,
      scopes: new Set(scope.split(' ').filter(isScope)),
      // No longer than a token lives: one that a former key made must not outlast it here.
      expiresAt: Math.min(exp, this.#clock() / 1000 + this.#seconds) * 1000,
    }
    this.#known.set(token, accessToken)
    return accessToken
  }

  /** Whoever has learned a former secret key must not make tokens with it: it counts until the last one expires that it made. */
  async #payloadOf(token: string): Promise<JWTPayload | undefined> {
    const now = this.#clock()
    for (const key of this.#secrets.tokenKeys(now - this.#seconds * 1000)) {
      const verified = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: 'at+jwt',
        currentDate: new Date(now),
        requiredClaims: ['sub', 'exp'],
      }).catch(() => undefined)
      if (verified) return verified.payload
    }
    return undefined
  }
}
