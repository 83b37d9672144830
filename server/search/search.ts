import type { Static } from 'typebox'
import { LIMITS } from '../../contract/limits.ts'
import type { Correction, SearchKind, SearchOrder } from '../../contract/search.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import type { Link } from '../files/links.ts'
import { type Compiled, compile, isWord } from './conditions.ts'
import { excerptOf, nameHits } from './excerpts.ts'
import { findNewest, isPrepared, type Ranked, rankFound, readFound } from './find.ts'
import { FEW, respell } from './misspellings.ts'
import { hasFilters, type SearchRequest, wordClauses } from './parse.ts'
import { presentFound } from './results.ts'
import { findMembers, findTopics, readScope, type Scope } from './scope.ts'

/**
 * The last message of a page; of ranked ones also the newest that was ranked, so that the next page ranks the same. Of
 * names it is how many there were.
 */
export type SearchPosition = MessagePosition | { offset: number }
type MessagePosition = { id: string; rank?: number; newestId?: string }

type Search = {
  request: SearchRequest
  order: SearchOrder
  kind: SearchKind
  after: SearchPosition | undefined
  limit: number
  link: Link
  now: number
}

/** A search in a scope, in the form for the database. */
type Wanted = Compiled & Pick<SearchRequest, 'before' | 'after'> & { topicIds: readonly string[] }

const NO_NAMES = { topics: [], members: [] }

/**
 * A page of what was found, and on the first page of a search without filters the names that fit. `request` is what the
 * next page asks for: with the spellings that this one found.
 */
export async function runSearch(caller: Caller, db: Queryable, search: Search) {
  const { kind, after, limit } = search
  if (kind === 'members' || kind === 'topics') return listNames(caller, db, { ...search, kind })
  const request = ofKind(search.request, kind)
  const [scope, isComplete] = await Promise.all([readScope(caller, db, request), isPrepared(caller, db)])
  const hasNames = kind === 'messages' && after === undefined && !hasFilters(request)
  const [page, names] = await Promise.all([
    findPage(caller, db, scope, { ...search, request }),
    hasNames ? findNames(caller, db, wordClauses(request), scope, { limit: LIMITS.searchNames }) : NO_NAMES,
  ])
  const spelled =
    after === undefined && page.ids.length < Math.min(FEW, limit) ? await respellPage() : undefined
  const { request: shown, ids, last } = spelled ?? { request, ...page }
  const rows = await readFound(caller, db, ids)
  const { results, words } = await presentFound(caller, db, { ...search, request: shown, ids, rows })
  return {
    results,
    last,
    ...names,
    // Corrections are words that the caller reads here: the index may know more than is left of a message.
    corrections: spelled ? correctionsIn(shown, words) : [],
    isComplete,
    request: spelled ? shown : search.request,
  }

  async function respellPage() {
    const respelled = await respell(caller, db, request, scope.topicIds)
    if (!respelled) return undefined
    const more = await findPage(caller, db, scope, { ...search, request: respelled })
    return more.ids.length > page.ids.length ? { request: respelled, ...more } : undefined
  }
}

const MARKS = { files: 'h:file', tasks: 'h:task' } as const

const ofKind = (request: SearchRequest, kind: 'messages' | 'files' | 'tasks'): SearchRequest =>
  kind === 'messages'
    ? request
    : { ...request, clauses: [...request.clauses, [{ kind: 'mark', term: MARKS[kind] }]] }

function correctionsIn(request: SearchRequest, words: ReadonlySet<string>): Static<typeof Correction>[] {
  return request.clauses
    .flat()
    .filter(isWord)
    .map(({ word, instead = [] }) => ({ word, instead: instead.filter((other) => words.has(other)) }))
    .filter(({ instead }) => instead.length > 0)
}

type FoundPage = { ids: string[]; last: SearchPosition | undefined }
type PageSearch = Pick<Search, 'request' | 'order' | 'after' | 'limit'>

async function findPage(
  caller: Caller,
  db: Queryable,
  { topicIds, named }: Scope,
  { request, order, after, limit }: PageSearch,
): Promise<FoundPage> {
  const compiled = await compile(db, request, { topicIds, named })
  const wanted = { ...compiled, topicIds, ...times(request) }
  const position = after && 'id' in after ? after : undefined
  return order === 'best' && compiled.words !== undefined
    ? bestOf(caller, db, { ...wanted, words: compiled.words }, position, limit)
    : newestOf(caller, db, wanted, position, limit)
}

const times = ({ before, after }: SearchRequest) => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

async function newestOf(
  caller: Caller,
  db: Queryable,
  wanted: Wanted,
  after: MessagePosition | undefined,
  limit: number,
): Promise<FoundPage> {
  const ids = await findNewest(caller, db, { ...wanted, olderThan: after?.id, limit: limit + 1 })
  const lastId = ids[limit - 1]
  return { ids: ids.slice(0, limit), last: ids.length > limit && lastId ? { id: lastId } : undefined }
}

async function bestOf(
  caller: Caller,
  db: Queryable,
  wanted: Wanted & { words: string },
  after: MessagePosition | undefined,
  limit: number,
): Promise<FoundPage> {
  const ids = await findNewest(caller, db, { ...wanted, limit: LIMITS.searchRanked })
  const newestId = after?.newestId ?? ids[0]
  if (newestId === undefined) return { ids: [], last: undefined }
  const ranked = await rankFound(caller, db, { ids: ids.filter((id) => id <= newestId), words: wanted.words })
  const rest = after ? ranked.filter((found) => isBehind(found, after)) : ranked
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    ids: page.map(({ id }) => id),
    last: last && rest.length > limit ? { ...last, newestId } : undefined,
  }
}

const isBehind = ({ rank, id }: Ranked, after: MessagePosition): boolean =>
  rank < (after.rank ?? 0) || (rank === after.rank && id < after.id)

/** A page of members or topics by their names; filters are of messages, and do not count. */
async function listNames(
  caller: Caller,
  db: Queryable,
  { request, kind, after, limit }: Search & { kind: 'members' | 'topics' },
) {
  const offset = after && 'offset' in after ? after.offset : 0
  const scope = await readScope(caller, db, { clauses: [] })
  const clauses = wordClauses(request)
  const found = await findNames(caller, db, clauses, scope, { offset, limit: limit + 1, only: kind })
  const hasMore = found[kind].length > limit
  return {
    results: [],
    topics: found.topics.slice(0, limit),
    members: found.members.slice(0, limit),
    last: hasMore ? { offset: offset + limit } : undefined,
    corrections: [],
    isComplete: true,
    request,
  }
}

/** Topics and members with matching names. */
async function findNames(
  caller: Caller,
  db: Queryable,
  clauses: ReturnType<typeof wordClauses>,
  { topicIds }: Scope,
  { offset = 0, limit, only }: { offset?: number; limit: number; only?: 'members' | 'topics' },
) {
  if (clauses.length === 0) return NO_NAMES
  const marked = (text: string) => excerptOf(text, nameHits(text, clauses))
  const [topics, members] = await Promise.all([
    only === 'members' ? [] : findTopics(caller, db, { topicIds, clauses, offset, limit }),
    only === 'topics' ? [] : findMembers(caller, db, { clauses, offset, limit }),
  ])
  return {
    topics: topics.map(({ id, name, description }) => ({
      id,
      name: marked(name),
      description: marked(description),
    })),
    members: members.map(({ id, name, kind }) => ({ id, type: kind, name: marked(name) })),
  }
}
