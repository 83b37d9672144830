const FIRST_BYTES = 4096

/**
 * Bytes that come in pieces, in one buffer that grows. Keeping the pieces would cost more than the bytes: each is an object
 * of some hundred bytes, and a sender chooses how small it is.
 */
export class CollectedBytes {
  #buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Allocated memory, up to twice the content. */
  get capacity(): number {
    return this.#buffer.length
  }

  add(piece: Buffer): void {
    const needed = this.#length + piece.length
    if (needed > this.#buffer.length) this.#grow(needed)
    piece.copy(this.#buffer, this.#length)
    this.#length = needed
  }

  /** The collected bytes; later ones do not change it. */
  whole(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, needed, 2 * this.#buffer.length))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
