import { crossing, type Sql, sql } from '../db/sql.ts'
import type { GuardOptions } from '../network/guard.ts'
import type { Parley } from '../parley.ts'
import { listAuditEntriesAfter } from '../queries/organization/audit.ts'
import { STOPPING } from '../webhooks/call.ts'
import { nextAttemptAt } from '../webhooks/schedule.ts'
import { WaysOut } from '../webhooks/ways-out.ts'
import { Worker } from '../worker.ts'
import { ATTEMPT_LIMIT_MS, type Sent, sendEntries, type Target } from './send.ts'

type Parts = Pick<Parley, 'clock' | 'config' | 'db' | 'log' | 'lookout' | 'secrets' | 'workers'>

/** Destinations that a node sends to at a time. */
const MAX_CALLS = 50
/** Entries in one request or connection. */
const BATCH = 100
const LOOK_MS = 1000
/** Time after which another node goes on for one that died. */
const LEASE_MS = 3 * ATTEMPT_LIMIT_MS
/** Seconds from one failed attempt to the next; the last one is repeated for ever, because an audit log may have no gap. */
const RETRY_SCHEDULE = [5, 15, 60, 300, 600]

type Due = Target & { sentTo: string; failures: number; leasedUntil: number }

/** Whether an audit log is to be sent. */
export const isDestinationDue = (until: number): Sql =>
  sql`exists (select from audit_destinations d where ${isDue(until)})`

/** Whether something is to be sent to a destination `d` that no node serves. */
const isDue = (now: number): Sql => sql`d.due_at <= ${now} and d.leased_until <= ${now}
  and exists (select from audit_log l where l.org_id = d.org_id and l.id > d.sent_to)`

/**
 * Sends the audit logs of all organizations to their destinations, for as long as it runs. The position of a destination moves only once
 * entries have arrived, so that whatever ends in between sends them again. A destination is served by one node at a time, in order; those that
 * have waited longest come first.
 */
export class AuditSender {
  readonly #parley: Parts
  readonly #waysOut: WaysOut
  readonly #calls = new Map<AbortController, Promise<void>>()
  readonly #worker: Worker

  constructor(parley: Parts, options: GuardOptions = {}) {
    this.#parley = parley
    this.#waysOut = new WaysOut(parley.config, options)
    this.#worker = new Worker('audit destinations', parley, LOOK_MS, () => this.#begin(), {
      isDue: isDestinationDue,
    })
  }

  async #begin(): Promise<void> {
    const { db, clock } = this.#parley
    const limit = MAX_CALLS - this.#calls.size
    if (limit <= 0) return
    const now = clock()
    const due = await db.query<{ orgId: string; id: string; leasedUntil: number }>(sql`
      ${crossing('what is due is looked for in all organizations')}
      select d.org_id as "orgId", d.id, d.leased_until as "leasedUntil" from audit_destinations d
      where ${isDue(now)}
      order by d.due_at, d.org_id, d.id limit ${limit}`)
    for (const one of due) {
      const claimed = await this.#claim(one)
      if (claimed) this.#start(claimed)
    }
  }

  /** Another node may have been faster. */
  async #claim(one: { orgId: string; id: string; leasedUntil: number }): Promise<Due | undefined> {
    const { orgId, id, leasedUntil } = one
    const [claimed] = await this.#parley.db.query<Due>(sql`
      update audit_destinations set leased_until = ${this.#parley.clock() + LEASE_MS}
      where org_id = ${orgId} and id = ${id} and leased_until = ${leasedUntil}
      returning org_id as "orgId", id, kind, address, ca_certificate as "caCertificate", secret, sent_to as "sentTo", failures,
        leased_until as "leasedUntil"`)
    return claimed
  }

  #start(due: Due): void {
    const call = new AbortController()
    const ended = this.#serve(due, call)
      .catch((error: unknown) => {
        const { orgId, id } = due
        this.#parley.log.error({ err: error, orgId, destinationId: id }, 'an audit log could not be sent')
      })
      .finally(() => {
        this.#calls.delete(call)
        this.#worker.wake()
      })
    this.#calls.set(call, ended)
  }

  async #serve(due: Due, call: AbortController): Promise<void> {
    const { db } = this.#parley
    const { rows } = await listAuditEntriesAfter(due, db, { after: due.sentTo, limit: BATCH })
    const sent = await sendEntries(this.#parley, this.#waysOut, due, rows, call)
    await this.#record(due, rows.at(-1)?.id ?? due.sentTo, sent)
  }

  /** Records a result while this node holds the lease. `sent` is undefined where the server stops: another node goes on at once. */
  async #record(due: Due, last: string, sent: Sent | undefined): Promise<void> {
    const { db, clock } = this.#parley
    const now = clock()
    const { orgId, id, leasedUntil, failures } = due
    if (sent?.fault) {
      const schedule = RETRY_SCHEDULE
      const failure = { failures: Math.min(failures, schedule.length - 1), now, retryAfter: undefined }
      await db.query(sql`
        update audit_destinations set leased_until = 0, due_at = ${nextAttemptAt(schedule, failure) ?? now},
          failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
          fault_kind = ${sent.fault.kind}, fault_detail = ${sent.fault.detail}
        where org_id = ${orgId} and id = ${id} and leased_until = ${leasedUntil}`)
    } else if (sent) {
      await db.query(sql`
        update audit_destinations set leased_until = 0, due_at = ${now}, sent_to = ${last}, sent_at = ${now},
          failures = 0, failing_since = null, fault_kind = null, fault_detail = null
        where org_id = ${orgId} and id = ${id} and leased_until = ${leasedUntil}`)
    } else {
      await db.query(sql`
        update audit_destinations set leased_until = 0
        where org_id = ${orgId} and id = ${id} and leased_until = ${leasedUntil}`)
    }
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
    for (const call of this.#calls.keys()) call.abort(STOPPING)
    await Promise.all(this.#calls.values())
    await this.#waysOut.destroy()
  }
}
