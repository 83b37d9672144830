import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type KeptAnswer, keptSince } from '../../idempotency/kept-answers.ts'
import { type Tick, tickAfter } from '../../ids.ts'
import { type Draft, eventOf, sentOf } from './message-drafts.ts'

/** Messages into one organization, allowed by its memberships at `version`; null: by its one writer, who has locked them. */
export type Batch = { orgId: string; version: number | null; drafts: readonly Draft[] }

type Problem = KeptAnswer & { place: number }

export type Written = {
  state: 'written'
  firstSeq: number
  firstTick: Tick
  /** The bots that get it, if the draft did not name them. */
  botIds: string[] | null
}

/** The result of a batch (server/db/functions/write_messages.sql). */
export type BatchResult =
  | Written
  | { state: 'stale' }
  /** Some have an answer already. Nothing was written. */
  | { state: 'known'; problems: Problem[] }
  /** Some reply to a message that is not in their topic. Nothing was written. */
  | { state: 'orphaned'; problems: { place: number }[] }

type Row = {
  state: BatchResult['state']
  first_seq: number
  first_ms: number
  first_count: number
  problems: Problem[] | number[] | null
  bots: string[] | null
}

export type WriteTime = {
  now: number
  /** Milliseconds to wait for an organization held by another writer; undefined: as long as the connection allows. */
  patienceMs?: number
}

/** Writes batches, sorted by organization: in one transaction, or in one each where organizations are on several machines. */
export async function writeMessages(
  db: Queryable,
  time: WriteTime,
  batches: readonly Batch[],
): Promise<BatchResult[]> {
  if (!db.isSpread) return writeTogether(db, time, batches)
  const results: BatchResult[] = []
  for (const batch of batches) results.push(...(await writeTogether(db, time, [batch])))
  return results
}

async function writeTogether(
  db: Queryable,
  { now, patienceMs }: WriteTime,
  batches: readonly Batch[],
): Promise<BatchResult[]> {
  const sizes = batches.map(({ drafts }) => drafts.length)
  const rows = await db.query<Row>(sql`
    select state, first_seq, first_tick >> 12 as first_ms, (first_tick & 4095)::integer as first_count, problems, bots
    from write_messages(${db.isSpread ? batches[0]?.orgId : null}, ${arrayOf(batches.map(({ orgId }) => orgId))},
      ${arrayOf(batches.map(({ version }) => version ?? 'NULL'))}, ${arrayOf(sizes)}, ${now}, ${keptSince(now)}, ${patienceMs},
      ${arrayOf(sizes.flatMap((size, index) => Array(size).fill(index + 1)))},
      ${arrayOf(sizes.flatMap((size) => [...Array(size).keys()]))},
      ${columnsOf(batches.flatMap(({ drafts }) => drafts))})
    order by batch`)
  return rows.map(resultOf)
}

/** Writes one message in the transaction of the organization's one writer, who has checked all that a sender can get wrong. */
export async function writeMessage(tx: Transaction, draft: Draft) {
  const batch = { orgId: tx.orgId, version: null, drafts: [draft] }
  const [, [result]] = await Promise.all([tx.storeNumbers(), writeMessages(tx, { now: tx.now() }, [batch])])
  if (result?.state !== 'written') throw new Error(`a message was not written: ${result?.state}`)
  const { firstSeq, firstTick, botIds } = result
  tx.continueFrom(firstSeq, tickAfter(firstTick, 1))
  tx.appended(eventOf(draft, firstSeq, firstTick, botIds ?? []))
  return sentOf(draft, firstTick)
}

function resultOf({ state, first_seq, first_ms, first_count, problems, bots }: Row): BatchResult {
  switch (state) {
    case 'written':
      return { state, firstSeq: first_seq, firstTick: { ms: first_ms, count: first_count }, botIds: bots }
    case 'stale':
      return { state }
    case 'known':
      return { state, problems: (problems ?? []).filter((problem) => typeof problem !== 'number') }
    case 'orphaned':
      return {
        state,
        problems: (problems ?? [])
          .filter((problem) => typeof problem === 'number')
          .map((place) => ({ place })),
      }
  }
}

/** An array of ids or numbers, which need no quotes: making it costs a fraction of what the driver would spend on it. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** Stands between elements that cannot hold it: JSON escapes it, HTTP refuses it in a header. */
const SEPARATOR = '\x1e'
const texts = (values: readonly string[]): Sql =>
  sql`string_to_array(${values.join(SEPARATOR)}, ${SEPARATOR})`

/** An empty text is no value; without any value there is no array. */
const optionalTexts = (values: readonly string[]): Sql =>
  values.every((value) => value === '')
    ? sql`null`
    : sql`string_to_array(${values.join(SEPARATOR)}, ${SEPARATOR}, '')`

const listOf = (ids: readonly string[]): string => (ids.length === 0 ? '' : arrayOf(ids))

/** The arguments of `write_messages` that hold a value for each message. */
function columnsOf(drafts: readonly Draft[]): Sql {
  const hasParents = drafts.some(({ parentId }) => parentId !== undefined)
  const hasNames = drafts.some(({ externalId }) => externalId !== undefined)
  const hasRest = drafts.some(({ rest }) => rest !== undefined)
  return sql`${arrayOf(drafts.map(({ topicId }) => topicId))}, ${arrayOf(drafts.map(({ senderId }) => senderId))},
    ${drafts.map(({ text }) => text)}::text[], ${optionalTexts(drafts.map(({ mentions }) => listOf(mentions)))},
    ${hasNames ? sql`${drafts.map(({ externalId }) => externalId)}::text[]` : sql`null`},
    ${hasParents ? sql`${arrayOf(drafts.map(({ parentId }) => parentId ?? 'NULL'))}::uuid[]` : sql`null`},
    ${hasRest ? sql`${drafts.map(({ rest }) => rest && JSON.stringify(rest))}::text[]::jsonb[]` : sql`null`},
    ${arrayOf(drafts.map(({ tails }) => tails.join('')))}, ${texts(drafts.map(({ head }) => head))},
    ${texts(drafts.map(({ ending }) => ending))}, ${hearerColumns(drafts)},
    ${optionalTexts(drafts.map(({ key }) => key?.key ?? ''))},
    ${optionalTexts(drafts.map(({ key }) => key?.requestHash.toString('hex') ?? ''))}`
}

/** Bots and addresses of each message, or the members concerned by the one message whose bots the database finds. */
function hearerColumns(drafts: readonly Draft[]): Sql {
  const known = drafts.flatMap(({ hearers }) => ('botIds' in hearers ? hearers : []))
  const [only] = drafts
  if (only && 'concerned' in only.hearers) return sql`null, null, ${only.hearers.concerned}::text[]`
  return sql`${texts(known.map(({ botIds }) => arrayOf(botIds)))}, ${optionalTexts(known.map(({ addressIds }) => listOf(addressIds)))}, null`
}
