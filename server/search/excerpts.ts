import { setImmediate } from 'node:timers/promises'
import type { SearchParts } from '../../contract/search.ts'
import type { Queryable } from '../db/database.ts'
import { isWord } from './conditions.ts'
import { type SearchRequest, type Term, wordClauses } from './parse.ts'
import { formsOf, languagesOf, stemTerms } from './stems.ts'
import { WORDS_AT_ONCE, type WordPlace, wordPlaces } from './words.ts'

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

/** Tells where in these texts the words of a search stand. Forms of words are known for these texts only. */
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
  const placesIn = new Map<string, WordPlace[]>()
  let count = 0
  for (const text of texts) {
    const places = [...wordPlaces(text)]
    placesIn.set(text, places)
    count += places.length
    if (count > WORDS_AT_ONCE) {
      count = 0
      await setImmediate()
    }
    for (const { word, raw } of words.length === 0 ? [] : places) {
      if (lookedUp.size >= MAX_LOOKED_UP) break
      const mayMatter = word.length <= SHORT_LETTERS || similar.has(word.slice(0, COMMON_LETTERS))
      if (mayMatter && !isPlain(word)) lookedUp.set(raw, { word, raw })
    }
  }
  const forms = await formsOf(db, lookedUp.values())
  const wantedStems = new Set(words.flatMap((word) => stemTerms(word, forms)))
  return (text) => {
    const places = placesIn.get(text) ?? []
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

/** The length of a passage of a long text, which is looked at more closely: some 2 µs a character. */
export const PASSAGE_LENGTH = 600

/**
 * Up to `limit` passages of a text in which something may stand that was searched for, at most one for each place; a text that is no longer
 * than a passage is one. Each of the words has its turn, so that a frequent one leaves room for the others.
 */
export function passagesIn(text: string, request: SearchRequest, limit: number): string[] {
  if (text.length <= PASSAGE_LENGTH) return [text]
  const { words, exact, phrases } = wantedIn(request)
  const beginnings = new Set(
    [...exact, ...words.map(({ word }) => word), ...phrases.flatMap(([first = '']) => first)].map((word) =>
      word.length <= COMMON_LETTERS
        ? word
        : word.slice(0, Math.max(COMMON_LETTERS, word.length - COMMON_LETTERS)),
    ),
  )
  const folded = foldKeepingPlaces(text)
  const cursors = [...beginnings]
    .filter((beginning) => beginning !== '')
    .map((beginning) => ({ beginning, from: 0 }))
  const taken: { start: number; end: number }[] = []
  for (let isMore = true; isMore && taken.length < limit; ) {
    isMore = false
    for (const cursor of cursors) {
      const at = nextPlace(folded, cursor, taken)
      if (at === -1 || taken.length === limit) continue
      const start = wordStart(text, at - LEAD_LENGTH)
      const end = start + PASSAGE_LENGTH
      taken.push({ start, end: end < text.length ? wordEnd(text, end) : text.length })
      isMore = true
    }
  }
  return taken
    .sort((one, other) => one.start - other.start)
    .map(
      ({ start, end }) => `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    )
}

/** The next place of a beginning outside of the passages that are taken; -1 if there is none. */
function nextPlace(
  folded: string,
  cursor: { beginning: string; from: number },
  taken: readonly { start: number; end: number }[],
): number {
  for (;;) {
    const at = folded.indexOf(cursor.beginning, cursor.from)
    const within = taken.find(({ start, end }) => start <= at && at < end)
    cursor.from = at === -1 ? folded.length : (within?.end ?? at + 1)
    if (at === -1 || !within) return at
  }
}

/** UTF-16 units without accents, by unit; 0: not asked for yet. Asking for each of 200,000 takes 100 ms, this table 1 ms. */
const FOLDED = new Uint16Array(65_536)

/** Lower case without accents, of the same length. */
function foldKeepingPlaces(text: string): string {
  const lower = text.toLowerCase()
  const same = lower.length === text.length ? lower : text
  const units = new Uint16Array(same.length)
  for (let index = 0; index < same.length; index++) {
    const unit = same.charCodeAt(index)
    FOLDED[unit] ||= String.fromCharCode(unit).normalize('NFKD').charCodeAt(0)
    units[index] = FOLDED[unit] ?? unit
  }
  return Buffer.from(units.buffer).toString('utf16le')
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
