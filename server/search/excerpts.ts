import type { SearchParts } from '../../contract/search.ts'
import type { Queryable } from '../db/database.ts'
import type { SearchRequest } from './parse.ts'
import { stemsOf } from './stems.ts'
import { type WordPlace, wordPlaces } from './words.ts'

/** Characters of an excerpt, and those before its first hit. */
const EXCERPT_LENGTH = 240
const LEAD_LENGTH = 60
/** Other forms of a word share these first letters: only such words are looked up. */
const COMMON_LETTERS = 3
const MAX_LOOKED_UP = 2000

type Hit = { start: number; end: number }

/** Tells where in texts the words of a search stand; forms of them are known for these texts only. */
export async function hitFinder(
  db: Queryable,
  request: SearchRequest,
  texts: readonly string[],
): Promise<(text: string) => Hit[]> {
  const { words, prefix, phrases } = request
  const wanted = new Set(words)
  const isPlain = (word: string) => wanted.has(word) || (prefix !== undefined && word.startsWith(prefix))
  const searched = prefix === undefined ? words : [...words, prefix]
  const beginnings = new Set(searched.map((word) => word.slice(0, COMMON_LETTERS)))
  const similar = new Set<string>()
  for (const text of texts) {
    for (const { word } of wordPlaces(text)) {
      if (similar.size >= MAX_LOOKED_UP) break
      if (beginnings.has(word.slice(0, COMMON_LETTERS)) && !isPlain(word)) similar.add(word)
    }
  }
  const stems = await stemsOf(db, similar.size === 0 ? [] : [...similar, ...searched])
  const wantedStems = new Set(searched.flatMap((word) => stems.get(word) ?? []))
  const isWanted = (word: string): boolean =>
    isPlain(word) || (stems.get(word) ?? []).some((stem) => wantedStems.has(stem))
  return (text) => {
    const places = [...wordPlaces(text)]
    const found = [...places.filter(({ word }) => isWanted(word)), ...phrasesIn(places, phrases)]
    return found.sort((one, other) => one.start - other.start)
  }
}

/** The words of a name that begin with one of these, which is how names are found. */
export const nameHits = (name: string, words: readonly string[]): Hit[] =>
  [...wordPlaces(name)].filter(({ word }) => words.some((wanted) => word.startsWith(wanted)))

function* phrasesIn(places: readonly WordPlace[], phrases: readonly string[][]): Generator<Hit> {
  for (const phrase of phrases) {
    for (let index = 0; index + phrase.length <= places.length; index++) {
      const [first, last] = [places[index], places[index + phrase.length - 1]]
      if (first && last && phrase.every((word, offset) => places[index + offset]?.word === word))
        yield { start: first.start, end: last.end }
    }
  }
}

/** The part of a text around its first hit, or its beginning. */
export function excerptOf(text: string, hits: readonly Hit[]): SearchParts {
  const start = text.length <= EXCERPT_LENGTH ? 0 : wordStart(text, (hits[0]?.start ?? 0) - LEAD_LENGTH)
  const end = text.length <= start + EXCERPT_LENGTH ? text.length : wordEnd(text, start + EXCERPT_LENGTH)
  const shown = hits
    .filter((hit) => hit.start >= start && hit.end <= end)
    .map((hit) => ({ start: hit.start - start, end: hit.end - start }))
  return [
    ...(start > 0 ? [{ text: '…', hit: false }] : []),
    ...partsOf(text.slice(start, end), shown),
    ...(end < text.length ? [{ text: '…', hit: false }] : []),
  ]
}

/** How far the next space may be away; texts without spaces are cut between two characters. */
const MAX_STEP = 30

function wordStart(text: string, from: number): number {
  if (from <= 0) return 0
  const space = text.slice(from, from + MAX_STEP).search(/\s/)
  return space === -1 ? betweenCharacters(text, from) : from + space + 1
}

function wordEnd(text: string, to: number): number {
  const space = text.slice(to - MAX_STEP, to).search(/\s\S*$/)
  return space === -1 ? betweenCharacters(text, to) : to - MAX_STEP + space
}

const LOW_SURROGATE = /[\udc00-\udfff]/
const betweenCharacters = (text: string, at: number): number =>
  LOW_SURROGATE.test(text.charAt(at)) ? at + 1 : at

function partsOf(text: string, hits: readonly Hit[]): SearchParts {
  const parts: SearchParts = []
  let at = 0
  for (const { start, end } of hits) {
    if (end <= at) continue
    const from = Math.max(start, at)
    if (from > at) parts.push({ text: text.slice(at, from), hit: false })
    parts.push({ text: text.slice(from, end), hit: true })
    at = end
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false })
  return parts
}
