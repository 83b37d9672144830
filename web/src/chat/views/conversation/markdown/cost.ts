import type { Block, Inline, Markdown } from '../../../../../../contract/markdown/tree.ts'

/** Elements of texts that are drawn in one frame: as many as one message may have nodes. A long answer of a bot with tables has some hundred. */
export const FRAME_ELEMENTS = 2000
/** Characters of code for which one coloured part is counted. */
const CODE_PART = 8

const costs = new WeakMap<Markdown, number>()

/** Elements that a tree takes when it is drawn: its nodes, the cells of its tables, and the parts of its code. */
export function costOf(markdown: Markdown): number {
  const known = costs.get(markdown)
  if (known !== undefined) return known
  const cost = sum(markdown.blocks)
  costs.set(markdown, cost)
  return cost
}

const sum = (nodes: readonly (Block | Inline)[]): number =>
  nodes.reduce((total, node) => total + 1 + costWithin(node), 0)

function costWithin(node: Block | Inline): number {
  if ('children' in node) return sum(node.children)
  switch (node.kind) {
    case 'quote':
      return sum(node.blocks)
    case 'list':
      return node.items.reduce((total, item) => total + 1 + sum(item), 0)
    case 'table':
      return node.align.length * (node.rows.length + 1) + sum(node.head.flat()) + sum(node.rows.flat(2))
    case 'code':
      return 'language' in node ? Math.ceil(node.text.length / CODE_PART) : 0
    default:
      return 0
  }
}
