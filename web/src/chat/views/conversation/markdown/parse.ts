import type { MarkedToken, Token, Tokens } from 'marked'
import { lex, OF_GUIDE, TooCostly } from './lexer.ts'
import { isDisguised, safeAddress } from './links.ts'
import type { Block, Inline, Markdown } from './tree.ts'

/** More nodes are not drawn: the text is shown plain. A long answer of a bot with tables has some hundred. */
export const MAX_NODES = 2000
/** The longest guide has some 6000. */
const MAX_GUIDE_NODES = 50_000
const CACHED_MESSAGES = 1000
/** As many emoji alone are shown large. */
const MAX_LARGE_EMOJI = 12
/** Has nothing that no emoji has. Looked at first: the expression below takes 20 ms to compile. */
const MAYBE_EMOJI_ONLY = /^[\s#*\d\u0080-\uffff]+$/
const EMOJI_ONLY = /^(?:\p{RGI_Emoji}|\s)+$/v
/** Characters that make what follows run the wrong way, to disguise a name or an address. */
const OVERRIDES = /[\u202d\u202e]/g

/** The tree of a message's text. Any text gives at most `MAX_NODES` nodes, in bounded time. */
export function parseMarkdown(written: string): Markdown {
  const text = written.replaceAll('\r\n', '\n').replace(OVERRIDES, '\ufffd')
  try {
    return { blocks: new TreeMaker().blocks(lex(text)), isEmojiOnly: isEmojiOnly(text) }
  } catch (error) {
    // The lexer answers some texts with an error of its own; a text is no reason to show nothing.
    if (!(error instanceof TooCostly)) console.warn(error)
    return { blocks: [{ kind: 'plain', text }], isEmojiOnly: false }
  }
}

/** A guide of the project: the same nodes, with links between guides as `addressOf` resolves them. */
export const parseGuide = (text: string, addressOf: AddressOf): Block[] =>
  new TreeMaker(addressOf, MAX_GUIDE_NODES).blocks(lex(text, OF_GUIDE))

function isEmojiOnly(text: string): boolean {
  if (text.length > 200 || !MAYBE_EMOJI_ONLY.test(text) || !EMOJI_ONLY.test(text)) return false
  return (text.match(/\p{RGI_Emoji}/gv) ?? []).length <= MAX_LARGE_EMOJI
}

const cache = new Map<string, Markdown>()

/** The tree of a message; made once for each version of it, and dropped with the least recently shown. */
export function markdownOf(message: { id: string; updatedAt: number; text: string }): Markdown {
  const key = `${message.id} ${message.updatedAt}`
  const known = cache.get(key)
  const markdown = known ?? parseMarkdown(message.text)
  cache.delete(key)
  cache.set(key, markdown)
  const [oldest] = cache.keys()
  if (cache.size > CACHED_MESSAGES && oldest !== undefined) cache.delete(oldest)
  return markdown
}

/** Tokens are the library's own: it says which kinds there are, and no extension adds one. */
const known = (token: Token): MarkedToken => token as MarkedToken

/** The target of a link; undefined if the link stays text. */
type AddressOf = (address: string) => string | undefined

class TreeMaker {
  readonly #addressOf: AddressOf
  readonly #maxNodes: number
  #nodes = 0

  constructor(addressOf: AddressOf = safeAddress, maxNodes = MAX_NODES) {
    this.#addressOf = addressOf
    this.#maxNodes = maxNodes
  }

  #count(): void {
    this.#nodes += 1
    if (this.#nodes > this.#maxNodes) throw new TooCostly()
  }

  blocks(tokens: Token[]): Block[] {
    return tokens.flatMap((token) => this.#block(known(token)) ?? [])
  }

  #block(token: MarkedToken): Block | undefined {
    if (token.type === 'space') return undefined
    this.#count()
    switch (token.type) {
      case 'heading':
        return { kind: 'heading', level: token.depth, children: this.#inlines(token.tokens) }
      case 'code':
        return { kind: 'code', text: token.text, language: languageOf(token.lang) }
      case 'blockquote':
        return { kind: 'quote', blocks: this.blocks(token.tokens) }
      case 'list': {
        const start = token.ordered && token.start !== '' ? token.start : undefined
        return { kind: 'list', start, items: token.items.map((item) => this.#item(item)) }
      }
      case 'table': {
        const cells = (row: Tokens.TableCell[]) => row.map((cell) => this.#inlines(cell.tokens))
        return { kind: 'table', align: token.align, head: cells(token.header), rows: token.rows.map(cells) }
      }
      case 'hr':
        return { kind: 'rule' }
      case 'paragraph':
      case 'text':
        return { kind: 'paragraph', children: this.#inlines(token.tokens ?? []) }
      default:
        return { kind: 'paragraph', children: [this.#inline(token)] }
    }
  }

  #item(item: Tokens.ListItem): Block[] {
    this.#count()
    const [first, ...rest] = item.tokens
    // The box of a tight item stands beside its text, not in it.
    if (first?.type !== 'checkbox') return this.blocks(item.tokens)
    const [text, ...others] = this.blocks(rest)
    const box: Inline = { kind: 'checkbox', isChecked: item.checked === true }
    if (text?.kind !== 'paragraph')
      return [{ kind: 'paragraph', children: [box] }, ...(text ? [text] : []), ...others]
    return [{ kind: 'paragraph', children: [box, ...text.children] }, ...others]
  }

  #inlines(tokens: Token[]): Inline[] {
    return tokens.map((token) => this.#inline(known(token)))
  }

  #inline(token: MarkedToken): Inline {
    this.#count()
    switch (token.type) {
      case 'strong':
        return { kind: 'strong', children: this.#inlines(token.tokens) }
      case 'em':
        return { kind: 'emphasis', children: this.#inlines(token.tokens) }
      case 'del':
        return { kind: 'strike', children: this.#inlines(token.tokens) }
      case 'codespan':
        return { kind: 'code', text: token.text }
      case 'br':
        return { kind: 'break' }
      case 'checkbox':
        return { kind: 'checkbox', isChecked: token.checked }
      case 'html': // only mentions become one
        return { kind: 'mention', id: token.text }
      case 'link':
      case 'image':
        return this.#link(token)
      case 'text':
      case 'escape':
        return { kind: 'text', text: token.text }
      default:
        return { kind: 'text', text: token.raw }
    }
  }

  /** A picture is a link to it: nothing is loaded from elsewhere. */
  #link(token: Tokens.Link | Tokens.Image): Inline {
    const href = this.#addressOf(token.href)
    if (href === undefined) return { kind: 'text', text: token.raw }
    const isLabelled = token.text.trim() !== '' && !isDisguised(token.text, href)
    const children = isLabelled && token.type === 'link' ? this.#inlines(token.tokens) : undefined
    return {
      kind: 'link',
      href,
      children: children ?? [{ kind: 'text', text: isLabelled ? token.text : href }],
    }
  }
}

/** The first word after the fence, as highlighting knows languages. */
const languageOf = (info = ''): string => /^[\w+#.-]{1,30}/.exec(info.trim())?.[0].toLowerCase() ?? ''
