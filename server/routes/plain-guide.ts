import { anchorOf, plainText, shownText } from '../../contract/markdown/guides.ts'
import type { AddressOf } from '../../contract/markdown/inlines.ts'
import { parseGuide } from '../../contract/markdown/parse.ts'
import type { Block, Inline } from '../../contract/markdown/tree.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? '')

/** Writes the Markdown of a guide as HTML; links lead where `addressOf` says, and are text where it says nothing. */
export const guideHtml = (markdown: string, addressOf: AddressOf): string =>
  parseGuide(shownText(markdown), addressOf).map(blockHtml).join('\n')

const element = (tag: string, html: string, attributes = ''): string =>
  `<${tag}${attributes}>${html}</${tag}>`

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return element('p', inlineHtml(block.children))
    case 'heading':
      return element(
        `h${block.level}`,
        inlineHtml(block.children),
        ` id="${escapeHtml(anchorOf(plainText(block.children)))}"`,
      )
    case 'code':
      return element('pre', element('code', escapeHtml(block.text)))
    case 'quote':
      return element('blockquote', block.blocks.map(blockHtml).join(''))
    case 'list': {
      const items = block.items.map((blocks) => element('li', blocks.map(blockHtml).join(''))).join('')
      return block.start === undefined
        ? element('ul', items)
        : element('ol', items, block.start === 1 ? '' : ` start="${block.start}"`)
    }
    case 'table': {
      const row = (tag: string, cells: readonly Inline[][]) =>
        element('tr', cells.map((cell) => element(tag, inlineHtml(cell))).join(''))
      return element('table', row('th', block.head) + block.rows.map((cells) => row('td', cells)).join(''))
    }
    case 'rule':
      return '<hr>'
    case 'plain':
      return element('p', escapeHtml(block.text))
  }
}

const inlineHtml = (nodes: readonly Inline[]): string => nodes.map(nodeHtml).join('')

function nodeHtml(node: Inline): string {
  switch (node.kind) {
    case 'text':
      return escapeHtml(node.text)
    case 'break':
      return '<br>'
    case 'strong':
      return element('strong', inlineHtml(node.children))
    case 'emphasis':
      return element('em', inlineHtml(node.children))
    case 'strike':
      return element('del', inlineHtml(node.children))
    case 'code':
      return element('code', escapeHtml(node.text))
    case 'link':
      return element('a', inlineHtml(node.children), ` href="${escapeHtml(node.href)}"`)
    case 'mention':
      return escapeHtml(`<@${node.id}>`)
    case 'group':
      return escapeHtml(`<@${node.word}>`)
    case 'checkbox':
      return node.isChecked ? '☑ ' : '☐ '
  }
}
