import { PICTURES } from '../text.ts'

/**
 * Words as search knows them: runs of letters and digits, without regard to case and accents. `Größe` is `grosse`, and `report_2026.pdf`
 * is three words. Scripts that write without spaces are taken letter by letter, so that a word of theirs is found as a phrase.
 */

/** Longer ones are cut, in texts and in searches alike; PostgreSQL refuses words of more than 2,046 bytes. */
const MAX_LETTERS = 64

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
/** One letter with its marks of a script without spaces, or a run of letters, digits and marks of others. */
const LETTERS = String.raw`[${UNSPACED}]\p{M}*|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`
const WORD = new RegExp(LETTERS, 'gu')
/** Any two letters of flags: asking for each known emoji by itself takes forty times as long. */
const PICTURE = String.raw`\p{Regional_Indicator}{2}|${PICTURES}`
/** An emoji is a word of its own. Taken apart from letters first, since a keycap begins with a digit. */
const WORD_OR_EMOJI = new RegExp(`(${PICTURE})|${LETTERS}`, 'gv')
/** A sign without which a text has no emoji. The expression with emoji takes three times as long. */
const PICTURE_SIGN = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
/** Accents, and the vowel signs of Arabic, which nearly all texts leave out. */
const ACCENTS = /[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g

const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
/** Whether it is a letter that stands for a word, or a part of one, without spaces around it. */
export const isUnspaced = (word: string): boolean => IS_UNSPACED.test(word)

/** `raw` has accents, for stems: `word` is what is compared. An emoji has no stems. */
export type WordPlace = { word: string; raw: string; start: number; end: number; isEmoji?: true }

/** Every word of a text with its place, in UTF-16 units. */
export function* wordPlaces(text: string): Generator<WordPlace> {
  const expression = PICTURE_SIGN.test(text) ? WORD_OR_EMOJI : WORD
  for (const { 0: found, 1: emoji, index } of text.matchAll(expression)) {
    const end = index + found.length
    if (emoji !== undefined) {
      const word = plainEmoji(emoji)
      if (word !== '') yield { word, raw: word, start: index, end, isEmoji: true }
      continue
    }
    const raw = found.toLowerCase()
    const word = foldWord(raw)
    if (word !== '')
      yield { word, raw: ASCII.test(raw) ? word : shorten(raw.normalize('NFC')), start: index, end }
  }
}

/** Words that are taken out of a text at once, in some 10 ms. */
export const WORDS_AT_ONCE = 4000

/** Every word of a text, which may be as long as a file; `pause` gives other requests their turn. */
export async function readWordPlaces(text: string, pause: () => Promise<unknown>): Promise<WordPlace[]> {
  const places: WordPlace[] = []
  for (const place of wordPlaces(text)) {
    places.push(place)
    if (places.length % WORDS_AT_ONCE === 0) await pause()
  }
  return places
}

/** All skin tones of an emoji, with or without the sign that it is no letter, are one word. */
export const plainEmoji = (emoji: string): string => emoji.replace(/[\u{1F3FB}-\u{1F3FF}\ufe0f]/gu, '')

export const wordsOf = (text: string): string[] => Array.from(wordPlaces(text), ({ word }) => word)

// Most words need nothing but lower case, and taking characters apart costs ten times that.
const ASCII = /^[\x20-\x7e]*$/

/** A word in lower case as it is compared. */
export function foldWord(lower: string): string {
  if (ASCII.test(lower)) return shorten(lower.replace(NOT_OF_WORDS, ''))
  const folded = lower.normalize('NFKD').replace(ACCENTS, '').replaceAll('ß', 'ss').toLowerCase()
  return shorten(folded.replace(NOT_OF_WORDS, ''))
}

const shorten = (word: string): string =>
  word.length <= MAX_LETTERS ? word : Array.from(word).slice(0, MAX_LETTERS).join('')

/** Taking a character apart may leave signs that are no letters, such as the fraction bar of `½`. */
const NOT_OF_WORDS = /[^\p{L}\p{N}\p{M}]/gu

/** Places of a `tsvector` end at 16,383, and a word has at most 256 of them. */
const MAX_PLACE = 16_383
const MAX_PLACES = 256

/** PostgreSQL refuses a `tsvector` above one megabyte: what is beyond this is left out, which is the end of long files. */
const MAX_BYTES = 800_000
const BYTES_OF_UNIT = 3

/**
 * Words with their places, and further terms without, as PostgreSQL reads a `tsvector`. Words consist of letters, digits and emoji, and
 * terms of those, ids and a sign between: nothing needs to be escaped.
 */
export function toVector(words: readonly string[], terms: Iterable<string>): string {
  const parts: string[] = []
  let bytes = 0
  const add = (part: string, length: number, places = 0) => {
    bytes += BYTES_OF_UNIT * length + 2 * places
    if (bytes <= MAX_BYTES) parts.push(part)
  }
  for (const term of new Set(terms)) add(`'${term}'`, term.length)
  const placesOf = new Map<string, number[]>()
  words.forEach((word, index) => {
    const known = placesOf.get(word)
    if (!known) placesOf.set(word, [Math.min(index + 1, MAX_PLACE)])
    else if (known.length < MAX_PLACES && index < MAX_PLACE) known.push(index + 1)
  })
  for (const [word, places] of placesOf) add(`'${word}':${places.join(',')}`, word.length, places.length)
  return parts.join(' ')
}
