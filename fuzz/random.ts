/**
 * Pseudo-random numbers, equal for equal seeds. Each request has its own source, made from the seed and its number, so
 * that it does not depend on earlier requests.
 */
export class Random {
  #state: number

  constructor(...seeds: number[]) {
    this.#state = seeds.reduce((state, seed) => scramble(state ^ scramble(seed)), 0x9e3779b9)
  }

  /** Returns an integer from 0 to 2³² - 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    return scramble(this.#state)
  }

  /** Returns a number from 0 inclusive to 1 exclusive. */
  fraction(): number {
    return this.next() / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  integer(minimum: number, maximum: number): number {
    return minimum + Math.floor(this.fraction() * (maximum - minimum + 1))
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.next() % Math.max(items.length, 1)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  maybePick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.next() % Math.max(items.length, 1)]
  }

  /** A UUID of version 4 that no row has. */
  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.next().toString(16).padStart(8, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}

/** The finalizer of MurmurHash3: every bit of the input moves half of the bits of the result. */
function scramble(value: number): number {
  let mixed = value | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
