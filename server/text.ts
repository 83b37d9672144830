import { domainToASCII } from 'node:url'
import { caseKey } from '../contract/case-key.ts'
import { LIMITS } from '../contract/limits.ts'
import { NAME_PATTERN, NOT_IN_NAMES } from '../contract/names.ts'

/**
 * Addresses of one mailbox have one key, and those of different mailboxes do not: 'gmaıl.com' is not 'gmail.com'. Before
 * the `@` only A to Z are folded, since the host of the mailbox decides what else is the same there.
 */
export function emailKey(email: string): string {
  const address = email.trim().normalize('NFC')
  const at = address.lastIndexOf('@') + 1
  const local = address.slice(0, at).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return local + domainKey(address.slice(at))
}

// `domainToASCII` reads its argument as part of a URL: it ends at a '/', and '%61' is an 'a'.
const DOMAIN = /^[\p{L}\p{M}\p{N}._-]+$/u

/** A domain in the letters of DNS. */
export const domainKey = (domain: string): string =>
  (DOMAIN.test(domain) && domainToASCII(domain)) || domain.toLowerCase()

/** The first `count` code points, never half a character. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  return Array.from(text).slice(0, count).join('')
}

const NAME = new RegExp(NAME_PATTERN, 'u')
const NOT_IN_NAME = new RegExp(`[${NOT_IN_NAMES}]+`, 'gu')

/** Whether a name keeps the rule of the contract, which requests are checked by. */
export const isName = (text: string): boolean => NAME.test(text)

/** A name that others sent us, such as a provider of single sign-on, made to fit the rule. */
export const toName = (text: string): string =>
  isName(text) ? text.trim() : text.replace(NOT_IN_NAME, ' ').trim()

/** The default name of a person: the part of their address before the `@`. */
export const nameFrom = (email: string): string =>
  firstCodePoints(toName(email.split('@')[0] ?? email), LIMITS.profileName)

/** Length as counted by the limits. */
export const countCodePoints = (text: string): number => Array.from(text).length

const NOT_IN_ADDRESSES = String.raw`\s@<>()\[\],;:\\"${NOT_IN_NAMES}`
const DOMAIN_LABEL = `[^.${NOT_IN_ADDRESSES}]+`

/** One plain address: no character in it can end a header, start a second recipient or hide. */
export const EMAIL = new RegExp(`^[^${NOT_IN_ADDRESSES}]+@${DOMAIN_LABEL}(\\.${DOMAIN_LABEL})+$`, 'u')

export const MENTION = /<@((?:b@)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/gi

/** The profiles that a text mentions as `<@profileId>`, each once, in the order of the text. */
export function mentionsIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(MENTION), ([, id = '']) => id.toLowerCase()))]
}

const GROUP_WORD = /<@([^\s@<>]{1,64})>/gu
const PROFILE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Words of a text that may mention groups, as `<@word>`: `everyone`, `here`, tags, or nothing that exists. Each once, without regard to case. */
export function groupWordsIn(text: string): string[] {
  if (!text.includes('<@')) return []
  const words = Array.from(text.matchAll(GROUP_WORD), ([, word = '']) => word).filter(
    (word) => !PROFILE.test(word),
  )
  return [...new Set(words.map(caseKey))]
}

/** Writes words that mention groups as `@word`, which is text. */
export const withoutGroupSigns = (text: string): string =>
  text.replace(GROUP_WORD, (whole, word: string) => (PROFILE.test(word) ? whole : `@${word}`))

// A picture may lack its variation selector, or be newer than this server's Unicode tables, which reserve places (Cn)
// for such; then come a skin tone or the tags of a regional flag. Pictures joined by U+200D are one emoji.
const PICTURE = String.raw`[[\p{Emoji}\p{Cn}]&&\p{Extended_Pictographic}](?:\uFE0F?\p{Emoji_Modifier}|\uFE0F|[\u{E0020}-\u{E007E}]+\u{E007F})?`
const KEYCAP = String.raw`[0-9#*]\uFE0F?\u20E3`
/** All emoji but flags of countries, as a source for expressions with the flag `v`. */
export const PICTURES = String.raw`${KEYCAP}|${PICTURE}(?:\u200D${PICTURE})*`
const EMOJI = new RegExp(String.raw`^(?:\p{RGI_Emoji}|${PICTURES})$`, 'v')

/** Exactly one emoji and nothing else; any match is one grapheme cluster. */
export const isOneEmoji = (text: string): boolean => EMOJI.test(text)
