import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

const CLIENT_ID = 'parley'
const CLIENT_SECRET = 'a secret of the provider'

type Code = { nonce: string; challenge: string; redirectUri: string }

/** A small provider of OpenID Connect: discovery, authorization, tokens and keys, on loopback. */
export type IdentityProvider = {
  url: string
  clientId: string
  clientSecret: string
  /** The person who is signed in there; a test sets the claims that the next ID token holds. */
  claims: JWTPayload
  /** Claims that are only given on request. */
  userInfo: Record<string, unknown> | undefined
  /** The key that signs ID tokens. */
  signWith: 'own key' | 'another key'
  /** Acts as a browser that was sent to `location`: signs in, and is sent back to the address that this gives. */
  visit(location: string): Promise<URL>
  close(): Promise<void>
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const [own, another] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  const jwk = await exportJWK(own.publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const codes = new Map<string, Code>()

  const provider: IdentityProvider = {
    url: '',
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    claims: {},
    userInfo: undefined,
    signWith: 'own key',
    async visit(location) {
      const response = await fetch(location, { redirect: 'manual' })
      const back = response.headers.get('location')
      if (!back) throw new Error(`the provider answered ${response.status} ${await response.text()}`)
      return new URL(back)
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }

  const routes: Record<string, (request: IncomingMessage, url: URL, response: ServerResponse) => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: provider.url,
      authorization_endpoint: `${provider.url}/authorize`,
      token_endpoint: `${provider.url}/token`,
      jwks_uri: `${provider.url}/keys`,
      ...(provider.userInfo && { userinfo_endpoint: `${provider.url}/userinfo` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
    }),
    '/keys': () => ({ keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] }),
    '/userinfo': () => provider.userInfo,
    '/authorize': (_request, { searchParams: asked }, response) => {
      const redirectUri = asked.get('redirect_uri') ?? ''
      const challenge = asked.get('code_challenge') ?? ''
      const isRight =
        asked.get('client_id') === CLIENT_ID &&
        asked.get('response_type') === 'code' &&
        asked.get('code_challenge_method') === 'S256' &&
        challenge !== ''
      if (!isRight) throw new Error(`not an authorization request: ${asked}`)
      const code = randomUUID()
      codes.set(code, { nonce: asked.get('nonce') ?? '', challenge, redirectUri })
      const back = new URL(redirectUri)
      back.search = String(new URLSearchParams({ code, state: asked.get('state') ?? '' }))
      response.writeHead(302, { location: back.href }).end()
      return undefined
    },
    '/token': async (request) => {
      const form = new URLSearchParams(await text(request))
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const verifier = new TextEncoder().encode(form.get('code_verifier') ?? '')
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', verifier)).toString('base64url')
      const isRight =
        code?.challenge === digest &&
        code.redirectUri === form.get('redirect_uri') &&
        form.get('client_secret') === CLIENT_SECRET
      if (!isRight) throw new Error('not a token request')
      const now = Math.floor(Date.now() / 1000)
      const payload = { iss: provider.url, aud: CLIENT_ID, nonce: code.nonce, iat: now, exp: now + 60 }
      const { privateKey } = provider.signWith === 'own key' ? own : another
      const idToken = await new SignJWT({ ...payload, ...provider.claims })
        .setProtectedHeader({ alg: 'ES256', kid })
        .sign(privateKey)
      return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: idToken }
    },
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', provider.url)
    try {
      const body = await routes[url.pathname]?.(request, url, response)
      if (body !== undefined)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      else if (!response.writableEnded) response.writeHead(404).end()
    } catch (error) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'invalid_request', error_description: String(error) }))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  provider.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return provider
}
