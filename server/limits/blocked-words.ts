import { BoundedMap } from './bounded-map.ts'

/** Words that an organization does not allow, by the first word of each: the words that follow it, none for a single word. */
export type BlockedWords = ReadonlyMap<string, readonly (readonly string[])[]>

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** The characters of an entry: signs between words are not compared. */
const ENTRY = /^[\p{L}\p{N}\p{M}\s'’-]+$/u

const wordsIn = (text: string): readonly string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? []

/** One word, or some that follow each other. */
export const isBlockable = (entry: string): boolean => ENTRY.test(entry) && wordsIn(entry).length > 0

/** How many lists are kept in the form that is compared: those of the organizations that wrote last. */
const MAX_KEPT = { entries: 200, bytes: 4 * 1024 * 1024 }
const kept = new BoundedMap<BlockedWords>(MAX_KEPT, (words) => 200 * words.size)

/** Undefined where nothing is blocked, so that comparing costs nothing there. */
export function blockedWordsOf(entries: readonly string[] | null | undefined): BlockedWords | undefined {
  if (!entries || entries.length === 0) return undefined
  const name = entries.join('\n')
  const known = kept.get(name)
  if (known) return known
  const words = new Map<string, string[][]>()
  for (const entry of entries) {
    const [first, ...rest] = wordsIn(entry)
    if (first !== undefined) words.set(first, [...(words.get(first) ?? []), rest])
  }
  kept.set(name, words)
  return words
}

/** Compares whole words, whatever their case and what stands between them. */
export function hasBlockedWord(blocked: BlockedWords | undefined, text: string): boolean {
  return blocked !== undefined && isAmong(blocked, wordsIn(text))
}

const isAmong = (blocked: BlockedWords, words: readonly string[]): boolean =>
  words.some((word, index) =>
    blocked.get(word)?.some((rest) => rest.every((next, offset) => words[index + 1 + offset] === next)),
  )

/** Longer than any entry of the list, with room for signs between its words. */
const LOOK_BACK = 200

/**
 * The same for a text that grows and was compared up to `from`. Its last word is left out where it may go on, and so is the
 * first one where the look back begins inside of it.
 */
export function growsBlockedWord(blocked: BlockedWords | undefined, text: string, from: number): boolean {
  if (!blocked) return false
  const start = Math.max(0, from - LOOK_BACK)
  const words = wordsIn(text.slice(start)).slice(start > 0 ? 1 : 0)
  return isAmong(blocked, /[\p{L}\p{N}\p{M}]$/u.test(text) ? words.slice(0, -1) : words)
}
