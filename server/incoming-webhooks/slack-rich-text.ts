import { code, cut, escaped, link, withoutMentions } from './markdown.ts'
import { at, firstText, listAt, textAt } from './payload.ts'
import { fromPlain } from './slack-mrkdwn.ts'

const MAX_PARTS = 200

/** A `rich_text` block, as Slack's own composer makes it: sections, lists, quotations and code. */
export function richText(value: unknown): string {
  return listAt(value, 'elements').slice(0, MAX_PARTS).map(part).join('\n').trim()
}

function part(value: unknown): string {
  switch (textAt(value, 'type')) {
    case 'rich_text_list':
      return listAt(value, 'elements')
        .slice(0, MAX_PARTS)
        .map((item, index) => {
          const mark = textAt(value, 'style') === 'ordered' ? `${index + 1}.` : '-'
          return `${'   '.repeat(Math.min(4, Number(textAt(value, 'indent')) || 0))}${mark} ${inline(item)}`
        })
        .join('\n')
    case 'rich_text_preformatted':
      return `\`\`\`\n${withoutMentions(cut(rawText(value), 5000)).replaceAll('```', "'''")}\n\`\`\``
    case 'rich_text_quote':
      return inline(value)
        .split('\n')
        .map((one) => `> ${one}`)
        .join('\n')
    default:
      return inline(value)
  }
}

const rawText = (value: unknown): string =>
  listAt(value, 'elements')
    .map((element) => firstText(element, 'text', 'url'))
    .join('')

const inline = (value: unknown): string => listAt(value, 'elements').slice(0, MAX_PARTS).map(element).join('')

function element(value: unknown): string {
  switch (textAt(value, 'type')) {
    case 'text':
      return styled(textAt(value, 'text'), value)
    case 'link':
      return link(escaped(textAt(value, 'text')), textAt(value, 'url'))
    case 'emoji':
      return fromPlain(`:${textAt(value, 'name')}:`)
    case 'user':
      return `@${escaped(textAt(value, 'user_id'))}`
    case 'channel':
      return `#${escaped(textAt(value, 'channel_id'))}`
    case 'broadcast':
      return `@${escaped(textAt(value, 'range'))}`
    default:
      return escaped(firstText(value, 'text', 'fallback'))
  }
}

/** Marks enclose words without the spaces around them. */
function styled(text: string, value: unknown): string {
  const words = cut(text, 10_000).trim()
  if (words === '') return text.slice(0, 1)
  const before = text.startsWith(words.slice(0, 1)) ? '' : ' '
  const after = text === text.trimEnd() ? '' : text.slice(text.trimEnd().length).slice(0, 10)
  if (at(value, 'style.code') === true) return `${before}${code(words)}${after}`
  const marks = (['bold', 'italic', 'strike'] as const).filter(
    (style) => at(value, `style.${style}`) === true,
  )
  const MARKS = { bold: '**', italic: '_', strike: '~~' }
  const opened = marks.map((style) => MARKS[style]).join('')
  const closed = marks
    .toReversed()
    .map((style) => MARKS[style])
    .join('')
  return `${before}${opened}${escaped(words)}${closed}${after}`
}
