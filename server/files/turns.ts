/** Lets pieces of work with the same name run one after the other, in the order in which they came. */
export class Turns {
  #last = new Map<string, Promise<unknown>>()

  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name)
    const mine = before ? before.then(work, work) : work()
    this.#last.set(name, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name)
    }
  }
}
