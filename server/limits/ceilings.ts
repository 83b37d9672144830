/** A limit that any number of callers together can reach, as `/metrics` shows it. */
export class Ceiling {
  readonly name: string
  /** 0 means no limit. */
  readonly limit: number
  readonly used: () => number
  /** Refused or dropped items. */
  refusals = 0

  constructor(name: string, limit: number, used: () => number) {
    this.name = name
    this.limit = limit
    this.used = used
  }

  /** Whether `count` has reached the limit. 0 means no limit. */
  isReachedBy(count: number): boolean {
    return this.limit > 0 && count >= this.limit
  }
}

export class Ceilings {
  readonly all: Ceiling[] = []

  add(name: string, limit: number, used: () => number): Ceiling {
    const ceiling = new Ceiling(name, limit, used)
    this.all.push(ceiling)
    return ceiling
  }
}

/** Changes a count; a count of 0 is not kept. */
export function addTo(counts: Map<string, number>, name: string, more: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + more
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}

export function largest(counts: Iterable<number>): number {
  let most = 0
  for (const count of counts) most = Math.max(most, count)
  return most
}
