import pg from 'pg'
import { type AskAboutTexts, checkAway, joinChecked, NOTHING_CHECKED, UncheckedTexts } from '../text-check.ts'
import { type Acting, confirmed } from './authority.ts'
import { clientClassAt, clientClassFor, type DatabaseConnection } from './connection.ts'
import { Groups, type Perform, type Settled } from './groups.ts'
import { readHost } from './hosts.ts'
import { MachineWriters } from './machine-writers.ts'
import { readIsSpread } from './placement.ts'
import { ReservedConnection } from './reserved-connection.ts'
import { type Running, run, type Watch } from './run.ts'
import { type Sql, toStatement } from './sql.ts'
import { type Commit, OpenTransaction, type Transaction } from './transaction.ts'

export type Row = pg.QueryResultRow

/** Anything that answers queries: the pool for reads, a transaction for writes. */
export type Queryable = {
  query<R extends Row>(query: Sql): Promise<R[]>
  /** Whether organizations live on several machines (spread.ts). */
  readonly isSpread?: boolean
}

/** Queries on a connection, or a pool, that is not a `Database`. */
export const queryableOf = (client: pg.Client | pg.Pool): Queryable => ({
  query: async <R extends Row>(query: Sql) => {
    const { text, values } = toStatement(query)
    return (await client.query<R>(text, values)).rows
  },
})

/** Times and counters are bigint columns and stay below 2^53; ticks are read as text where they matter. */
const INT8 = 20
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
}

/** Errors after which the same transaction may well succeed: serialization failure, deadlock. */
const TRANSIENT = new Set(['40001', '40P01'])
const MAX_TRIES = 3

/**
 * Time limits of a connection. A node that freezes or vanishes while it holds an organization's row loses its
 * connection by the first limit, so that the organization goes on. By the second, a writer that waits for the row gives
 * up before that takes too long. The last bounds a statement that would never end.
 */
export const CONNECTION_LIMITS = {
  idle_in_transaction_session_timeout: 3000,
  lock_timeout: 4500,
  statement_timeout: 30_000,
}

/** Connections of a node for the messages of one machine of a cluster. */
const WRITERS_OF_A_MACHINE = 4
/** Time for reaching a machine, and for a free one of these connections, before the coordinator is asked instead. */
const REACH_MS = 2000
/** No longer than a message may wait before its organization is set apart. */
const WRITER_LOCK_TIMEOUT_MS = 500

export type Clock = () => number

/** How often a work is undone for texts that have to be checked first. */
const MAX_ASKED = 3
/** Statements that share a transaction. */
const STATEMENTS_AT_ONCE = 50

type Work = (tx: Transaction) => Promise<unknown>

export class Database implements Queryable {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly config: DatabaseConnection
  /** Called after each commit inside an organization, whether it wrote events or not. */
  onWritten: (orgId: string) => void = () => {}
  /** Called after each commit that wrote events. */
  onCommit: (commit: Commit) => void = () => {}
  /** A connection kept for the message writer, which must not wait behind readers in the pool. */
  readonly reserved: ReservedConnection
  isSpread = false
  #writers: Groups
  readonly #statements = new Groups(STATEMENTS_AT_ONCE)
  #openPool: (options: pg.PoolConfig) => pg.Pool
  readonly #writersOfMachines = new Map<string, MachineWriters>()
  #running: Running
  #askAboutTexts: AskAboutTexts | undefined

  constructor(
    config: DatabaseConnection & { max?: number },
    clock: Clock = Date.now,
    /** How many writers of an organization that wait for each other share one transaction. */
    groupLimit = 1,
    watch?: Watch,
  ) {
    const isPooled = config.direct !== undefined
    this.#running = { watch, isPrepared: !isPooled, isSpread: false }
    this.#writers = new Groups(groupLimit)
    this.clock = clock
    this.config = { ...config, types }
    this.#openPool = (options) => {
      const pool = new pg.Pool({
        application_name: 'parley',
        max: 10,
        pipeline: true, // statements that do not wait for each other's answers go out together
        ...(isPooled ? {} : CONNECTION_LIMITS), // a pooler has them for all of its sessions
        ...(config.primary && { Client: clientClassFor(config.primary) }),
        ...this.config,
        ...options,
      })
      // A connection that breaks (the database restarts) fails the query that uses it, and is replaced by the next
      // one. Without a listener the same news, told between two queries, would end the process.
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
      return pool
    }
    this.pool = this.#openPool({})
    this.reserved = new ReservedConnection(this.pool, this.#running)
  }

  query<R extends Row>(query: Sql): Promise<R[]> {
    return run<R>(this.pool, query, this.#running)
  }

  /**
   * Connections for the message writer alone, a few for each machine. A lock that the coordinator waits for before it asks the machine is as
   * long in coming as one there may be.
   */
  writersOf(machine: string): Queryable {
    const known = this.#writersOfMachines.get(machine)
    if (known) return known
    const isPooled = this.config.direct !== undefined
    const options = {
      max: WRITERS_OF_A_MACHINE,
      idleTimeoutMillis: 0,
      ...(!isPooled && { lock_timeout: WRITER_LOCK_TIMEOUT_MS }),
    }
    const own = isPooled
      ? undefined
      : this.#openPool({
          ...options,
          connectionTimeoutMillis: REACH_MS,
          Client: clientClassAt(readHost(machine)),
        })
    const writers = new MachineWriters({ own, coordinator: this.#openPool(options) }, this.#running)
    this.#writersOfMachines.set(machine, writers)
    return writers
  }

  get markKey(): Buffer | undefined {
    return this.#running.markKey
  }

  /** Gives the key of import marks to all later transactions. */
  setMarkKey(key: Buffer): void {
    this.#running.markKey = key
  }

  /** Tells all later transactions who is present. */
  setPresent(present: (orgId: string) => readonly string[]): void {
    this.#running.present = present
  }

  /** Looks, before anything else is asked, whether organizations live on several machines. */
  async open(): Promise<void> {
    this.isSpread = await readIsSpread(this)
    this.#running.isSpread = this.isSpread
  }

  /**
   * A transaction inside one organization; other writers there wait. Those of this node wait here, without a
   * connection, so that a crowd of writers in one organization leaves the pool to the others, and waiting writers share
   * a transaction. `work` may run more than once; only its last run counts.
   */
  async write<Result>(
    orgId: string,
    work: (tx: Transaction) => Promise<Result>,
    checked = NOTHING_CHECKED,
  ): Promise<Result> {
    for (let asked = 0; ; asked += 1) {
      const known = checked
      const checkedWork: Work = (tx) => {
        tx.checked = known
        return work(tx)
      }
      try {
        return (await this.#writers.add(orgId, this.#writeBatch, checkedWork)) as Result // the result of its own work
      } catch (error) {
        if (!(error instanceof UncheckedTexts)) throw error
        // An organization that changes its settings each time would be asked for ever.
        if (asked === MAX_ASKED || !this.#askAboutTexts) throw checkAway()
        checked = joinChecked(checked, await this.#askAboutTexts(orgId, error.questions))
      }
    }
  }

  /** Tells all later works how texts are checked. */
  setTextCheck(ask: AskAboutTexts): void {
    this.#askAboutTexts = ask
  }

  /**
   * Writes for a caller. The rights are checked in the transaction (authority.ts), and `work` gets the caller as of
   * then.
   */
  writeAs<Result, Who extends Acting<Who>>(
    who: Who,
    work: (tx: Transaction, who: Who) => Promise<Result>,
    checked = NOTHING_CHECKED,
  ): Promise<Result> {
    return this.write(who.orgId, async (tx) => work(tx, await confirmed(tx, who)), checked)
  }

  /** Writes rows that are the caller's own and cause no event. It waits for no other writer of the organization; the caller keeps the right until it ends. */
  writeBeside<Result, Who extends Acting<Who>>(
    who: Who,
    work: (tx: OpenTransaction, who: Who) => Promise<Result>,
  ): Promise<Result> {
    return this.transaction(async (tx) => work(tx, (await who.authority?.renew(tx, true)) ?? who))
  }

  /**
   * Runs a statement that is a transaction of its own. Those of an organization that come while one is under way share the next one: a
   * crowd waits for the disk once, and leaves the connections to others.
   */
  writeStatement<R extends Row>(orgId: string, query: Sql): Promise<R[]> {
    return this.#statements.add(orgId, this.#runTogether, query) as Promise<R[]> // the rows of its own statement
  }

  #runTogether: Perform<Sql, Row[]> = async (_orgId, queries) => {
    const singly = async () => {
      const settled: Settled<Row[]>[] = []
      for (const query of queries) settled.push(await settledOf(this.query(query)))
      return settled
    }
    if (queries.length === 1) return singly()
    try {
      return await this.transaction(async (open) => {
        const all = await Promise.all(queries.map((query) => open.query(query)))
        return all.map((result) => ({ result }))
      })
    } catch (error) {
      if (!isUndone(error)) throw error // the commit may have come through
      return singly()
    }
  }

  /** Commits all works at once; a failed one is undone and fails alone. */
  #writeBatch: Perform<Work, unknown> = async (orgId, works) => {
    if (works.length === 1) return this.#writeSingly(orgId, works)
    try {
      return await this.transaction(async (open) => {
        const tx = await open.enter(orgId)
        const settled: Settled<unknown>[] = []
        for (const [place, work] of works.entries()) {
          if (place > 0) await tx.readAuthority() // a work before this one may have taken its caller's right
          settled.push(await attemptOne(tx, work))
        }
        return settled
      })
    } catch (error) {
      if (!TRANSIENT.has(sqlState(error))) throw error
      return this.#writeSingly(orgId, works) // one of them never gets through
    }
  }

  async #writeSingly(orgId: string, works: readonly Work[]): Promise<Settled<unknown>[]> {
    const settled: Settled<unknown>[] = []
    for (const work of works) {
      settled.push(await settledOf(this.transaction(async (open) => work(await open.enter(orgId)))))
    }
    return settled
  }

  /** A transaction that begins outside of any organization and may enter one. */
  async transaction<Result>(
    work: (tx: OpenTransaction) => Promise<Result>,
    begin = 'begin',
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.pool.connect()
      let broken: Error | undefined
      try {
        client.query(begin).catch(() => {}) // goes out with the first statement, which fails if this does
        const open = new OpenTransaction(client, this.clock, this.#running)
        const result = await work(open)
        await commit(client, open)
        for (const tx of open.entered) {
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

  /** Runs reads on one snapshot. */
  snapshot<Result>(work: (db: Queryable) => Promise<Result>): Promise<Result> {
    return this.transaction(work, 'begin isolation level repeatable read, read only')
  }

  async close(): Promise<void> {
    await this.reserved.close()
    await Promise.all([...this.#writersOfMachines.values()].map((writers) => writers.close()))
    await this.pool.end()
  }
}

/** The numbers of each organization and the commit, in one go. A transaction that has failed answers a commit with its undoing. */
async function commit(client: pg.PoolClient, open: OpenTransaction): Promise<void> {
  const finished = Promise.all(open.entered.map((tx) => tx.storeNumbers()))
  finished.catch(() => {})
  const committed = client.query('commit')
  committed.catch(() => {})
  await finished
  const { command } = await committed
  if (command !== 'COMMIT') throw new Error('the transaction was undone')
}

async function attemptOne(tx: Transaction, work: Work): Promise<Settled<unknown>> {
  const settled = await settledOf(tx.attempt(() => work(tx)))
  if ('error' in settled && TRANSIENT.has(sqlState(settled.error))) throw settled.error // all of them once more
  return settled
}

export const settledOf = <Result>(work: Promise<Result>): Promise<Settled<Result>> =>
  work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )

export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * Whether the database itself says that it did nothing. A database that was stopped may have written the commit without
 * saying so, and so may a broken connection, also that of a cluster's coordinator to the machine that was to write.
 */
export function isUndone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(57P0|08)/.test(error.code ?? '')
}

/** Whether an error is the violation of this unique index or constraint. On one of several machines a shard has it, with its own number. */
export function isViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  if ('constraint' in error && error.constraint === constraint) return true
  const [, name, shard] = /constraint "(\w+?)(_\d+)?"$/.exec(error.message) ?? []
  return shard !== undefined && name === constraint
}
