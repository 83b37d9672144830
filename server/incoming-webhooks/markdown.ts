import { firstCodePoints } from '../text.ts'

const LINE_LENGTH = 250
const BLOCK_LENGTH = 1000
const ADDRESS_LENGTH = 2048
/** Characters that Markdown would take for a mark. An underline inside of a word is none, nor is a backslash before a letter. */
const MARKS = /\\(?=[!-/:-@[-`{-~])|[`*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

/** Cuts the text to `length` code points, and marks the cut. */
export function cut(text: string, length: number): string {
  const first = firstCodePoints(text.slice(0, 2 * length + 2), length)
  return first.length < text.length ? `${first.trimEnd()}…` : text
}

/** Escapes mentions in outside texts: they look the same and mention no one. */
export const withoutMentions = (text: string): string => text.replaceAll('<@', '<\\@')

/** Escapes Markdown. */
export const escaped = (text: string): string =>
  withoutMentions(text.replace(MARKS, '\\$&').replaceAll('](', ']\\('))

/** One line of an outside text. */
export const line = (text: string, length = LINE_LENGTH): string =>
  escaped(
    cut(
      text
        .slice(0, 4 * length)
        .replace(/\s+/g, ' ')
        .trim(),
      length,
    ),
  )

/** The first line of a text, such as the subject of a commit. */
export const firstLine = (text: string): string => line(text.trimStart().split(/[\r\n]/, 1)[0] ?? '')

/** A word or a few of them as code. */
export function code(text: string): string {
  const shown = cut(text.replace(/\s+/g, ' ').trim(), 100)
  if (shown === '') return ''
  if (!shown.includes('`')) return `\`${withoutMentions(shown)}\``
  return `\`\` ${withoutMentions(shown.replaceAll('``', '` `'))} \`\``
}

/** The address, if a link may lead to it. */
export function address(url: string): string | undefined {
  if (url.length > ADDRESS_LENGTH || !/^(https?:\/\/|mailto:)/i.test(url) || !URL.canParse(url))
    return undefined
  return new URL(url).href.replace(
    /[()<>\\\s]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** A link; the label alone where the address is none. `label` is Markdown already. */
export function link(label: string, url: string): string {
  const href = address(url)
  if (href === undefined) return label
  if (label.trim() === '') return href
  return `[${label.replace(/[[\]]/g, '\\$&')}](${href})`
}

/** Quotes Markdown written elsewhere, such as the text of an issue, unchanged. */
export function quoted(text: string, length = BLOCK_LENGTH): string {
  const told = text
    .slice(0, 20 * length)
    .replaceAll('\r\n', '\n')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .replace(/\n\s*\n/g, '\n\n')
    .trim()
  if (told === '') return ''
  return withoutMentions(cut(told, length))
    .split('\n')
    .map((one) => (one === '' ? '>' : `> ${one}`))
    .join('\n')
}

/** Joins lines, without the empty ones. */
export const lines = (...parts: (string | undefined | false)[]): string =>
  parts.filter((part) => part !== undefined && part !== false && part.trim() !== '').join('\n')

export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `merge_request` → `merge request`. */
export const words = (text: string): string => line(text.replace(/[_-]+/g, ' '), 80)
