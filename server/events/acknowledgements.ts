import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

const MAX_BATCH = 50

/**
 * How far each polling bot has come, as its offsets tell. It is needed when a bot changes to webhooks, and when it comes back
 * without an offset, so it is collected here and written now and then: a crash makes it a little old, which repeats events
 * and loses none.
 */
export class Acknowledgements {
  #seqs = new Map<string, { caller: Caller; seq: number }>()

  note(caller: Caller, seq: number): void {
    const known = this.#seqs.get(caller.profileId)
    if (!known || known.seq < seq) this.#seqs.set(caller.profileId, { caller, seq })
  }

  /** What was noted here and is not written down yet. */
  noted({ profileId }: Caller): number {
    return this.#seqs.get(profileId)?.seq ?? 0
  }

  async write(db: Queryable): Promise<void> {
    const entries = [...this.#seqs.values()]
    // In pieces: a thousand rows at once would hold up those who wait for an answer.
    for (let from = 0; from < entries.length; from += MAX_BATCH) {
      const piece = entries.slice(from, from + MAX_BATCH)
      await this.#writePiece(db, piece)
      for (const { caller, seq } of piece) {
        if (this.#seqs.get(caller.profileId)?.seq === seq) this.#seqs.delete(caller.profileId)
      }
    }
  }

  async #writePiece(db: Queryable, entries: readonly { caller: Caller; seq: number }[]): Promise<void> {
    await db.query(sql`
      update bots set polled_seq = a.seq
      from unnest(${entries.map(({ caller }) => caller.orgId)}::uuid[],
        ${entries.map(({ caller }) => caller.profileId)}::text[], ${entries.map(({ seq }) => seq)}::bigint[])
        as a (org_id, id, seq)
      where bots.org_id = a.org_id and bots.id = a.id and bots.polled_seq < a.seq`)
  }
}
