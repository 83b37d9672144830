import { hash } from 'node:crypto'
import type { Visitor } from '../caller.ts'
import type { Clock, Queryable } from '../db/database.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { endOf, findSessionCaller, type PersonCaller } from './sessions.ts'

/** Names the account or the organization whose sessions, roles or members have changed; triggers tell (0012, 0016). */
export const SESSIONS_CHANNEL = 'parley_sessions'
/** Bounds of people in memory. */
const KEPT = { entries: 20_000, bytes: 32 * 1024 * 1024 }
const CALLER_BYTES = 800
/** Looked up again after this time: a session that is used is prolonged, and a listening connection may be dead unnoticed. */
const LIFETIME_MS = 60_000

type KeptCaller = { caller: Omit<PersonCaller, 'client'>; until: number }

/**
 * People in memory, by session and organization, so that a request in the chat needs no query to find its caller. An
 * entry is dropped on every node when its account or organization changes, by a notification that commits with the
 * change. While this node cannot hear notifications, nothing is kept or used. Only admitted people are remembered: a
 * notification may be late, and memory alone refuses no request.
 */
export class Callers {
  #db: Queryable
  #clock: Clock
  #isListening: () => boolean
  #kept = new BoundedMap<KeptCaller>(KEPT, () => CALLER_BYTES)
  #drops = 0

  constructor(db: Queryable, clock: Clock, isListening: () => boolean) {
    this.#db = db
    this.#clock = clock
    this.#isListening = isListening
  }

  /** The caller of a session in an organization: null without a session, undefined for people who are no active members. */
  async find(visitor: Visitor, orgId: string): Promise<PersonCaller | undefined | null> {
    if (visitor.sessionToken === undefined) return null
    const name = `${hash('sha256', visitor.sessionToken, 'base64url')} ${orgId}`
    const known = this.#isListening() ? this.#kept.get(name) : undefined
    const now = this.#clock()
    if (known && now < known.until) return { ...known.caller, client: visitor.client }
    const drops = this.#drops
    const found = await findSessionCaller({ db: this.#db, clock: this.#clock }, visitor, orgId)
    if (!found) return found
    const { client: _client, ...caller } = found
    // A change during the read may be in it or not: use it this once, keep nothing.
    if (caller.needs === null && drops === this.#drops && this.#isListening())
      this.#kept.set(name, {
        caller,
        until: Math.min(now + LIFETIME_MS, found.expiresAt, endOf(found)),
      })
    return found
  }

  /** Forgets an account, an organization, or (without an id) everybody. */
  drop(id?: string): void {
    this.#drops += 1
    if (id === undefined) this.#kept.clear()
    for (const [name, { caller }] of this.#kept) {
      if (caller.accountId === id || caller.orgId === id) this.#kept.delete(name)
    }
  }
}
