// All that a bot needs to speak to Parley: signed requests, and the check of a webhook's signature.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Reads PARLEY_URL, PARLEY_API_KEY and PARLEY_API_SECRET; returns a function that makes signed requests. */
export function connect({ PARLEY_URL, PARLEY_API_KEY, PARLEY_API_SECRET } = process.env) {
  if (!PARLEY_URL || !PARLEY_API_KEY || !PARLEY_API_SECRET) {
    throw new Error('Set PARLEY_URL, PARLEY_API_KEY and PARLEY_API_SECRET first.')
  }
  /** `once` makes the request repeatable: the first answer is returned again instead of acting twice. */
  return async function parley(method, path, body, { once } = {}) {
    const timestamp = String(Date.now())
    const text = body === undefined ? '' : JSON.stringify(body)
    const response = await fetch(PARLEY_URL + path, {
      method,
      headers: {
        Authorization: `Bearer ${PARLEY_API_KEY}`,
        'X-Timestamp': timestamp,
        'X-Signature': hmac(PARLEY_API_SECRET, `${timestamp}.${method === 'GET' ? path : text}`),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(once !== undefined && { 'Idempotency-Key': once }),
      },
      ...(body !== undefined && { body: text }),
    })
    const answer = response.status === 204 ? undefined : await response.json()
    if (!response.ok)
      throw Object.assign(new Error(`${method} ${path}: ${answer}`), { status: response.status })
    return answer
  }
}

/** Whether these bytes really come from Parley, and were sent within the last five minutes. */
export function isFromParley(secret, headers, rawBody) {
  const timestamp = headers['x-service-timestamp'] ?? ''
  const given = Buffer.from(String(headers['x-service-signature'] ?? ''))
  const expected = Buffer.from(hmac(secret, Buffer.concat([Buffer.from(`${timestamp}.`), rawBody])))
  const isFresh = Math.abs(Date.now() - Number(timestamp)) < 5 * 60 * 1000
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected)
}

const hmac = (secret, payload) => createHmac('sha256', secret).update(payload).digest('hex')
