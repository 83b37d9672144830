/** The result of one item of a group, or its own failure. */
export type Settled<Result> = { result: Result } | { error: unknown }

/** Performs items of one kind together, and returns results in their order. */
export type Perform<Item, Result> = (name: string, items: Item[]) => Promise<Settled<Result>[]>

type Waiting = {
  // Each item is handed only to the function that it came with, and its settled only to who brought it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  perform: Perform<any, any>
  item: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Lets pieces of work of the same name run one after the other, in the order in which they came, and groups them: those of
 * one kind that follow each other, and that waited while others were under way, are done together. Nothing waits for company,
 * so work that comes alone is done at once.
 */
export class Groups {
  #limit: number
  #waiting = new Map<string, Waiting[]>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Groups items that have the same `perform`. */
  add<Item, Result>(name: string, perform: Perform<Item, Result>, item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting = this.#waiting.get(name)
      // `perform` returns a Result for this item.
      const entry: Waiting = { perform, item, resolve: (result) => resolve(result as Result), reject }
      if (waiting) {
        waiting.push(entry)
        return
      }
      this.#waiting.set(name, [entry])
      void this.#run(name)
    })
  }

  async #run(name: string): Promise<void> {
    for (;;) {
      const group = this.#next(name)
      const [first] = group
      if (!first) break
      const settled = await settleAll(name, first, group)
      // Answers after the next group was sent, so that database and server work at the same time (as in
      // `MessageWriter`).
      process.nextTick(settle, group, settled)
    }
    this.#waiting.delete(name)
  }

  #next(name: string): Waiting[] {
    const waiting = this.#waiting.get(name) ?? []
    const perform = waiting[0]?.perform
    const other = waiting.findIndex((entry) => entry.perform !== perform)
    return waiting.splice(0, Math.min(this.#limit, other === -1 ? waiting.length : other))
  }
}

async function settleAll(
  name: string,
  { perform }: Waiting,
  group: readonly Waiting[],
): Promise<Settled<unknown>[]> {
  try {
    return await perform(
      name,
      group.map(({ item }) => item),
    )
  } catch (error) {
    return group.map(() => ({ error }))
  }
}

function settle(group: readonly Waiting[], all: readonly Settled<unknown>[]): void {
  group.forEach(({ resolve, reject }, index) => {
    const settled = all[index] ?? { error: new Error('a group must answer each of its items') }
    if ('result' in settled) resolve(settled.result)
    else reject(settled.error)
  })
}
