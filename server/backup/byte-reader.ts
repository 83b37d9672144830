/** The backup differs from what was written. */
export class DamagedBackup extends Error {
  override name = 'DamagedBackup'
}

/** Takes bytes in the portions that are asked for from a source that gives them in its own. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns exactly `count` bytes; throws if there are fewer. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = count; missing > 0; ) {
      const part = await this.takeUpTo(missing)
      parts.push(part)
      missing -= part.length
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  }

  /** Returns 1 to `count` bytes; throws if there are none. */
  async takeUpTo(count: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) throw new DamagedBackup('it ends too early')
      this.#rest = value
    }
    const part = this.#rest.subarray(0, count)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  async *rest(): AsyncGenerator<Buffer> {
    if (this.#rest.length > 0) yield this.#rest
    this.#rest = Buffer.alloc(0)
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) yield next.value
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}
