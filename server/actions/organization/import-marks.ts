import { createHmac } from 'node:crypto'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emailKey } from '../../text.ts'

/** Bytes of a mark: as many as make a false match impossible in practice. */
const MARK_BYTES = 16

type Marking = { orgId: string; markKey?: Buffer | undefined }

/** The keyed hash by which a later import recognizes a thing. Without the key, names cannot be guessed. */
export function markOf({ orgId, markKey }: Marking, ...names: string[]): Buffer {
  if (!markKey) throw new Error('the key of import marks is not loaded')
  return createHmac('sha256', markKey)
    .update(JSON.stringify([orgId, ...names]))
    .digest()
    .subarray(0, MARK_BYTES)
}

export const messageMark = (at: Marking, id: string): Buffer => markOf(at, 'message', id)
export const emojiMark = (at: Marking, name: string): Buffer => markOf(at, 'emoji', name)
export const addressMark = (at: Marking, email: string): Buffer => markOf(at, 'address', emailKey(email))
/** The mark of a person by their key in another product's export. */
export const sourceMark = (at: Marking, format: string, key: string): Buffer =>
  markOf(at, 'person', format, key)

/** Records deletions, so that no import brings them back. */
export async function noteDeleted(tx: Transaction, marks: readonly Buffer[]): Promise<void> {
  await tx.query(sql`
    insert into import_marks (org_id, hash) select ${tx.orgId}, hash from unnest(${marks}::bytea[]) as x (hash)
    on conflict do nothing`)
}

/** Notes that messages of a topic went when their time was over, the newest of them among them: one row for all. */
export async function noteMessageRetention(
  tx: Transaction,
  topicId: string,
  deletedTo: string,
): Promise<void> {
  await tx.query(sql`
    insert into retention_marks as r (org_id, topic_id, deleted_to) values (${tx.orgId}, ${topicId}, ${deletedTo})
    on conflict (org_id, topic_id) do update set deleted_to = greatest(r.deleted_to, excluded.deleted_to)`)
}

/** Notes whose address or name in an export it is. A later holder of the same address takes the place of an earlier one. */
export async function notePerson(
  db: Queryable,
  orgId: string,
  mark: Buffer,
  profileId: string,
): Promise<void> {
  await db.query(sql`
    insert into import_marks as m (org_id, hash, profile_id) values (${orgId}, ${mark}, ${profileId})
    on conflict (org_id, hash) do update set profile_id = excluded.profile_id where m.profile_id <> excluded.profile_id`)
}
