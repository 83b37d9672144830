/** Wider and longer tables cost more to draw than a look at them tells. */
const MAX_COLUMNS = 100
const MAX_CELLS = 3000

const DELIMITERS = [',', ';', '\t'] as const

export type DelimitedTable = { head: string[]; rows: string[][]; isCut: boolean }

/** The table in a text of comma-separated values (RFC 4180; semicolons and tabs too); undefined where it holds no second column. */
export function readDelimited(text: string, isTextCut: boolean): DelimitedTable | undefined {
  const delimiter = delimiterOf(text)
  const { records, rest } = recordsOf(text, delimiter)
  // Skips the last record of a cut text, which may be incomplete.
  if (rest !== undefined && !isTextCut) records.push(rest)
  const [head, ...rows] = records
  const columns = Math.min(MAX_COLUMNS, Math.max(0, ...records.map(({ length }) => length)))
  if (head === undefined || columns < 2) return undefined
  const fitting = rows.slice(0, Math.floor(MAX_CELLS / columns))
  const isNarrowed = records.some(({ length }) => length > MAX_COLUMNS)
  const filled = (record: string[]) => Array.from({ length: columns }, (_, index) => record[index] ?? '')
  return {
    head: filled(head),
    rows: fitting.map(filled),
    isCut: isTextCut || isNarrowed || fitting.length < rows.length,
  }
}

/** The delimiter that the first line has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (letter === '\n') break
    const count = counts.get(letter)
    if (count !== undefined) counts.set(letter, count + 1)
  }
  const most = Math.max(...counts.values())
  return DELIMITERS.find((delimiter) => counts.get(delimiter) === most) ?? ','
}

/** All records that end with a line break, and what follows the last one. */
function recordsOf(text: string, delimiter: string): { records: string[][]; rest: string[] | undefined } {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const { value, end } =
      text[at] === '"' ? quotedValue(text, at, delimiter) : plainValue(text, at, delimiter)
    record.push(value)
    at = end + 1
    if (text[end] === delimiter) {
      if (at === text.length) record.push('')
      continue
    }
    if (end >= text.length) return { records, rest: record }
    if (record.length > 1 || record[0] !== '') records.push(record) // an empty line is no record
    record = []
  }
  return { records, rest: record.length > 0 ? record : undefined }
}

/** A value up to the delimiter or the end of its line, which stands at `end`. */
function plainValue(text: string, start: number, delimiter: string): { value: string; end: number } {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++
  const isBeforeReturn = text[end - 1] === '\r' && text[end] !== delimiter && end > start
  return { value: text.slice(start, isBeforeReturn ? end - 1 : end), end }
}

/** A value in quotes: delimiters and line breaks belong to it, and two quotes stand for one. */
function quotedValue(text: string, start: number, delimiter: string): { value: string; end: number } {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return { value: value + text.slice(from), end: text.length }
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') {
      // Characters behind the closing quote have no meaning in the format; they are shown with the value.
      const after = plainValue(text, quote + 1, delimiter)
      return { value: value + after.value, end: after.end }
    }
    value += '"'
    from = quote + 2
  }
}
