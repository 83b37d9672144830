import type { Alignment } from './tree.ts'

/** Nothing else can be the line below a table's head. */
const MAYBE_RULER = /^[\s|:-]+$/
const RULE = /^:?-+:?$/

export type Ruler = Alignment[]

/** The alignments of the columns where `line` is the ruler of a table below the head `head`. */
export function rulerOf(head: string, line: string | undefined): Ruler | undefined {
  if (line === undefined || !MAYBE_RULER.test(line) || !/[|:]/.test(line)) return undefined
  const rules = cellsOf(line)
  if (rules.length === 0 || !rules.every((rule) => RULE.test(rule))) return undefined
  return cellsOf(head).length === rules.length ? rules.map(alignmentOf) : undefined
}

function alignmentOf(rule: string): Alignment {
  if (rule.endsWith(':')) return rule.startsWith(':') ? 'center' : 'right'
  return rule.startsWith(':') ? 'left' : null
}

/** The cells of a line: between its bars, of which the first and the last may be left out. An escaped bar belongs to its cell. */
export function cellsOf(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line.charAt(at)
    if (letter === '|') {
      cells.push(cell.trim())
      cell = ''
    } else if (letter === '\\' && line.charAt(at + 1) === '|') {
      cell += '|'
      at += 1
    } else if (letter === '\\') {
      cell += line.slice(at, at + 2)
      at += 1
    } else cell += letter
  }
  cells.push(cell.trim())
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  return cells
}
