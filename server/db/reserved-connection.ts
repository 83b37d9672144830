import type pg from 'pg'
import type { Queryable, Row } from './database.ts'
import { type Running, run } from './run.ts'
import type { Sql } from './sql.ts'

/**
 * A connection that the pool lends to no one else, so that its user never waits for one. Each statement is its own
 * transaction. A broken connection fails the running statements, and the next statement opens another.
 */
export class ReservedConnection implements Queryable {
  #pool: pg.Pool
  #running: Running
  #client: Promise<pg.PoolClient> | undefined

  constructor(pool: pg.Pool, running: Running) {
    this.#pool = pool
    this.#running = running
  }

  async query<R extends Row>(query: Sql): Promise<R[]> {
    return run<R>(await this.#connect(), query, this.#running)
  }

  get isSpread(): boolean {
    return this.#running.isSpread
  }

  #connect(): Promise<pg.PoolClient> {
    if (this.#client) return this.#client
    const connecting = this.#pool.connect()
    this.#client = connecting
    const forget = (client?: pg.PoolClient) => {
      if (this.#client !== connecting) return
      this.#client = undefined
      client?.release(true)
    }
    connecting.then(
      (client) => client.once('error', () => forget(client)).once('end', () => forget(client)),
      () => forget(),
    )
    return connecting
  }

  /** Gives the connection back, so that the pool can end. */
  async close(): Promise<void> {
    const connecting = this.#client
    this.#client = undefined
    const client = await connecting?.catch(() => undefined)
    client?.release(true)
  }
}
