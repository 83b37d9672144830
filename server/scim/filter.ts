import { LIMITS } from '../../contract/limits.ts'
import { badRequest } from './refusal.ts'

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof COMPARISONS)[number]
export type Literal = string | number | boolean | null

/** A filter of RFC 7644, section 3.4.2.2. Names of attributes are in small letters, without the name of their schema. */
export type Filter =
  | { kind: 'compare'; path: string; by: Comparison; value: Literal }
  | { kind: 'present'; path: string }
  /** `emails[type eq "work"]`: one and the same value must match all of `filter`. */
  | { kind: 'value'; path: string; filter: Filter }
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }

/** The place that a PATCH operation names: `emails[type eq "work"].value`. */
export type Path = { attribute: string; filter?: Filter; sub?: string }

const TOKEN = /\s+|("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/y
const NAME = /^[a-z$][\w$-]*(\.[a-z$][\w$-]*)?$/
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)[:.]/

/** The name of an attribute without that of a core schema, in small letters. */
export const attributeName = (text: string): string => text.toLowerCase().replace(CORE, '')

export function parseFilter(text: string): Filter {
  const parser = new Parser(text, 'invalidFilter')
  const filter = parser.readOr(0)
  parser.end()
  return filter
}

export function parsePath(text: string): Path {
  const parser = new Parser(text, 'invalidPath')
  const path = parser.readPath()
  parser.end()
  return path
}

/** Reads a filter or a path from left to right. Length, comparisons and depth are bounded. */
class Parser {
  #text: string
  #fault: 'invalidFilter' | 'invalidPath'
  #tokens: string[]
  #place = 0
  #comparisons = 0

  constructor(text: string, fault: 'invalidFilter' | 'invalidPath') {
    this.#text = text
    this.#fault = fault
    if (text.length > LIMITS.scimFilter) throw this.#refuse(`is longer than ${LIMITS.scimFilter} characters`)
    this.#tokens = this.#divide()
  }

  readOr(depth: number): Filter {
    const parts = [this.#readAnd(depth)]
    while (this.#takes('or')) parts.push(this.#readAnd(depth))
    return only(parts) ?? { kind: 'or', parts }
  }

  readPath(): Path {
    const attribute = this.#readName()
    if (this.#peek() !== '[') {
      const [name = '', sub] = splitName(attribute)
      return { attribute: name, ...(sub !== undefined && { sub }) }
    }
    const filter = this.#readBrackets(1)
    const sub = this.#readSub()
    return { attribute, filter, ...(sub !== undefined && { sub }) }
  }

  end(): void {
    const rest = this.#peek()
    if (rest !== undefined) throw this.#refuse(`has ${rest} where it should end`)
  }

  #readAnd(depth: number): Filter {
    const parts = [this.#readPart(depth)]
    while (this.#takes('and')) parts.push(this.#readPart(depth))
    return only(parts) ?? { kind: 'and', parts }
  }

  #readPart(depth: number): Filter {
    if (depth > LIMITS.scimFilterDepth)
      throw this.#refuse(`is nested deeper than ${LIMITS.scimFilterDepth} levels`)
    if (this.#peek()?.toLowerCase() === 'not' && this.#tokens[this.#place + 1] === '(') {
      this.#place += 1
      return { kind: 'not', part: this.#readPart(depth + 1) }
    }
    if (this.#peek() === '(') {
      this.#place += 1
      const inner = this.readOr(depth + 1)
      this.#expect(')')
      return inner
    }
    const path = this.#readName()
    if (this.#peek() !== '[') return this.#readComparison(path)
    const filter = this.#readBrackets(depth + 1)
    const sub = this.#readSub()
    if (sub === undefined) return { kind: 'value', path, filter }
    return { kind: 'value', path, filter: { kind: 'and', parts: [filter, this.#readComparison(sub)] } }
  }

  #readBrackets(depth: number): Filter {
    this.#expect('[')
    const filter = this.readOr(depth)
    this.#expect(']')
    return filter
  }

  /** Reads the attribute behind the brackets: `.value`. */
  #readSub(): string | undefined {
    const next = this.#peek()
    if (next?.startsWith('.') !== true) return undefined
    this.#place += 1
    const name = next.slice(1).toLowerCase()
    if (!NAME.test(name)) throw this.#refuse(`names no attribute with ${next}`)
    return name
  }

  #readComparison(path: string): Filter {
    this.#comparisons += 1
    if (this.#comparisons > LIMITS.scimFilterComparisons)
      throw this.#refuse(`has more than ${LIMITS.scimFilterComparisons} comparisons`)
    const word = this.#next().toLowerCase()
    if (word === 'pr') return { kind: 'present', path }
    const by = COMPARISONS.find((one) => one === word)
    if (!by) throw this.#refuse(`has no operator ${word}`)
    return { kind: 'compare', path, by, value: this.#readValue() }
  }

  #readValue(): Literal {
    const text = this.#next()
    try {
      const value: unknown = JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text)
      if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
      if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) return value
    } catch {}
    throw this.#refuse(`has ${text} where a value in quotation marks should be`)
  }

  #readName(): string {
    const name = attributeName(this.#next())
    if (!NAME.test(name) && !name.startsWith('urn:')) throw this.#refuse(`names no attribute with ${name}`)
    return name
  }

  #divide(): string[] {
    const tokens: string[] = []
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < this.#text.length) {
      const found = TOKEN.exec(this.#text)
      if (!found) throw this.#refuse('has a quotation mark that is not closed')
      if (found[1] !== undefined) tokens.push(found[1])
    }
    return tokens
  }

  #peek(): string | undefined {
    return this.#tokens[this.#place]
  }

  #next(): string {
    const token = this.#peek()
    if (token === undefined) throw this.#refuse('ends too early')
    this.#place += 1
    return token
  }

  #takes(word: string): boolean {
    if (this.#peek()?.toLowerCase() !== word) return false
    this.#place += 1
    return true
  }

  #expect(sign: string): void {
    if (this.#peek() !== sign) throw this.#refuse(`lacks a ${sign}`)
    this.#place += 1
  }

  #refuse(what: string) {
    return badRequest(this.#fault, `the ${this.#fault === 'invalidFilter' ? 'filter' : 'path'} ${what}`)
  }
}

const only = (parts: Filter[]): Filter | undefined => (parts.length === 1 ? parts[0] : undefined)

/** `name.givenName` has two parts; a dot in a URN divides nothing. */
const splitName = (name: string): string[] => (name.startsWith('urn:') ? [name] : name.split('.'))
