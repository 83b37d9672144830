/**
 * Words as search knows them: runs of letters and digits, without regard to case and accents. `Größe` is `grosse`, and `report_2026.pdf`
 * is three words. Scripts that write without spaces are taken letter by letter, so that a word of theirs is found as a phrase.
 */

/** Longer ones are cut, in texts and in searches alike; PostgreSQL refuses words of more than 2,046 bytes. */
const MAX_LETTERS = 64

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
/** One letter with its marks of a script without spaces, or a run of letters, digits and marks of others. */
const WORD = new RegExp(String.raw`[${UNSPACED}]\p{M}*|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, 'gu')
const ACCENTS = /[\u0300-\u036f]/g

const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
/** Whether it is a letter that stands for a word, or a part of one, without spaces around it. */
export const isUnspaced = (word: string): boolean => IS_UNSPACED.test(word)

export type WordPlace = { word: string; start: number; end: number }

/** Every word of a text with its place, in UTF-16 units. */
export function* wordPlaces(text: string): Generator<WordPlace> {
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const word = foldWord(found)
    if (word !== '') yield { word, start: index, end: index + found.length }
  }
}

export const wordsOf = (text: string): string[] => Array.from(wordPlaces(text), ({ word }) => word)

// Most words need nothing but lower case, and taking characters apart costs ten times that.
const ASCII = /^[\x20-\x7e]*$/

function foldWord(word: string): string {
  const lower = word.toLowerCase()
  const folded = ASCII.test(lower)
    ? lower
    : lower.normalize('NFKD').replace(ACCENTS, '').replaceAll('ß', 'ss').toLowerCase()
  if (folded.length <= MAX_LETTERS) return folded.replace(NOT_OF_WORDS, '')
  return Array.from(folded.replace(NOT_OF_WORDS, '')).slice(0, MAX_LETTERS).join('')
}

/** Taking a character apart may leave signs that are no letters, such as the fraction bar of `½`. */
const NOT_OF_WORDS = /[^\p{L}\p{N}\p{M}]/gu

/** Places of a `tsvector` end at 16,383, and a word has at most 256 of them. */
const MAX_PLACE = 16_383
const MAX_PLACES = 256

/**
 * Words with their places, and their stems without, as PostgreSQL reads a `tsvector`. Words consist of letters and digits, and so do
 * stems: nothing needs to be escaped.
 */
export function toVector(words: readonly string[], stems: ReadonlyMap<string, readonly string[]>): string {
  const places = new Map<string, number[]>()
  words.slice(0, MAX_PLACE).forEach((word, index) => {
    const known = places.get(word)
    if (!known) places.set(word, [index + 1])
    else if (known.length < MAX_PLACES) known.push(index + 1)
  })
  const forms = new Set([...places.keys()].flatMap((word) => stems.get(word) ?? []))
  return [
    ...Array.from(places, ([word, at]) => `'${word}':${at.join(',')}`),
    ...Array.from(forms, (stem) => (places.has(stem) ? '' : `'${stem}'`)),
  ].join(' ')
}
