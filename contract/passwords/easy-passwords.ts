import { caseKey } from '../case-key.ts'
import { COMMON_PASSWORDS, SEQUENCES } from './common-passwords.ts'

/** Neighbouring keys in a row count as a walk over the keyboard from this many on. */
const MIN_WALK_LENGTH = 4
/** Minimum characters left once guessable parts are removed. */
const MIN_REST_LENGTH = 4
const MIN_DIFFERENT_CHARACTERS = 4

/** The person whose password it is: their address and the names of their organizations are guessed first. */
export type PasswordHolder = { email: string; organizations: readonly string[] }

/** Whether a password is easily guessed for this person. Pages ask while it is typed, the server when it is set. */
export function isEasyPassword(password: string, { email, organizations }: PasswordHolder): boolean {
  const [localPart = ''] = email.split('@')
  const known = [email, localPart, ...localPart.split(/[._+-]/), ...organizations, 'parley'].map(plain)
  const text = caseKey(password.normalize('NFKC'))
  if (/^[\d\s!-/:-@[-`{-~]{1,19}$/.test(text)) return true // a date, a telephone number
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) return true
  if (isCommon(text)) return true
  const whole = plain(text)
  const rest = withoutWalks(without(whole, known))
  return rest !== whole && Array.from(rest.replace(/\d/g, '')).length < MIN_REST_LENGTH
}

/** Common words in disguise, such as `P@ssw0rd2024!`, or the same word twice. */
function isCommon(text: string): boolean {
  const trimmed = text.replace(/^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu, '')
  return [trimmed, readAsLetters(trimmed), readAsLetters(text)].some((word) => {
    const half = word.slice(0, word.length / 2)
    return COMMON_PASSWORDS.has(word) || (half + half === word && COMMON_PASSWORDS.has(half))
  })
}

const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
const readAsLetters = (text: string): string =>
  text.replace(/[013457@$]/g, (sign) => LETTERS[sign] ?? sign).replace(/[^\p{L}]/gu, '')

/** Lower case, without spaces and keyboard signs. */
const plain = (text: string): string => caseKey(text).replace(/[\s!-/:-@[-`{-~]/g, '')

function without(text: string, words: readonly string[]): string {
  return words.filter((word) => word.length >= 3).reduce((rest, word) => rest.replaceAll(word, ''), text)
}

/** Takes out every piece that is part of a walk, the longest first from the left. */
function withoutWalks(text: string): string {
  let rest = ''
  for (let from = 0; from < text.length; ) {
    let to = from
    while (to < text.length && SEQUENCES.some((walk) => walk.includes(text.slice(from, to + 1)))) to += 1
    if (to - from >= MIN_WALK_LENGTH) from = to
    else rest += text[from++] ?? ''
  }
  return rest
}
