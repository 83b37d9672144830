import pg from 'pg'
import type { Queryable, Row } from './database.ts'
import { type Running, run } from './run.ts'
import type { Sql } from './sql.ts'

/** Milliseconds until a machine that could not be reached is tried again. */
const UNREACHED_MS = 10_000

type Pools = {
  /** Connections straight to the machine; undefined where a pooler stands between. */
  own: pg.Pool | undefined
  /** Connections to the coordinator, which hands on what the machine is to do. */
  coordinator: pg.Pool
}

/**
 * The connections of the message writer to one machine of a cluster, so that a slow one keeps none of another's. What is written goes straight
 * to the machine, and through the coordinator while the node cannot reach it: only what was not sent yet is sent another way.
 */
export class MachineWriters implements Queryable {
  readonly isSpread = true
  readonly #pools: Pools
  readonly #running: Running
  #unreachedUntil = 0

  constructor(pools: Pools, running: Running) {
    this.#pools = pools
    this.#running = running
  }

  async query<R extends Row>(query: Sql): Promise<R[]> {
    const client = await this.#connect()
    if (!client) return run<R>(this.#pools.coordinator, query, this.#running)
    let broken: Error | undefined
    try {
      return await run<R>(client, query, this.#running)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError))
        broken = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      client.release(broken)
    }
  }

  async #connect(): Promise<pg.PoolClient | undefined> {
    const { own } = this.#pools
    if (!own || performance.now() < this.#unreachedUntil) return undefined
    try {
      return await own.connect()
    } catch {
      this.#unreachedUntil = performance.now() + UNREACHED_MS
      return undefined
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pools.own?.end(), this.#pools.coordinator.end()])
  }
}
