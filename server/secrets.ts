import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { sha256 } from './ids.ts'

/** Format without the key's id, used before keys could be changed. */
const PLAIN = 1
/** Format with the key's id after the version. */
const MARKED = 2
const ID_BYTES = 4
const IV_BYTES = 12
const TAG_BYTES = 16
/** The bytes before the 32 of an Ed25519 key in PKCS #8. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs what others can check without knowing a secret: its public half is for everybody. */
export type KeyPair = { id: string; privateKey: KeyObject; publicKey: KeyObject }

function keyPairOf(seed: Buffer): KeyPair {
  const der = Buffer.concat([ED25519_HEAD, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const bytes = publicKey.export({ format: 'der', type: 'spki' })
  return { id: sha256(bytes).toString('base64url').slice(0, 16), privateKey, publicKey }
}

const derive = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, 32))

const fingerprintBytes = (secretKey: string): Buffer => sha256(derive(secretKey, 'fingerprint'))

/** Identifies a key without revealing it. */
export const fingerprintOf = (secretKey: string): string =>
  fingerprintBytes(secretKey).toString('hex').slice(0, 16)

/** Keys for each purpose, derived from one secret. */
class MasterKey {
  readonly fingerprint: string
  readonly tokenKey: Buffer
  readonly tokenPair: KeyPair
  readonly boxKey: Buffer
  readonly signKey: Buffer
  /** The first bytes of every value encrypted with it. */
  readonly mark: Buffer

  constructor(secretKey: string) {
    this.tokenKey = derive(secretKey, 'access tokens')
    this.tokenPair = keyPairOf(derive(secretKey, 'access tokens, key pair'))
    this.boxKey = derive(secretKey, 'secrets at rest')
    this.signKey = derive(secretKey, 'cursors and links')
    this.fingerprint = fingerprintOf(secretKey)
    this.mark = Buffer.concat([Buffer.from([MARKED]), fingerprintBytes(secretKey).subarray(0, ID_BYTES)])
  }
}

/** The current key and the former one, which the database gives to all nodes. */
export type KeyUse = {
  current: string
  /** The former key while it is being replaced, and the time since when it makes nothing new. */
  retired?: { fingerprint: string; at: number }
  /** Whether values name their key: from the first change of keys on, so that the version before can read them until then. */
  marksValues: boolean
}

/**
 * The keys that encrypt and sign the secrets of this installation. Keys are not in the database. There may be two: while one
 * replaces the other, new things are made with the current one, and both are understood.
 */
export class Secrets {
  #keys: MasterKey[] = []
  #use: KeyUse

  /** The first key is the current one until `use` names another. */
  constructor(...secretKeys: [string, ...string[]]) {
    this.know(secretKeys)
    this.#use = { current: fingerprintOf(secretKeys[0]), marksValues: false }
  }

  know(secretKeys: readonly string[]): void {
    const known = new Map(this.#keys.map((key) => [key.fingerprint, key]))
    this.#keys = secretKeys.map((key) => known.get(fingerprintOf(key)) ?? new MasterKey(key))
  }

  use(use: KeyUse): void {
    this.#use = use
  }

  get fingerprints(): string[] {
    return this.#keys.map(({ fingerprint }) => fingerprint)
  }

  get fingerprint(): string {
    return this.#use.current
  }

  get tokenKey(): Buffer {
    return this.#current.tokenKey
  }

  get tokenPair(): KeyPair {
    return this.#current.tokenPair
  }

  /** Keys of tokens that live for `lifetimeMs`, and until when each counts: the former one until its last token ends. */
  tokenKeys(now: number, lifetimeMs: number): { tokenKey: Buffer; tokenPair: KeyPair; until: number }[] {
    const { retired } = this.#use
    return this.#accepted(now - lifetimeMs).map(({ fingerprint, tokenKey, tokenPair }) => ({
      tokenKey,
      tokenPair,
      until: fingerprint === retired?.fingerprint ? retired.at + lifetimeMs : Number.POSITIVE_INFINITY,
    }))
  }

  /** The first bytes of values encrypted with the current key. */
  get mark(): Buffer {
    return this.#current.mark
  }

  get #current(): MasterKey {
    const key = this.#keys.find(({ fingerprint }) => fingerprint === this.#use.current)
    if (!key) throw new Error('the current secret key is not known here')
    return key
  }

  /** Keys that may have signed what is shown to us; the former one only if it was in use after `retiredAfter`. */
  #accepted(retiredAfter: number): MasterKey[] {
    const { retired } = this.#use
    return this.#keys.filter(
      ({ fingerprint }) => fingerprint !== retired?.fingerprint || retired.at >= retiredAfter,
    )
  }

  /** Encrypts; `context` (such as the bot's id) must be the same to decrypt, so a value cannot be moved elsewhere. */
  encrypt(plain: string | Buffer, context: string): Buffer {
    const { boxKey, mark } = this.#current
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', boxKey, iv).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    const head = this.#use.marksValues ? mark : Buffer.from([PLAIN])
    return Buffer.concat([head, iv, cipher.getAuthTag(), sealed])
  }

  decrypt(box: Buffer, context: string): Buffer {
    if (box[0] === MARKED) {
      const key = this.#keys.find(({ mark }) => box.subarray(0, mark.length).equals(mark))
      if (!key) throw new Error('a value is encrypted with a secret key that is not known here')
      return open(box.subarray(key.mark.length), key, context)
    }
    if (box[0] !== PLAIN) throw new Error('unknown version of an encrypted value')
    // The value does not name its key, and opens only with the right one.
    const keys = [...this.#keys]
    for (let key = keys.shift(); key; key = keys.shift()) {
      try {
        return open(box.subarray(1), key, context)
      } catch (error) {
        if (keys.length === 0) throw error
      }
    }
    throw new Error('there is no secret key')
  }

  /** Signs a text that a caller carries for us; the signature is bound to what it is for. */
  sign(purpose: string, text: string): string {
    return signWith(this.#current, purpose, text)
  }

  /** `length`: of a signature that was cut. `retiredAfter`: see `KeyUse`; by default the former key counts while it is known. */
  isSigned(
    purpose: string,
    text: string,
    signature: string,
    { retiredAfter = 0, length }: { retiredAfter?: number; length?: number } = {},
  ): boolean {
    return this.#accepted(retiredAfter).some((key) =>
      equalInConstantTime(signature, signWith(key, purpose, text).slice(0, length)),
    )
  }
}

const signWith = ({ signKey }: MasterKey, purpose: string, text: string): string =>
  createHmac('sha256', signKey).update(`${purpose}\n${text}`).digest('base64url')

function open(box: Buffer, { boxKey }: MasterKey, context: string): Buffer {
  const tag = box.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', boxKey, box.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(box.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}

/** Compares hashes of both, so that neither the place of a difference nor a length shows in the time taken. */
export function equalInConstantTime(one: string | Buffer, other: string | Buffer): boolean {
  return timingSafeEqual(sha256(one), sha256(other))
}
