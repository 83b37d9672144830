import { isBotId } from '../../contract/profile-ids.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { join, type Sql, sql } from '../db/sql.ts'
import { topicName } from '../queries/topics/chat-topics.ts'
import { isOpenTo } from '../queries/topics/open-topics.ts'
import type { SearchRequest } from './parse.ts'
import { isUnspaced, wordsOf } from './words.ts'

/** The topics and senders that a search covers. */
export type Scope = {
  /** Topics that the caller may read and the search covers. */
  topicIds: string[]
  /** Senders of the messages; undefined means all. */
  senderIds: string[] | undefined
  /** Mentioned people; undefined means all. */
  mentionedIds: string[] | undefined
}

/** People that one filter can match. */
const MAX_NAMED = 100

export async function readScope(caller: Caller, db: Queryable, request: SearchRequest): Promise<Scope> {
  const [topicIds, senderIds, mentionedIds] = await Promise.all([
    readVisibleTopicIds(caller, db, request.in),
    readNamedIds(caller, db, request.from),
    readNamedIds(caller, db, request.mentions),
  ])
  return { topicIds, senderIds, mentionedIds }
}

/** A query for the ids of all topics that `maySee` allows, found from the caller's side. */
const visibleTopics = (caller: Caller): Sql => {
  const own = sql`select m.topic_id from topic_members m
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId}`
  if (isBotId(caller.profileId)) return own
  return sql`${own} union select t.id from topics t where t.org_id = ${caller.orgId} and t.open and ${isOpenTo(sql`${caller.orgId}`, sql`${caller.profileId}`)}`
}

async function readVisibleTopicIds(
  caller: Caller,
  db: Queryable,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) {
    const rows = await db.query<{ topic_id: string }>(visibleTopics(caller))
    return rows.map(({ topic_id }) => topic_id)
  }
  const rows = await db.query<{ id: string; name: string }>(sql`
    select t.id, search_name(${topicName(caller)}) as name from topics t
    where t.org_id = ${caller.orgId} and t.id in (${visibleTopics(caller)})`)
  return named(names, rows)
}

async function readNamedIds(
  caller: Caller,
  db: Queryable,
  names: readonly string[],
): Promise<string[] | undefined> {
  if (names.length === 0) return undefined
  const isNamed = names.map((name) => sql`(${matchesName(sql`p.name`, wordsOf(name))})`)
  const rows = await db.query<{ id: string; name: string }>(sql`
    select p.id, search_name(p.name) as name from profiles p
    where p.org_id = ${caller.orgId} and (p.id = any(${names.map((name) => name.toLowerCase())}) or ${join(isNamed, sql` or `)})
    order by p.id limit ${MAX_NAMED}`)
  const me = names.some((name) => name.toLowerCase() === 'me') ? [caller.profileId] : []
  return [...new Set([...me, ...named(names, rows)])]
}

/** Ids of the rows that each name stands for: that with this id, else those called exactly so, else those that begin so. */
function named(names: readonly string[], rows: readonly { id: string; name: string }[]): string[] {
  const found = names.flatMap((name) => {
    const words = wordsOf(name)
    const byId = rows.filter(({ id }) => id === name.toLowerCase())
    if (byId.length > 0 || words.length === 0) return byId
    const exact = rows.filter((row) => wordsOf(row.name).join(' ') === words.join(' '))
    return exact.length > 0 ? exact : rows.filter((row) => beginsWith(wordsOf(row.name), words))
  })
  return [...new Set(found.map(({ id }) => id))]
}

const beginsWith = (ofName: readonly string[], words: readonly string[]): boolean =>
  words.every((word) => ofName.some((part) => part.startsWith(word)))

/** Whether every word begins a word of a name. Words are letters and digits: no pattern hides in them. */
function matchesName(name: Sql, words: readonly string[]): Sql {
  if (words.length === 0) return sql`false`
  const folded = sql`search_name(${name})`
  return join(
    words.map((word) => sql`${folded} ~ ${isUnspaced(word) ? word : `\\m${word}`}`),
    sql` and `,
  )
}

export type TopicNameRow = { id: string; name: string; description: string }
export type MemberNameRow = { id: string; name: string; kind: 'user' | 'bot' }

/** Topics whose names, or else descriptions, have all these words; direct messages are found by whom they are with. */
export function findTopics(
  caller: Caller,
  db: Queryable,
  { topicIds, words, limit }: { topicIds: readonly string[]; words: readonly string[]; limit: number },
): Promise<TopicNameRow[]> {
  return db.query<TopicNameRow>(sql`
    select t.id, t.name, t.description from topics t
    where t.org_id = ${caller.orgId} and t.id = any(${topicIds}::uuid[]) and t.type = 'topic'
      and ${matchesName(sql`t.name || ' ' || t.description`, words)}
    order by (${matchesName(sql`t.name`, words)}) desc, lower(t.name), t.id limit ${limit}`)
}

export function findMembers(
  caller: Caller,
  db: Queryable,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<MemberNameRow[]> {
  return db.query<MemberNameRow>(sql`
    select p.id, p.name, p.kind from profiles p
    where p.org_id = ${caller.orgId} and p.status = 'Active' and ${matchesName(sql`p.name`, words)}
    order by lower(p.name), p.id limit ${limit}`)
}
