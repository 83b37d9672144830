import { refusal } from '../errors.ts'

/** A call, taken apart: its JSON, and its headers by their names in lower case. */
export type Payload = { body: unknown; header(name: string): string }

/** The result of a call: a message in Markdown, or nothing, for events that people do not want to read. */
export type Rendered = { text: string; event: string } | { ignored: string; event: string }

/** Items shown of a list; the others are counted. */
export const SHOWN_ITEMS = 10
/** Items read of a list. */
const MAX_ITEMS = 1000

/** The value at a path like `commits.0.author`; undefined if there is none. Only the sender's own properties count. */
export function at(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}

/** A text, or a number or truth value as one; empty where there is none of these. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : ''
}

/** The first text at these paths. */
export const firstText = (value: unknown, ...paths: string[]): string =>
  paths.map((path) => textAt(value, path)).find((text) => text.trim() !== '') ?? ''

export function listAt(value: unknown, path: string): unknown[] {
  const found = at(value, path)
  return Array.isArray(found) ? found.slice(0, MAX_ITEMS) : []
}

/** The length of a list, even one that is read in part. */
export function lengthAt(value: unknown, path: string): number {
  const found = at(value, path)
  return Array.isArray(found) ? found.length : 0
}

/** Names and values of an object whose values are texts. */
export function entriesAt(value: unknown, path: string): [name: string, value: string][] {
  const found = at(value, path)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return []
  return Object.keys(found)
    .slice(0, MAX_ITEMS)
    .flatMap((name): [string, string][] => {
      const text = textAt({ value: Reflect.get(found, name) }, 'value')
      return text === '' ? [] : [[name, text]]
    })
}

/** Refuses a payload in which this is missing: without it there is nothing to say. */
export function requiredText(value: unknown, path: string): string {
  const text = textAt(value, path)
  if (text === '') throw refusal('incoming_field_missing', { field: path })
  return text
}
