import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { together } from '../db/together.ts'
import { BoundedMap } from '../limits/bounded-map.ts'

const MAX_BATCH = 50
/** Bots that polled here last. One that is forgotten costs a statement that changes nothing. */
const KNOWN = { entries: 20_000, bytes: 8 * 1024 * 1024 }

type Confirmed = { caller: Caller; seq: number }

/**
 * The position of each polling bot, from its offsets. It is needed when a bot changes to webhooks, or comes back
 * without an offset, so it is collected here and written now and then: after a crash it is a little old, which repeats
 * events and loses none. A bot that repeats its offset, as after each silent half minute, writes nothing.
 */
export class Acknowledgements {
  #known = new BoundedMap<number>(KNOWN, () => 8)
  #unwritten = new Map<string, Confirmed>()

  note(caller: Caller, seq: number): void {
    if (this.noted(caller) >= seq) return
    this.#known.set(caller.profileId, seq)
    this.#unwritten.set(caller.profileId, { caller, seq })
  }

  /** The newest that was noted here, written down or not; 0 where this node has not heard of the bot. */
  noted({ profileId }: Caller): number {
    return Math.max(this.#known.get(profileId) ?? 0, this.#unwritten.get(profileId)?.seq ?? 0)
  }

  async write(db: Queryable): Promise<void> {
    const entries = [...this.#unwritten.values()]
    // Writes in pieces: a thousand rows at once would delay the answers to waiting polls.
    for (let from = 0; from < entries.length; from += MAX_BATCH) {
      const piece = entries.slice(from, from + MAX_BATCH)
      await this.#writePiece(db, piece)
      for (const { caller, seq } of piece) {
        if (this.#unwritten.get(caller.profileId)?.seq === seq) this.#unwritten.delete(caller.profileId)
      }
    }
  }

  async #writePiece(db: Queryable, entries: readonly Confirmed[]): Promise<void> {
    await together(
      db,
      entries.map(({ caller: { orgId, profileId }, seq }) => ({ orgId, profileId, seq })),
      (some, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
      update bots set polled_seq = x.seq
      from unnest(${some.map((one) => one.orgId)}::uuid[],
        ${some.map(({ profileId }) => profileId)}::text[], ${some.map(({ seq }) => seq)}::bigint[])
        as x (org_id, id, seq)
      where bots.org_id = ${orgId} and bots.id = x.id and bots.polled_seq < x.seq`,
    )
  }
}
