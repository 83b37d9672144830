import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emitToPeople } from '../../events/log.ts'
import { emitMembers, insertMembers } from './topics.ts'

/** The time of the last change of a topic that no member sees yet. */
export const HIDDEN = 0

export type HiddenTopic = {
  id: string
  type: 'topic' | 'dm'
  name: string
  description: string
  /** The members of a direct message, by `memberKeyOf`. */
  memberKey: string | null
  createdBy: string
  createdAt: number
}

/** Adds a topic of an export, closed and without members. No event tells of it. */
export async function addHiddenTopic(db: Database, orgId: string, topic: HiddenTopic): Promise<void> {
  await db.query(sql`
    insert into topics (org_id, id, type, name, description, member_key, created_by, created_at, updated_at)
    values (${orgId}, ${topic.id}, ${topic.type}, ${topic.name}, ${topic.description}, ${topic.memberKey},
      ${topic.createdBy}, ${topic.createdAt}, ${HIDDEN})`)
}

export type ShownTopic = {
  id: string
  isOpen: boolean
  isArchived: boolean
  memberIds: string[]
  actorId: string
}

/** Lets the members of a hidden topic in, and tells them of it. */
export async function showTopic(
  tx: Transaction,
  { id, isOpen, isArchived, memberIds, actorId }: ShownTopic,
): Promise<void> {
  const now = tx.now()
  await tx.query(sql`
    update topics set open = ${isOpen}, archived_at = ${isArchived ? now : null}, updated_at = ${now}
    where org_id = ${tx.orgId} and id = ${id}`)
  if (memberIds.length === 0) return
  await insertMembers(tx, id, memberIds, now)
  await emitMembers(tx, 'member.added', id, memberIds, actorId)
  await emitToPeople(tx, 'topic.created', id, { topicId: id, actorId })
}
