import { emojiNames } from '../../../../texts/emoji-names.ts'
import type { Language } from '../../../../texts/texts.ts'

/**
 * Groups of the picker by their number in the data. Group 2 holds parts of emoji and is left out. The first is the
 * organization's own.
 */
export const GROUPS = {
  custom: 10,
  smileys: 0,
  people: 1,
  nature: 3,
  food: 4,
  travel: 5,
  activities: 6,
  objects: 7,
  symbols: 8,
  flags: 9,
} as const
export type Group = keyof typeof GROUPS

/** `words` are what it is found by: its name, other names, and codes such as `+1`. */
export type Emoji = { emoji: string; label: string; code: string; group: number; words: string[] }

type Listed = { hexcode: string; label: string; unicode: string; group?: number; tags?: string[] }
type Codes = Record<string, string | string[]>

const loaded = new Map<Language, Promise<Emoji[]>>()

/** Loads all emoji with their names in a language, when the picker is first used. A failed load is tried again. */
export function loadEmoji(language: Language): Promise<Emoji[]> {
  const known = loaded.get(language) ?? load(language)
  loaded.set(language, known)
  known.catch(() => loaded.delete(language))
  return known
}

async function load(language: Language): Promise<Emoji[]> {
  const [list, codes] = await Promise.all([
    emojiNames[language](),
    import('emojibase-data/en/shortcodes/github.json'),
  ])
  // The files' own forms; they are checked with the package that they come in.
  return emojiOf(list.default as Listed[], codes.default as Codes)
}

/** The data has 👍 with a sign that it is no letter; others write it without, and both should be one reaction. */
const shortest = (emoji: string): string => {
  const short = emoji.replaceAll('\ufe0f', '')
  return /^\p{RGI_Emoji}$/v.test(short) ? short : emoji
}

export function emojiOf(list: readonly Listed[], codes: Codes): Emoji[] {
  return list.flatMap(({ hexcode, label, unicode, group, tags = [] }) => {
    if (group === undefined || group === 2) return []
    const found = codes[hexcode] ?? []
    const names = typeof found === 'string' ? [found] : found
    const [code = label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')] = names
    const words = [...names, ...label.toLowerCase().split(/\s+/), ...tags.map((tag) => tag.toLowerCase())]
    return [{ emoji: shortest(unicode), label, code, group, words: [label.toLowerCase(), ...words] }]
  })
}

/** Emoji with this code, then those whose code begins with what was typed, then those with a word that does. */
export function findEmoji(all: readonly Emoji[], typed: string, limit: number): Emoji[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return all.slice(0, limit)
  const rank = ({ code, words }: Emoji): number => {
    if (code === wanted) return 0
    if (code.startsWith(wanted)) return 1
    return words.some((word) => word.startsWith(wanted)) ? 2 : 3
  }
  const ranked = all.map((emoji) => ({ emoji, rank: rank(emoji) })).filter((found) => found.rank < 3)
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ emoji }) => emoji)
}

/** The organization's own, by name, as the picker and the completion take them. */
export const customEmoji = (pictures: ReadonlyMap<string, string>): Emoji[] =>
  [...pictures.keys()].sort().map((name) => ({
    emoji: `:${name}:`,
    label: name,
    code: name,
    group: GROUPS.custom,
    words: [name, ...name.split(/[_+-]/)],
  }))
