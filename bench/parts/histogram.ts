/** Microseconds below this have a bucket each; above, each doubling has half as many: never more than 1.6 % off. */
const EXACT = 128
const HALF = EXACT / 2
const DOUBLINGS = 25

export type Latency = { p50: number; p99: number; max: number }

/** Latencies in little memory, however many: log-linear buckets, like those of HdrHistogram. */
export class Histogram {
  #buckets = new Uint32Array(EXACT + DOUBLINGS * HALF)
  #count = 0
  #max = 0

  record(milliseconds: number): void {
    const value = Math.max(0, Math.min(Math.round(milliseconds * 1000), 2 ** 31 - 1))
    const bucket = bucketOf(value)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
    this.#count += 1
    if (value > this.#max) this.#max = value
  }

  get count(): number {
    return this.#count
  }

  /** Returns milliseconds: the upper edge of the bucket, so that rounding never flatters. */
  percentile(share: number): number {
    const rank = Math.ceil(share * this.#count)
    let seen = 0
    for (const [bucket, count] of this.#buckets.entries()) {
      seen += count
      if (seen >= rank && seen > 0) return Math.min(upperEdge(bucket), this.#max) / 1000
    }
    return 0
  }

  summary(): Latency {
    return { p50: this.percentile(0.5), p99: this.percentile(0.99), max: this.#max / 1000 }
  }
}

export function latencyOf(milliseconds: Iterable<number>): Latency {
  const histogram = new Histogram()
  for (const value of milliseconds) histogram.record(value)
  return histogram.summary()
}

function bucketOf(value: number): number {
  if (value < EXACT) return value
  const shift = 25 - Math.clz32(value)
  return EXACT + (shift - 1) * HALF + (value >>> shift) - HALF
}

function upperEdge(bucket: number): number {
  if (bucket < EXACT) return bucket
  const beyond = bucket - EXACT
  const shift = Math.floor(beyond / HALF) + 1
  return ((beyond % HALF) + HALF + 1) * 2 ** shift - 1
}
