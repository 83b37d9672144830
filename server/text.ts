/** Folds case so that what reads the same compares the same: 'Straße' and 'STRASSE' are one name. */
export function caseKey(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase()
}

export const emailKey = (email: string): string => caseKey(email.trim())

/** The first `count` code points: never half of a character. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  return Array.from(text).slice(0, count).join('')
}

/** Length as the limits count it. */
export const countCodePoints = (text: string): number => Array.from(text).length

/** One plain address: what could end a header or start a second recipient has no place in it. */
export const EMAIL =
  /^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}.]+(\.[^\s@<>()[\],;:\\"\p{Cc}.]+)+$/u

const MENTION = /<@((?:b@)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/g

/** The profiles that a text mentions as `<@profileId>`, each once, in the order of the text. */
export function mentionsIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(MENTION), ([, id = '']) => id))]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
// Besides the emoji that are recommended for general interchange: old pictographs without a variation selector.
const EMOJI = /\p{RGI_Emoji}|\p{Extended_Pictographic}/v

/** Exactly one thing on screen, and that thing an emoji. */
export function isOneEmoji(text: string): boolean {
  const [only, ...more] = graphemes.segment(text)
  return only !== undefined && more.length === 0 && EMOJI.test(only.segment)
}
