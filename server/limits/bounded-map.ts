/** Memory of an entry besides its name and its value: a slot in the map, and the object around the value. */
const ENTRY_BYTES = 150

/**
 * A map that callers can fill, and that is therefore bounded by entries and bytes: the oldest entries are dropped.
 * Names count two bytes a character, the most that they take.
 */
export class BoundedMap<Value> {
  #bounds: { entries: number; bytes: number }
  #sizeOf: (value: Value) => number
  /** Entries, the oldest first. */
  #entries = new Map<string, { value: Value; bytes: number }>()
  #bytes = 0

  constructor(bounds: { entries: number; bytes: number }, sizeOf: (value: Value) => number) {
    this.#bounds = bounds
    this.#sizeOf = sizeOf
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name)?.value
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** A value too large for the whole map is not kept. */
  set(name: string, value: Value): void {
    this.delete(name)
    const bytes = ENTRY_BYTES + 2 * name.length + this.#sizeOf(value)
    if (bytes > this.#bounds.bytes) return
    this.#entries.set(name, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#bounds.entries && this.#bytes <= this.#bounds.bytes) return
      this.delete(oldest)
    }
  }

  delete(name: string): void {
    const entry = this.#entries.get(name)
    if (!entry) return
    this.#entries.delete(name)
    this.#bytes -= entry.bytes
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  *[Symbol.iterator](): IterableIterator<[string, Value]> {
    for (const [name, { value }] of this.#entries) yield [name, value]
  }
}
