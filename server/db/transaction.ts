import type pg from 'pg'
import { nextTick, type Tick, tickAt, uuidFromTick } from '../ids.ts'
import { type CheckedTexts, NOTHING_CHECKED } from '../text-check.ts'
import type { Clock, Queryable, Row } from './database.ts'
import { type Running, run } from './run.ts'
import { type Sql, sql } from './sql.ts'

/** An open transaction that is not inside an organization (yet): signing up, mail, settings. */
export class OpenTransaction implements Queryable {
  protected client: pg.PoolClient
  protected clock: Clock
  protected running: Running
  /** The entered organizations, closed on commit. */
  entered: Transaction[] = []

  constructor(client: pg.PoolClient, clock: Clock, running: Running) {
    this.client = client
    this.clock = clock
    this.running = running
  }

  query<R extends Row>(query: Sql): Promise<R[]> {
    return run<R>(this.client, query, this.running)
  }

  get isSpread(): boolean {
    return this.running.isSpread
  }

  get markKey(): Buffer | undefined {
    return this.running.markKey
  }

  now(): number {
    return this.clock()
  }

  /** People of an organization who are present now. */
  presentIn(orgId: string): readonly string[] {
    return this.running.present?.(orgId) ?? []
  }

  /**
   * Undoes what `work` did when it throws, and keeps the transaction usable. The savepoint costs no round trip: it is
   * sent ahead of the next statement, which fails if the savepoint does.
   */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const entered = this.entered.length
    this.#sendAhead('savepoint attempt')
    try {
      const result = await work()
      this.#sendAhead('release savepoint attempt')
      return result
    } catch (error) {
      // Released too: names are the same at every depth, and the next failure must find its own.
      this.#sendAhead('rollback to savepoint attempt')
      await this.client.query('release savepoint attempt')
      this.entered.length = entered
      throw error
    }
  }

  #sendAhead(statement: string): void {
    this.client.query(statement).catch(() => {}) // the statements after it fail too, and the commit tells
  }

  /** Locks the organization's log row, which makes this transaction its only writer. */
  async enter(orgId: string): Promise<Transaction> {
    const [log] = await this.query<LogRow>(sql`
      select last_seq, last_tick >> 12 as ms, (last_tick & 4095)::integer as count, authority_version
      from organization_logs where org_id = ${orgId} for update`)
    if (!log) throw new Error(`organization ${orgId} does not exist`)
    const tx = new Transaction(this.client, this.clock, orgId, log, this.running)
    this.entered.push(tx)
    return tx
  }
}

type LogRow = { last_seq: number; ms: number; count: number; authority_version: number }

export type LogEvent = {
  seq: number
  id: string
  type: string
  topicId: string
  /** JSON, with placeholders for links to files. */
  data: string
  createdAt: number
  botIds: readonly string[]
}

/** The events that a commit added to an organization's log, and the bots they are for. */
export type Commit = {
  orgId: string
  firstSeq: number
  lastSeq: number
  botIds: string[]
  /** The events themselves, built on the first call. */
  events: () => readonly LogEvent[]
}

/**
 * A writing transaction inside one organization. Opening it locks the organization's log row, so there is one
 * writer at a time: what it reads stays true until it commits, and events get their numbers in commit order.
 */
export class Transaction extends OpenTransaction {
  readonly orgId: string
  /** Verdicts on the texts that the present work writes. Works that share the transaction have their own. */
  checked: CheckedTexts = NOTHING_CHECKED
  #authorityVersion: number
  #firstSeq: number
  #seq: number
  #tick: Tick
  /** The numbers stored in the log's row. */
  #stored: { seq: number; tick: Tick }
  #events: LogEvent[] = []
  #wokenBotIds = new Set<string>()

  constructor(client: pg.PoolClient, clock: Clock, orgId: string, log: LogRow, running: Running) {
    super(client, clock, running)
    this.orgId = orgId
    this.#authorityVersion = log.authority_version
    this.#firstSeq = this.#seq = log.last_seq
    this.#tick = { ms: log.ms, count: log.count }
    this.#stored = { seq: this.#seq, tick: this.#tick }
  }

  /** The version of the rights in this organization (authority.ts) as the transaction began, or as it was last read. */
  get authorityVersion(): number {
    return this.#authorityVersion
  }

  /** Reads the version of the rights again, for works that share this transaction: one may take the right of the next. */
  async readAuthority(): Promise<void> {
    const [log] = await this.query<Pick<LogRow, 'authority_version'>>(
      sql`select authority_version from organization_logs where org_id = ${this.orgId}`,
    )
    if (log) this.#authorityVersion = log.authority_version
  }

  /** The next moment of this organization: a time, and a time-ordered id that sorts after all earlier ones. */
  moment(): { id: string; at: number } {
    this.#tick = nextTick(this.#tick, this.clock())
    return { id: uuidFromTick(this.#tick), at: this.#tick.ms }
  }

  /** A time that nothing in this organization has had yet: for what is listed by time and has a random id. */
  ownMillisecond(): number {
    this.#tick = tickAt(Math.max(this.clock(), this.#tick.ms + 1))
    return this.#tick.ms
  }

  /** The time, never before earlier writes in this organization. */
  override now(): number {
    return Math.max(this.clock(), this.#tick.ms)
  }

  get lastSeq(): number {
    return this.#seq
  }

  nextSeq(): number {
    this.#seq += 1
    return this.#seq
  }

  /** Records an event appended to the log. Readers get it after the commit. */
  appended(event: LogEvent): void {
    this.#events.push(event)
  }

  /** Bots that have something to receive although no event was written for them alone. */
  wakes(botIds: readonly string[]): void {
    for (const botId of botIds) this.#wokenBotIds.add(botId)
  }

  /** The commit to announce; undefined if no event was written. */
  get commit(): Commit | undefined {
    if (this.#seq === this.#firstSeq) return undefined
    // Answers of statements that were sent together may be looked at in another order.
    const events = this.#events.toSorted((one, other) => one.seq - other.seq)
    const botIds = [...new Set([...this.#wokenBotIds, ...events.flatMap((event) => event.botIds)])]
    return {
      orgId: this.orgId,
      firstSeq: this.#firstSeq + 1,
      lastSeq: this.#seq,
      botIds,
      events: () => events,
    }
  }

  override async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const [seq, tick, stored, events] = [this.#seq, this.#tick, this.#stored, this.#events.length]
    try {
      return await super.attempt(work)
    } catch (error) {
      this.#seq = seq
      this.#tick = tick
      this.#stored = stored
      this.#events.length = events
      throw error
    }
  }

  /** Dropped identities and the like: sent to every node when, and only when, this transaction commits. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.query(sql`select pg_notify(${channel}, ${payload})`)
  }

  /** Puts the numbers that were handed out into the row of the log: before the commit, and before a function that numbers by itself. */
  async storeNumbers(): Promise<void> {
    const { seq, tick } = this.#stored
    if (this.#seq === seq && this.#tick === tick) return
    this.#stored = { seq: this.#seq, tick: this.#tick }
    await this.query(sql`
      update organization_logs
      set last_seq = ${this.#seq}, last_tick = (${this.#tick.ms}::bigint << 12) | ${this.#tick.count}
      where org_id = ${this.orgId}`)
  }

  /** Continues from the numbers that a function stored in the log's row. */
  continueFrom(seq: number, tick: Tick): void {
    this.#seq = seq
    this.#tick = tick
    this.#stored = { seq, tick }
  }
}
