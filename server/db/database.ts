import pg from 'pg'
import { type Sql, toStatement } from './sql.ts'
import { type Commit, OpenTransaction, type Transaction } from './transaction.ts'
import { Turns } from './turns.ts'

export type Row = pg.QueryResultRow

/** Anything that answers queries: the pool for reads, a transaction for writes. */
export type Queryable = { query<R extends Row>(query: Sql): Promise<R[]> }

/** Times and counters are bigint columns and stay below 2^53; ticks are read as text where they matter. */
const INT8 = 20
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
}

/** Errors after which the same transaction may well succeed: serialization failure, deadlock. */
const TRANSIENT = new Set(['40001', '40P01'])
const MAX_TRIES = 3

export type Clock = () => number

export class Database implements Queryable {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly config: pg.ClientConfig
  /** Called after each commit that wrote events. */
  onCommit: (commit: Commit) => void = () => {}
  #turns = new Turns()

  constructor(config: pg.ClientConfig & { max?: number }, clock: Clock = Date.now) {
    this.clock = clock
    this.config = { ...config, types }
    this.pool = new pg.Pool({ application_name: 'parley', max: 10, ...this.config })
    // A connection that breaks (the database restarts) fails the query that uses it, and is replaced by the next
    // one. Without a listener the same news, told between two queries, would end the process.
    this.pool.on('error', () => {})
    this.pool.on('connect', (client) => client.on('error', () => {}))
  }

  async query<R extends Row>(query: Sql): Promise<R[]> {
    return (await this.pool.query<R>(toStatement(query))).rows
  }

  /**
   * A transaction inside one organization; others that write there wait. Those of this node wait here, without a
   * connection, so that a crowd of writers in one organization leaves the pool to everybody else.
   */
  write<Result>(orgId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#turns.take(orgId, () => this.writeOutside(async (open) => work(await open.enter(orgId))))
  }

  /** A transaction that begins outside of any organization and may enter one. */
  async writeOutside<Result>(work: (tx: OpenTransaction) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const open = new OpenTransaction(client, this.clock)
        const result = await work(open)
        for (const tx of open.entered) await tx.finish()
        await client.query('commit')
        for (const tx of open.entered) if (tx.commit) this.onCommit(tx.commit)
        return result
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
        if (attempt >= MAX_TRIES || !TRANSIENT.has(sqlState(error))) throw error
      } finally {
        client.release(broken)
      }
    }
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Whether an error is the violation of this unique index or constraint. */
export function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint
}
