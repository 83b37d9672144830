import { jwtVerify, SignJWT } from 'jose'
import { isScope, type Scope } from '../../contract/scopes.ts'
import type { Clock } from '../db/database.ts'
import { newUuid } from '../ids.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { Identity } from './identity.ts'

const ALGORITHM = 'HS256'
/** Tokens that were verified, and what they take with their scopes. */
const KEPT = { entries: 10_000, bytes: 16 * 1024 * 1024 }
const TOKEN_BYTES = 600
const JWT_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/

export type AccessToken = { botId: string; generation: number; scopes: ReadonlySet<Scope>; expiresAt: number }

export const hasTokenShape = (bearer: string): boolean => JWT_SHAPE.test(bearer)

/** Mints access tokens, and reads them: a token that was verified once is known by its text until it expires. */
export class Tokens {
  #key: Uint8Array
  #clock: Clock
  #seconds: number
  #known = new BoundedMap<AccessToken>(KEPT, () => TOKEN_BYTES)

  constructor(key: Uint8Array, clock: Clock, seconds: number) {
    this.#key = key
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
      .sign(this.#key)
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
    const verified = await jwtVerify(token, this.#key, {
      algorithms: [ALGORITHM],
      typ: 'at+jwt',
      currentDate: new Date(this.#clock()),
      requiredClaims: ['sub', 'exp'],
    }).catch(() => undefined)
    if (!verified) return undefined
    const { sub, exp, scope, gen } = verified.payload
    if (sub === undefined || exp === undefined || typeof scope !== 'string' || typeof gen !== 'number')
      return undefined
    const accessToken: AccessToken = {
      botId: sub,
      generation: gen,
      scopes: new Set(scope.split(' ').filter(isScope)),
      expiresAt: exp * 1000,
    }
    this.#known.set(token, accessToken)
    return accessToken
  }
}
