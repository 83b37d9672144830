import { addressAt, angledAt, type Found, mailAt } from './autolinks.ts'
import type { NodeBudget } from './budget.ts'
import { CodeSpans, codeShown } from './code-spans.ts'
import { emphasized, type Part } from './emphasis.ts'
import { isDisguised } from './links.ts'
import { targetAt } from './targets.ts'
import type { Inline } from './tree.ts'

/** The target of a link; undefined if the link stays text. */
export type AddressOf = (address: string) => string | undefined

export type InlineRules = {
  addressOf: AddressOf
  /** Whether a line ends where its writer ended it; otherwise lines of a paragraph flow. */
  isBroken: boolean
  budget: NodeBudget
}

/** Characters that may mean something; all others are text. */
const SPECIAL = /[\\`*_~[\]!<\n@]|(?<![a-z0-9])(?:https?:\/\/|www\.)/gi
const MENTION = /<@((?:b@)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/iy
const GROUP_WORD = /<@([^\s@<>]{1,64})>/uy
const ESCAPABLE = /[!-/:-@[-`{-~]/
const SPACE = /\s/
const SIGN = /[\p{P}\p{S}]/u

type Bracket = { part: number; start: number; isPicture: boolean; mayLink: boolean }

/** The nodes of a paragraph's text. Each character is looked at a bounded number of times, whatever the text. */
export const parseInlines = (text: string, rules: InlineRules): Inline[] =>
  new InlineParser(text, rules).parse()

class InlineParser {
  readonly #text: string
  readonly #rules: InlineRules
  readonly #spans: CodeSpans
  readonly #parts: Part[] = []
  readonly #brackets: Bracket[] = []
  #colons = 0
  /** The beginning of text that is in no part yet. */
  #from = 0

  constructor(text: string, rules: InlineRules) {
    this.#text = text
    this.#rules = rules
    this.#spans = new CodeSpans(text)
  }

  parse(): Inline[] {
    const text = this.#text
    for (let at = 0; at < text.length; ) {
      SPECIAL.lastIndex = at
      const found = SPECIAL.exec(text)
      if (!found) break
      at = this.#take(found[0], found.index)
    }
    this.#addText(text.length)
    return emphasized(this.#parts)
  }

  /** Reads what begins at a special character, and returns the place to go on from. */
  #take(sign: string, at: number): number {
    switch (sign) {
      case '\\':
        return this.#escape(at)
      case '`':
        return this.#code(at)
      case '*':
      case '_':
      case '~':
        return this.#run(sign, at)
      case '[':
        return this.#open(at, at)
      case '!':
        return this.#text.charAt(at + 1) === '[' ? this.#open(at, at + 1) : at + 1
      case ']':
        return this.#close(at)
      case '<':
        return this.#angled(at)
      case '\n':
        return this.#lineEnd(at)
      case '@':
        return this.#autolink(mailAt(this.#text, at, this.#from)) ?? at + 1
      default: {
        const found = addressAt(this.#text, at, sign, this.#brackets.length > 0)
        return this.#autolink(found) ?? at + sign.length
      }
    }
  }

  #add(part: Part): void {
    this.#rules.budget.spend()
    this.#parts.push(part)
  }

  /** Adds text to the text before it, which the bracket of a label is not. Two colons may stand around the name of an emoji, which is drawn. */
  #addPlain(text: string): void {
    for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
      this.#colons += 1
      if (this.#colons % 2 === 0) this.#rules.budget.spend()
    }
    const last = this.#parts.length - 1
    const before = this.#parts[last]
    const isLabel = this.#brackets.at(-1)?.part === last
    if (before && 'text' in before && before.kind === 'text' && !isLabel)
      this.#parts[last] = { kind: 'text', text: before.text + text }
    else this.#add({ kind: 'text', text })
  }

  /** Makes the text up to here a part, and goes on behind `next`. */
  #addText(end: number, next = end): void {
    if (end > this.#from) this.#addPlain(this.#text.slice(this.#from, end))
    this.#from = next
  }

  #addNode(node: Inline, start: number, end: number): number {
    this.#addText(start, end)
    this.#add(node)
    return end
  }

  #escape(at: number): number {
    const next = this.#text.charAt(at + 1)
    if (next === '\n') {
      this.#addText(at, at + 1)
      return this.#lineEnd(at + 1, true)
    }
    if (next === '' || !ESCAPABLE.test(next)) return at + 1
    this.#addText(at, at + 1) // the sign itself begins the next text
    return at + 2
  }

  #code(at: number): number {
    const text = this.#text
    let end = at
    while (text.charAt(end) === '`') end += 1
    const closing = this.#spans.closing(end - at, end)
    if (closing === undefined) return end
    const node: Inline = { kind: 'code', text: codeShown(text.slice(end, closing)) }
    return this.#addNode(node, at, closing + (end - at))
  }

  #run(mark: string, at: number): number {
    const text = this.#text
    let end = at
    while (text.charAt(end) === mark) end += 1
    const [before, after] = [pointBefore(text, at), pointAt(text, end)]
    const [isAfterSpace, isBeforeSpace] = [
      before === '' || SPACE.test(before),
      after === '' || SPACE.test(after),
    ]
    const [isAfterSign, isBeforeSign] = [SIGN.test(before), SIGN.test(after)]
    const isLeft = !isBeforeSpace && (!isBeforeSign || isAfterSpace || isAfterSign)
    const isRight = !isAfterSpace && (!isAfterSign || isBeforeSpace || isBeforeSign)
    // An underline inside of a word is a letter of it.
    const canOpen = isLeft && (mark !== '_' || !isRight || isAfterSign)
    const canClose = isRight && (mark !== '_' || !isLeft || isBeforeSign)
    if ((!canOpen && !canClose) || (mark === '~' && end - at > 2)) return end
    this.#addText(at, end)
    this.#add({ mark, length: end - at, canOpen, canClose })
    return end
  }

  #open(start: number, at: number): number {
    this.#addText(start, at + 1)
    this.#brackets.push({ part: this.#parts.length, start, isPicture: start < at, mayLink: true })
    this.#add({ kind: 'text', text: this.#text.slice(start, at + 1) })
    return at + 1
  }

  #close(at: number): number {
    const bracket = this.#brackets.at(-1)
    const target = bracket?.mayLink ? targetAt(this.#text, at + 1) : undefined
    if (bracket && target) {
      this.#addText(at, target.end)
      const [, ...label] = this.#parts.splice(bracket.part)
      this.#add(this.#link(emphasized(label), target.address, bracket, target.end))
      // A label has no link in it, and no more than a picture.
      for (const outer of this.#brackets) if (outer.isPicture || !bracket.isPicture) outer.mayLink = false
    }
    this.#brackets.pop()
    return target?.end ?? at + 1
  }

  /** A picture is a link to it: nothing is loaded from elsewhere. */
  #link(label: Inline[], address: string, { start, isPicture }: Bracket, end: number): Inline {
    const href = this.#rules.addressOf(address)
    if (href === undefined) return { kind: 'text', text: this.#text.slice(start, end) }
    const nodes = label.flatMap(unlinked)
    const shown = textOf(nodes)
    if (shown.trim() === '' || isDisguised(shown, href))
      return { kind: 'link', href, children: [{ kind: 'text', text: href }] }
    return { kind: 'link', href, children: isPicture ? [{ kind: 'text', text: shown }] : nodes }
  }

  #angled(at: number): number {
    MENTION.lastIndex = at
    const [whole, id] = MENTION.exec(this.#text) ?? []
    if (whole !== undefined && id !== undefined)
      return this.#addNode({ kind: 'mention', id }, at, at + whole.length)
    GROUP_WORD.lastIndex = at
    const [named, word] = GROUP_WORD.exec(this.#text) ?? []
    if (named !== undefined && word !== undefined)
      return this.#addNode({ kind: 'group', word }, at, at + named.length)
    return this.#autolink(angledAt(this.#text, at)) ?? at + 1
  }

  #autolink(found: Found | undefined): number | undefined {
    if (!found) return undefined
    const href = this.#rules.addressOf(found.address)
    // An address that may not be a link is text as a whole: a part of it would lead elsewhere.
    if (href === undefined) return found.end
    const children: Inline[] = [{ kind: 'text', text: found.text }]
    return this.#addNode({ kind: 'link', href, children }, found.start, found.end)
  }

  #lineEnd(at: number, isForced = false): number {
    const text = this.#text
    let end = at
    while (end > this.#from && text.charAt(end - 1) === ' ') end -= 1
    let next = at + 1
    while (text.charAt(next) === ' ' || text.charAt(next) === '\t') next += 1
    if (this.#rules.isBroken || isForced || at - end >= 2) return this.#addNode({ kind: 'break' }, end, next)
    this.#addText(end, next)
    this.#addPlain(' ')
    return next
  }
}

const pointAt = (text: string, at: number): string => {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}
const pointBefore = (text: string, at: number): string =>
  /[\udc00-\udfff]/.test(text.charAt(at - 1)) ? pointAt(text, at - 2) : text.charAt(at - 1)

/** A link has no link in it: of an inner one its label stays. */
const unlinked = (node: Inline): Inline[] => {
  if (node.kind === 'link') return node.children
  return 'children' in node ? [{ ...node, children: node.children.flatMap(unlinked) }] : [node]
}

/** The text of nodes, without their form. */
export function textOf(nodes: readonly Inline[]): string {
  let text = ''
  for (const node of nodes) {
    if ('children' in node) text += textOf(node.children)
    else text += 'text' in node ? node.text : ' '
  }
  return text
}
