import type { DuePlace, DueRange } from '../db/due-range.ts'
import type { NoteFailure } from '../worker.ts'

/** Options of work that goes on in rounds as long as the server runs. */
export type DueOptions = { rounds?: DueRounds; noteFailure?: NoteFailure }

type Page<Due> = {
  now: number
  limit: number
  list(range: DueRange, limit: number): Promise<Due[]>
  /** Does a step of each of a page; returns whether one of them has more to do at once. */
  serve(page: readonly Due[]): Promise<boolean>
}

/**
 * Goes through everything that was due when the round began, page by page, and then begins again. So each has its turn, however many
 * there are, and one that stays due (because it is large, or fails and cannot even be put off) holds no place of a page.
 */
export class DueRounds {
  /** The time of the round; later items are not in it. */
  until = 0
  #after: DuePlace | undefined
  #isMore = false

  /** Serves the next page; returns whether there is more to do at once. */
  async serveNext<Due extends DuePlace>({ now, limit, list, serve }: Page<Due>): Promise<boolean> {
    if (this.#after === undefined) this.until = now
    const page = await list({ until: this.until, after: this.#after }, limit)
    const isEnd = page.length < limit
    this.#after = isEnd ? undefined : page.at(-1)
    const isMore = (page.length > 0 && (await serve(page))) || this.#isMore
    this.#isMore = !isEnd && isMore
    return isMore || !isEnd
  }
}
