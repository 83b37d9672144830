import type { SearchParts } from '../../contract/search.ts'
import type { Queryable } from '../db/database.ts'
import { isWord } from './conditions.ts'
import { type SearchRequest, type Term, wordClauses } from './parse.ts'
import { formsOf, languagesOf, stemTerms } from './stems.ts'
import { type WordPlace, wordPlaces } from './words.ts'

/** Characters of an excerpt, and those before its first hit. */
const EXCERPT_LENGTH = 240
const LEAD_LENGTH = 60
/** Other forms of a word share these first letters: only such words are looked up, and short ones, which tell the language of a text. */
const COMMON_LETTERS = 3
const SHORT_LETTERS = 4
const MAX_LOOKED_UP = 2000

export type Hit = { start: number; end: number; word: string }

/** Words and phrases to mark in texts: those that were searched for, and spellings that were found in their place. */
function wantedIn(request: SearchRequest) {
  const terms = wordClauses(request)
    .flat()
    .filter(({ not }) => !not)
  const words = terms.filter(isWord)
  return {
    words,
    exact: new Set([
      ...words.flatMap(({ word, instead = [] }) => [word, ...instead]),
      ...terms.flatMap((term) => (term.kind === 'mark' ? term.term : [])),
    ]),
    beginnings: words.flatMap(({ word, isBeginning }) => (isBeginning ? word : [])),
    phrases: terms.flatMap((term) => (term.kind === 'phrase' ? [term.words] : [])),
  }
}

/** Tells where in texts the words of a search stand; forms of them are known for these texts only. */
export async function hitFinder(
  db: Queryable,
  request: SearchRequest,
  texts: readonly string[],
): Promise<(text: string) => Hit[]> {
  const { words, exact, beginnings, phrases } = wantedIn(request)
  const isPlain = (word: string) =>
    exact.has(word) || beginnings.some((beginning) => word.startsWith(beginning))
  const similar = new Set(words.map(({ word }) => word.slice(0, COMMON_LETTERS)))
  const lookedUp = new Map(words.map((word) => [word.raw, { word: word.word, raw: word.raw }]))
  for (const text of words.length === 0 ? [] : texts)
    for (const { word, raw } of wordPlaces(text)) {
      if (lookedUp.size >= MAX_LOOKED_UP) break
      const mayMatter = word.length <= SHORT_LETTERS || similar.has(word.slice(0, COMMON_LETTERS))
      if (mayMatter && !isPlain(word)) lookedUp.set(raw, { word, raw })
    }
  const forms = await formsOf(db, lookedUp.values())
  const wantedStems = new Set(words.flatMap((word) => stemTerms(word, forms)))
  return (text) => {
    const places = [...wordPlaces(text)]
    const languages = languagesOf(places, forms)
    const isWanted = (place: WordPlace): boolean =>
      isPlain(place.word) || stemTerms(place, forms, languages).some((stem) => wantedStems.has(stem))
    const found = [
      ...places.filter(isWanted).map(({ start, end, word }) => ({ start, end, word })),
      ...phrasesIn(places, phrases),
    ]
    return found.sort((one, other) => one.start - other.start)
  }
}

/** The words of a name that begin with one of these, which is how names are found. */
export function nameHits(name: string, clauses: readonly Term[][]): Hit[] {
  const wanted = clauses.flat().flatMap((term) => {
    if (term.not) return []
    return term.kind === 'word'
      ? term.word
      : term.kind === 'phrase'
        ? term.words
        : term.kind === 'mark'
          ? term.term
          : []
  })
  return [...wordPlaces(name)]
    .filter(({ word }) => wanted.some((beginning) => word.startsWith(beginning)))
    .map(({ start, end, word }) => ({ start, end, word }))
}

function* phrasesIn(places: readonly WordPlace[], phrases: readonly string[][]): Generator<Hit> {
  for (const phrase of phrases) {
    for (let index = 0; index + phrase.length <= places.length; index++) {
      const [first, last] = [places[index], places[index + phrase.length - 1]]
      if (first && last && phrase.every((word, offset) => places[index + offset]?.word === word))
        yield { start: first.start, end: last.end, word: phrase.join(' ') }
    }
  }
}

/** Places of long texts that are looked at more closely, and how much around each of them. */
const MAX_PLACES_LOOKED_AT = 20
const PASSAGE_LENGTH = 600

/** The passages of a long text in which something may stand that was searched for: finding all places in it would take too long. */
export function passagesIn(text: string, request: SearchRequest): string[] {
  const { words, exact, phrases } = wantedIn(request)
  const beginnings = new Set(
    [...exact, ...words.map(({ word }) => word), ...phrases.flatMap(([first = '']) => first)].map((word) =>
      word.length <= COMMON_LETTERS
        ? word
        : word.slice(0, Math.max(COMMON_LETTERS, word.length - COMMON_LETTERS)),
    ),
  )
  const folded = foldKeepingPlaces(text)
  const passages: string[] = []
  for (const beginning of beginnings) {
    if (beginning === '') continue
    let at = folded.indexOf(beginning)
    for (let count = 0; at !== -1 && count < MAX_PLACES_LOOKED_AT; count++) {
      const start = wordStart(text, at - LEAD_LENGTH)
      const end = start + PASSAGE_LENGTH
      const passage = text.slice(start, end < text.length ? wordEnd(text, end) : text.length)
      passages.push(`${start > 0 ? '…' : ''}${passage}${end < text.length ? '…' : ''}`)
      at = folded.indexOf(beginning, at + PASSAGE_LENGTH)
    }
  }
  return passages
}

/** Lower case without accents, of the same length. */
function foldKeepingPlaces(text: string): string {
  const lower = text.toLowerCase()
  const same = lower.length === text.length ? lower : text
  return same.replace(/[\u0080-\uffff]/g, (letter) => letter.normalize('NFKD').charAt(0))
}

/** The part of a text around its first hit, or its beginning. */
export function excerptOf(text: string, hits: readonly Hit[]): SearchParts {
  const start = text.length <= EXCERPT_LENGTH ? 0 : wordStart(text, (hits[0]?.start ?? 0) - LEAD_LENGTH)
  const end = text.length <= start + EXCERPT_LENGTH ? text.length : wordEnd(text, start + EXCERPT_LENGTH)
  const shown = hits
    .filter((hit) => hit.start >= start && hit.end <= end)
    .map((hit) => ({ ...hit, start: hit.start - start, end: hit.end - start }))
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
