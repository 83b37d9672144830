import { LIMITS } from '../../../contract/limits.ts'
import type { AuditAction } from '../../../contract/people/organization.ts'
import type { Client } from '../../caller.ts'
import type { Clock, Database, Queryable } from '../../db/database.ts'
import { crossing, sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import type { Log } from '../../log.ts'
import { type Actor, audit, type Change, SERVER } from '../organization/audit.ts'

type Profile = { orgId: string; id: string; name: string }

/** An account's membership, and the transaction in its organization. */
export type EnteredMembership = { tx: Transaction; id: string; name: string }

/**
 * Enters every organization of which the account is an active member, so that each can get an audit entry. Call it
 * before locking the account. It goes in the order of ids, as all callers do, so that none can deadlock.
 */
export async function enterMemberships(
  open: OpenTransaction,
  accountId: string,
): Promise<EnteredMembership[]> {
  const entered: EnteredMembership[] = []
  for (const { orgId } of await listActiveProfiles(open, accountId)) {
    const tx = await open.enter(orgId)
    const [profile] = await listActiveProfiles(tx, accountId, orgId)
    if (profile) entered.push({ tx, id: profile.id, name: profile.name })
  }
  return entered
}

export type AccountEvent = { action: AuditAction; changes?: readonly Change[] }

/** Records in each organization what happened to an account: by its holder, or by `actor`. */
export async function auditAccount(
  memberships: readonly EnteredMembership[],
  by: { client: Client } | { actor: Actor },
  { action, changes = [] }: AccountEvent,
): Promise<void> {
  for (const { tx, id, name } of memberships) {
    const actor: Actor = 'actor' in by ? by.actor : { kind: 'person', id, client: by.client }
    await audit(tx, actor, { action, target: { type: 'member', id, name }, changes })
  }
}

function listActiveProfiles(db: Queryable, accountId: string, orgId?: string): Promise<Profile[]> {
  return db.query<Profile>(sql`${crossing('a person is looked for in all their organizations')}
    select org_id as "orgId", id, name from profiles
    where account_id = ${accountId} and kind = 'user' and status = 'Active'
      and org_id = coalesce(${orgId}::uuid, org_id)
    order by org_id`)
}

/** Entries about an account within an hour, written one by one, before the rest is counted. Only its owner can sign in. */
const NOTED_PER_HOUR = {
  'member.sign_in_failed': LIMITS.auditedFailuresPerHour,
  'member.password_reset_requested': LIMITS.auditedFailuresPerHour,
  'member.signed_in': LIMITS.auditedSignInsPerHour,
}
type AttemptAction = keyof typeof NOTED_PER_HOUR
type Noted = {
  action: AttemptAction
  accountId: string
  client: Client
  endsAt: number
  count: number
}

const HOUR_MS = 3_600_000
const MAX_NOTED = 10_000

/**
 * Records sign-ins and failed attempts in an account's organizations. It works in the background, so that the time of
 * an answer does not reveal whether an account exists, and a sign-in does not wait for the writers of all
 * organizations. Each hour has ten entries of a failure for an account, and then one with the number of the rest, so
 * that strangers cannot fill the audit log.
 */
export class AttemptNotes {
  #db: Database
  #clock: Clock
  #log: Log
  /** Entries by kind and account, the oldest first. */
  #noted = new Map<string, Noted>()
  /** One after the other: a busy attacker takes one connection of the database, and entries keep their order. */
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Database, clock: Clock, log: Log) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  note(action: AttemptAction, accountId: string, client: Client, changes: readonly Change[] = []): void {
    const noted = this.#hourOf(action, accountId, client)
    noted.count += 1
    noted.client = client
    if (noted.count <= NOTED_PER_HOUR[action]) this.#write({ ...noted, changes })
  }

  /** Writes how many more there were in hours that are over; in all hours when the server stops. */
  async settle(isStopping = false): Promise<void> {
    for (const [name, noted] of this.#noted) {
      if (!isStopping && noted.endsAt > this.#clock()) continue
      this.#noted.delete(name)
      this.#writeRest(noted)
    }
    await this.#writing
  }

  #hourOf(action: AttemptAction, accountId: string, client: Client): Noted {
    const name = `${action} ${accountId}`
    const known = this.#noted.get(name)
    if (known && known.endsAt > this.#clock()) return known
    if (known) this.#writeRest(known)
    this.#noted.delete(name)
    if (this.#noted.size >= MAX_NOTED) this.#dropOldest()
    const noted = { action, accountId, client, endsAt: this.#clock() + HOUR_MS, count: 0 }
    this.#noted.set(name, noted)
    return noted
  }

  #dropOldest(): void {
    const [oldest] = this.#noted
    if (!oldest) return
    this.#noted.delete(oldest[0])
    this.#writeRest(oldest[1])
  }

  #writeRest(noted: Noted): void {
    const more = noted.count - NOTED_PER_HOUR[noted.action]
    if (more > 0) this.#write({ ...noted, changes: [{ field: 'more', to: String(more) }] })
  }

  #write(entry: Pick<Noted, 'action' | 'accountId' | 'client'> & { changes: readonly Change[] }): void {
    this.#writing = this.#writing
      .then(() => this.#writeEverywhere(entry))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a sign-in was not audited'))
  }

  async #writeEverywhere({
    action,
    accountId,
    client,
    changes,
  }: Pick<Noted, 'action' | 'accountId' | 'client'> & { changes: readonly Change[] }): Promise<void> {
    for (const { orgId } of await listActiveProfiles(this.#db, accountId)) {
      await this.#db.write(orgId, async (tx) => {
        const [profile] = await listActiveProfiles(tx, accountId, orgId)
        if (!profile) return
        const target = { type: 'member', id: profile.id, name: profile.name } as const
        const actor: Actor =
          action === 'member.signed_in' ? { kind: 'person', id: profile.id, client } : { ...SERVER, client }
        await audit(tx, actor, { action, target, changes })
      })
    }
  }
}
