import { BLANK, FENCE, outdented } from './lines.ts'
import type { Block } from './tree.ts'

/** A block, and the number of the line behind it. */
export type BlockRead = { block: Block; end: number }

const CLOSING = /^ {0,3}(`+|~+)\s*$/

/** The code that begins at this line: between fences, or indented. */
export const codeAt = (lines: readonly string[], at: number): BlockRead | undefined =>
  fencedAt(lines, at) ?? indentedAt(lines, at)

function fencedAt(lines: readonly string[], at: number): BlockRead | undefined {
  const [, indent = '', fence, info = ''] = FENCE.exec(lines[at] ?? '') ?? []
  if (fence === undefined) return undefined
  const code: string[] = []
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (isClosing(line, fence)) break
    code.push(line.slice(Math.min(indent.length, line.length - line.trimStart().length)))
  }
  return { block: { kind: 'code', text: code.join('\n'), language: languageOf(info) }, end: end + 1 }
}

function isClosing(line: string, fence: string): boolean {
  const closing = CLOSING.exec(line)?.[1]
  return closing !== undefined && closing[0] === fence[0] && closing.length >= fence.length
}

/** The first word after the fence, as highlighting knows languages. */
const languageOf = (info: string): string => /^[\w+#.-]{1,30}/.exec(info.trim())?.[0].toLowerCase() ?? ''

function indentedAt(lines: readonly string[], at: number): BlockRead | undefined {
  const code: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const shown = BLANK.test(line) ? '' : outdented(line, 4)
    if (shown === undefined) break
    code.push(shown)
  }
  while (code.at(-1) === '') code.pop()
  if (code.length === 0) return undefined
  return { block: { kind: 'code', text: code.join('\n'), language: '' }, end }
}
