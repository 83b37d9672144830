import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { Groups, type Perform } from '../../db/groups.ts'
import { type MemberRow, readMembers } from './members.ts'

const MAX_BATCH = 200

/** Reads single members. Those of an organization that are asked for while others are being read are read together. */
export class MemberReader {
  #db: Queryable
  #groups = new Groups(MAX_BATCH)

  constructor(db: Queryable) {
    this.#db = db
  }

  read({ orgId }: Pick<Caller, 'orgId'>, memberId: string): Promise<MemberRow | undefined> {
    return this.#groups.add(orgId, this.#readBatch, memberId)
  }

  #readBatch: Perform<string, MemberRow | undefined> = async (orgId, memberIds) => {
    const rows = await readMembers(this.#db, orgId, [...new Set(memberIds)])
    const members = new Map(rows.map((row) => [row.id, row]))
    return memberIds.map((id) => ({ result: members.get(id) }))
  }
}
