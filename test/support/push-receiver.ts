import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './receiver.ts'

/** A push as its service worker would get it: decrypted, with its sender checked. */
export type Pushed = {
  headers: IncomingHttpHeaders
  /** The push as the service received it. */
  raw: Buffer
  content: { kind: 'show' | 'close' } & Record<string, unknown>
  token: { aud: string; exp: number; sub: string }
  path: string
}

export type TestBrowser = {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Received pushes, the oldest first. */
  pushed: Pushed[]
  has(count: number): Promise<Pushed[]>
  shown(): unknown[]
}

export type PushService = {
  url: string
  /** A new, subscribed browser. */
  browser(): TestBrowser
  /** Statuses of the next answers, one each; 201 by default. */
  script(...statuses: number[]): void
  requests: number
  close(): Promise<void>
}

/** A push service on loopback with its browsers: it accepts pushes, and they decrypt them. */
export async function startPushService(serverKey: () => string): Promise<PushService> {
  const browsers = new Map<string, { browser: TestBrowser; open(body: Buffer): string }>()
  const script: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    service.requests += 1
    const status = script.shift() ?? 201
    const addressed = browsers.get(request.url ?? '')
    response.writeHead(addressed ? status : 404).end()
    if (!addressed || status !== 201) return
    const raw = Buffer.concat(chunks)
    addressed.browser.pushed.push({
      headers: request.headers,
      raw,
      content: JSON.parse(addressed.open(raw)),
      token: checkVapid(String(request.headers.authorization), serverKey()),
      path: request.url ?? '',
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service: PushService = {
    url,
    requests: 0,
    script: (...statuses) => script.push(...statuses),
    browser() {
      const { keys, open } = browserKeys()
      const path = `/send/${randomBytes(12).toString('hex')}`
      const browser: TestBrowser = {
        subscription: { endpoint: url + path, keys },
        pushed: [],
        async has(count) {
          await until(
            () => browser.pushed.length >= count,
            () => `${browser.pushed.length} of ${count} push messages`,
          )
          return browser.pushed
        },
        shown: () =>
          browser.pushed
            .filter(({ content }) => content.kind === 'show')
            .map(({ content }) => content.messageId),
      }
      browsers.set(path, { browser, open })
      return browser
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

/** The keys of a browser, and what it does with a message (RFC 8291, from the receiving side). */
function browserKeys() {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  const open = (body: Buffer): string => {
    const salt = body.subarray(0, 16)
    const keyLength = body.readUInt8(20)
    const senderKey = body.subarray(21, 21 + keyLength)
    const sealed = body.subarray(21 + keyLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
    const secret = hkdf(pair.computeSecret(senderKey), auth, info, 32)
    const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    if (plain.at(-1) !== 2) throw new Error('the record does not end')
    return plain.subarray(0, -1).toString()
  }
  const keys = { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') }
  return { keys, open }
}

/** Checks the token as a push service does (RFC 8292): it is signed with the key of the subscription. */
function checkVapid(header: string, serverKey: string): Pushed['token'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  if (key !== serverKey) throw new Error('another key than the one that was subscribed with')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the token is not signed with this key')
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
