import { deeper } from './budget.ts'
import { type BlockRead, codeAt } from './code-blocks.ts'
import { type InlineRules, parseInlines } from './inlines.ts'
import {
  BLANK,
  FENCE,
  HEADING,
  isContinuable,
  type ListMarker,
  markerOf,
  outdented,
  QUOTE,
  RULE,
  startsBlock,
} from './lines.ts'
import { cellsOf, rulerOf } from './table.ts'
import type { Alignment, Block, Inline } from './tree.ts'

const BOX = /^\[([ xX])\][ \t]+(?=\S)/

/** The blocks of a text. Each line is looked at a bounded number of times, in each of a bounded number of levels. */
export const parseBlocks = (text: string, rules: InlineRules): Block[] =>
  new BlockParser(rules).parse(text.split('\n'), 0)

class BlockParser {
  readonly #rules: InlineRules

  constructor(rules: InlineRules) {
    this.#rules = rules
  }

  parse(lines: readonly string[], depth: number): Block[] {
    const blocks: Block[] = []
    for (let at = 0; at < lines.length; ) {
      const line = lines[at] ?? ''
      if (BLANK.test(line)) {
        at += 1
        continue
      }
      this.#rules.budget.spend()
      const { block, end } =
        codeAt(lines, at) ??
        this.#line(line, at) ??
        this.#quote(lines, at, depth) ??
        this.#list(lines, at, depth) ??
        this.#table(lines, at) ??
        this.#paragraph(lines, at)
      blocks.push(block)
      at = end
    }
    return blocks
  }

  #inlines(text: string): Inline[] {
    return parseInlines(text.trim(), this.#rules)
  }

  /** A rule or a heading. */
  #line(line: string, at: number): BlockRead | undefined {
    if (RULE.test(line)) return { block: { kind: 'rule' }, end: at + 1 }
    const [, signs, title] = HEADING.exec(line) ?? []
    if (signs === undefined || title === undefined) return undefined
    const children = this.#inlines(withoutClosing(title.trim()))
    return { block: { kind: 'heading', level: signs.length, children }, end: at + 1 }
  }

  #quote(lines: readonly string[], at: number, depth: number): BlockRead | undefined {
    if (!QUOTE.test(lines[at] ?? '')) return undefined
    const inside = new OpenLines()
    let end = at
    for (; end < lines.length; end++) {
      const line = lines[end] ?? ''
      if (QUOTE.test(line)) inside.add(line.replace(QUOTE, ''))
      else if (!inside.continueWith(line)) break
    }
    return { block: { kind: 'quote', blocks: this.parse(inside.lines, deeper(depth)) }, end }
  }

  #list(lines: readonly string[], at: number, depth: number): BlockRead | undefined {
    const first = markerOf(lines[at] ?? '')
    if (!first) return undefined
    const items: Block[][] = []
    let end = at
    for (let marker: ListMarker | undefined = first; marker?.sign === first.sign; ) {
      const item = itemAt(lines, end, marker)
      this.#rules.budget.spend()
      items.push(this.#item(item.lines, deeper(depth)))
      end = item.end
      const next = lines[end] ?? ''
      marker = RULE.test(next) ? undefined : markerOf(next)
    }
    return { block: { kind: 'list', start: first.number, items }, end }
  }

  /** The box of an item stands before its text. */
  #item(lines: readonly string[], depth: number): Block[] {
    const [first = '', ...rest] = lines
    const [box, mark] = BOX.exec(first) ?? []
    if (box === undefined) return this.parse(lines, depth)
    const checkbox: Inline = { kind: 'checkbox', isChecked: mark !== ' ' }
    const [text, ...others] = this.parse([first.slice(box.length), ...rest], depth)
    if (text?.kind !== 'paragraph')
      return [{ kind: 'paragraph', children: [checkbox] }, ...(text ? [text] : []), ...others]
    return [{ kind: 'paragraph', children: [checkbox, ...text.children] }, ...others]
  }

  #table(lines: readonly string[], at: number): BlockRead | undefined {
    const align = rulerOf(lines[at] ?? '', lines[at + 1])
    if (!align) return undefined
    let end = at + 2
    while (end < lines.length && !endsText(lines[end])) end += 1
    // Rows are filled up to the width of the head: their cells are counted before any is made.
    this.#rules.budget.demand(align.length * (end - at - 1))
    const rows = lines.slice(at + 2, end).map((line) => this.#cells(line, align))
    return { block: { kind: 'table', align, head: this.#cells(lines[at] ?? '', align), rows }, end }
  }

  #cells(line: string, align: readonly Alignment[]): Inline[][] {
    const cells = cellsOf(line)
    return align.map((_, column) => {
      const cell = cells[column] ?? ''
      if (cell === '') this.#rules.budget.spend()
      return this.#inlines(cell)
    })
  }

  #paragraph(lines: readonly string[], at: number): BlockRead {
    let end = at + 1
    while (end < lines.length && !endsText(lines[end]) && !rulerOf(lines[end] ?? '', lines[end + 1])) end += 1
    return { block: { kind: 'paragraph', children: this.#inlines(lines.slice(at, end).join('\n')) }, end }
  }
}

const endsText = (line = ''): boolean => BLANK.test(line) || startsBlock(line)

/** A heading without the signs that close it. */
function withoutClosing(title: string): string {
  let end = title.length
  while (title.charAt(end - 1) === '#') end -= 1
  return end === 0 || /\s/.test(title.charAt(end - 1)) ? title.slice(0, end) : title
}

/** Lines of a quote or an item, whose last paragraph goes on in lines that lack the sign or the indentation. */
class OpenLines {
  readonly lines: string[] = []
  #isInFence = false

  add(line: string): void {
    if (FENCE.test(line)) this.#isInFence = !this.#isInFence
    this.lines.push(line)
  }

  /** Adds a line that lacks them; false if it does not belong here. */
  continueWith(line: string): boolean {
    if (this.#isInFence || endsText(line) || !isContinuable(this.lines.at(-1))) return false
    this.lines.push(line.trimStart())
    return true
  }
}

function itemAt(lines: readonly string[], at: number, marker: ListMarker) {
  const inside = new OpenLines()
  inside.add(marker.content)
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const content = BLANK.test(line) ? '' : outdented(line, marker.width)
    if (content !== undefined) inside.add(content)
    else if (markerOf(line) || !inside.continueWith(line)) break
  }
  return { lines: inside.lines, end }
}
