import type { Database } from '../db/database.ts'
import { crossing, nothing, type Sql, sql } from '../db/sql.ts'
import type { Parley } from '../parley.ts'
import { buildRequest } from '../presenters/webhook-requests.ts'
import { openTarget, targetEnvelope } from '../presenters/webhook-targets.ts'
import { type StoredTarget, targetColumns } from '../queries/bots/deliveries.ts'
import { addresses } from '../queries/bots/webhook-addresses.ts'
import { Worker } from '../worker.ts'
import { type Attempt, post, STOPPING } from './call.ts'
import type { WayOut, WaysOut } from './ways-out.ts'

type Parts = Pick<Parley, 'clock' | 'config' | 'db' | 'log' | 'lookout' | 'secrets' | 'workers'>

/** Tests running at a time. */
const MAX_TESTS = 10
/** Added to the time that an attempt may take: a test of a node that died is sent by another one after that. */
const LEASE_MARGIN_MS = 10_000

type ClaimedTest = {
  orgId: string
  botId: string
  addressId: string
  seq: number
  id: string
  eventId: string
  type: string
  createdAt: number
  data: string
  gzip: boolean
} & StoredTarget & { url: string }

/**
 * Sends `webhook.test` once, whatever the result, even to a paused webhook. Tests have their own queue, the state
 * `testing`, so that they neither wait behind a backlog nor affect the state of the webhook.
 */
export class TestSender {
  readonly #parley: Parts
  readonly #waysOut: WaysOut
  readonly #attemptLimitMs: number
  readonly #calls = new Map<AbortController, Promise<void>>()
  readonly #worker: Worker

  constructor(parley: Parts, waysOut: WaysOut, options: { attemptLimitMs: number; pollMs: number }) {
    this.#parley = parley
    this.#waysOut = waysOut
    this.#attemptLimitMs = options.attemptLimitMs
    this.#worker = new Worker('webhook tests', parley, options.pollMs, () => this.#send(), {
      isDue: isTestDue,
    })
  }

  async #send(): Promise<void> {
    const { db, clock } = this.#parley
    const now = clock()
    const until = now + this.#attemptLimitMs + LEASE_MARGIN_MS
    const limit = MAX_TESTS - this.#calls.size
    const tests = limit > 0 ? await claimTests(db, { now, until, limit }) : []
    if (tests.length === 0) return
    const wayOutOf = await this.#waysOut.read(db)
    // Tests run side by side, so that a silent receiver delays no other test.
    for (const test of tests) this.#start(test, wayOutOf(test.orgId))
  }

  #start(test: ClaimedTest, wayOut: WayOut): void {
    const call = new AbortController()
    const ended = this.#try(test, wayOut, call)
      .catch((error: unknown) => {
        this.#parley.log.error({ err: error, botId: test.botId }, 'a webhook could not be tested')
      })
      .finally(() => this.#calls.delete(call))
    this.#calls.set(call, ended)
  }

  async #try(test: ClaimedTest, wayOut: WayOut, call: AbortController): Promise<void> {
    const { db, clock } = this.#parley
    const at = clock()
    const attempt = await this.#post(test, wayOut, at, call)
    if (attempt) await recordTest(db, test, at, attempt)
  }

  async #post(
    test: ClaimedTest,
    wayOut: WayOut,
    sentAt: number,
    call: AbortController,
  ): Promise<Attempt | undefined> {
    const { config } = this.#parley
    const mistake = wayOut.mistakeIn(test.url)
    if (mistake !== undefined) return { outcome: 'blocked', durationMs: 0, error: mistake }
    const target = openTarget(this.#parley, test.addressId, test)
    const request = await buildRequest(test, {
      deliveryId: test.id,
      ...targetEnvelope(target, sentAt),
      sentAt,
      gzip: test.gzip,
      headerPrefix: config.webhookHeaderPrefix,
    })
    return post(wayOut.agent, target.address, request, { limitMs: this.#attemptLimitMs, call })
  }

  /** A test that is under way is given up; it goes out again once its lease has ended. */
  async stop(): Promise<void> {
    await this.#worker.stop()
    for (const call of this.#calls.keys()) call.abort(STOPPING)
    await Promise.all(this.#calls.values())
  }
}

/** Whether an address of a bot that delivers is to be tested. */
export const isTestDue = (until: number): Sql => sql`exists (
  select from deliveries d
  cross join lateral (
    select 1 from ${addresses} b where b.org_id = d.org_id and b.id = d.bot_id and b.delivery = 'webhook' and b.active offset 0
  ) b
  where d.state = 'testing' and d.due_at <= ${until})`

/** Claims due tests for as long as an attempt takes. Tests of addresses that deliver no longer stay where they are. */
async function claimTests(db: Database, lease: TestLease): Promise<ClaimedTest[]> {
  if (!db.isSpread) return db.query<ClaimedTest>(claim(lease))
  const due = await db.query<{ id: string }>(sql`${crossing('what is due is looked for in all organizations')}
    select distinct org_id as id from deliveries where state = 'testing' and due_at <= ${lease.now} limit ${lease.limit}`)
  const claimed: ClaimedTest[] = []
  for (const { id } of due) claimed.push(...(await db.query<ClaimedTest>(claim(lease, id))))
  return claimed
}

type TestLease = { now: number; until: number; limit: number }

/** Claims in all organizations, or in the named one. */
function claim({ now, until, limit }: TestLease, only?: string): Sql {
  const orgId = (column: Sql): Sql => (only === undefined ? column : sql`${only}::uuid`)
  return sql`${crossing('what is due is looked for in all organizations')}
    with due as materialized (
      select d.org_id, d.bot_id, d.seq from deliveries d
      cross join lateral (
        select 1 from ${addresses} b where b.org_id = ${orgId(sql`d.org_id`)} and b.id = d.bot_id and b.delivery = 'webhook' and b.active offset 0
      ) b
      where ${only === undefined ? nothing : sql`d.org_id = ${only} and`} d.state = 'testing' and d.due_at <= ${now}
      order by d.due_at limit ${limit}
      for update of d skip locked
    ), claimed as (
      update deliveries d set due_at = ${until} from due
      where d.org_id = ${orgId(sql`due.org_id`)} and d.bot_id = due.bot_id and d.seq = due.seq
      returning d.org_id, d.bot_id, d.seq, d.id
    )
    select c.org_id as "orgId", b.bot_id as "botId", c.bot_id as "addressId", c.seq, c.id, e.id as "eventId", e.type, e.created_at as "createdAt",
      e.data::text as data, b.webhook_gzip as gzip, ${targetColumns}
    from claimed c
    cross join lateral (select * from ${addresses} b where b.org_id = ${orgId(sql`c.org_id`)} and b.id = c.bot_id offset 0) b
    join events e on e.org_id = ${orgId(sql`c.org_id`)} and e.seq = c.seq`
}

/** Says nothing about the address: neither that it fails nor that it has recovered. */
async function recordTest(
  db: Database,
  { orgId, addressId, seq }: ClaimedTest,
  at: number,
  { outcome, status, durationMs, answer, error }: Attempt,
): Promise<void> {
  await db.query(sql`
    with delivery as (
      update deliveries set attempts = attempts + 1, state = ${outcome === 'ok' ? 'delivered' : 'exhausted'}
      where org_id = ${orgId} and bot_id = ${addressId} and seq = ${seq} and state = 'testing'
      returning org_id, bot_id, seq, attempts
    )
    insert into delivery_attempts (org_id, bot_id, seq, number, at, outcome, status, duration_ms, answer, error, is_test)
    select org_id, bot_id, seq, attempts, ${at}, ${outcome}, ${status}::smallint, ${durationMs}, ${answer}, ${error}, true
    from delivery`)
}
