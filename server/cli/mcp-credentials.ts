import { createHmac, randomUUID } from 'node:crypto'
import { signedText } from '../auth/static-key.ts'
import { sha256 } from '../ids.ts'
import { UsageError } from './errors.ts'

/** A token is replaced this long before it ends. */
const TOKEN_MARGIN_MS = 60_000

/** Makes the headers that authenticate a `POST` of this body, new for each request. */
export type Credentials = {
  headersFor(target: string, body: string): Promise<Record<string, string>>
  /** The server refused the credentials. True: another try with new ones is worth it. */
  renew(): boolean
}

type Environment = Record<string, string | undefined>

/** Reads the environment and no arguments, which every user of the machine can read. */
export function readCredentials(environment: Environment, baseUrl: string): Credentials {
  const {
    PARLEY_API_KEY: apiKey,
    PARLEY_API_SECRET: apiSecret,
    PARLEY_CLIENT_ID: clientId,
    PARLEY_CLIENT_SECRET: clientSecret,
    PARLEY_TOKEN: token,
  } = environment
  if (apiKey && apiSecret) return staticKey(apiKey, apiSecret)
  if (clientId && clientSecret) return clientCredentials(baseUrl, clientId, clientSecret)
  if (token) return { headersFor: async () => bearer(token), renew: () => false }
  throw new UsageError(
    'The credentials of a bot are missing: set PARLEY_CLIENT_ID and PARLEY_CLIENT_SECRET, or PARLEY_API_KEY and PARLEY_API_SECRET, or PARLEY_TOKEN.',
  )
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

/** Signs by version 2, which every bot accepts. */
function staticKey(apiKey: string, apiSecret: string): Credentials {
  return {
    async headersFor(target, body) {
      const [timestamp, nonce] = [String(Date.now()), randomUUID()]
      const text = signedText({ method: 'POST', target, timestamp, nonce }, sha256(body).toString('hex'))
      return {
        ...bearer(apiKey),
        'x-timestamp': timestamp,
        'x-nonce': nonce,
        'x-signature-version': '2',
        'x-signature': createHmac('sha256', apiSecret).update(text).digest('hex'),
      }
    },
    renew: () => false,
  }
}

function clientCredentials(baseUrl: string, clientId: string, clientSecret: string): Credentials {
  let token: Promise<{ text: string; until: number }> | undefined

  async function request() {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const asked = Date.now()
    const response = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'error',
    })
    const {
      access_token: text,
      expires_in: seconds,
      error_description: reason,
    } = Object(await response.json())
    if (!response.ok) throw new TokenRefused(`no token: ${reason}`)
    return { text: String(text), until: asked + Number(seconds) * 1000 }
  }

  return {
    async headersFor() {
      const known = await token?.catch(() => undefined)
      if (!known || known.until - TOKEN_MARGIN_MS < Date.now()) token = request()
      const { text } = (await token) ?? { text: '' }
      return bearer(text)
    },
    renew() {
      token = undefined
      return true
    },
  }
}

/** The server refuses a token for these credentials; a retry is useless. */
export class TokenRefused extends Error {}
