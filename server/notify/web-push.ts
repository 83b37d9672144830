import { createCipheriv, createECDH, createHmac, hkdfSync, randomBytes, sign } from 'node:crypto'
import type { PushSubscription } from '../../contract/people/notifications.ts'
import type { PushKey } from '../keys/push-keys.ts'

/** The text fits one record: push services take at most 4096 bytes. */
const RECORD_BYTES = 4096
const TOKEN_SECONDS = 12 * 3600

type Keys = PushSubscription['keys']
/** Set by a test that compares with the standard's example. */
type Chosen = { salt: Buffer; privateKey: Buffer }

/** Encrypts for a browser alone, as RFC 8291 says (`aes128gcm`): the push service carries it and cannot read it. */
export function encryptForBrowser(text: string, { p256dh, auth }: Keys, chosen?: Chosen): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url')
  const pair = createECDH('prime256v1')
  if (chosen) pair.setPrivateKey(chosen.privateKey)
  else pair.generateKeys()
  const ownKey = pair.getPublicKey()
  const salt = chosen?.salt ?? randomBytes(16)
  const secret = hkdf(
    pair.computeSecret(browserKey),
    Buffer.from(auth, 'base64url'),
    Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey]),
    32,
  )
  const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // A 2 marks the end of the only record.
  const plain = Buffer.concat([Buffer.from(text), Buffer.from([2])])
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head.writeUInt8(ownKey.length, 4)
  const body = Buffer.concat([salt, head, ownKey, sealed])
  if (body.length > RECORD_BYTES) throw new Error('a push message is too long')
  return body
}

function hkdf(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

/** Says who sends it, as RFC 8292 does: a token for this push service alone, and the key that it can be checked with. */
export function vapidHeader(
  { publicKey, privateKey }: PushKey,
  endpoint: URL,
  { contact, now }: { contact: string; now: number },
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: endpoint.origin, exp: Math.floor(now / 1000) + TOKEN_SECONDS, sub: contact }
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
}

/** Names a conversation to the push service without telling which: of what a browser has not fetched yet, the newest stays. */
export const pushTopic = (secret: string, topicId: string): string =>
  createHmac('sha256', secret).update(topicId).digest('base64url').slice(0, 32)
