import pg from 'pg'
import { Groups, type Outcome, type Perform } from './groups.ts'
import { type Sql, toStatement } from './sql.ts'
import { type Commit, type Head, OpenTransaction, readHead, type Transaction } from './transaction.ts'

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
const MAX_HEADS = 10_000

export type Clock = () => number

type Work = (tx: Transaction) => Promise<unknown>

export class Database implements Queryable {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly config: pg.ClientConfig
  /** Called after each commit inside an organization, whether it wrote events or not. */
  onWritten: (orgId: string) => void = () => {}
  /** Called after each commit that wrote events. */
  onCommit: (commit: Commit) => void = () => {}
  #writers: Groups
  #heads = new Map<string, Head>()

  constructor(
    config: pg.ClientConfig & { max?: number },
    clock: Clock = Date.now,
    /** How many writers of an organization that wait for each other share one transaction. */
    groupLimit = 1,
  ) {
    this.#writers = new Groups(groupLimit)
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
   * connection, so that a crowd of writers in one organization leaves the pool to everybody else, and those who waited
   * together are written together. `work` may run more than once; only what its last run did counts.
   */
  write<Result>(orgId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#writers.add(orgId, this.#writeTogether, work) as Promise<Result> // what its own work returned
  }

  /** For what has a way of its own to write many at once: `perform` writes when nobody else of this node does. */
  writeBy<Item, Result>(orgId: string, perform: Perform<Item, Result>, item: Item): Promise<Result> {
    return this.#writers.add(orgId, perform, item)
  }

  /** One commit for all; whoever fails is undone and fails alone. */
  #writeTogether: Perform<Work, unknown> = async (orgId, works) => {
    if (works.length === 1) return this.#writeSingly(orgId, works)
    try {
      return await this.writeOutside(async (open) => {
        const tx = await open.enter(orgId)
        const outcomes: Outcome<unknown>[] = []
        for (const work of works) outcomes.push(await attemptOne(tx, work))
        return outcomes
      })
    } catch (error) {
      if (!TRANSIENT.has(sqlState(error))) throw error
      return this.#writeSingly(orgId, works) // one of them never gets through
    }
  }

  async #writeSingly(orgId: string, works: readonly Work[]): Promise<Outcome<unknown>[]> {
    const outcomes: Outcome<unknown>[] = []
    for (const work of works) {
      outcomes.push(await outcomeOf(this.writeOutside(async (open) => work(await open.enter(orgId)))))
    }
    return outcomes
  }

  /** The state of an organization's log as this node knows it, which others may have moved since. */
  async headOf(orgId: string): Promise<Head> {
    const known = this.#heads.get(orgId)
    if (known) return known
    const head = await this.readHead(orgId)
    this.rememberHead(orgId, head)
    return head
  }

  readHead(orgId: string): Promise<Head> {
    return readHead(this, orgId)
  }

  rememberHead(orgId: string, head: Head): void {
    if (this.#heads.size >= MAX_HEADS) this.#heads.clear()
    this.#heads.set(orgId, head)
  }

  forgetHead(orgId: string): void {
    this.#heads.delete(orgId)
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
        for (const tx of open.entered) {
          if (tx.head) this.rememberHead(tx.orgId, tx.head)
          if (tx.commit) this.onCommit(tx.commit)
          this.onWritten(tx.orgId)
        }
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

async function attemptOne(tx: Transaction, work: Work): Promise<Outcome<unknown>> {
  const outcome = await outcomeOf(tx.attempt(() => work(tx)))
  if ('error' in outcome && TRANSIENT.has(sqlState(outcome.error))) throw outcome.error // all of them once more
  return outcome
}

export const outcomeOf = <Result>(work: Promise<Result>): Promise<Outcome<Result>> =>
  work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )

export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Whether an error is the violation of this unique index or constraint. */
export function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint
}
