import { expect } from 'vitest'
import type { Answer } from './client.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** The id of a poll's option: alone, or inside the id of a vote. */
const OPTION_ID = /(?<=^|_)[a-z0-9]{6}(?=$|_)/g
const OPAQUE = ['nextCursor', 'nextOffset', 'apiKey', 'apiSecret', 'access_token']
const COUNTED = /^ratelimit-(remaining|reset)$/
/** Parts of a link to a file that differ: where the server is, until when it works, and the signature. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const ETAG = /^W\/"[^"]+"$/
const OF_LINKS = /^https?:\/\/[^/]+(?=\/(?:attachments|scim)\/)|(?<=[?&](?:expires|signature)=)[\w.-]+/g
/** Smaller numbers are counts, larger ones are times in milliseconds. */
const FIRST_TIME = 1e12

/**
 * Compares what a page shows with what really came. Times, ids and secrets differ from run to run; everything else must
 * be equal. An id that the page shows in several places must be one id in reality too, and different ones different.
 */
export class Shown {
  #shownAs = new Map<string, string>()
  #known = new Set<string>()

  /** The body of an answer. A text alone is a refusal, and so is an error in the form of SCIM. */
  expectBody(real: Answer, shown: string, where: string): void {
    const body: unknown = JSON.parse(shown)
    expect(real.status >= 400, `${where}: ${real.text}`).toBe(isRefusal(body))
    this.#expectSame(real.body, body, where)
  }

  /** A whole answer: status line, headers, and a body behind an empty line. Headers may be left out. */
  expectAnswer(real: Answer, shown: string, where: string): void {
    const [head = '', ...rest] = shown.split('\n\n')
    const [statusLine = '', ...headers] = head.trim().split('\n')
    expect(real.status, where).toBe(Number(statusLine.split(' ')[1]))
    for (const header of headers) {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(header) ?? []
      const expected = COUNTED.test(name.toLowerCase()) ? expect.stringMatching(/^\d+$/) : value
      expect(real.headers.get(name), `${where}: ${header}`).toEqual(expected)
    }
    if (rest.length > 0) this.expectBody(real, rest.join('\n\n'), where)
  }

  expectText(real: string, shown: string, where: string): void {
    this.#expectSame(real.trim(), shown.trim(), where)
  }

  #expectSame(real: unknown, shown: unknown, where: string): void {
    this.#learn(shown, real)
    expect(this.#comparable(real), where).toEqual(this.#comparable(shown))
  }

  #learn(shown: unknown, real: unknown, key = ''): void {
    if (typeof shown === 'string' && typeof real === 'string') {
      this.#pairAll(idsIn(shown, key), idsIn(real, key))
    } else if (areTexts(shown) && areTexts(real)) {
      this.#learnList(shown, real)
    } else if (isObject(shown) && isObject(real)) {
      for (const [name, value] of Object.entries(shown)) {
        this.#learn(value, real[name], Array.isArray(shown) ? key : name)
      }
    }
  }

  /** Lists of ids come in any order: bots are paired with bots, people with people, the known ones left out. */
  #learnList(shown: string[], real: string[]): void {
    for (const isBot of [true, false]) {
      const idsOf = (list: string[]) =>
        list.filter((id) => id.startsWith('b@') === isBot).flatMap((id) => idsIn(id))
      this.#pairAll(
        idsOf(shown).filter((id) => !this.#known.has(id)),
        idsOf(real).filter((id) => !this.#shownAs.has(id)),
      )
    }
  }

  #pairAll(shown: string[], real: string[]): void {
    for (const [index, id] of shown.entries()) this.#pair(id, real[index])
  }

  #pair(shown: string, real: string | undefined): void {
    if (real === undefined || this.#shownAs.has(real) || this.#known.has(shown)) return
    this.#shownAs.set(real, shown)
    this.#known.add(shown)
  }

  /** The value with the page's own ids, and placeholders for what changes from run to run. */
  #comparable(value: unknown, key = ''): unknown {
    if (OPAQUE.includes(key) && typeof value === 'string' && value !== '') return '(opaque)'
    if (typeof value === 'number' && value >= FIRST_TIME) return '(a time)'
    // The encoder decides the size of an image.
    if (key === 'size') return '(a size)'
    if (key === 'bodyMs') return '(how long it took)'
    if (typeof value === 'string' && ISO_TIME.test(value)) return '(a time)'
    if (typeof value === 'string' && ETAG.test(value)) return '(a version)'
    if (typeof value === 'string') {
      const text = value.replace(OF_LINKS, '')
      return idsIn(text, key).reduce((known, id) => known.replaceAll(id, this.#shownAs.get(id) ?? id), text)
    }
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#comparable(item, key))
      return areTexts(items) ? items.sort() : items
    }
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, this.#comparable(inner, name)]),
    )
  }
}

const idsIn = (text: string, key = ''): string[] => [
  ...(text.match(UUID) ?? []),
  ...(key === 'id' || key === 'optionId' ? (text.match(OPTION_ID) ?? []) : []),
]

const isRefusal = (body: unknown): boolean =>
  typeof body === 'string' || (isObject(body) && 'scimType' in body)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
