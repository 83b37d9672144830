import { expect } from 'vitest'
import type { SearchParts, SearchResult } from '../../contract/search.ts'
import { indexEverything } from '../../server/search/indexer.ts'
import { chatOf } from './chat.ts'
import type { Answer } from './client.ts'
import type { TestParley } from './parley.ts'
import type { TestPerson } from './people.ts'

export type Found = {
  results: SearchResult[]
  topics: { id: string; name: SearchParts; description: SearchParts }[]
  members: { id: string; type: string; name: SearchParts }[]
  corrections: { word: string; instead: string[] }[]
  hasMore: boolean
  nextCursor?: string
  isComplete: boolean
}
type More = Record<string, string | number>

export const queryOf = (q: string, more: More = {}) =>
  new URLSearchParams({ q, ...Object.fromEntries(Object.entries(more).map(([k, v]) => [k, String(v)])) })

/** A text with its hits in brackets. */
export const marked = (parts: SearchParts): string =>
  parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')

/** Searches of people, once everything is indexed. */
export function searchesOf(server: () => TestParley) {
  const ready = () => indexEverything(server().parley.db)
  const ask = (who: TestPerson, q: string, more?: More): Promise<Answer> =>
    chatOf(who).get(`search?${queryOf(q, more)}`)
  const found = async (who: TestPerson, q: string, more?: More): Promise<Found> => {
    await ready()
    const { status, body, text } = await ask(who, q, more)
    expect(status, text).toBe(200)
    return Object(body)
  }
  /** Texts of the messages that a person finds. */
  const texts = async (who: TestPerson, q: string, more?: More) =>
    (await found(who, q, more)).results.map(({ message }) => message.text)
  const ids = async (who: TestPerson, q: string, more?: More) =>
    (await found(who, q, more)).results.map(({ message }) => message.id)
  const excerpts = async (who: TestPerson, q: string) =>
    (await found(who, q)).results.flatMap((result) =>
      result.excerpts.map(({ source, parts }) => `${source}: ${marked(parts)}`),
    )
  return { ready, ask, found, texts, ids, excerpts }
}
