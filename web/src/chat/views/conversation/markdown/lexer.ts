import { Lexer, type Links, type Token, Tokenizer, type Tokens, type TokensList } from 'marked'

/** How deep quotes, lists and emphasis may stand in each other. People reach 4. */
const MAX_DEPTH = 16

export type LexLimits = {
  /** The longest text, in UTF-16 units. */
  length: number
  /** Tries of the lexer at a position. A text of 10,000 characters that people write takes some hundred. */
  steps: number
  /** Marks that may open emphasis or a link: for each the lexer looks through the rest of the paragraph. */
  marks: number
  /** Whether a line ends where its writer ended it; otherwise lines of a paragraph flow. */
  isBroken: boolean
}
/** A message has at most 10,000 code points, which are up to twice as many units. */
const OF_MESSAGE: LexLimits = { length: 20_000, steps: 3000, marks: 600, isBroken: true }
/** A guide is written by us: the longest has 60,000 characters. */
export const OF_GUIDE: LexLimits = { length: 400_000, steps: 100_000, marks: 40_000, isBroken: false }
/** Runs in which the lexer's expressions look at every character once for each one before it: 300 ms for 10,000. */
const SLOW_RUNS = /[ \t]{256}|[\w.!#$%&'*+/=?`{|}~-]{256}@/

const MENTION = /^<@((?:b@)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/i

const OPENS = /^[*_~[`<]/

/** The text is deeper or costs more than what people write. */
export class TooCostly extends Error {}

class ChatTokenizer extends Tokenizer {
  readonly #limits: LexLimits
  #steps = 0
  #marks = 0

  constructor(limits: LexLimits) {
    super()
    this.#limits = limits
  }

  #step(): void {
    this.#steps += 1
    if (this.#steps > this.#limits.steps) throw new TooCostly()
  }

  // The lexer asks these two first, at every position in blocks and in lines.
  override space(src: string): Tokens.Space | undefined {
    this.#step()
    return super.space(src)
  }

  override escape(src: string): Tokens.Escape | undefined {
    this.#step()
    if (OPENS.test(src)) this.#marks += 1
    if (this.#marks > this.#limits.marks) throw new TooCostly()
    return super.escape(src)
  }

  /** HTML is text. The one thing in angle brackets that means something is a mention. */
  override tag(src: string): Tokens.Tag | undefined {
    const [raw, id] = MENTION.exec(src) ?? []
    if (raw === undefined || id === undefined) return undefined
    return { type: 'html', raw, text: id, block: false, inLink: false, inRawBlock: false }
  }

  override html(): undefined {}

  // A definition would take its line out of the message, and give the links of others an address.
  override def(): undefined {}

  override reflink(_src: string, _links: Links): undefined {}

  // "Hello" above a row of dashes is no title.
  override lheading(): undefined {}
}

class ChatLexer extends Lexer {
  #depth = 0

  #deeper<Result>(work: () => Result): Result {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new TooCostly()
    const result = work()
    this.#depth -= 1
    return result
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): Token[] {
    return this.#deeper(() => super.blockTokens(src, tokens, lastParagraphClipped))
  }

  override inlineTokens(src: string, tokens?: Token[]): Token[] {
    return this.#deeper(() => super.inlineTokens(src, tokens))
  }
}

/** The tokens of a text; throws `TooCostly` before it takes long. */
export function lex(text: string, limits = OF_MESSAGE): Token[] {
  if (text.length > limits.length || SLOW_RUNS.test(text)) throw new TooCostly()
  const tokenizer = new ChatTokenizer(limits)
  return new ChatLexer({ gfm: true, breaks: limits.isBroken, tokenizer }).lex(text)
}
