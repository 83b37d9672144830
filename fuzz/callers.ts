import { sign } from '../test/support/client.ts'
import type { Audience } from './document.ts'
import type { Header } from './wire.ts'

export type Unsigned = { method: string; target: string; body: Buffer | undefined }

/** A sender of requests with its credentials. */
export type Caller = {
  name: string
  audience: Audience
  /** Weight of the choice among callers of its audience. */
  weight: number
  /** Whether the credentials are valid. A 401 to such a caller means that the run destroyed them. */
  isSound: boolean
  /** Whether the caller is an owner or in every topic of the stage. A 404 then means that the thing is gone. */
  seesAll?: boolean
  headers(request: Unsigned): Header[]
}

export type StaticKey = { apiKey: string; apiSecret: string }

export function staticKeyCaller(name: string, key: StaticKey, weight: number): Caller {
  return {
    name,
    audience: 'bot',
    weight,
    isSound: true,
    headers: (request) => staticHeaders(key, request, String(Date.now())),
  }
}

function staticHeaders(
  { apiKey, apiSecret }: StaticKey,
  { method, target, body }: Unsigned,
  timestamp: string,
): Header[] {
  const payload = method === 'GET' || method === 'HEAD' ? target : (body ?? '')
  return [
    ['Authorization', `Bearer ${apiKey}`],
    ['X-Timestamp', timestamp],
    ['X-Signature', sign(apiSecret, timestamp, payload)],
  ]
}

export function tokenCaller(name: string, token: string, weight: number): Caller {
  return {
    name,
    audience: 'bot',
    weight,
    isSound: true,
    headers: () => [['Authorization', `Bearer ${token}`]],
  }
}

/** A browser with an open page of this server; `cookie` may change. */
export function personCaller(name: string, cookie: () => string, origin: string, weight: number): Caller {
  return {
    name,
    audience: 'person',
    weight,
    isSound: true,
    headers: () => [
      ['Cookie', cookie()],
      ['Origin', origin],
    ],
  }
}

const unsound = (
  name: string,
  audience: Audience,
  headers: (request: Unsigned) => Header[],
  weight = 0.5,
): Caller => ({ name, audience, weight, isSound: false, headers })

/** Callers whose credentials are missing, wrong, expired or another caller's. */
export function strangers(key: StaticKey, token: string, cookie: string, origin: string): Caller[] {
  const foreignSecret = { ...key, apiSecret: 'x'.repeat(key.apiSecret.length) }
  const sixMinutesAgo = () => String(Date.now() - 6 * 60_000)
  return [
    unsound('no credentials', 'bot', () => []),
    unsound('wrong secret', 'bot', (request) => staticHeaders(foreignSecret, request, String(Date.now()))),
    unsound('old timestamp', 'bot', (request) => staticHeaders(key, request, sixMinutesAgo())),
    unsound('key without signature', 'bot', () => [['Authorization', `Bearer ${key.apiKey}`]]),
    unsound('changed token', 'bot', () => [['Authorization', `Bearer ${token.slice(0, -2)}AA`]]),
    unsound('nobody', 'person', () => [['Origin', origin]], 1.5),
    unsound('nobody from nowhere', 'person', () => []),
    unsound('foreign page', 'person', () => [
      ['Cookie', cookie],
      ['Origin', 'https://attacker.example'],
    ]),
    unsound('wrong cookie', 'person', () => [
      ['Cookie', `${cookie.slice(0, -3)}abc`],
      ['Origin', origin],
    ]),
    unsound('anyone', 'anyone', () => []),
    unsound('client', 'client', () => []),
  ]
}
