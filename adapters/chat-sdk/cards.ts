import {
  type ActionsElement,
  type CardChild,
  type CardElement,
  ChatError,
  cardChildToFallbackText,
  type TableElement,
} from 'chat'
import type { Operations } from '../../sdk/index.ts'

export type Actions = NonNullable<Operations['sendMessage']['input']['body']['actions']>
type Element = Actions['elements'][number]
type Control = ActionsElement['children'][number]

const MAX_ELEMENT_ID = 64

/** A card as Parley shows it: Markdown, with the buttons and choices below. Every press counts until the card is edited. */
export function renderCard(card: CardElement): { text: string; actions?: Actions } {
  const head = [
    card.title && `**${card.title}**`,
    card.subtitle && `_${card.subtitle}_`,
    card.imageUrl && `![](${card.imageUrl})`,
  ]
  const text = [...head, ...card.children.map(markdownOf)].filter(Boolean).join('\n\n')
  const elements = controlsIn(card.children).map(elementOf)
  if (elements.length === 0) return { text }
  return { text: text || '…', actions: { elements, use: 'always' } }
}

function markdownOf(child: CardChild): string {
  switch (child.type) {
    case 'text':
      if (child.style === 'bold') return `**${child.content}**`
      return child.style === 'muted' ? `_${child.content}_` : child.content
    case 'section':
      return child.children.map(markdownOf).filter(Boolean).join('\n\n')
    case 'fields':
      return child.children.map(({ label, value }) => `**${label}:** ${value}`).join('\n')
    case 'image':
      return `![${child.alt ?? ''}](${child.url})`
    case 'link':
      return `[${child.label}](${child.url})`
    case 'divider':
      return '---'
    case 'table':
      return tableOf(child)
    case 'actions':
      return child.children
        .flatMap((control) => (control.type === 'link-button' ? [`[${control.label}](${control.url})`] : []))
        .join(' · ')
    default:
      return cardChildToFallbackText(child) ?? ''
  }
}

const tableOf = ({ headers, rows }: TableElement): string =>
  [headers, headers.map(() => '---'), ...rows]
    .map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
    )
    .join('\n')

function controlsIn(children: readonly CardChild[]): Control[] {
  return children.flatMap((child) => {
    if (child.type === 'section') return controlsIn(child.children)
    if (child.type !== 'actions') return []
    return child.children.filter(
      (control) => control.type !== 'link-button' && !(control.type === 'button' && control.disabled),
    )
  })
}

function elementOf(control: Control, index: number): Element {
  const base = { id: elementIdOf(control.id ?? '', index), text: control.label }
  if (control.type === 'select' || control.type === 'radio_select')
    return { ...base, options: control.options.map(({ label, value }) => ({ text: label, value })) }
  const { style, value } = Object(control)
  return { ...base, ...(style && { style }), ...(value !== undefined && { value }) }
}

/**
 * The id of an element: its place in the card, because buttons of a card may share an action, and the id of the action.
 * Characters that Parley does not take stand as `:` and two hexadecimal digits for each byte.
 */
export function elementIdOf(actionId: string, index: number): string {
  const escaped = actionId.replace(/[^\w.-]/gu, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `:${byte.toString(16).padStart(2, '0')}`).join(''),
  )
  const id = `${index}-${escaped}`
  if (id.length > MAX_ELEMENT_ID)
    throw new ChatError(`The id "${actionId}" of a button is too long for Parley`, 'VALIDATION_ERROR')
  return id
}

/** Ids that are not made by `elementIdOf`, as of a message that was sent with Parley's own operations, stay as they are. */
export function actionIdOf(elementId: string): string {
  const [, escaped] = /^\d-((?:[\w.-]|:[0-9a-f]{2})*)$/.exec(elementId) ?? []
  if (escaped === undefined) return elementId
  const bytes = Buffer.from(
    escaped.replace(/:(..)|[^:]/g, (one, hex) => hex ?? one.charCodeAt(0).toString(16)),
    'hex',
  )
  return bytes.toString()
}
