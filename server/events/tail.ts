import { MEMBER_UPDATED } from '../../contract/people/stream.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { together } from '../db/together.ts'
import type { LogEvent } from '../db/transaction.ts'
import type { UpdatePage } from '../queries/events/updates.ts'
import { takenOutBy } from './event-words.ts'
import { SayingEvents } from './saying-events.ts'
import type { Announcement } from './wake.ts'

/** The newest events of one organization, and all together: readers that are further behind read pages. */
const MAX_EVENTS = 2000
const MAX_BYTES = 64 * 1024 * 1024
/** Memory of an event besides its payload, with its place in `SayingEvents`. */
const EVENT_BYTES = 600
const READ_LIMIT = 500
/** Time after which an organization without listeners is forgotten. */
const IDLE_MS = 60_000

type Followed = {
  followers: number
  idleSince: number
  /** `events` has everything after `from` up to `to`, without a gap; undefined until the log was read. */
  from: number | undefined
  to: number
  /** The newest number announced to this node. */
  heard: number
  events: LogEvent[]
  saying: SayingEvents
  bytes: number
}

type Listener = (orgId: string, events: readonly LogEvent[]) => void

/**
 * The end of the log as this node follows it. Each event is read once, in order, for all listeners of this node; events
 * that it wrote itself are not even read. It follows the organizations that have listeners.
 */
export class Tail {
  #db: Queryable
  #organizations = new Map<string, Followed>()
  #listeners: Listener[] = []
  #bytes = 0
  #isReading = false

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Told of all events of the organizations that are followed, each once, in order. */
  onEvents(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /**
   * Follows the organization until the returned function is called. Call it before reading, so that no event is missed.
   */
  follow(orgId: string): () => void {
    const followed = this.#organizations.get(orgId) ?? this.#begin(orgId)
    followed.followers += 1
    if (isBehind(followed)) void this.#catchUp()
    return () => {
      followed.followers -= 1
      followed.idleSince = performance.now()
    }
  }

  /** The log was read up to `seq`: a tail without a position starts there. */
  readTo(orgId: string, seq: number): void {
    const followed = this.#organizations.get(orgId)
    if (!followed || followed.from !== undefined) return
    followed.from = followed.to = seq
    if (isBehind(followed)) void this.#catchUp()
  }

  /** Events for this bot after `position`; undefined if some of them are not here. */
  read(orgId: string, botId: string, position: number, limit: number): UpdatePage | undefined {
    const followed = this.#organizations.get(orgId)
    if (!followed || followed.from === undefined || position < followed.from) return undefined
    const updates: LogEvent[] = []
    for (const event of this.#after(followed, followed.from, position)) {
      if (!event.botIds.includes(botId)) continue
      updates.push(event)
      if (updates.length === limit) break
    }
    return { updates, lastSeq: Math.max(followed.to, position), floorSeq: 0 }
  }

  /** Whether all events after `position` are here. */
  holds(orgId: string, position: number): boolean {
    const from = this.#organizations.get(orgId)?.from
    return from !== undefined && position >= from
  }

  /** All events after `position`, unaffected by later ones; undefined if some are missing. */
  readAll(orgId: string, position: number): readonly LogEvent[] | undefined {
    const followed = this.#organizations.get(orgId)
    if (!followed || followed.from === undefined || position < followed.from) return undefined
    return followed.events.slice(position - followed.from)
  }

  /** The newest number announced to this node. */
  lastSeq(orgId: string): number {
    const followed = this.#organizations.get(orgId)
    return followed ? Math.max(followed.to, followed.heard) : 0
  }

  #after({ events }: Followed, from: number, position: number): readonly LogEvent[] {
    return position === from ? events : events.slice(Math.max(0, position - from))
  }

  /** Takes a commit: with its events from this node, without them from another. */
  hear({ orgId, firstSeq, lastSeq, events }: Announcement): void {
    const followed = this.#organizations.get(orgId)
    if (!followed) return
    followed.heard = Math.max(followed.heard, lastSeq)
    if (events && followed.from !== undefined && firstSeq === followed.to + 1) {
      this.#append(orgId, followed, events())
    }
    if (followed.followers > 0 && isBehind(followed)) void this.#catchUp()
  }

  /** The log was deleted up to this number. */
  forgetTo(orgId: string, floorSeq: number): void {
    const followed = this.#organizations.get(orgId)
    if (!followed || followed.from === undefined || floorSeq <= followed.from) return
    if (floorSeq > followed.to) this.#drop(orgId, followed)
    else this.#cut(followed, floorSeq - followed.from)
  }

  /** The guarantee behind the announcements: checks whether the log moved without one, and drops idle organizations. */
  async lookForLost(): Promise<void> {
    const now = performance.now()
    for (const [orgId, followed] of this.#organizations) {
      if (followed.followers === 0 && now - followed.idleSince > IDLE_MS) this.#drop(orgId, followed)
    }
    const orgIds = [...this.#organizations]
      .filter(([, { followers }]) => followers > 0)
      .map(([orgId]) => orgId)
    if (orgIds.length === 0) return
    const rows = await this.#db.query<{
      org_id: string
      last_seq: number
      floor_seq: number
    }>(sql`${crossing('what is wanted of several organizations is asked for together')}
      select org_id, last_seq, floor_seq from organization_logs where org_id = any(${orgIds}::uuid[])`)
    for (const { org_id, last_seq, floor_seq } of rows) {
      const followed = this.#organizations.get(org_id)
      if (!followed) continue
      followed.heard = Math.max(followed.heard, last_seq)
      this.forgetTo(org_id, floor_seq)
    }
    await this.#catchUp()
  }

  #begin(orgId: string): Followed {
    const followed: Followed = {
      followers: 0,
      idleSince: 0,
      from: undefined,
      to: 0,
      heard: 0,
      events: [],
      saying: new SayingEvents(),
      bytes: 0,
    }
    this.#organizations.set(orgId, followed)
    return followed
  }

  /** Reads missing events of all organizations at once. Events announced during a read go into the next one. */
  async #catchUp(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      for (;;) {
        const behind = [...this.#organizations].filter(
          ([, followed]) => followed.followers > 0 && isBehind(followed),
        )
        if (behind.length === 0) return
        const heard = behind.map(([, followed]) => followed.heard)
        const found = await this.#readMissing(behind)
        behind.forEach(([orgId, followed], index) => {
          this.#take(orgId, followed, found.get(orgId) ?? [], heard[index])
        })
      }
    } catch {
      // The database is down; the next look finds what is missing.
    } finally {
      this.#isReading = false
    }
  }

  async #readMissing(behind: readonly [string, Followed][]): Promise<Map<string, LogEvent[]>> {
    const wanted = behind.map(([orgId, { to }]) => ({ orgId, to }))
    const rows = await together<LogEvent & { orgId: string }, (typeof wanted)[number]>(
      this.#db,
      wanted,
      (some, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
      select x.org_id as "orgId", e.*
      from unnest(${some.map((one) => one.orgId)}::uuid[], ${some.map(({ to }) => to)}::bigint[]) as x (org_id, position)
      cross join lateral (
        select e.seq, e.id, e.type, e.topic_id as "topicId", e.data::text as data, e.created_at as "createdAt",
          coalesce(e.bot_ids, (
            select coalesce(array_agg(a.bot_id), '{}') from audience_rows a
            where a.org_id = ${orgId} and a.seq = e.seq
              and a.bot_id in (select b.id from bots b where b.org_id = ${orgId})
          )) as "botIds"
        from events e where e.org_id = ${orgId} and e.seq > x.position order by e.seq limit ${READ_LIMIT}
      ) e
      order by x.org_id, e.seq`,
    )
    const found = new Map<string, LogEvent[]>()
    for (const { orgId, ...event } of rows) {
      const events = found.get(orgId)
      if (events) events.push(event)
      else found.set(orgId, [event])
    }
    return found
  }

  /** `heard`: the newest number announced when it asked. */
  #take(orgId: string, followed: Followed, found: readonly LogEvent[], heard: number | undefined): void {
    // The organization was let go after the question; events in `found` may have been removed from the log since.
    if (followed.from === undefined) return
    // The events were removed before they were read. A newer number that was heard since was not asked for yet.
    if (found.length === 0 && followed.heard === heard) followed.heard = followed.to
    // This node may have written some of them itself since.
    const events = found.filter(({ seq }) => seq > followed.to)
    const [first] = events
    if (!first) return
    // Events in between were deleted before they were read.
    if (first.seq > followed.to + 1) this.#restart(followed, first.seq - 1)
    this.#append(orgId, followed, events)
  }

  #append(orgId: string, followed: Followed, events: readonly LogEvent[]): void {
    for (const event of events) {
      // Earlier events leave memory, because they may name the erased person; the log has them without the name.
      if (isErasure(event)) this.#cut(followed, followed.events.length)
      this.#takeOut(followed, event)
      followed.events.push(event)
      followed.saying.add(event)
      followed.bytes += costOf(event)
      this.#bytes += costOf(event)
    }
    followed.to = events.at(-1)?.seq ?? followed.to
    if (followed.events.length > MAX_EVENTS) this.#cut(followed, MAX_EVENTS / 2)
    if (this.#bytes > MAX_BYTES) {
      for (const other of this.#organizations.values()) this.#cut(other, Math.ceil(other.events.length / 2))
    }
    for (const listener of this.#listeners) listener(orgId, events)
  }

  /** Earlier events lose the words of messages that this one edits or deletes, as they have in the log. */
  #takeOut(followed: Followed, event: LogEvent): void {
    const taken = takenOutBy(event)
    if (!taken || followed.from === undefined) return
    for (const seq of taken.messageIds.flatMap((messageId) => followed.saying[taken.by](messageId))) {
      const place = seq - followed.from - 1
      const earlier = followed.events[place]
      if (!earlier) continue
      const without = { ...earlier, data: taken.without(earlier) }
      followed.events[place] = without // readers that were given the other one keep it as it is
      const change = costOf(without) - costOf(earlier)
      followed.bytes += change
      this.#bytes += change
    }
  }

  #cut(followed: Followed, count: number): void {
    if (followed.from === undefined) return
    for (const event of followed.events.splice(0, count)) {
      followed.saying.remove(event)
      followed.bytes -= costOf(event)
      this.#bytes -= costOf(event)
    }
    followed.from += count
  }

  #restart(followed: Followed, seq: number): void {
    this.#bytes -= followed.bytes
    followed.events = []
    followed.saying = new SayingEvents()
    followed.bytes = 0
    followed.from = followed.to = seq
  }

  #drop(orgId: string, followed: Followed): void {
    this.#bytes -= followed.bytes
    if (followed.followers === 0) this.#organizations.delete(orgId)
    Object.assign(followed, {
      from: undefined,
      to: 0,
      events: [],
      saying: new SayingEvents(),
      bytes: 0,
    })
  }
}

const isBehind = ({ from, to, heard }: Followed): boolean => from !== undefined && to < heard
const isErasure = ({ type, data }: LogEvent): boolean =>
  type === MEMBER_UPDATED && data.includes('"erased":true')
const costOf = ({ data }: LogEvent): number => data.length + EVENT_BYTES
