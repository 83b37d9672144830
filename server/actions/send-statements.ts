import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type KeptAnswer, keptSince } from '../http/idempotency.ts'
import type { Tick } from '../ids.ts'
import type { Draft } from './message-drafts.ts'

/** Messages into one organization, allowed by its memberships as they were at `version`. */
export type Batch = { orgId: string; version: number; drafts: readonly Draft[] }

type Problem = KeptAnswer & { place: number }

export type Written = { state: 'written'; firstSeq: number; firstTick: Tick }

/** The result of a batch (`send_messages` in 0015_message_writer.sql). */
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
}

export type SendTime = {
  now: number
  /** Milliseconds to wait for an organization that somebody else holds; undefined: as long as the connection allows. */
  patienceMs?: number
}

/** Writes batches, sorted by organization, in one transaction. */
export async function sendBatches(
  db: Queryable,
  time: SendTime,
  batches: readonly Batch[],
): Promise<BatchResult[]> {
  if (batches.length === 0) return []
  if (db.isSpread) return sendInTurn(db, time, batches)
  const { now, patienceMs } = time
  const sizes = batches.map(({ drafts }) => drafts.length)
  const rows = await db.query<Row>(sql`
    select batch, state, first_seq, first_tick >> 12 as first_ms, (first_tick & 4095)::integer as first_count, problems
    from send_messages(${now}, ${keptSince(now)}, ${patienceMs}, ${arrayOf(batches.map(({ orgId }) => orgId))},
      ${arrayOf(batches.map(({ version }) => version))}, ${arrayOf(sizes)},
      ${arrayOf(sizes.flatMap((size, index) => Array(size).fill(index + 1)))},
      ${arrayOf(sizes.flatMap((size) => [...Array(size).keys()]))},
      ${columnsOf(batches.flatMap(({ drafts }) => drafts))})
    order by batch`)
  return rows.map(resultOf)
}

/** Each organization by itself, on the machine that has it. */
async function sendInTurn(
  db: Queryable,
  { now, patienceMs }: SendTime,
  batches: readonly Batch[],
): Promise<BatchResult[]> {
  const results: BatchResult[] = []
  for (const { orgId, version, drafts } of batches) {
    const rows = await db.query<Row>(sql`
      select state, first_seq, first_tick >> 12 as first_ms, (first_tick & 4095)::integer as first_count, problems
      from send_in_organization(${orgId}, ${version}, ${now}, ${keptSince(now)}, ${patienceMs}, ${columnsOf(drafts)})`)
    results.push(...rows.map(resultOf))
  }
  return results
}

function resultOf({ state, first_seq, first_ms, first_count, problems }: Row): BatchResult {
  switch (state) {
    case 'written':
      return { state, firstSeq: first_seq, firstTick: { ms: first_ms, count: first_count } }
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
function optionalTexts(values: readonly string[]): Sql {
  return values.every((value) => value === '')
    ? sql`null`
    : sql`string_to_array(${values.join(SEPARATOR)}, ${SEPARATOR}, '')`
}

function columnsOf(drafts: readonly Draft[]): Sql {
  const hasParents = drafts.some(({ parentId }) => parentId !== undefined)
  const hasNames = drafts.some(({ externalId }) => externalId !== undefined)
  return sql`${arrayOf(drafts.map(({ topicId }) => topicId))}, ${arrayOf(drafts.map(({ senderId }) => senderId))},
    ${drafts.map(({ text }) => text)}::text[], ${optionalTexts(drafts.map(({ mentions }) => listOf(mentions)))},
    ${hasNames ? sql`${drafts.map(({ externalId }) => externalId)}::text[]` : sql`null`},
    ${arrayOf(drafts.map(({ tails }) => tails.join('')))},
    ${texts(drafts.map(({ head }) => head))}, ${texts(drafts.map(({ ending }) => ending))},
    ${texts(drafts.map(({ botIds }) => arrayOf(botIds)))}, ${optionalTexts(drafts.map(({ addressIds }) => listOf(addressIds)))},
    ${hasParents ? sql`${arrayOf(drafts.map(({ parentId }) => parentId ?? 'NULL'))}::uuid[]` : sql`null`},
    ${optionalTexts(drafts.map(({ key }) => key?.key ?? ''))},
    ${optionalTexts(drafts.map(({ key }) => key?.requestHash.toString('hex') ?? ''))}`
}

const listOf = (ids: readonly string[]): string => (ids.length === 0 ? '' : arrayOf(ids))

/** Nobody else writes in this organization until the transaction ends. */
export async function lockOrganization(db: Queryable, orgId: string): Promise<void> {
  await db.query(sql`select 1 from organization_logs where org_id = ${orgId} for update`)
}
