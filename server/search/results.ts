import { withoutMarkdownSigns } from '../../contract/plain-text.ts'
import type { SearchResult } from '../../contract/search.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import type { Link } from '../files/links.ts'
import { presentMessage } from '../presenters/messages.ts'
import { namedIn, readNames } from '../queries/messages/messages.ts'
import { MENTION } from '../text.ts'
import { type SearchedText, textsOf } from './documents.ts'
import { excerptOf, hitFinder, passagesIn } from './excerpts.ts'
import { readFileTexts, textsInFiles } from './file-texts.ts'
import type { FoundRow } from './find.ts'
import { type SearchRequest, wordClauses } from './parse.ts'

/** Texts of a message shown with their hits. */
const MAX_EXCERPTS = 3
/** Files of a page whose text is shown: each may have 200,000 characters. */
const MAX_FILES = 30

type Found = {
  request: SearchRequest
  ids: readonly string[]
  rows: readonly FoundRow[]
  link: Link
  now: number
}

/** The found messages in the order of their ids, with the passages that were found; and the words that stand there. */
export async function presentFound(
  caller: Caller,
  db: Queryable,
  { request, ids, rows, link, now }: Found,
): Promise<{ results: SearchResult[]; words: ReadonlySet<string> }> {
  const [names, inFiles] = await Promise.all([
    readNames(caller, db, rows.flatMap(namedIn)),
    wordClauses(request).length === 0
      ? new Map<string, string>()
      : readFileTexts(db, caller.orgId, rows, MAX_FILES),
  ])
  const texts = new Map(
    rows.map((row) => [row.id, [...shownTexts(row, names), ...passages(row, inFiles, request)]]),
  )
  const hitsIn = await hitFinder(
    db,
    request,
    [...texts.values()].flat().map(({ text }) => text),
  )
  const words = new Set<string>()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const results = ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const found = (texts.get(id) ?? []).map((shown) => ({ ...shown, hits: hitsIn(shown.text) }))
    const withHits = found.filter(({ hits }) => hits.length > 0)
    for (const { word } of withHits.flatMap(({ hits }) => hits)) words.add(word)
    const shown = withHits.length > 0 ? withHits.slice(0, MAX_EXCERPTS) : found.slice(0, 1)
    return {
      message: presentMessage(row, { names, now, link }),
      topic: { id: row.topic_id, type: row.topic_type, name: row.topic_name },
      excerpts: shown.map(({ source, text, hits }) => ({ source, parts: excerptOf(text, hits) })),
    }
  })
  return { results, words }
}

/** The texts without Markdown, with names in place of mentioned ids. */
const shownTexts = (row: FoundRow, names: ReadonlyMap<string, string>): SearchedText[] =>
  textsOf(row, row.task ?? undefined).map(({ source, text }) => ({
    source,
    text: withoutMarkdownSigns(
      text.replace(MENTION, (_, id: string) => `@${names.get(id.toLowerCase()) ?? ''}`),
    ),
  }))

const passages = (
  row: FoundRow,
  inFiles: ReadonlyMap<string, string>,
  request: SearchRequest,
): SearchedText[] =>
  textsInFiles(row, inFiles).flatMap((text) =>
    passagesIn(text, request).map((passage): SearchedText => ({ source: 'fileText', text: passage })),
  )
