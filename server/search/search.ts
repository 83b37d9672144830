import { LIMITS } from '../../contract/limits.ts'
import { withoutMarkdownSigns } from '../../contract/plain-text.ts'
import type { SearchOrder, SearchResult } from '../../contract/search.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import type { Link } from '../files/links.ts'
import { presentMessage } from '../presenters/messages.ts'
import { namedIn, readNames } from '../queries/messages/messages.ts'
import { MENTION } from '../text.ts'
import { textsOf } from './documents.ts'
import { excerptOf, hitFinder, nameHits } from './excerpts.ts'
import {
  type FoundRow,
  findNewest,
  isPrepared,
  type Ranked,
  rankFound,
  readFound,
  tsqueryOf,
  type Wanted,
} from './find.ts'
import { hasFilters, type SearchRequest } from './parse.ts'
import { findMembers, findTopics, readScope } from './scope.ts'

/** The last message of a page; of ranked ones also the newest that was ranked, so that the next page ranks the same. */
export type SearchPosition = { id: string; rank?: number; newestId?: string }

type Search = {
  request: SearchRequest
  order: SearchOrder
  after: SearchPosition | undefined
  limit: number
  link: Link
  now: number
}

/** Texts of a message shown with their hits. */
const MAX_EXCERPTS = 3

/** A page of what was found, and on the first page of a search without filters the names that fit. */
export async function runSearch(caller: Caller, db: Queryable, search: Search) {
  const { request, order, after, limit } = search
  const [scope, query, isComplete] = await Promise.all([
    readScope(caller, db, request),
    tsqueryOf(db, request),
    isPrepared(caller, db),
  ])
  const wanted = { request, scope, query }
  const hasNames = after === undefined && query !== undefined && !hasFilters(request)
  const [{ ids, last }, names] = await Promise.all([
    order === 'best' && query !== undefined
      ? bestOf(caller, db, { ...wanted, query }, after, limit)
      : newestOf(caller, db, wanted, after, limit),
    hasNames ? findNames(caller, db, wanted) : { topics: [], members: [] },
  ])
  const rows = await readFound(caller, db, ids)
  return { results: await present(caller, db, ids, rows, search), last, ...names, isComplete }
}

type FoundPage = { ids: string[]; last: SearchPosition | undefined }

async function newestOf(
  caller: Caller,
  db: Queryable,
  wanted: Wanted,
  after: SearchPosition | undefined,
  limit: number,
): Promise<FoundPage> {
  const ids = await findNewest(caller, db, { ...wanted, olderThan: after?.id, limit: limit + 1 })
  const lastId = ids[limit - 1]
  return { ids: ids.slice(0, limit), last: ids.length > limit && lastId ? { id: lastId } : undefined }
}

async function bestOf(
  caller: Caller,
  db: Queryable,
  wanted: Wanted & { query: string },
  after: SearchPosition | undefined,
  limit: number,
): Promise<FoundPage> {
  const ids = await findNewest(caller, db, { ...wanted, limit: LIMITS.searchRanked })
  const newestId = after?.newestId ?? ids[0]
  if (newestId === undefined) return { ids: [], last: undefined }
  const { query } = wanted
  const ranked = await rankFound(caller, db, { ids: ids.filter((id) => id <= newestId), query })
  const rest = after ? ranked.filter((found) => isBehind(found, after)) : ranked
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    ids: page.map(({ id }) => id),
    last: last && rest.length > limit ? { ...last, newestId } : undefined,
  }
}

const isBehind = ({ rank, id }: Ranked, after: SearchPosition): boolean =>
  rank < (after.rank ?? 0) || (rank === after.rank && id < after.id)

async function present(
  caller: Caller,
  db: Queryable,
  ids: readonly string[],
  rows: readonly FoundRow[],
  { request, link, now }: Search,
): Promise<SearchResult[]> {
  const names = await readNames(caller, db, rows.flatMap(namedIn))
  const texts = new Map(rows.map((row) => [row.id, shownTexts(row, names)]))
  const all = [...texts.values()].flat().map(({ text }) => text)
  const hitsIn = await hitFinder(db, request, all)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const found = (texts.get(id) ?? []).map(({ source, text }) => ({ source, text, hits: hitsIn(text) }))
    const withHits = found.filter(({ hits }) => hits.length > 0)
    const shown = withHits.length > 0 ? withHits.slice(0, MAX_EXCERPTS) : found.slice(0, 1)
    return {
      message: presentMessage(row, { names, now, link }),
      topic: { id: row.topic_id, type: row.topic_type, name: row.topic_name },
      excerpts: shown.map(({ source, text, hits }) => ({ source, parts: excerptOf(text, hits) })),
    }
  })
}

/** The texts without Markdown, with names in place of mentioned ids. */
const shownTexts = (row: FoundRow, names: ReadonlyMap<string, string>) =>
  textsOf(row, row.task ?? undefined).map(({ source, text }) => ({
    source,
    text: withoutMarkdownSigns(
      text.replace(MENTION, (_, id: string) => `@${names.get(id.toLowerCase()) ?? ''}`),
    ),
  }))

/** Topics and members with matching names. */
async function findNames(caller: Caller, db: Queryable, { request, scope: { topicIds } }: Wanted) {
  const { words, prefix, phrases } = request
  const wanted = [...words, ...(prefix === undefined ? [] : [prefix]), ...phrases.flat()]
  const limit = LIMITS.searchNames
  const marked = (text: string) => excerptOf(text, nameHits(text, wanted))
  const [topics, members] = await Promise.all([
    findTopics(caller, db, { topicIds, words: wanted, limit }),
    findMembers(caller, db, { words: wanted, limit }),
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
