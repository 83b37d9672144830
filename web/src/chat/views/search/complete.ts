import { SEARCH_OPERATORS, SEARCHED_STATES, SEARCHED_THINGS } from '../../../../../contract/search.ts'
import { findNames, plain } from '../conversation/composer/completion.ts'

type Operator = (typeof SEARCH_OPERATORS)[number]

/** A text that can replace the end of a search: `text` replaces everything from `start` on. */
export type Completion = { text: string; start: number; operator: Operator; label: string }

type Names = {
  members: Iterable<{ name: string; status: string }>
  topics: Iterable<{ name: string; type: string }>
}

const SHOWN = 8
/** A shorter beginning is rather that of a word. */
const MIN_NAME = 2
/** The piece of a search at its end: `-fr`, `in:`, `from:"Ada O`. */
const PIECE = /(?:^|\s)-?(?:([a-z]{2,8})|([a-z]{2,8}):(?:"([^"]*)|([^\s"]*)))$/i

/** Operators that begin so, or values of the operator that was typed. */
export function completionsOf(search: string, names: Names): Completion[] {
  const [piece = '', name, typed, quoted, bare = ''] = PIECE.exec(search) ?? []
  if (name !== undefined && name.length >= MIN_NAME) {
    const start = search.length - name.length
    const wanted = name.toLowerCase()
    return SEARCH_OPERATORS.filter((operator) => operator.startsWith(wanted) && operator !== 'to').map(
      (operator) => ({
        text: `${operator}:`,
        start,
        operator,
        label: `${operator}:`,
      }),
    )
  }
  const operator = SEARCH_OPERATORS.find((one) => one === typed?.toLowerCase())
  if (operator === undefined || piece === '') return []
  const value = quoted ?? bare
  const start = search.length - (quoted === undefined ? value.length : value.length + 1)
  const values = valuesOf(operator, value, names).filter((one) => plain(one) !== plain(value))
  return values.map((one) => ({
    text: `${/\s/.test(one) ? `"${one}"` : one} `,
    start,
    operator,
    label: `${operator}:${one}`,
  }))
}

function valuesOf(operator: Operator, value: string, { members, topics }: Names): string[] {
  const beginning = (values: readonly string[]) => values.filter((one) => one.startsWith(value.toLowerCase()))
  switch (operator) {
    case 'from':
    case 'mentions':
    case 'to': {
      const active = [...members].filter(({ status }) => status === 'Active')
      return [...beginning(['me']), ...findNames(active, value, SHOWN).map(({ name }) => name)]
    }
    case 'in': {
      const listed = [...topics].filter(({ type }) => type === 'topic')
      return findNames(listed, value, SHOWN).map(({ name }) => name)
    }
    case 'has':
      return beginning(SEARCHED_THINGS)
    case 'is':
      return beginning(SEARCHED_STATES)
    default:
      return beginning(['today', 'yesterday', new Date().toLocaleDateString('sv-SE').slice(0, 7)])
  }
}
