import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { Groups, type Perform } from '../db/groups.ts'
import { readUpdatesOfMany, type Unread, type UpdatePage } from '../queries/events/updates.ts'

const MAX_BATCH = 200

/** Reads updates: polls of an organization that read at the same time, such as those that one event has woken, together. */
export class UpdateReader {
  #db: Queryable
  #groups = new Groups(MAX_BATCH)

  constructor(db: Queryable) {
    this.#db = db
  }

  read({ orgId, profileId: botId }: Caller, position: number, limit: number): Promise<UpdatePage> {
    return this.#groups.add(orgId, this.#readBatch, { botId, position, limit })
  }

  #readBatch: Perform<Unread, UpdatePage> = async (orgId, unread) =>
    (await readUpdatesOfMany(this.#db, orgId, unread)).map((result) => ({ result }))
}
