import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, literal, nothing, sql } from '../db/sql.ts'
import { FIRST_ID, firstUuidAt, LAST_ID, lastUuidAt } from '../ids.ts'
import { type MessageRow, messageColumns } from '../queries/messages/messages.ts'
import { topicName } from '../queries/topics/chat-topics.ts'
import { maySee } from '../queries/topics/open-topics.ts'
import { both, either, term } from './conditions.ts'
import type { SearchRequest } from './parse.ts'
import { rangeTerm } from './ranges.ts'

/*
 * Newest first, however many there are: the newest messages are looked through one by one, which finds frequent words; rare ones
 * come out of the index, range by range backwards. Either way as much is read as is found, not as there is.
 */

/** Messages that are searched one by one, 2 µs each. */
const LOOKED_THROUGH = 1000
/** Ranges searched in each step; the last number repeats. */
const RANGE_STEPS = [4, 16, 64]
/**
 * Above this number of topics, each found message is checked for its topic: the index would have to merge as many
 * lists.
 */
const MAX_TOPIC_TERMS = 200

/** Message ids of the searched stretch, both excluded. */
type Stretch = { newerThan: string; olderThan: string }

/** A search: its condition on terms as a `tsquery`, if there is one, and the topics of the caller that it covers. */
export type Wanted = { condition: string | undefined; topicIds: readonly string[] } & Pick<
  SearchRequest,
  'before' | 'after'
>
type Conditions = Pick<Wanted, 'condition' | 'topicIds'> & { stretch: Stretch }

/** Ids of messages, the newest first, up to `limit`. */
export async function findNewest(
  caller: Caller,
  db: Queryable,
  wanted: Wanted & { olderThan?: string | undefined; limit: number },
): Promise<string[]> {
  const { condition, topicIds, limit } = wanted
  if (topicIds.length === 0) return []
  const conditions = { condition, topicIds, stretch: stretchOf(wanted, wanted.olderThan) }

  const near = await lookThrough(caller, db, conditions, limit)
  const ids = near.ids
  if (near.lowestId === undefined || ids.length >= limit) return ids
  for await (const stretch of rangesBefore(caller, db, { ...conditions.stretch, olderThan: near.lowestId })) {
    const more = await searchRanges(db, { ...conditions, stretch }, stretch.names, limit - ids.length)
    ids.push(...more)
    if (ids.length >= limit) break
  }
  return ids
}

function stretchOf({ before, after }: Wanted, cursor: string | undefined): Stretch {
  const latest = before === undefined ? LAST_ID : firstUuidAt(before)
  return {
    newerThan: after === undefined ? FIRST_ID : lastUuidAt(after),
    olderThan: cursor !== undefined && cursor < latest ? cursor : latest,
  }
}

/** `lowestId` is the oldest message searched; undefined if there are no more. */
async function lookThrough(
  { orgId }: Caller,
  db: Queryable,
  { stretch, topicIds, condition }: Conditions,
  limit: number,
): Promise<{ ids: string[]; lowestId: string | undefined }> {
  const [row] = await db.query<{ ids: string[]; lowest_id: string | null }>(sql`
    with d as materialized (
      select id, topic_id, terms from search_documents
      where org_id = ${orgId} and id > ${stretch.newerThan}::uuid and id < ${stretch.olderThan}::uuid
      order by org_id desc, id desc limit ${literal(LOOKED_THROUGH)}
    )
    select array(
      select d.id from d where ${condition === undefined ? nothing : sql`d.terms @@ ${condition}::tsquery and`} d.topic_id = any(${topicIds}::uuid[])
      order by d.id desc limit ${limit}
    ) as ids, (select d.id from d order by d.id desc offset ${literal(LOOKED_THROUGH - 1)}) as lowest_id`)
  return { ids: row?.ids ?? [], lowestId: row?.lowest_id ?? undefined }
}

/** The ranges of a stretch, the newest first, more at a time the longer nothing is found. */
async function* rangesBefore(
  { orgId }: Caller,
  db: Queryable,
  { newerThan, olderThan }: Stretch,
): AsyncGenerator<Stretch & { names: string[] }> {
  const ranges = await db.query<{ first_id: string; name: string }>(sql`
    select first_id, name from search_ranges
    where org_id = ${orgId} and first_id < ${olderThan}::uuid and first_id >= coalesce((
      select first_id from search_ranges where org_id = ${orgId} and first_id <= ${newerThan}::uuid
      order by first_id desc limit 1
    ), ${FIRST_ID}::uuid)
    order by first_id desc`)
  for (let begin = 0, step = 0; begin < ranges.length; step++) {
    const size = RANGE_STEPS[Math.min(step, RANGE_STEPS.length - 1)] ?? 1
    const names = ranges.slice(begin, begin + size).map(({ name }) => name)
    yield { names, newerThan, olderThan }
    begin += size
  }
}

/**
 * The inner query has everything that the index can decide, and nothing that another index could be used for: a walk
 * along the ids would read the whole organization for a word that no message has.
 */
async function searchRanges(
  db: Queryable,
  { stretch, topicIds, condition }: Conditions,
  names: readonly string[],
  limit: number,
): Promise<string[]> {
  const inIndex = both([
    ...(condition === undefined ? [] : [condition]),
    either(names.map((name) => term(rangeTerm(name)))),
    ...(topicIds.length <= MAX_TOPIC_TERMS ? [either(topicIds.map((id) => term(`t:${id}`)))] : []),
  ])
  const rows = await db.query<{
    id: string
  }>(sql`${crossing('terms name the organization, and the index has no other place for it')}
    with d as materialized (
      select d.id, d.topic_id from search_documents d where d.terms @@ ${inIndex}::tsquery
    )
    select d.id from d
    where d.topic_id = any(${topicIds}::uuid[]) and d.id > ${stretch.newerThan}::uuid and d.id < ${stretch.olderThan}::uuid
    order by d.id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

export type Ranked = { rank: number; id: string }

/** The newest that were found, the best first: those that have the words more often, and in shorter texts. */
export async function rankFound(
  { orgId }: Caller,
  db: Queryable,
  { ids, words }: { ids: readonly string[]; words: string },
): Promise<Ranked[]> {
  return db.query<Ranked>(sql`
    select x.id, x.rank from (
      select d.id, (ts_rank(d.terms, ${words}::tsquery, 1) * 1000000)::integer as rank from search_documents d
      where d.org_id = ${orgId} and d.id = any(${ids}::uuid[])
    ) x order by x.rank desc, x.id desc`)
}

export type FoundRow = MessageRow & {
  topic_type: 'topic' | 'dm'
  topic_name: string
  task: { title: string; description: string } | null
}

/** The found messages, as far as they are still there and the caller may see them; in no order. */
export function readFound(caller: Caller, db: Queryable, ids: readonly string[]): Promise<FoundRow[]> {
  return db.query<FoundRow>(sql`
    select ${messageColumns}, t.type as topic_type, ${topicName(caller)} as topic_name, (
      select json_build_object('title', k.title, 'description', k.description) from tasks k
      where x.type = 'task' and k.org_id = ${caller.orgId} and k.id = (x.details -> 'task' ->> 'id')::uuid
    ) as task
    from messages x
    join profiles p on p.org_id = x.org_id and p.id = x.sender_id
    join topics t on t.org_id = x.org_id and t.id = x.topic_id
    where x.org_id = ${caller.orgId} and x.id = any(${ids}::uuid[]) and ${maySee(caller, sql`x.topic_id`)}`)
}

/** Whether all messages are indexed. */
export async function isPrepared({ orgId }: Caller, db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ done: boolean }>(sql`
    select p.older_than is null as done from search_progress p where p.org_id = ${orgId}`)
  return row?.done ?? false
}
