import { setImmediate } from 'node:timers/promises'
import { withoutMarkdownSigns } from '../../contract/plain-text.ts'
import type { SearchResult } from '../../contract/search.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import type { Link } from '../files/links.ts'
import { presentMessage } from '../presenters/messages.ts'
import { namedIn, readNames } from '../queries/messages/messages.ts'
import { MENTION } from '../text.ts'
import { type SearchedText, textsOf } from './documents.ts'
import { excerptOf, hitFinder, PASSAGE_LENGTH, passagesIn } from './excerpts.ts'
import { readFileTexts, textsInFiles } from './file-texts.ts'
import type { FoundRow } from './find.ts'
import { type SearchRequest, wordClauses } from './parse.ts'

/** Texts of a message shown with their hits. */
const MAX_EXCERPTS = 3
/** Files of a page whose text is shown: each may have 200,000 characters. */
const MAX_FILES = 30
/** Characters of a page that are looked at closely, some 0.2 s of work: long texts share what short ones leave, and each has a passage. */
const CHARACTERS_OF_PAGE = 100_000
const MAX_PASSAGES = 20

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
  const texts = await passagesOf(
    request,
    new Map(rows.map((row) => [row.id, [...shownTexts(row, names), ...fileTexts(row, inFiles)]])),
  )
  const hitsIn = await hitFinder(
    db,
    request,
    [...texts.values()].flat().flatMap(({ passages }) => passages),
  )
  const found = ({ source, passages }: Passages) => {
    const all = passages.map((text) => ({ source, text, hits: hitsIn(text) }))
    const withHits = all.filter(({ hits }) => hits.length > 0)
    return source === 'fileText' ? withHits : (withHits[0] ?? all[0] ?? [])
  }
  const words = new Set<string>()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const results = ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const all = (texts.get(id) ?? []).flatMap(found)
    const withHits = all.filter(({ hits }) => hits.length > 0)
    for (const { word } of withHits.flatMap(({ hits }) => hits)) words.add(word)
    const shown = withHits.length > 0 ? withHits.slice(0, MAX_EXCERPTS) : all.slice(0, 1)
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

const fileTexts = (row: FoundRow, inFiles: ReadonlyMap<string, string>): SearchedText[] =>
  textsInFiles(row, inFiles).map((text): SearchedText => ({ source: 'fileText', text }))

/** A text of a message, as far as it is looked at closely. */
type Passages = { source: SearchedText['source']; passages: string[] }

/** The passages of these texts in which the words of the search may stand. A text of which none is found is cut. */
async function passagesOf(
  request: SearchRequest,
  texts: ReadonlyMap<string, readonly SearchedText[]>,
): Promise<Map<string, Passages[]>> {
  const lengths = [...texts.values()].flat().map(({ text }) => text.length)
  const short = lengths.filter((length) => length <= PASSAGE_LENGTH)
  const left = CHARACTERS_OF_PAGE - short.reduce((sum, length) => sum + length, 0)
  const share = Math.floor(left / PASSAGE_LENGTH / Math.max(1, lengths.length - short.length))
  const limit = Math.min(MAX_PASSAGES, Math.max(1, share))
  const divided = new Map<string, Passages[]>()
  for (const [id, shown] of texts) {
    const all: Passages[] = []
    for (const { source, text } of shown) {
      const passages = passagesIn(text, request, limit)
      all.push({ source, passages: passages.length > 0 ? passages : [text.slice(0, PASSAGE_LENGTH)] })
      if (source === 'fileText') await setImmediate() // each has up to 200,000 characters
    }
    divided.set(id, all)
  }
  return divided
}
