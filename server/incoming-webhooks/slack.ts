import { refusal } from '../errors.ts'
import { cut, escaped, line, lines, link } from './markdown.ts'
import { at, firstText, listAt, type Payload, type Rendered, textAt } from './payload.ts'
import { fromMrkdwn, fromPlain } from './slack-mrkdwn.ts'
import { richText } from './slack-rich-text.ts'

/** Slack's own limits. */
const MAX_BLOCKS = 50
const MAX_ATTACHMENTS = 20
const MAX_ELEMENTS = 25

/** Slack's incoming webhooks: `text`, `blocks`, which take its place, and `attachments` below. */
export function renderSlack({ body }: Payload): Rendered {
  const blocks = listAt(body, 'blocks').slice(0, MAX_BLOCKS)
  const attachments = listAt(body, 'attachments').slice(0, MAX_ATTACHMENTS)
  const written = textAt(body, 'text')
  if (written.trim() === '' && blocks.length === 0 && attachments.length === 0)
    throw refusal('fields_missing', { fields: 'text, attachments or blocks' })
  const told = at(body, 'mrkdwn') === false ? fromPlain(written) : fromMrkdwn(written)
  const shown = blocks.map(block).filter((part) => part.trim() !== '')
  const text = shown.length > 0 ? shown.join('\n\n') : told
  return {
    text: [text, ...attachments.map(attachment)].filter((part) => part.trim() !== '').join('\n\n'),
    event: '',
  }
}

/** Parley's own format: Markdown, as bots write it. */
export function renderText({ body }: Payload): Rendered {
  const text = textAt(body, 'text')
  if (text.trim() === '') throw refusal('field_required', { field: 'text' })
  return { text, event: '' }
}

function block(value: unknown): string {
  switch (textAt(value, 'type')) {
    case 'header':
      return `### ${label(value)}`
    case 'section':
      return lines(
        textObject(at(value, 'text')),
        ...listAt(value, 'fields')
          .slice(0, MAX_ELEMENTS)
          .map((field) => oneLine(textObject(field))),
        element(at(value, 'accessory')),
      )
    case 'context':
      return joined(
        listAt(value, 'elements').map((part) => element(part) || oneLine(textObject(part))),
        ' ',
      )
    case 'actions':
      return joined(listAt(value, 'elements').map(element), ' · ')
    case 'image':
      return image(value)
    case 'video':
      return link(
        line(firstText(value, 'title.text', 'alt_text')) || 'Video',
        firstText(value, 'title_url', 'video_url'),
      )
    case 'markdown':
      return textAt(value, 'text')
    case 'rich_text':
      return richText(value)
    case 'divider':
      return '---'
    default:
      return ''
  }
}

/** Shows only buttons with a link: a press of another one would reach no program. */
function element(value: unknown): string {
  const type = textAt(value, 'type')
  if (type === 'button') {
    const url = textAt(value, 'url')
    return url === '' ? '' : link(label(value), url)
  }
  return type === 'image' ? image(value) : ''
}

/** The plain text of a title or a button. */
const label = (value: unknown): string => oneLine(fromPlain(cut(textAt(value, 'text.text'), 250)))

const image = (value: unknown): string =>
  link(
    line(firstText(value, 'title.text', 'alt_text')) || 'Image',
    firstText(value, 'image_url', 'slack_file.url'),
  )

function textObject(value: unknown): string {
  const text = textAt(value, 'text')
  return textAt(value, 'type') === 'plain_text' ? fromPlain(text) : fromMrkdwn(text)
}

const oneLine = (markdown: string): string => markdown.trim().replace(/\n+/g, ' ')

const joined = (parts: readonly string[], separator: string): string =>
  parts
    .slice(0, MAX_ELEMENTS)
    .filter((part) => part !== '')
    .join(separator)

/** Drawn as a quotation, which has the bar at its side that Slack gives an attachment. */
function attachment(value: unknown): string {
  const content = lines(
    joined([link(line(textAt(value, 'author_name')), textAt(value, 'author_link'))], ''),
    bold(fromMrkdwn(cut(textAt(value, 'title'), 300)), textAt(value, 'title_link')),
    fromMrkdwn(textAt(value, 'text')),
    ...listAt(value, 'fields').slice(0, MAX_ELEMENTS).map(field),
    ...listAt(value, 'blocks').slice(0, MAX_BLOCKS).map(block),
    joined(listAt(value, 'actions').map(element), ' · '),
    link(textAt(value, 'image_url') === '' ? '' : 'Image', textAt(value, 'image_url')),
    italic(line(textAt(value, 'footer'))),
  )
  const pretext = fromMrkdwn(textAt(value, 'pretext'))
  const shown = content === '' ? escaped(cut(textAt(value, 'fallback'), 1000)) : content
  const bar = shown
    .split('\n')
    .map((one) => (one === '' ? '>' : `> ${one}`))
    .join('\n')
  return lines(pretext, shown.trim() === '' ? '' : bar)
}

function field(value: unknown): string {
  const title = line(textAt(value, 'title'))
  const told = oneLine(fromMrkdwn(textAt(value, 'value')))
  return title === '' ? told : `**${title}:** ${told}`
}

function bold(markdown: string, url: string): string {
  const label = oneLine(markdown)
  return label === '' ? '' : `**${link(label, url)}**`
}

const italic = (markdown: string): string => (markdown === '' ? '' : `_${markdown}_`)
