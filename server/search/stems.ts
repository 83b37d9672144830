import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { foldWord, type WordPlace } from './words.ts'

/** Languages by script, each with PostgreSQL's dictionary of its stems. */
const DICTIONARIES = [
  {
    letters: /^\p{Script=Latin}+$/u,
    stems: {
      en: 'english_stem',
      de: 'german_stem',
      fr: 'french_stem',
      es: 'spanish_stem',
      it: 'italian_stem',
      pt: 'portuguese_stem',
      nl: 'dutch_stem',
      sv: 'swedish_stem',
    },
  },
  { letters: /^\p{Script=Cyrillic}+$/u, stems: { ru: 'russian_stem' } },
  { letters: /^[\p{Script=Arabic}\p{M}]+$/u, stems: { ar: 'arabic_stem' } },
] as const

/** English words are in texts of all languages. */
const EVERYWHERE = 'en'
/** The most letters of a word that is looked up in dictionaries. */
const MAX_STEMMED = 40

/** The stem of a word in each language that it may be of; empty where it is no word to search for there, such as `the`. */
type Forms = Readonly<Record<string, string>>
type Word = Pick<WordPlace, 'word' | 'raw'>
/** Forms of written words, by `raw`. */
export type KnownForms = ReadonlyMap<string, Forms>

/** Twice the words of a language in daily use. People say the same words again and again: nineteen of twenty are known already. */
const MAX_KNOWN = { entries: 50_000, bytes: 32 * 1024 * 1024 }
const sizeOf = (forms: Forms): number => 100 + 50 * Object.keys(forms).length
/** Forms depend on the word alone, so all callers share them. */
const known = new BoundedMap<Forms>(MAX_KNOWN, sizeOf)

/** Words of one statement; other requests wait some 10 ms for what follows from it. */
const READ_AT_ONCE = 2000

const NONE: Forms = {}

/**
 * The stems of words, as PostgreSQL makes them, for those that are letters alone. Without this memory they took 65 µs of the 150 that a
 * message of twelve words cost.
 */
export async function formsOf(db: Queryable, words: Iterable<Word>): Promise<KnownForms> {
  const forms = new Map<string, Forms>()
  const missing = new Set<string>()
  for (const { word, raw } of words)
    for (const written of raw === word ? [word] : [word, raw]) {
      if (forms.has(written) || missing.has(written)) continue
      const kept = known.get(written)
      if (kept) forms.set(written, kept)
      else missing.add(written)
    }
  for (const { letters, stems } of DICTIONARIES) {
    const ofScript = [...missing].filter((word) => word.length <= MAX_STEMMED && letters.test(word))
    for (let index = 0; index < ofScript.length; index += READ_AT_ONCE)
      for (const [word, its] of await readForms(db, ofScript.slice(index, index + READ_AT_ONCE), stems)) {
        forms.set(word, its)
        known.set(word, its)
      }
  }
  return forms
}

async function readForms(
  db: Queryable,
  words: readonly string[],
  dictionaries: Readonly<Record<string, string>>,
): Promise<[word: string, forms: Forms][]> {
  if (words.length === 0) return []
  const languages = Object.keys(dictionaries)
  const rows = await db.query<{ word: string; stems: (string | null)[] }>(sql`
    select x.word, array(
      select (ts_lexize(d.name::regdictionary, x.word))[1] from unnest(${Object.values(dictionaries)}::text[]) with ordinality as d (name, at)
      order by d.at
    ) as stems
    from unnest(${words}::text[]) as x (word)`)
  return rows.map(({ word, stems }) => [
    word,
    Object.fromEntries(languages.map((language, at) => [language, foldWord(stems[at] ?? '')])),
  ])
}

/** The stems of a word in all languages as terms; with and without its accents, since half of all searches leave them out. */
export const stemTerms = (
  { word, raw }: Word,
  forms: KnownForms,
  languages?: ReadonlySet<string>,
): string[] => {
  const terms = new Set<string>()
  for (const written of raw === word ? [word] : [word, raw])
    for (const [language, stem] of Object.entries(forms.get(written) ?? NONE))
      if (stem !== '' && (!languages || languages.has(language))) terms.add(`${language}:${stem}`)
  return [...terms]
}

/**
 * The languages that a text may be of, for its stems: those that have most of its words for small ones, such as `the` and `und`. Without
 * them, `not` would be found as the French stem of `notes`. Texts without small words may be of any.
 */
export function languagesOf(words: Iterable<Word>, forms: KnownForms): ReadonlySet<string> | undefined {
  const counts = new Map<string, number>()
  for (const { raw } of words)
    for (const [language, stem] of Object.entries(forms.get(raw) ?? NONE))
      if (stem === '') counts.set(language, (counts.get(language) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const most = Math.max(...counts.values())
  const likely = [...counts].flatMap(([language, count]) => (count === most ? language : []))
  // Other scripts have one language each.
  return new Set([...likely, EVERYWHERE, 'ru', 'ar'])
}
