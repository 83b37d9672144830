import { isBotId } from '../../contract/profile-ids.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { join, type Sql, sql } from '../db/sql.ts'
import { isKnown } from '../queries/members/known-members.ts'
import { topicName } from '../queries/topics/chat-topics.ts'
import { isOpenTo } from '../queries/topics/open-topics.ts'
import type { NamingFilter, SearchRequest, Term } from './parse.ts'
import { isUnspaced, wordsOf } from './words.ts'

/** The topics that a search covers, and who and what its filters name. */
export type Scope = {
  /** Topics that the caller may read and the search covers. */
  topicIds: string[]
  /** The ids that the value of a filter stands for. */
  named(filter: NamingFilter, value: string): readonly string[]
}

/** People that one filter can match. */
const MAX_NAMED = 100

/** A filter for topics alone narrows the scope; inside of `OR` and `NOT` it is a condition like others. */
export const narrowsTopics = (terms: readonly Term[]): boolean =>
  terms.every((term) => term.kind === 'filter' && term.filter === 'in' && !term.not)

export async function readScope(caller: Caller, db: Queryable, request: SearchRequest): Promise<Scope> {
  const filters = request.clauses.flat().flatMap((term) => (term.kind === 'filter' ? term : []))
  const topicNames = filters.flatMap(({ filter, value }) => (filter === 'in' ? value : []))
  const memberNames = filters.flatMap(({ filter, value }) => (filter === 'in' ? [] : value))
  const [topics, members] = await Promise.all([
    readVisibleTopics(caller, db, topicNames),
    readNamedMembers(caller, db, memberNames),
  ])
  const named = (filter: NamingFilter, value: string) =>
    (filter === 'in' ? topics.byName : members).get(value) ?? []
  const topicIds = request.clauses
    .filter((terms) => narrowsTopics(terms))
    .map((terms) => new Set(terms.flatMap((term) => (term.kind === 'filter' ? named('in', term.value) : []))))
    .reduce((ids, wanted) => ids.filter((id) => wanted.has(id)), topics.ids)
  return { topicIds, named }
}

/** A query for the ids of all topics that `maySee` allows, found from the caller's side. */
const visibleTopics = (caller: Caller): Sql => {
  const own = sql`select m.topic_id from topic_members m
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId}`
  if (isBotId(caller.profileId)) return own
  return sql`${own} union select t.id from topics t where t.org_id = ${caller.orgId} and t.open and ${isOpenTo(sql`${caller.orgId}`, sql`${caller.profileId}`)}`
}

type Named = Map<string, string[]>

/** All topics that the caller may read, and those of them that each of these names stands for. */
async function readVisibleTopics(
  caller: Caller,
  db: Queryable,
  names: readonly string[],
): Promise<{ ids: string[]; byName: Named }> {
  if (names.length === 0) {
    const rows = await db.query<{ topic_id: string }>(visibleTopics(caller))
    return { ids: rows.map(({ topic_id }) => topic_id), byName: new Map() }
  }
  const rows = await db.query<{ id: string; name: string }>(sql`
    select t.id, search_name(${topicName(caller)}) as name from topics t
    where t.org_id = ${caller.orgId} and t.id in (${visibleTopics(caller)})`)
  return { ids: rows.map(({ id }) => id), byName: new Map(names.map((name) => [name, idsNamed(name, rows)])) }
}

async function readNamedMembers(caller: Caller, db: Queryable, names: readonly string[]): Promise<Named> {
  if (names.length === 0) return new Map()
  const isNamed = names.map((name) => sql`(${matchesName(sql`p.name`, wordsOf(name))})`)
  const rows = await db.query<{ id: string; name: string }>(sql`
    select p.id, search_name(p.name) as name from profiles p
    where p.org_id = ${caller.orgId} and ${isKnown(caller, sql`p.id`)} and (p.id = any(${names.map((name) => name.toLowerCase())}) or ${join(isNamed, sql` or `)})
    order by p.id limit ${MAX_NAMED}`)
  return new Map(
    names.map((name) => [
      name,
      name.toLowerCase() === 'me'
        ? [...new Set([caller.profileId, ...idsNamed(name, rows)])]
        : idsNamed(name, rows),
    ]),
  )
}

/** Ids of the rows that a name stands for: that with this id, else those called exactly so, else those that begin so. */
function idsNamed(name: string, rows: readonly { id: string; name: string }[]): string[] {
  const words = wordsOf(name)
  const byId = rows.filter(({ id }) => id === name.toLowerCase())
  const exact = rows.filter((row) => wordsOf(row.name).join(' ') === words.join(' '))
  const found =
    byId.length > 0 || words.length === 0
      ? byId
      : exact.length > 0
        ? exact
        : rows.filter((row) => beginsWith(wordsOf(row.name), words))
  return found.map(({ id }) => id)
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

/** The condition that a name has what a search asks for: all of its clauses, each by one of its alternatives. */
const matchesSearch = (name: Sql, clauses: readonly Term[][]): Sql =>
  join(
    clauses.map(
      (terms) =>
        sql`(${join(
          terms.map((term) => matchesTerm(name, term)),
          sql` or `,
        )})`,
    ),
    sql` and `,
  )

function matchesTerm(name: Sql, term: Term): Sql {
  const has =
    term.kind === 'mark' || term.kind === 'filter'
      ? sql`strpos(${name}, ${term.kind === 'mark' ? term.term : term.value}) > 0`
      : matchesName(name, term.kind === 'word' ? [term.word] : term.words)
  return term.not ? sql`not (${has})` : sql`(${has})`
}

export type TopicNameRow = { id: string; name: string; description: string }
export type MemberNameRow = { id: string; name: string; kind: 'user' | 'bot' }

type NameSearch = { clauses: readonly Term[][]; offset: number; limit: number }

/** Topics whose names, or else descriptions, have all these words; direct messages are found by whom they are with. */
export function findTopics(
  caller: Caller,
  db: Queryable,
  { topicIds, clauses, offset, limit }: NameSearch & { topicIds: readonly string[] },
): Promise<TopicNameRow[]> {
  return db.query<TopicNameRow>(sql`
    select t.id, t.name, t.description from topics t
    where t.org_id = ${caller.orgId} and t.id = any(${topicIds}::uuid[]) and t.type = 'topic'
      and ${matchesSearch(sql`t.name || ' ' || t.description`, clauses)}
    order by (${matchesSearch(sql`t.name`, clauses)}) desc, lower(t.name), t.id offset ${offset} limit ${limit}`)
}

export function findMembers(
  caller: Caller,
  db: Queryable,
  { clauses, offset, limit }: NameSearch,
): Promise<MemberNameRow[]> {
  return db.query<MemberNameRow>(sql`
    select p.id, p.name, p.kind from profiles p
    where p.org_id = ${caller.orgId} and p.status = 'Active' and ${isKnown(caller, sql`p.id`)} and ${matchesSearch(sql`p.name`, clauses)}
    order by lower(p.name), p.id offset ${offset} limit ${limit}`)
}
