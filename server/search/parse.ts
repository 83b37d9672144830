import { LIMITS } from '../../contract/limits.ts'
import { refusal } from '../errors.ts'
import { emojiTerm } from './documents.ts'
import { isOperator, type Operator, refuseUnknown, stateOf, thingOf } from './operators.ts'
import { type Moment, periodOf } from './periods.ts'
import { plainEmoji, wordPlaces } from './words.ts'

/** A filter whose value names people or topics. */
export type NamingFilter = 'from' | 'in' | 'mentions'

export type Term = { not?: true } & (
  | {
      kind: 'word'
      word: string
      /** The word with its accents, from which stems are made. */
      raw: string
      /** Words that begin so are meant too: the last word, if nothing follows it. */
      isBeginning?: true
      /** Words that were found in its place, as it is probably misspelled. */
      instead?: string[]
    }
  | { kind: 'phrase'; words: string[] }
  /** An emoji, or another term that is in the index as it stands. */
  | { kind: 'mark'; term: string }
  | { kind: 'filter'; filter: NamingFilter; value: string }
)
export type WordTerm = Term & { kind: 'word' }

/** A parsed search; these fields travel in cursors. */
export type SearchRequest = {
  /** All must hold, of each at least one alternative. */
  clauses: Term[][]
  /** Times, both excluded. */
  before?: number
  after?: number
}

/** A piece of a search: `-from:"Ada Okafor"`, `"as it stands"`, `OR`, or a word. An unclosed quotation mark ends with the text. */
const PIECE =
  /(?<minus>-?)(?:(?<name>[a-z]{1,20}):(?:["“„](?<quoted>[^"“”„]*)(?:["“”]|$)|(?<value>\S*))|["“„](?<phrase>[^"“”„]*)(?:["“”]|$)|(?<plain>\S+))/giu

/** A shorter beginning would match half of all words. */
const MIN_BEGINNING = 2
/** Filters of which several are alternatives: a message has one sender. */
const ALTERNATIVES: ReadonlySet<string> = new Set<NamingFilter>(['from', 'in', 'mentions'])
const EMOJI_NAME = /^:([a-z0-9_+-]{1,32}):$/

export function parseSearch(text: string, moment: Moment): SearchRequest {
  const parser = new Parser(moment)
  for (const { groups = {} } of text.matchAll(PIECE)) parser.take(groups)
  if (!/\s$/.test(text)) parser.leaveOpen()
  return parser.end()
}

/** The words of a search, for names and excerpts: nothing that excludes, and no filter. */
export const wordClauses = ({ clauses }: SearchRequest): Term[][] =>
  clauses
    .map((terms) => terms.filter((term) => term.kind !== 'filter' && !isFilterMark(term)))
    .filter((terms) => terms.length > 0)

export const hasFilters = (request: SearchRequest): boolean =>
  request.before !== undefined ||
  request.after !== undefined ||
  request.clauses.some((terms) => terms.some((term) => term.kind === 'filter' || isFilterMark(term)))

/** `h:file` and others, but not an emoji, which is a word of the text. */
const isFilterMark = (term: Term): boolean => term.kind === 'mark' && /^[hir]:/.test(term.term)

type Piece = Partial<Record<'minus' | 'name' | 'quoted' | 'value' | 'phrase' | 'plain', string | undefined>>

class Parser {
  #moment: Moment
  #request: SearchRequest = { clauses: [] }
  #isNot = false
  #isOr = false
  #followsPeriod = false
  /** The last piece, where it was a single word. */
  #last: WordTerm | undefined

  constructor(moment: Moment) {
    this.#moment = moment
  }

  take({ minus, name, quoted, value = '', phrase, plain = '' }: Piece): void {
    this.#last = undefined
    const followsPeriod = this.#followsPeriod
    this.#followsPeriod = false
    if (minus === '-') this.#isNot = true
    const operator = name?.toLowerCase()
    if (operator !== undefined && isOperator(operator)) this.#takeFilter(operator, (quoted ?? value).trim())
    else if (phrase !== undefined) this.#takeWords(phrase, true)
    else if (operator !== undefined) {
      if ((quoted ?? value) !== '') refuseUnknown(operator, quoted ?? value)
      this.#takeWords(`${name}:${quoted ?? value}`)
    } else if (minus === '' && plain === 'OR') {
      if (followsPeriod) throw refusal('search_period_combined')
      this.#isOr = this.#request.clauses.length > 0
    } else if (minus === '' && plain === 'NOT') this.#isNot = true
    else this.#takeWords(plain)
  }

  /** Nothing follows the last word: it may be unfinished. */
  leaveOpen(): void {
    const last = this.#last
    if (last && !last.not && Array.from(last.word).length >= MIN_BEGINNING) last.isBeginning = true
  }

  end(): SearchRequest {
    const words = this.#request.clauses
      .flat()
      .reduce(
        (sum, term) => sum + (term.kind === 'phrase' ? term.words.length : term.kind === 'filter' ? 0 : 1),
        0,
      )
    if (words > LIMITS.searchWords) throw refusal('search_too_long')
    return this.#request
  }

  /** `re-use`, or a word without spaces between its letters, is several words in a row. */
  #takeWords(text: string, isQuoted = false): void {
    const [, emojiName] = EMOJI_NAME.exec(text) ?? []
    if (emojiName !== undefined) {
      this.#add({ kind: 'mark', term: emojiTerm(emojiName) })
      return
    }
    const places = [...wordPlaces(text)]
    const [only] = places
    if (!only) this.#isNot = false
    else if (places.length > 1 || isQuoted)
      this.#add({ kind: 'phrase', words: places.map(({ word }) => word) })
    else if (only.isEmoji) this.#add({ kind: 'mark', term: only.word })
    else {
      const term: WordTerm = { kind: 'word', word: only.word, raw: only.raw }
      this.#add(term)
      this.#last = term
    }
  }

  /** A filter without a value is still being typed. */
  #takeFilter(operator: Operator, value: string): void {
    if (value === '') {
      this.#isNot = this.#isOr = false
      return
    }
    if (isPeriod(operator)) this.#takePeriod(operator, value)
    else this.#add(filterTerm(operator, value))
  }

  #takePeriod(operator: PeriodOperator, value: string): void {
    if (this.#isNot || this.#isOr) throw refusal('search_period_combined')
    const { start, end } = periodOf(value, this.#moment)
    this.#followsPeriod = true
    const request = this.#request
    if (operator !== 'after')
      request.before = Math.min(
        request.before ?? Number.POSITIVE_INFINITY,
        operator === 'before' ? start : end,
      )
    if (operator !== 'before')
      request.after = Math.max(
        request.after ?? Number.NEGATIVE_INFINITY,
        (operator === 'after' ? end : start) - 1,
      )
  }

  #add(term: Term): void {
    if (this.#isNot) term.not = true
    const { clauses } = this.#request
    const joined = this.#isOr ? clauses.at(-1) : this.#alternativesOf(term)
    if (joined) joined.push(term)
    else clauses.push([term])
    this.#isNot = this.#isOr = false
  }

  #alternativesOf(term: Term): Term[] | undefined {
    if (term.kind !== 'filter' || term.not || !ALTERNATIVES.has(term.filter)) return undefined
    return this.#request.clauses.find((terms) =>
      terms.every((other) => other.kind === 'filter' && !other.not && other.filter === term.filter),
    )
  }
}

type PeriodOperator = 'before' | 'after' | 'on' | 'during'
const isPeriod = (operator: Operator): operator is PeriodOperator =>
  ['before', 'after', 'on', 'during'].includes(operator)

function filterTerm(operator: Exclude<Operator, PeriodOperator>, value: string): Term {
  switch (operator) {
    case 'to':
      return { kind: 'filter', filter: 'mentions', value }
    case 'has':
      return { kind: 'mark', term: markOfThing(value) }
    case 'is':
      return { kind: 'mark', term: `i:${stateOf(value)}` }
    default:
      return { kind: 'filter', filter: operator, value }
  }
}

/** The mark of a thing that a message has: `file`, or a reaction with this emoji. */
function markOfThing(value: string): string {
  const [, emojiName] = EMOJI_NAME.exec(value) ?? []
  if (emojiName !== undefined) return `r:${emojiTerm(emojiName)}`
  const [only, ...more] = wordPlaces(value)
  if (only?.isEmoji && more.length === 0) return `r:${plainEmoji(value)}`
  return `h:${thingOf(value)}`
}
