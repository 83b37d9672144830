import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { either, isWord, term, wordCondition } from './conditions.ts'
import { findNewest } from './find.ts'
import type { SearchRequest, WordTerm } from './parse.ts'
import { formsOf } from './stems.ts'

/*
 * One misspelling in a word: all words that are a letter away from it are looked for at once, some hundreds, which costs as many
 * descents into the index and needs no list of words. They are looked for where the caller may read, so none comes from elsewhere.
 */

/** A search that finds fewer messages is tried with other spellings. */
export const FEW = 3
/** Shorter words have too many neighbours that are words themselves. */
const MIN_LETTERS = 5
const MAX_LETTERS = 24
/** Words of one search that are tried; each costs some milliseconds. */
const MAX_WORDS = 3
/** Messages that are looked at for other spellings, and how many of these are taken. */
const MESSAGES = 20
const MAX_INSTEAD = 5

const ALPHABETS = [
  [/^[a-z]+$/, 'abcdefghijklmnopqrstuvwxyz'],
  [/^[а-я]+$/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюя'],
  [/^[α-ω]+$/u, 'αβγδεζηθικλμνξοπρσςτυφχψω'],
  [/^[\u0621-\u064a]+$/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهويىة'],
  [/^[א-ת]+$/u, 'אבגדהוזחטיכךלמםנןסעפףצץקרשת'],
] as const

/** The search with other spellings of its rare words; undefined where there are none. */
export async function respell(
  caller: Caller,
  db: Queryable,
  request: SearchRequest,
  topicIds: readonly string[],
): Promise<SearchRequest | undefined> {
  const words = request.clauses
    .flat()
    .filter(isWord)
    .filter((word) => !word.not && neighboursOf(word.word).length > 0)
    .slice(0, MAX_WORDS)
  const instead = new Map<WordTerm, string[]>()
  for (const word of words) {
    const found = await spellingsOf(caller, db, word, topicIds)
    if (found.length > 0) instead.set(word, found)
  }
  if (instead.size === 0) return undefined
  const respelled = (term: SearchRequest['clauses'][number][number]) => {
    const words = isWord(term) ? instead.get(term) : undefined
    return words && isWord(term) ? { ...term, instead: words } : term
  }
  return { ...request, clauses: request.clauses.map((terms) => terms.map(respelled)) }
}

/** Other spellings of a word that hardly stands in any message of these topics. */
async function spellingsOf(
  caller: Caller,
  db: Queryable,
  word: WordTerm,
  topicIds: readonly string[],
): Promise<string[]> {
  const forms = await formsOf(db, [word])
  const exact = { condition: wordCondition(word, forms), topicIds, limit: FEW }
  if ((await findNewest(caller, db, exact)).length >= FEW) return []
  const neighbours = neighboursOf(word.word)
  const ids = await findNewest(caller, db, {
    condition: either(neighbours.map(term)),
    topicIds,
    limit: MESSAGES,
  })
  if (ids.length === 0) return []
  const rows = await db.query<{ word: string }>(sql`
    select t.lexeme as word from search_documents d, unnest(d.terms) as t
    where d.org_id = ${caller.orgId} and d.id = any(${ids}::uuid[]) and t.lexeme = any(${neighbours})
    group by t.lexeme order by count(*) desc, t.lexeme limit ${MAX_INSTEAD}`)
  return rows.map(({ word }) => word)
}

/** The words that are one letter away: one left out, added, changed, or swapped with its neighbour. */
export function neighboursOf(word: string): string[] {
  const letters = Array.from(word)
  const [, alphabet] = ALPHABETS.find(([pattern]) => pattern.test(word)) ?? []
  if (alphabet === undefined || letters.length < MIN_LETTERS || letters.length > MAX_LETTERS) return []
  const found = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at).join('')]
    const [first = '', second = ''] = [letters[at], letters[at + 1]]
    const rest = letters.slice(at + 1).join('')
    for (const letter of alphabet) {
      found.add(before + letter + after)
      if (first !== '') found.add(before + letter + rest)
    }
    if (first !== '') found.add(before + rest)
    if (second !== '') found.add(before + second + first + letters.slice(at + 2).join(''))
  }
  found.delete(word)
  return [...found]
}
