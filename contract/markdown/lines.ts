/** How lines of Markdown begin. Every expression is anchored, and looks at each character of a line once or twice. */
export const BLANK = /^\s*$/
export const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})([\s\S]*)/
export const HEADING = /^ {0,3}(#{1,6})(?=\s|$)([\s\S]*)/
export const QUOTE = /^ {0,3}> ?/
export const RULE = /^ {0,3}(?:-(?:[ \t]*-){2,}|_(?:[ \t]*_){2,}|\*(?:[ \t]*\*){2,})[ \t]*$/
const MARKER = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)([\s\S]*)|$)/
/** Most lines are none of these, and one look says so. */
const MAYBE_START = /^ {0,3}[`~#>\-_*+\d]/

/** The beginning of an item of a list. */
export type ListMarker = {
  /** Items with the same sign make one list. */
  sign: string
  number: number | undefined
  /** Columns before the content: lines that are indented as far belong to the item. */
  width: number
  content: string
}

export function markerOf(line: string): ListMarker | undefined {
  const [whole, indent = '', marker = '', space = '', rest = ''] = MARKER.exec(line) ?? []
  if (whole === undefined) return undefined
  const spaces = space.replaceAll('\t', '    ').length
  // More space than that begins a block of code inside of the item.
  const taken = spaces > 4 || rest === '' ? 1 : spaces
  return {
    sign: marker.slice(-1),
    number: marker.length > 1 ? Number(marker.slice(0, -1)) : undefined,
    width: indent.length + marker.length + taken,
    content: ' '.repeat(Math.max(0, spaces - taken)) + rest,
  }
}

/** Whether a line ends the paragraph before it. Of numbered items only the first one does: a year may begin a line. */
export function startsBlock(line: string): boolean {
  if (!MAYBE_START.test(line)) return false
  if (FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || RULE.test(line)) return true
  const marker = markerOf(line)
  return marker !== undefined && marker.content.trim() !== '' && (marker.number ?? 1) === 1
}

/** Whether a line with less indentation, or without a sign, goes on with the paragraph of this line. */
export const isContinuable = (line: string | undefined): boolean =>
  line !== undefined && !BLANK.test(line) && !FENCE.test(line) && !HEADING.test(line) && !RULE.test(line)

/** Columns that a line is indented by, and the rest of it. */
function indentOf(line: string): { columns: number; rest: string } {
  const space = /^[ \t]*/.exec(line)?.[0] ?? ''
  let columns = 0
  for (const letter of space) columns += letter === '\t' ? 4 - (columns % 4) : 1
  return { columns, rest: line.slice(space.length) }
}

/** The line without so many columns of its indentation; undefined if it has fewer. */
export function outdented(line: string, width: number): string | undefined {
  const { columns, rest } = indentOf(line)
  return columns < width ? undefined : ' '.repeat(columns - width) + rest
}
