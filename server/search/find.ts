import { LIMITS } from '../../contract/limits.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, literal, nothing, type Sql, sql } from '../db/sql.ts'
import { firstUuidAt, lastUuidAt } from '../ids.ts'
import { type MessageRow, messageColumns } from '../queries/messages/messages.ts'
import { topicName } from '../queries/topics/chat-topics.ts'
import { maySee } from '../queries/topics/open-topics.ts'
import type { SearchRequest } from './parse.ts'
import type { Scope } from './scope.ts'
import { stemsOf } from './stems.ts'

/*
 * Newest first, however many there are: the newest messages are looked through one by one, which finds frequent words; rare ones
 * come out of the index, segment by segment backwards. Either way as much is read as is found, not as there is.
 */

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Messages that are searched one by one, 2 µs each. */
const LOOKED_THROUGH = 1000
/** Segments searched in each step; the last number repeats. */
const SEGMENT_STEPS = [4, 16, 64]
/**
 * Above this number of topics, each found message is checked for its topic: the index would have to merge as many
 * lists.
 */
const MAX_TOPIC_MARKS = 200

/** Message ids of the search range, both excluded. */
type Range = { newerThan: string; olderThan: string }

/** A search in the form for the database. */
type Conditions = Scope & { query: string | undefined; has: string[]; range: Range }

/** The request of a search, its scope, and its words as PostgreSQL knows them, if there are any. */
export type Wanted = { request: SearchRequest; scope: Scope; query: string | undefined }

/** Ids of messages, the newest first, up to `limit`. */
export async function findNewest(
  caller: Caller,
  db: Queryable,
  search: Wanted & { olderThan?: string | undefined; limit: number },
): Promise<string[]> {
  const { request, scope, query, limit } = search
  const isAnywhere = [scope.topicIds, scope.senderIds, scope.mentionedIds].every((ids) => ids?.length !== 0)
  if (!isAnywhere) return []
  const conditions = { ...scope, query, has: request.has, range: rangeOf(request, search.olderThan) }

  const near = await lookThrough(caller, db, conditions, limit)
  const ids = near.ids
  if (near.lowestId === undefined || ids.length >= limit) return ids
  for await (const range of segmentsBefore(caller, db, { ...conditions.range, olderThan: near.lowestId })) {
    if (ids.length >= limit) break
    const more = await searchSegments(db, { ...conditions, range }, range.names, limit - ids.length)
    ids.push(...more)
  }
  return ids
}

function rangeOf({ before, after }: SearchRequest, cursor: string | undefined): Range {
  const latest = before === undefined ? LAST_ID : firstUuidAt(before)
  return {
    newerThan: after === undefined ? FIRST_ID : lastUuidAt(after),
    olderThan: cursor !== undefined && cursor < latest ? cursor : latest,
  }
}

/** The condition that an entry `e` meets the search, apart from its range and topics. */
function fits({ query, senderIds, mentionedIds, has }: Conditions): Sql {
  const marked = (prefix: string, values: readonly string[] | undefined) =>
    values ? sql`and e.marks && ${values.map((value) => `${prefix}:${value}`)}::text[]` : nothing
  return sql`${query === undefined ? sql`true` : sql`e.words @@ ${query}::tsquery`}
    ${marked('f', senderIds)} ${marked('m', mentionedIds)}
    ${has.length === 0 ? nothing : sql`and e.marks @> ${has.map((thing) => `h:${thing}`)}::text[]`}`
}

/** `lowestId` is the oldest message searched; undefined if there are no more. */
async function lookThrough(
  { orgId }: Caller,
  db: Queryable,
  conditions: Conditions,
  limit: number,
): Promise<{ ids: string[]; lowestId: string | undefined }> {
  const { range, topicIds } = conditions
  const [row] = await db.query<{ ids: string[]; lowest_id: string | null }>(sql`
    with e as materialized (
      select id, topic_id, marks, words from search_entries
      where org_id = ${orgId} and id > ${range.newerThan}::uuid and id < ${range.olderThan}::uuid
      order by org_id desc, id desc limit ${literal(LOOKED_THROUGH)}
    )
    select array(
      select e.id from e where ${fits(conditions)} and e.topic_id = any(${topicIds}::uuid[])
      order by e.id desc limit ${limit}
    ) as ids, (select e.id from e order by e.id desc offset ${literal(LOOKED_THROUGH - 1)}) as lowest_id`)
  return { ids: row?.ids ?? [], lowestId: row?.lowest_id ?? undefined }
}

/** The segments of a range, the newest first, more at a time the longer nothing is found. */
async function* segmentsBefore(
  { orgId }: Caller,
  db: Queryable,
  { newerThan, olderThan }: Range,
): AsyncGenerator<Range & { names: string[] }> {
  const segments = await db.query<{ first_id: string; name: string }>(sql`
    select first_id, name from search_segments
    where org_id = ${orgId} and first_id < ${olderThan}::uuid and first_id >= coalesce((
      select first_id from search_segments where org_id = ${orgId} and first_id <= ${newerThan}::uuid
      order by first_id desc limit 1
    ), ${FIRST_ID}::uuid)
    order by first_id desc`)
  for (let begin = 0, step = 0; begin < segments.length; step++) {
    const size = SEGMENT_STEPS[Math.min(step, SEGMENT_STEPS.length - 1)] ?? 1
    const names = segments.slice(begin, begin + size).map(({ name }) => name)
    yield { names, newerThan, olderThan }
    begin += size
  }
}

/**
 * The inner query has everything that the index can decide, and nothing that another index could be used for: a walk
 * along the ids would read the whole organization for a word that no message has.
 */
async function searchSegments(
  db: Queryable,
  conditions: Conditions,
  names: readonly string[],
  limit: number,
): Promise<string[]> {
  const { range, topicIds } = conditions
  const hasTopicMarks = topicIds.length <= MAX_TOPIC_MARKS
  const rows = await db.query<{
    id: string
  }>(sql`${crossing('marks name the organization, and the index of words has no other place for it')}
    with e as materialized (
      select e.id, e.topic_id from search_entries e
      where ${fits(conditions)} and e.marks && ${names.map((name) => `s:${name}`)}::text[]
        ${hasTopicMarks ? sql`and e.marks && ${topicIds.map((id) => `t:${id}`)}::text[]` : nothing}
    )
    select e.id from e
    where e.topic_id = any(${topicIds}::uuid[]) and e.id > ${range.newerThan}::uuid and e.id < ${range.olderThan}::uuid
    order by e.id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** All words in any of their forms, and the phrases. Words are letters and digits: nothing in them is an operator. */
export async function tsqueryOf(
  db: Queryable,
  { words, prefix, phrases }: SearchRequest,
): Promise<string | undefined> {
  const stems = await stemsOf(db, prefix === undefined ? words : [...words, prefix])
  const forms = (word: string) => [...new Set([word, ...(stems.get(word) ?? [])])].map(quoted)
  const all = [
    ...words.map((word) => `(${forms(word).join('|')})`),
    ...(prefix === undefined ? [] : [`(${[`${quoted(prefix)}:*`, ...forms(prefix).slice(1)].join('|')})`]),
    ...phrases.map((phrase) => `(${phrase.map(quoted).join('<->')})`),
  ]
  return all.length === 0 ? undefined : all.join('&')
}

const quoted = (word: string): string => `'${word}'`

export type Ranked = { rank: number; id: string }

/** The newest that were found, the best first: those that have the words more often, and in shorter texts. */
export async function rankFound(
  { orgId }: Caller,
  db: Queryable,
  { ids, query }: { ids: readonly string[]; query: string },
): Promise<Ranked[]> {
  return db.query<Ranked>(sql`
    select x.id, x.rank from (
      select e.id, (ts_rank(e.words, ${query}::tsquery, 1) * 1000000)::integer as rank from search_entries e
      where e.org_id = ${orgId} and e.id = any(${ids}::uuid[])
    ) x order by x.rank desc, x.id desc limit ${LIMITS.searchRanked}`)
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
    select p.older_than is null as done from search_positions p where p.org_id = ${orgId}`)
  return row?.done ?? false
}
