import type pg from 'pg'
import { nextTick, type Tick, tickAt, tickTime, uuidFromTick } from '../ids.ts'
import type { Clock, Queryable, Row } from './database.ts'
import { nothing, type Sql, sql, toStatement } from './sql.ts'

/** An open transaction that is not inside an organization (yet): signing up, mail, settings. */
export class OpenTransaction implements Queryable {
  protected client: pg.PoolClient
  protected clock: Clock
  /** The organizations that were entered, to be closed when this commits. */
  entered: Transaction[] = []

  constructor(client: pg.PoolClient, clock: Clock) {
    this.client = client
    this.clock = clock
  }

  async query<R extends Row>(query: Sql): Promise<R[]> {
    return (await this.client.query<R>(toStatement(query))).rows
  }

  now(): number {
    return this.clock()
  }

  /** Undoes what `work` did when it throws, and keeps the transaction usable. */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const entered = this.entered.length
    await this.client.query('savepoint attempt')
    try {
      const result = await work()
      await this.client.query('release savepoint attempt')
      return result
    } catch (error) {
      // Released too: names are the same at every depth, and the next failure must find its own.
      await this.client.query('rollback to savepoint attempt')
      await this.client.query('release savepoint attempt')
      this.entered.length = entered
      throw error
    }
  }

  /** From here on inside this organization, as its one writer. */
  async enter(orgId: string): Promise<Transaction> {
    const head = await readHead(this, orgId, sql`for update`)
    const tx = new Transaction(this.client, this.clock, orgId, head)
    this.entered.push(tx)
    return tx
  }
}

/** The state of an organization's log. While it is the same, nothing has been written that others would hear of. */
export type Head = {
  seq: number
  tick: Tick
  /** Moves when who is in which topic changes (0006_together.sql). */
  shape: number
}

export async function readHead(db: Queryable, orgId: string, lock: Sql = nothing): Promise<Head> {
  const [log] = await db.query<{ last_seq: number; last_tick: string; shape: number }>(sql`
    select last_seq, last_tick::text, shape from organization_logs where org_id = ${orgId} ${lock}`)
  if (!log) throw new Error(`organization ${orgId} does not exist`)
  return { seq: log.last_seq, tick: BigInt(log.last_tick), shape: log.shape }
}

/** What a commit added to an organization's log, and which bots it is for. */
export type Commit = { orgId: string; firstSeq: number; lastSeq: number; botIds: string[] }

/**
 * A writing transaction inside one organization. Opening it locks the organization's log row, so there is one
 * writer at a time: what it reads stays true until it commits, and events get their numbers in commit order.
 */
export class Transaction extends OpenTransaction {
  readonly orgId: string
  #firstSeq: number
  #seq: number
  #firstTick: Tick
  #tick: Tick
  #botIds = new Set<string>()
  /** The state of the log once this has committed; undefined where this did not move it. */
  head: Head | undefined

  constructor(client: pg.PoolClient, clock: Clock, orgId: string, { seq, tick }: Head) {
    super(client, clock)
    this.orgId = orgId
    this.#firstSeq = this.#seq = seq
    this.#firstTick = this.#tick = tick
  }

  /** The next moment of this organization: a time, and a time-ordered id that sorts after all earlier ones. */
  moment(): { id: string; at: number } {
    this.#tick = nextTick(this.#tick, this.clock())
    return { id: uuidFromTick(this.#tick), at: tickTime(this.#tick) }
  }

  /** A time that nothing in this organization has had yet: for what is listed by time and has a random id. */
  ownMillisecond(): number {
    this.#tick = tickAt(Math.max(this.clock(), tickTime(this.#tick) + 1))
    return tickTime(this.#tick)
  }

  /** Never before anything that was written earlier in this organization. */
  override now(): number {
    return Math.max(this.clock(), tickTime(this.#tick))
  }

  nextSeq(): number {
    this.#seq += 1
    return this.#seq
  }

  /** Bots that an event of this transaction is for; they are woken when it has committed. */
  addresses(botIds: readonly string[]): void {
    for (const botId of botIds) this.#botIds.add(botId)
  }

  /** What there will be to tell; undefined when no event was written. */
  get commit(): Commit | undefined {
    if (this.#seq === this.#firstSeq) return undefined
    return { orgId: this.orgId, firstSeq: this.#firstSeq + 1, lastSeq: this.#seq, botIds: [...this.#botIds] }
  }

  override async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const [seq, tick] = [this.#seq, this.#tick]
    try {
      return await super.attempt(work)
    } catch (error) {
      this.#seq = seq
      this.#tick = tick
      throw error
    }
  }

  /** Dropped identities and the like: sent to every node when, and only when, this transaction commits. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.query(sql`select pg_notify(${channel}, ${payload})`)
  }

  /** Puts the numbers that were handed out into the log row; the last statement before the commit. */
  async finish(): Promise<void> {
    if (this.#seq === this.#firstSeq && this.#tick === this.#firstTick) return
    const [log] = await this.query<{ shape: number }>(sql`
      update organization_logs set last_seq = ${this.#seq}, last_tick = ${this.#tick.toString()}
      where org_id = ${this.orgId} returning shape`)
    this.head = log && { seq: this.#seq, tick: this.#tick, shape: log.shape }
  }
}
