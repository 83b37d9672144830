import { OPERATIONS } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Page, readPage, readPagesIn, type Section } from './pages.ts'

/*
 * The pages promise: what they show can be pasted into a shell, and does what they say. How to write one:
 * - A block of `sh`, `ts` or `python` is run. The `json`, `http` or `text` block behind it is what comes of it.
 * - `<!-- not run by the tests -->` on the line above a block is for what is only to be read, such as <placeholders>.
 * - An operation has a section with a line like: `POST /v2/topics` · scope `channel:write` · answers 201
 *   and, unless it only reads, a paragraph that begins with "Causes" and names the events: Causes `member.added`.
 */
export const OPERATION_LINE =
  /^`((?:GET|POST|PUT|PATCH|DELETE) \/\S+)` · (?:scope `([\w:]+)`|no authentication) · answers ([\d or]+)$/m

export const everyPage = readPagesIn('docs')
export const guide = everyPage
export const readme = readPage('README.md')
export const authentication = readPage('docs/authentication.md')

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/** The operations with the sections that describe them. */
export const described = guide.flatMap(({ sections }) =>
  sections.flatMap((section) => {
    const operation = operationOf(section)
    return operation ? [[nameOf(operation), operation, section] as const] : []
  }),
)

export function operationOf(section: Section): Operation | undefined {
  const [, name] = OPERATION_LINE.exec(section.text) ?? []
  const operation = OPERATIONS.find((candidate) => nameOf(candidate) === name)
  if (name !== undefined && !operation) throw new Error(`${name} is not an operation of the contract`)
  return operation
}

export function sectionOf({ sections }: Page, heading: string): Section {
  const section = sections.find((candidate) => candidate.heading === heading)
  if (!section) throw new Error(`there is no section "${heading}"`)
  return section
}

/** The shell functions that all pages use. */
export function functionsOf({ sections }: Page): string | undefined {
  const fences = sections.flatMap((section) => section.fences)
  return fences.find(({ text }) => text.startsWith('parley() {'))?.text
}
