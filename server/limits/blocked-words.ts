import { BoundedMap } from './bounded-map.ts'

/** Words that an organization does not allow, by the first word of each: the words that follow it, none for a single word. */
export type BlockedWords = ReadonlyMap<string, readonly (readonly string[])[]>

/** Scripts without spaces between words: each letter is compared as a word, so that a word is found wherever it stands. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const WORD = new RegExp(String.raw`[${UNSPACED}]\p{M}*|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, 'gu')
/** Characters of an entry; signs between words are not compared. */
const ENTRY = /^[\p{L}\p{N}\p{M}\s'’-]+$/u
/** Invisible characters: joiners, marks of direction, soft hyphens, selectors. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu
/** Accents, and other marks that any letter can carry. Vowel signs of Indic scripts, and the sounds of kana, make other letters. */
const ACCENTS =
  /[\u0300-\u036f]|[\u064b-\u0655]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g
/** Signs of Markdown that are invisible inside a word. */
const MARKUP = /[*~`[\]]+/g
/** A longer link target counts as text. */
const LONGEST_TARGET = 2048

/** Folds case, ligatures and `ß`; an accent that is no part of a letter is left out. */
const folded = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(ACCENTS, '')

/** A text as it is shown, without the signs of Markdown and the targets of links. */
const shownOf = (text: string): string => withoutTargets(text).replace(MARKUP, '')

/** Leaves out what stands in brackets behind a label, brackets inside of it included. */
function withoutTargets(text: string): string {
  if (!text.includes('](')) return text
  const ends = bracketEnds(text)
  let shown = ''
  let from = 0
  for (let label = text.indexOf(']('); label !== -1; label = text.indexOf('](', Math.max(from, label + 1))) {
    const end = ends.get(label + 1)
    if (end === undefined || end - label > LONGEST_TARGET) continue
    shown += text.slice(from, label)
    from = end + 1
  }
  return shown + text.slice(from)
}

/** The closing bracket of each opening one that has one. */
function bracketEnds(text: string): Map<number, number> {
  const open: number[] = []
  const ends = new Map<number, number>()
  for (let place = 0; place < text.length; place++) {
    const sign = text[place]
    if (sign === '(') open.push(place)
    const opened = sign === ')' ? open.pop() : undefined
    if (opened !== undefined) ends.set(opened, place)
  }
  return ends
}

const wordsIn = (text: string): readonly string[] => folded(text).match(WORD) ?? []

const withoutAccents = (word: string): string => word.normalize('NFD').replace(ACCENTS, '').normalize('NFC')

/** Whether the entry is one word, or several in sequence. */
export const isBlockable = (entry: string): boolean => ENTRY.test(entry) && wordsIn(entry).length > 0

/** How many lists are kept in the form that is compared: those of the organizations that wrote last. */
const MAX_KEPT = { entries: 200, bytes: 4 * 1024 * 1024 }
const kept = new BoundedMap<BlockedWords>(MAX_KEPT, (words) => 200 * words.size)

/** Undefined if nothing is blocked, so that comparing costs nothing. */
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

/**
 * Compares whole words as people see them: ignoring case, what stands between them, and invisible characters. An entry
 * without accents also means the same word with accents; one with accents means itself.
 */
export function hasBlockedWord(blocked: BlockedWords | undefined, text: string): boolean {
  if (!blocked) return false
  if (isAmong(blocked, wordsIn(text))) return true
  const shown = shownOf(text)
  return shown !== text && isAmong(blocked, wordsIn(shown))
}

function isAmong(blocked: BlockedWords, words: readonly string[]): boolean {
  const bare = words.map(withoutAccents)
  const isWord = (wanted: string, index: number) => words[index] === wanted || bare[index] === wanted
  const isPhrase = (first: string | undefined, index: number) =>
    first !== undefined &&
    blocked.get(first)?.some((rest) => rest.every((next, offset) => isWord(next, index + 1 + offset)))
  return words.some((word, index) => isPhrase(word, index) || isPhrase(bare[index], index))
}

/** Longer than any entry of the list, with room for signs between its words, in characters that are seen. */
const LOOK_BACK = 200
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}*~`[\]]/u

/**
 * Compares a growing text that was compared up to `from`. The last word is left out if it may go on, and so is the
 * first one if the look back begins inside it.
 */
export function growsBlockedWord(blocked: BlockedWords | undefined, text: string, from: number): boolean {
  if (!blocked) return false
  let start = from
  for (let seen = 0; start > 0 && seen < LOOK_BACK; start--)
    if (!HIDDEN.test(text.charAt(start - 1))) seen += 1
  const grown = text.slice(start)
  return [grown, shownOf(grown)].some((seen) => {
    const words = wordsIn(seen).slice(start > 0 ? 1 : 0)
    return isAmong(blocked, /[\p{L}\p{N}\p{M}]$/u.test(seen.replace(UNSEEN, '')) ? words.slice(0, -1) : words)
  })
}
