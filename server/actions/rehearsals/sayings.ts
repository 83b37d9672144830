import { LIMITS } from '../../../contract/limits.ts'
import type { Saying } from '../../../contract/people/rehearsals.ts'
import { lockRehearsal, type RehearsalCaller, type RunningRehearsal } from '../../auth/rehearsals.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import type { SayingData } from '../../queries/bots/rehearsals.ts'
import { isTopicMember } from '../../queries/messages/messages.ts'

/** Bytes that a row takes besides its texts. */
const ROW_BYTES = 200

export type NewSaying = {
  kind: Saying['kind']
  text: string
  topicId?: string
  /** The message that it is about. */
  messageId?: string
  data?: SayingData
  /** The `Idempotency-Key` of its request. */
  key?: string | undefined
}

/** A saying as it is kept. */
export type KeptSaying = {
  number: number
  id: string
  topicId: string | null
  text: string
  data: SayingData
  bytes: number
  saidAt: number
}

const columns = sql`number, id, topic_id as "topicId", text, data, bytes, said_at as "saidAt"`

/** The rehearsal, locked, if something can still be done in it. */
export async function requireRunning(tx: Transaction, caller: RehearsalCaller): Promise<RunningRehearsal> {
  const rehearsal = await lockRehearsal(tx, caller, tx.now())
  if (rehearsal.overAt !== null) throw refusal('rehearsal_over')
  return rehearsal
}

/** Refuses topics that the admin of the rehearsal is not in; whether the bot is, was checked before. */
export async function requireShared(
  { orgId, rehearsal: { startedBy } }: RehearsalCaller,
  db: Queryable,
  topicId: string,
): Promise<void> {
  if (!(await isTopicMember({ orgId, profileId: startedBy }, db, topicId))) throw refusal('topic_not_found')
}

/** Keeps what the bot does, with the event that it has. A request that came with the same key before is the same. */
export async function keep(
  tx: Transaction,
  caller: RehearsalCaller,
  { kind, text, topicId, messageId, data = {}, key }: NewSaying,
): Promise<KeptSaying> {
  const rehearsal = await requireRunning(tx, caller)
  const { orgId } = tx
  if (key !== undefined) {
    const [known] = await tx.query<KeptSaying>(sql`
      select ${columns} from rehearsal_sayings
      where org_id = ${orgId} and rehearsal_id = ${rehearsal.id} and event_seq = ${rehearsal.currentSeq ?? 0} and key = ${key}`)
    if (known) return known
  }
  const bytes = sizeOf(text, data)
  const number = rehearsal.sayings + 1
  if (number > LIMITS.rehearsalSayings) throw refusal('rehearsal_full')
  await grow(tx, rehearsal, bytes)
  const [kept] = await tx.query<KeptSaying>(sql`
    insert into rehearsal_sayings (org_id, rehearsal_id, number, event_seq, kind, id, topic_id, message_id, text, data, key, bytes, said_at)
    values (${orgId}, ${rehearsal.id}, ${number}, ${rehearsal.currentSeq ?? 0}, ${kind}, ${newUuid()}, ${topicId}, ${messageId}, ${text},
      ${JSON.stringify(data)}, ${key}, ${bytes}, ${tx.now()})
    returning ${columns}`)
  if (!kept) throw new Error('an inserted row')
  await tx.query(sql`
    update rehearsals set sayings = ${number} where org_id = ${orgId} and id = ${rehearsal.id}`)
  return kept
}

/** Puts other words in place of those of a saying. */
export async function rekeep(
  tx: Transaction,
  caller: RehearsalCaller,
  before: KeptSaying,
  { text, data }: { text: string; data: SayingData },
): Promise<void> {
  const rehearsal = await requireRunning(tx, caller)
  const bytes = sizeOf(text, data)
  await grow(tx, rehearsal, bytes - before.bytes)
  await tx.query(sql`
    update rehearsal_sayings set text = ${text}, data = ${JSON.stringify(data)}, bytes = ${bytes}
    where org_id = ${tx.orgId} and rehearsal_id = ${rehearsal.id} and number = ${before.number}`)
}

const sizeOf = (text: string, data: SayingData): number =>
  ROW_BYTES + Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(data))

async function grow(tx: Transaction, { id, bytes }: RunningRehearsal, more: number): Promise<void> {
  if (more > 0 && bytes + more > LIMITS.rehearsalBytes) throw refusal('rehearsal_full')
  await tx.query(sql`update rehearsals set bytes = bytes + ${more} where org_id = ${tx.orgId} and id = ${id}`)
}

/** The message of a rehearsal by the id that its bot got for it, unless it was deleted again. */
export async function findKept(
  { orgId, rehearsal }: RehearsalCaller,
  db: Queryable,
  id: string,
): Promise<KeptSaying | undefined> {
  const [row] = await db.query<KeptSaying>(sql`
    select ${columns} from rehearsal_sayings
    where org_id = ${orgId} and rehearsal_id = ${rehearsal.id} and id = ${id} and kind in ('message', 'question')`)
  return row?.data.deleted ? undefined : row
}

/** Removes the sayings that belong to an event which its bot is given again. */
export async function forgetSayingsTo(
  db: Queryable,
  { orgId, rehearsal: { id } }: RehearsalCaller,
  eventSeq: number,
): Promise<void> {
  const gone = await db.query<{ bytes: number }>(sql`
    delete from rehearsal_sayings where org_id = ${orgId} and rehearsal_id = ${id} and event_seq = ${eventSeq} returning bytes`)
  const bytes = gone.reduce((sum, row) => sum + row.bytes, 0)
  if (bytes > 0)
    await db.query(sql`update rehearsals set bytes = bytes - ${bytes} where org_id = ${orgId} and id = ${id}`)
}

/** Notes, once for each event, that the bot called an operation that no rehearsal has. Never fails for want of room. */
export async function noteRefused(
  tx: Transaction,
  caller: RehearsalCaller,
  operationId: string,
): Promise<void> {
  const rehearsal = await requireRunning(tx, caller)
  const [known] = await tx.query(sql`
    select from rehearsal_sayings
    where org_id = ${tx.orgId} and rehearsal_id = ${rehearsal.id} and event_seq = ${rehearsal.currentSeq ?? 0}
      and kind = 'refused' and text = ${operationId}`)
  const isFull = rehearsal.sayings >= LIMITS.rehearsalSayings || rehearsal.bytes >= LIMITS.rehearsalBytes
  if (!known && !isFull) await keep(tx, caller, { kind: 'refused', text: operationId })
}
