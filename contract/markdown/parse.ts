import { parseBlocks } from './blocks.ts'
import { NodeBudget, TooCostly } from './budget.ts'
import type { AddressOf } from './inlines.ts'
import { safeAddress } from './links.ts'
import type { Block, Markdown } from './tree.ts'

/** More nodes, or cells of tables, are not drawn: the text is shown plain. A long answer of a bot with tables has some hundred. */
export const MAX_NODES = 2000
/** The longest guide has some 6000. */
const MAX_GUIDE_NODES = 50_000
/** Most emoji of a text without words that are shown large. */
const MAX_LARGE_EMOJI = 12
/** Has nothing that no emoji has. Looked at first: the expression below takes 20 ms to compile. */
const MAYBE_EMOJI_ONLY = /^[\s#*\d\u0080-\uffff]+$/
const EMOJI_ONLY = /^(?:\p{RGI_Emoji}|\s)+$/v
/** Characters that make what follows run the wrong way, to disguise a name or an address. */
const OVERRIDES = /[\u202d\u202e]/g

/** The tree of a message's text. Any text gives at most `MAX_NODES` nodes, in time that grows with its length. */
export function parseMarkdown(written: string): Markdown {
  const text = written.replaceAll('\r\n', '\n').replace(OVERRIDES, '\ufffd')
  const rules = { addressOf: safeAddress, isBroken: true, budget: new NodeBudget(MAX_NODES) }
  try {
    return { blocks: parseBlocks(text, rules), isEmojiOnly: isEmojiOnly(text) }
  } catch (error) {
    // A mistake of the parser is no reason to show nothing.
    if (!(error instanceof TooCostly)) console.warn(error)
    return { blocks: [{ kind: 'plain', text }], isEmojiOnly: false }
  }
}

/** A guide of the project: the same nodes, with links between guides as `addressOf` resolves them. */
export const parseGuide = (text: string, addressOf: AddressOf): Block[] =>
  parseBlocks(text, { addressOf, isBroken: false, budget: new NodeBudget(MAX_GUIDE_NODES) })

function isEmojiOnly(text: string): boolean {
  if (text.length > 200 || !MAYBE_EMOJI_ONLY.test(text) || !EMOJI_ONLY.test(text)) return false
  return (text.match(/\p{RGI_Emoji}/gv) ?? []).length <= MAX_LARGE_EMOJI
}
