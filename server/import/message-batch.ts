import {
  countImportedReplies,
  type ImportedPin,
  type ImportedReaction,
  type ImportedRow,
  insertImported,
  insertImportedPins,
  insertImportedReactions,
} from '../actions/messages/imported-messages.ts'
import { messageMark } from '../actions/organization/import-marks.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { keepFiles } from '../files/files.ts'
import { endOfDays } from '../queries/organization/message-retention.ts'
import { awaitIndexing } from '../search/file-texts.ts'

export type Batch = { messages: ImportedRow[]; reactions: ImportedReaction[]; pins: ImportedPin[] }

/** Why a message does not come: it was deleted here, or it is older than messages get here. */
export type Absence = 'deleted' | 'old'
type Place = Pick<ImportedRow, 'id' | 'topic_id' | 'sender_id'>
type Sorted<Row extends Place> = { added: Row[]; known: number; deleted: number; old: number }
type Marked = Queryable & { markKey: Buffer | undefined }

/** Messages that exist already stay as they are: they may have been changed here. What was deleted here stays deleted. */
export async function sortOut<Row extends Place>(
  db: Marked,
  orgId: string,
  now: number,
  messages: readonly Row[],
): Promise<Sorted<Row>> {
  const ids = messages.map(({ id }) => id)
  const rows = await db.query<{ id: string }>(sql`
    select id from messages where org_id = ${orgId} and id = any(${ids}::uuid[])`)
  const known = new Set(rows.map(({ id }) => id))
  const unknown = new Map(messages.filter(({ id }) => !known.has(id)).map((row) => [row.id, row]))
  // Asked after the messages: what is deleted between both statements is found here.
  const absences = await readAbsences(db, orgId, now, [...unknown.values()])
  const reasons = [...absences.values()]
  return {
    added: [...unknown.values()].filter(({ id }) => !absences.has(id)),
    known: messages.length - unknown.size,
    deleted: reasons.filter((reason) => reason === 'deleted').length,
    old: reasons.filter((reason) => reason === 'old').length,
  }
}

/**
 * Finds the missing messages that may not be imported, by id. Their senders cannot be erased until this transaction
 * ends.
 */
export async function readAbsences(
  db: Marked,
  orgId: string,
  now: number,
  messages: readonly Place[],
): Promise<Map<string, Absence>> {
  if (messages.length === 0) return new Map()
  const marks = new Map(
    messages.map(({ id }) => [messageMark({ orgId, markKey: db.markKey }, id).toString('hex'), id]),
  )
  const deleted = await db.query<{ mark: string }>(sql`
    select encode(hash, 'hex') as mark from import_marks
    where org_id = ${orgId} and hash = any(${[...marks.keys()].map((mark) => Buffer.from(mark, 'hex'))}::bytea[])`)
  const isDeleted = new Set(deleted.map(({ mark }) => marks.get(mark)))
  const senders = [...new Set(messages.map(({ sender_id }) => sender_id))]
  const erased = await db.query<{ id: string; isErased: boolean }>(sql`
    select id, erased_at is not null as "isErased" from profiles
    where org_id = ${orgId} and id = any(${senders}) order by id for share`)
  const isErased = new Set(erased.flatMap(({ id, isErased }) => (isErased ? id : [])))
  const bounds = await readBounds(db, orgId, now, [...new Set(messages.map(({ topic_id }) => topic_id))])
  return new Map(
    messages.flatMap(({ id, topic_id, sender_id }): [string, Absence][] => {
      const { deletedTo, keptFrom } = bounds(topic_id)
      if (isDeleted.has(id) || isErased.has(sender_id) || id <= deletedTo) return [[id, 'deleted']]
      return id < keptFrom ? [[id, 'old']] : []
    }),
  )
}

/** The newest message of each topic that went when its time was over, and the place where messages begin that are kept. */
async function readBounds(db: Queryable, orgId: string, now: number, topicIds: readonly string[]) {
  const rows = await db.query<{
    id: string | null
    days: number | null
    usual: number | null
    deletedTo: string | null
  }>(sql`
    select t.id, coalesce(t.keep_messages_days, o.keep_messages_days) as days, o.keep_messages_days as usual,
      r.deleted_to as "deletedTo"
    from organizations o
    left join topics t on t.org_id = ${orgId} and t.id = any(${topicIds}::uuid[])
    left join retention_marks r on r.org_id = ${orgId} and r.topic_id = t.id
    where o.org_id = ${orgId}`)
  const boundOf = (days: number | null | undefined, deletedTo: string | null = null) => ({
    deletedTo: deletedTo ?? '',
    keptFrom: days ? endOfDays(now, days) : '',
  })
  const known = new Map(rows.map(({ id, days, deletedTo }) => [id, boundOf(days, deletedTo)]))
  const usual = boundOf(rows[0]?.usual) // of a topic that a dry run has not made
  return (topicId: string) => known.get(topicId) ?? usual
}

/** Writes a batch as a whole: messages with everything that belongs to them. */
export function writeBatch(db: Database, orgId: string, { messages, reactions, pins }: Batch) {
  return db.transaction(async (tx) => {
    const { added, ...others } = await sortOut(tx, orgId, tx.now(), messages)
    await insertImported(tx, orgId, added)
    const isNew = new Set(added.map(({ id }) => id))
    await countImportedReplies(tx, orgId, added)
    // Replies make their first message a thread, also where it came before.
    await awaitIndexing(tx, orgId, [...new Set(added.flatMap(({ id, parent_id }) => [id, parent_id ?? id]))])
    const newReactions = reactions.filter((reaction) => isNew.has(reaction.message_id))
    await insertImportedReactions(tx, orgId, newReactions)
    await insertImportedPins(
      tx,
      orgId,
      pins.filter((pin) => isNew.has(pin.message_id)),
    )
    const fileIds = added.flatMap(({ attachments }) => attachments?.map(({ id }) => id) ?? [])
    if (fileIds.length > 0) await keepFiles({ orgId, query: (query) => tx.query(query) }, fileIds)
    return { ...others, added: added.length, reactions: newReactions.length, files: fileIds.length }
  })
}
