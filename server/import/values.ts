import { at } from '../incoming-webhooks/payload.ts'

/** The parsed JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The list at a path, of any length. */
export function listAt(value: unknown, path: string): unknown[] {
  const found = at(value, path)
  return Array.isArray(found) ? found : []
}

/** Whether it is a valid time in the past. */
export const isPast = (ms: number, now: number): boolean => Number.isSafeInteger(ms) && ms > 0 && ms <= now

export const textsAt = (value: unknown, path: string): string[] =>
  listAt(value, path).filter((entry) => typeof entry === 'string')

export function groupBy<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return groups
}
