import { createHmac } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An authenticator app, as others write it: from the secret in base32 to the code of a moment. */
export class AuthenticatorApp {
  #key: Buffer

  constructor(secret: string) {
    const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
    this.#key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  /** `offset` counts half minutes before or after. */
  code(now: number, offset = 0): string {
    const counter = Buffer.alloc(8)
    counter.writeUIntBE(Math.floor(now / 30_000) + offset, 2, 6)
    const digest = createHmac('sha1', this.#key).update(counter).digest()
    const place = (digest[19] ?? 0) & 15
    return String((digest.readUInt32BE(place) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  }
}
