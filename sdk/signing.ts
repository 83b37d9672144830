import { digestOf } from './files.ts'

/* Signatures by Web Crypto, which Node 20, Deno, Bun, browsers and workers all have. */

const encoder = new TextEncoder()

const keyOf = (secret: string, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [use])

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

export const hmac = async (secret: string, text: string): Promise<string> =>
  hex(await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), encoder.encode(text)))

const sha256 = async (text: string): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', encoder.encode(text)))

export type StaticKey = {
  apiKey: string
  apiSecret: string
  /** 2 signs the whole request and prevents replays; 1 works with every server of this API. Default: 2. */
  signatureVersion?: 1 | 2
}

/** The headers of a request that is sent now. `target` is the path with its query, as sent. */
export async function signedHeaders(
  { apiKey, apiSecret, signatureVersion = 2 }: StaticKey,
  { method, target, body }: { method: string; target: string; body: string | Blob },
): Promise<Record<string, string>> {
  const timestamp = String(Date.now())
  const isRead = method === 'GET'
  const headers = { authorization: `Bearer ${apiKey}`, 'x-timestamp': timestamp }
  if (signatureVersion === 1) {
    const prefix = `${timestamp}.`
    const signature =
      typeof body === 'string'
        ? await hmac(apiSecret, prefix + (isRead ? target : body))
        : await digestOf(body, { secret: apiSecret, prefix })
    return { ...headers, 'x-signature': signature }
  }
  const nonce = crypto.randomUUID()
  const bodyHash = typeof body === 'string' ? await sha256(isRead ? '' : body) : await digestOf(body)
  const text = ['v2', method, target, timestamp, nonce, bodyHash].join('\n')
  const signature = await hmac(apiSecret, text)
  return { ...headers, 'x-signature-version': '2', 'x-nonce': nonce, 'x-signature': signature }
}

/** Whether `signature` is the one of this body and time; compared in constant time. */
export async function isSigned(
  secret: string,
  { timestamp, signature, body }: { timestamp: string; signature: string; body: Uint8Array },
): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  const given = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const prefix = encoder.encode(`${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return crypto.subtle.verify('HMAC', await keyOf(secret, 'verify'), given, signed)
}
