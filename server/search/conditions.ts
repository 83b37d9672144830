import { EVERYONE } from '../../contract/group-mentions.ts'
import type { Queryable } from '../db/database.ts'
import { type SearchRequest, type Term, type WordTerm, wordClauses } from './parse.ts'
import { narrowsTopics, type Scope } from './scope.ts'
import { formsOf, type KnownForms, stemTerms } from './stems.ts'

/*
 * A search as a `tsquery`. Its terms consist of letters, digits, emoji, ids and a sign between them: nothing in them is an operator or a
 * quotation mark.
 */

export const term = (text: string): string => `'${text}'`
export const both = (conditions: readonly string[]): string => conditions.join('&')
export const either = (conditions: readonly string[]): string => `(${conditions.join('|')})`

/** Letters before the ids in terms, by filter. */
const SIGNS = { from: 'f', in: 't', mentions: 'm' } as const
/** No document has it. */
const NOTHING = term('x:none')

/** `words` is what ranks: the words alone, without what excludes. */
export type Compiled = { condition: string | undefined; words: string | undefined }

export async function compile(db: Queryable, request: SearchRequest, scope: Scope): Promise<Compiled> {
  const forms = await formsOf(db, request.clauses.flat().filter(isWord))
  const conditionOf = (term: Term) =>
    term.not ? `!${anyForm(term, forms, scope)}` : anyForm(term, forms, scope)
  const joined = (clauses: readonly Term[][]) =>
    clauses.length === 0 ? undefined : both(clauses.map((terms) => either(terms.map(conditionOf))))
  const ranking = wordClauses(request)
    .map((terms) => terms.filter(({ not }) => !not))
    .filter((terms) => terms.length > 0)
  return {
    condition: joined(request.clauses.filter((terms) => !narrowsTopics(terms))),
    words: joined(ranking),
  }
}

export const isWord = (term: Term): term is WordTerm => term.kind === 'word'

/** The condition that a document has a word in any of its forms, and in any language. */
export function wordCondition(word: WordTerm, forms: KnownForms): string {
  const { instead = [] } = word
  return either([
    word.isBeginning ? `${term(word.word)}:*` : term(word.word),
    ...stemTerms(word, forms).map(term),
    ...instead.map(term),
  ])
}

function anyForm(wanted: Term, forms: KnownForms, { named }: Scope): string {
  switch (wanted.kind) {
    case 'word':
      return wordCondition(wanted, forms)
    case 'phrase':
      return `(${wanted.words.map(term).join('<->')})`
    case 'mark':
      return term(wanted.term)
    case 'filter': {
      const ids = named(wanted.filter, wanted.value)
      const sign = SIGNS[wanted.filter]
      const all = wanted.filter === 'mentions' && ids.length > 0 ? [...ids, EVERYONE] : ids
      return all.length === 0 ? NOTHING : either(all.map((id) => term(`${sign}:${id}`)))
    }
  }
}
