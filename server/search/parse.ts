import { LIMITS } from '../../contract/limits.ts'
import { SEARCHED_THINGS } from '../../contract/search.ts'
import { refusal } from '../errors.ts'
import { wordsOf } from './words.ts'

/** A parsed search; these fields travel in cursors. */
export type SearchRequest = {
  /** Words in any form, at any place. */
  words: string[]
  /** The beginning of a word: the last one, if nothing follows it. */
  prefix?: string
  /** Words in sequence. */
  phrases: string[][]
  /** Filters as written: names, ids or `me`. Several of one kind are alternatives. */
  from: string[]
  in: string[]
  mentions: string[]
  has: string[]
  /** Times, both excluded. */
  before?: number
  after?: number
}

/** `from:ada`, `in:"Release plans"`, `"as it stands"`, or a word. An unclosed quote ends with the text. */
const PIECE =
  /\b(from|in|has|before|after|on|mentions|to):(?:["“„]([^"“”„]*)(?:["“”]|$)|(\S*))|["“„]([^"“”„]*)(?:["“”]|$)|(\S+)/giu

/** A shorter prefix would match half of all words. */
const MIN_PREFIX = 2

export function parseSearch(text: string, timeZone: string): SearchRequest {
  const request: SearchRequest = { words: [], phrases: [], from: [], in: [], mentions: [], has: [] }
  let lastWords: string[] = []
  for (const [, operator, quotedValue, value = '', phrase, plain = ''] of text.matchAll(PIECE)) {
    lastWords = []
    if (operator !== undefined)
      addFilter(request, operator.toLowerCase(), (quotedValue ?? value).trim(), timeZone)
    else if (phrase !== undefined) addPhrase(request, wordsOf(phrase))
    else {
      lastWords = wordsOf(plain)
      addPhraseOrWord(request, lastWords)
    }
  }
  const [last] = lastWords
  if (
    lastWords.length === 1 &&
    last !== undefined &&
    Array.from(last).length >= MIN_PREFIX &&
    !/\s$/.test(text)
  ) {
    request.words.pop()
    request.prefix = last
  }
  if (countWords(request) > LIMITS.searchWords) throw refusal('search_too_long')
  return request
}

export const hasFilters = (request: SearchRequest): boolean =>
  [request.from, request.in, request.mentions, request.has].some((list) => list.length > 0) ||
  request.before !== undefined ||
  request.after !== undefined

const countWords = ({ words, prefix, phrases }: SearchRequest): number =>
  words.length + (prefix === undefined ? 0 : 1) + phrases.flat().length

function addPhrase(request: SearchRequest, words: string[]): void {
  if (words.length > 0) request.phrases.push(words)
}

/** `re-use` or a word without spaces between its letters is several words in a row. */
function addPhraseOrWord(request: SearchRequest, words: string[]): void {
  const [only] = words
  if (words.length === 1 && only !== undefined) request.words.push(only)
  else addPhrase(request, words)
}

/** A filter without a value is still being typed. */
function addFilter(request: SearchRequest, operator: string, value: string, timeZone: string): void {
  if (value === '') return
  if (operator === 'from' || operator === 'in') request[operator].push(value)
  else if (operator === 'mentions' || operator === 'to') request.mentions.push(value)
  else if (operator === 'has') request.has.push(thingOf(value))
  else {
    const [start, end] = dayOf(value, timeZone)
    if (operator !== 'after')
      request.before = Math.min(request.before ?? end, operator === 'on' ? end : start)
    if (operator !== 'before')
      request.after = Math.max(request.after ?? -1, (operator === 'on' ? start : end) - 1)
  }
}

const things: readonly string[] = SEARCHED_THINGS

function thingOf(value: string): string {
  const thing = value.toLowerCase()
  if (!things.includes(thing)) throw refusal('search_kind_unknown')
  return thing
}

const DAY_MS = 86_400_000
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** When a day begins and ends there. It has 23 or 25 hours where clocks are changed. */
function dayOf(value: string, timeZone: string): [start: number, end: number] {
  const [, year, month, day] = DAY.exec(value) ?? []
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value)
    throw refusal('search_day_invalid')
  return [midnight(at, timeZone), midnight(at + DAY_MS, timeZone)]
}

/** The time at which local clocks show what UTC shows at `at`. */
function midnight(at: number, timeZone: string): number {
  const first = at - offsetAt(at, timeZone)
  return at - offsetAt(first, timeZone)
}

function offsetAt(at: number, timeZone: string): number {
  const shown = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return Date.UTC(year, month - 1, day, hour % 24, minute, second) - at
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    throw refusal('field_invalid', { field: 'timeZone' })
  }
}
