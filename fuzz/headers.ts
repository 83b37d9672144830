import type { Random } from './random.ts'
import type { Header } from './wire.ts'

/** Headers that a server, a proxy or a library may trip over, and still a request. */
const HOSTILE: readonly Header[] = [
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/xml'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'application/json;;;'],
  ['Content-Type', 'multipart/form-data'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Content-Type', ''],
  ['Content-Type', '/'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'br, br, br'],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'k'.repeat(255)],
  ['Idempotency-Key', 'k'.repeat(256)],
  ['Idempotency-Key', 'schlüssel 🔑'],
  ['Expect', '100-continue'],
  ['Expect', '200-ok'],
  ['If-None-Match', '*'],
  ['If-Match', '"x"'],
  ['If-Modified-Since', 'yesterday'],
  ['Range', 'bytes=0-'],
  ['Range', 'bytes=9-1,-0,5-'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Accept', 'application/xml'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'identity;q=0, *;q=0'],
  ['Accept-Language', '*'.repeat(500)],
  ['Cookie', 'parley_session=; parley_session=x; ='],
  ['Cookie', `a=${'b'.repeat(3000)}`],
  ['Cookie', '__proto__=1; parley_session=%00%ff'],
  ['Origin', 'https://attacker.example'],
  ['Origin', 'null'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Referer', 'https://attacker.example/'],
  ['Host', 'attacker.example'],
  ['Host', 'a b'],
  ['X-Forwarded-For', '"], ::ffff:127.0.0.1, x'],
  ['X-Forwarded-For', '::1'],
  ['X-Forwarded-Host', 'attacker.example'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Forwarded', 'for="_secret"; proto=http, for=127.0.0.1'],
  ['Authorization', ''],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer a.b.c'],
  ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
  ['Authorization', 'Basic !!!'],
  ['Authorization', `Basic ${Buffer.from('b@x:\0').toString('base64')}`],
  ['Authorization', `Bearer ${'k'.repeat(5000)}`],
  ['X-Timestamp', '1e12'],
  ['X-Timestamp', '0'],
  ['X-Timestamp', '99999999999999999999'],
  ['X-Signature', 'A'.repeat(64)],
  ['X-Signature', '0'.repeat(64)],
  ['X-Signature-Version', '2'],
  ['X-Signature-Version', '3'],
  ['Last-Event-ID', '-1'],
  ['Last-Event-ID', '99999999999999999999'],
  ['Connection', 'close'],
  ['X-Padding', 'p'.repeat(7000)],
  ['X-Quoted', '"\\"'],
  ['constructor', '1'],
  ['__proto__', '1'],
  ['TE', 'trailers'],
  ['Via', '1.1 proxy'],
  ['X-Request-Id', 'req_mine'],
]

/** Headers that break the request's framing or its head; `Connection` hangs up after these. */
const BROKEN: readonly Header[] = [
  ['Content-Length', '-1'],
  ['Content-Length', '1e3'],
  ['Content-Length', '99999999999999999999'],
  ['Content-Length', '100000'],
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Transfer-Encoding', 'chunked, identity'],
  ['Transfer-Encoding', 'xchunked'],
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Name with spaces', '1'],
  ['X-Control', 'a\u0001b\u007f'],
  ['X-Split', 'a\r\nX-Injected: 1'],
  ['X-Obsolete', 'a\r\n folded'],
  ['X-Nul', 'a\0b'],
  ['', 'no name'],
  ['X-Large', 'l'.repeat(20_000)],
]

/** Replaces or adds one or two hostile headers. */
export function withHostileHeaders(headers: readonly Header[], random: Random): Header[] {
  const chosen = Array.from({ length: random.integer(1, 2) }, () => random.pick(HOSTILE))
  const names = chosen.map(([name]) => name.toLowerCase())
  const isRepeated = random.chance(0.2)
  const kept = headers.filter(([name]) => isRepeated || !names.includes(name.toLowerCase()))
  const many = random.chance(0.03)
    ? Array.from({ length: 300 }, (_, index): Header => [`X-${index}`, '1'])
    : []
  return [...kept, ...chosen, ...many]
}

export const withBrokenHeader = (headers: readonly Header[], random: Random): Header[] => [
  ...headers,
  random.pick(BROKEN),
]
