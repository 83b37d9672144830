import type { Database, Queryable } from './db/database.ts'
import { crossing, join, literal, type Sql, sql } from './db/sql.ts'
import { Worker, type WorkerParts } from './worker.ts'

/** The condition under which a worker has something to do by this time. */
export type IsDue = (until: number) => Sql

type Watched = { isDue: IsDue; due(): void }

const LOOK_MS = 1000

/**
 * Asks the database once a second, in one statement, for which workers something is due, and wakes those. So a server with nothing to do
 * asks one question a second, however many kinds of work there are. What becomes due before the next look counts as well: its worker
 * knows the exact time.
 */
export class Lookout {
  readonly #db: Database
  readonly #clock: () => number
  readonly #watched = new Set<Watched>()
  readonly #worker: Worker | undefined

  constructor(parts: WorkerParts & { db: Database }) {
    this.#db = parts.db
    this.#clock = parts.clock
    // A cluster plans one statement over many tables of several machines as many: each worker looks by itself there.
    if (!parts.db.isSpread) this.#worker = new Worker('lookout', parts, LOOK_MS, () => this.#look())
  }

  /** Whether workers may rely on it. After a failed look each looks by itself. */
  get isOn(): boolean {
    return this.#worker?.state.failuresInARow === 0
  }

  /** Calls `due` after each look that finds something for it. Returns what ends that. */
  watch(watched: Watched): () => void {
    this.#watched.add(watched)
    return () => this.#watched.delete(watched)
  }

  async stop(): Promise<void> {
    await this.#worker?.stop()
  }

  async #look(): Promise<void> {
    const all = [...this.#watched]
    if (all.length === 0) return
    try {
      const found = await findDue(this.#db, all, this.#clock() + LOOK_MS)
      for (const watched of found) watched.due()
    } catch (error) {
      for (const watched of all) watched.due()
      throw error
    }
  }
}

/** Asks for all of them in one statement; returns those for which something is due. */
export async function findDue<One extends { isDue: IsDue }>(
  db: Queryable,
  all: readonly One[],
  until: number,
): Promise<One[]> {
  const cases = all.map(({ isDue }, index) => sql`case when ${isDue(until)} then ${literal(index)} end`)
  const [row] = await db.query<{ due: number[] }>(sql`
    ${crossing('what is due is looked for in all organizations')}
    select array_remove(array[${join(cases, sql`, `)}], null) as due`)
  return all.filter((_, index) => row?.due.includes(index))
}
