import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The input of an authenticator on a page at `origin`; tests change single parts of it to get them wrong. */
export type Ceremony = {
  origin: string
  /** The host that the authenticator takes itself to be on. */
  rpId?: string
  challenge: string
  /** Whether it checked a finger, a face or a PIN. */
  isUserVerified?: boolean
}

type Proof = Ceremony & { userHandle?: string | undefined }

/** A passkey in software: a key of P-256 that counts how often it was used. */
export class Authenticator {
  readonly id = randomBytes(16)
  counter = 0
  #privateKey: KeyObject
  #publicKey: KeyObject

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    this.#publicKey = publicKey
  }

  /** `navigator.credentials.create()`, as JSON. */
  create(ceremony: Ceremony) {
    const credential = Buffer.concat([Buffer.alloc(16), lengthOf(this.id), this.id, cbor(this.#coseKey())])
    const authData = this.#authenticatorData(ceremony, USER_PRESENT | HAS_CREDENTIAL, credential)
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      ...this.#common(),
      response: {
        clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** `navigator.credentials.get()`, as JSON. */
  get({ userHandle, ...ceremony }: Proof) {
    this.counter += 1
    const authData = this.#authenticatorData(ceremony, USER_PRESENT)
    const data = clientData('webauthn.get', ceremony)
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
    return {
      ...this.#common(),
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
        ...(userHandle !== undefined && { userHandle: Buffer.from(userHandle).toString('base64url') }),
      },
    }
  }

  #common() {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  }

  #authenticatorData(
    { origin, rpId, isUserVerified = true }: Ceremony,
    flags: number,
    credential = Buffer.alloc(0),
  ): Buffer {
    const host = createHash('sha256')
      .update(rpId ?? new URL(origin).hostname)
      .digest()
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([
      host,
      Buffer.from([isUserVerified ? flags | USER_VERIFIED : flags]),
      counter,
      credential,
    ])
  }

  #coseKey(): Map<number, unknown> {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return new Map<number, unknown>([
      [1, 2], // kty: EC2
      [3, -7], // alg: ES256
      [-1, 1], // crv: P-256
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
  }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const clientData = (type: string, { challenge, origin }: Ceremony): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const lengthOf = (bytes: Buffer): Buffer => Buffer.from([bytes.length >> 8, bytes.length & 0xff])

/** The part of CBOR that an attestation needs: small integers, bytes, texts and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
  throw new Error(`no CBOR for ${typeof value}`)
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size])
  if (size < 256) return Buffer.from([(kind << 5) | 24, size])
  return Buffer.from([(kind << 5) | 25, size >> 8, size & 0xff])
}
