import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A line of its own above a block that is only to be read: it is neither run nor compared. */
const NOT_RUN = '<!-- not run by the tests -->'
const RUNNABLE = ['sh', 'ts', 'python']
export const SHOWING = ['json', 'http', 'text']

/** A fenced block: its text, and the line of the page on which it begins. */
export type Fence = { line: number; language: string; text: string; isOnlyRead: boolean }
/** A block to run, with the block that shows its result: the answer as `json` or `http`, the output as `text`. */
export type Step = Fence & { shown?: Fence }
/** A part of a page under a heading of the second level, and what is above the first of them. */
export type Section = { heading: string; text: string; fences: Fence[]; steps: Step[] }
export type Page = { path: string; text: string; prose: string; headings: string[]; sections: Section[] }

export const readPage = (path: string): Page => parsePage(path, readFileSync(join(ROOT, path), 'utf8'))

export function readPagesIn(folder: string): Page[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => readPage(join(folder, name)))
}

function parsePage(path: string, text: string): Page {
  const page: Page = { path, text, prose: '', headings: [], sections: [emptySection('')] }
  let fence: Fence | undefined
  let before = ''
  text.split('\n').forEach((line, index) => {
    const section = page.sections.at(-1) ?? emptySection('')
    section.text += `${line}\n`
    if (fence && line === '```') {
      addFence(section, fence)
      fence = undefined
    } else if (fence) {
      fence.text += `${line}\n`
    } else if (line.startsWith('```')) {
      const language = line.slice(3)
      fence = { line: index + 1, language, text: '', isOnlyRead: before === NOT_RUN }
    } else {
      page.prose += `${line}\n`
      const [, level, heading] = /^(#+) (.*)/.exec(line) ?? []
      if (heading !== undefined) page.headings.push(heading)
      if (heading !== undefined && level === '##') page.sections.push(emptySection(heading))
    }
    if (line !== '') before = line
  })
  if (fence) throw new Error(`${path}:${fence.line}: a block without an end`)
  return page
}

const emptySection = (heading: string): Section => ({ heading, text: '', fences: [], steps: [] })

function addFence(section: Section, fence: Fence): void {
  section.fences.push(fence)
  if (fence.isOnlyRead) return
  const last = section.steps.at(-1)
  if (RUNNABLE.includes(fence.language)) section.steps.push(fence)
  else if (SHOWING.includes(fence.language) && last && !last.shown) last.shown = fence
}

/** The rows of the tables in a text: their cells, without heads and rulers. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n')
  const isRow = (line: string | undefined) => line?.startsWith('|') ?? false
  const isRuler = (line: string | undefined) => /^\|[-|]+\|$/.test(line ?? '')
  return lines
    .filter((line, index) => isRow(line) && !isRuler(line) && !isRuler(lines[index + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

/** The rows of the table whose first column has this head. */
export function tableWith(text: string, head: string): string[][] | undefined {
  const [table] = new RegExp(`^\\| ${head} \\|.*\n(?:\\|.*\n)+`, 'm').exec(text) ?? []
  return table === undefined ? undefined : tableRows(table)
}

/** Texts in backticks. */
export const codeIn = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code)
