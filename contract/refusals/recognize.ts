import { fieldOf, REFUSAL_CODES, REFUSALS, type RefusalCode, statusOf } from './index.ts'

/** How a refusal is named to programs. */
export type RefusalName = { code: RefusalCode; field?: string | undefined }

type Known = { code: RefusalCode; status: number; pattern: RegExp }

/** `{field}` is one name, any other placeholder is any text. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(/(\{\w+\})/)
      .map((part) =>
        part === '{field}' ? '(?<field>[\\w-]+)' : /^\{\w+\}$/.test(part) ? '.+' : escaped(part),
      )
      .join('')}$`,
  )
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

let known: Known[] | undefined

/** Texts without placeholders first: `Invalid member` is one of its own. */
const inOrder = (): Known[] =>
  REFUSAL_CODES.map((code) => ({ code, status: statusOf(code), pattern: patternOf(REFUSALS[code][1]) })).sort(
    (one, other) => Number(hasPlaceholder(one)) - Number(hasPlaceholder(other)),
  )
const hasPlaceholder = ({ code }: Known): boolean => REFUSALS[code][1].includes('{')

/** The name of a refusal that was kept as text alone. */
export function recognizeRefusal(text: string, status?: number): RefusalName | undefined {
  known ??= inOrder()
  for (const { code, status: declared, pattern } of known) {
    const match = status === undefined || declared === status ? pattern.exec(text) : null
    if (match) return { code, field: fieldOf(code, match.groups) }
  }
  return status === 400 ? { code: 'field_invalid' } : undefined
}
