type Waiting<Item, Result> = {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** What became of one item of a group: its result, or why it alone failed. */
export type Outcome<Result> = { result: Result } | { error: unknown }

/**
 * Groups pieces of work of the same name: what comes while a group is under way waits and goes together into the next.
 * Nothing waits for company, so work that comes alone is done at once.
 */
export class Groups<Item, Result> {
  #perform: (name: string, items: Item[]) => Promise<Outcome<Result>[]>
  #limit: number
  #waiting = new Map<string, Waiting<Item, Result>[]>()

  constructor(limit: number, perform: (name: string, items: Item[]) => Promise<Outcome<Result>[]>) {
    this.#limit = limit
    this.#perform = perform
  }

  add(name: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(name)
      if (waiting) {
        waiting.push({ item, resolve, reject })
        return
      }
      this.#waiting.set(name, [{ item, resolve, reject }])
      void this.#run(name)
    })
  }

  async #run(name: string): Promise<void> {
    for (;;) {
      const group = this.#waiting.get(name)?.splice(0, this.#limit) ?? []
      if (group.length === 0) break
      const outcomes = await this.#outcomesOf(name, group)
      // Later, so that the next group is on its way to the database before this one is answered: both have work then.
      setImmediate(settle, group, outcomes)
    }
    this.#waiting.delete(name)
  }

  async #outcomesOf(name: string, group: readonly Waiting<Item, Result>[]): Promise<Outcome<Result>[]> {
    try {
      return await this.#perform(
        name,
        group.map(({ item }) => item),
      )
    } catch (error) {
      return group.map(() => ({ error }))
    }
  }
}

function settle<Result>(
  group: readonly Waiting<unknown, Result>[],
  outcomes: readonly Outcome<Result>[],
): void {
  group.forEach(({ resolve, reject }, index) => {
    const outcome = outcomes[index] ?? { error: new Error('a group must answer each of its items') }
    if ('result' in outcome) resolve(outcome.result)
    else reject(outcome.error)
  })
}
