/** A piece of SQL with its values. Pieces nest, so that a query is composed without ever quoting by hand. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values)
}

export const nothing = sql``

export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const values = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]))
  return new Sql(Array(values.length + 1).fill(''), values)
}

/**
 * Writes a whole number into the text. PostgreSQL plans a statement with a parameter as its limit for a tenth of the
 * table, finds that plan too costly, and so plans each call again. Use it for few different numbers: each makes its own
 * text.
 */
export function literal(number: number): Sql {
  if (!Number.isSafeInteger(number)) throw new Error(`not a whole number: ${number}`)
  return new Sql([String(number)], [])
}

/** A piece of SQL from our own source, such as a table's name. Never pass text of a request. */
export function verbatim(text: string): Sql {
  return new Sql([text], [])
}

/**
 * Begins a statement that touches rows of several organizations, and says why it must. All others name the organization of every
 * row, so that organizations can live on different machines (placement.ts); the tests refuse what does neither.
 */
export function crossing(reason: string): Sql {
  return new Sql([`/* ${CROSSING}: ${reason} */`], [])
}

export const CROSSING = 'crosses organizations'

export type Statement = { name: string; text: string; values: unknown[] }

export function toStatement(query: Sql): Statement {
  const values: unknown[] = []
  const text = render(query, values)
  return { name: nameOf(text), text, values }
}

function render(query: Sql, values: unknown[]): string {
  let text = query.strings[0] ?? ''
  query.values.forEach((value, index) => {
    if (value instanceof Sql) text += render(value, values)
    else text += `$${values.push(value)}`
    text += query.strings[index + 1] ?? ''
  })
  return text
}

/** Equal texts get equal names, so that each connection parses and plans a query once. In the order of their first run. */
export const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = `parley_${names.size}`
    names.set(text, name)
  }
  return name
}
