/** First words that leave out who or what acts: "As the message carries it", "Of every form". */
const OPENING =
  /^(as|by|for|from|in|of|to|with|without|whose|whoever|whichever|which|who|what|it|its|they|their|those|that|the same|also|not|only|so|back|later|otherwise|instead)\b/i
/** Words that hide a noun, or that plain English no longer uses. */
const VAGUE =
  /\b(somebody|anybody|nobody|whoever|whichever|whomever|anew|meanwhile|thereby|hereby|(is|are|was|were) told|on (its|their) way|what was (said|told))\b/i
/** Shorter comments are labels, such as `// private`. */
const LABEL_LENGTH = 12
/** Directives for tools. */
const DIRECTIVE = /^(biome-|@ts-|[#@]__)/

export type Comment = { line: number; text: string; isLabel: boolean }

/** The comments of a source; lines of one comment are joined. A label is a comment behind code. */
export function commentsIn(source: string, mark: '//' | '--'): Comment[] {
  const lines = source.split('\n')
  const found: Comment[] = []
  for (let at = 0; at < lines.length; at++) {
    const first = at
    const start = lines[at]?.trim() ?? ''
    if (mark === '//' && /^\{?\/\*/.test(start)) {
      while (at < lines.length - 1 && !lines[at]?.includes('*/')) at++
      found.push({ line: first + 1, text: blockText(lines.slice(first, at + 1)), isLabel: false })
    } else if (start.startsWith(mark)) {
      while (lines[at + 1]?.trim().startsWith(mark)) at++
      const text = lines.slice(first, at + 1).map((line) => line.trim().slice(mark.length).trim())
      found.push({ line: first + 1, text: text.join(' '), isLabel: false })
    } else if (mark === '//') {
      const text = /\S\s+\/\/ (.+)$/.exec(start)?.[1]
      if (text !== undefined) found.push({ line: first + 1, text, isLabel: true })
    }
  }
  return found.filter(({ text }) => !DIRECTIVE.test(text))
}

const blockText = (lines: readonly string[]): string =>
  lines
    .map((line) =>
      line
        .trim()
        .replace(/^\{?\/\*+|\*\/.*$/g, '')
        .replace(/^\*/, '')
        .trim(),
    )
    .join(' ')
    .trim()

/** Why a stranger would have to decode this comment; undefined if nothing is wrong with it. */
export function proseFault({ text, isLabel }: Pick<Comment, 'text' | 'isLabel'>): string | undefined {
  const plain = text.replace(/`[^`]*`/g, 'x')
  const opening = OPENING.exec(plain)
  if (opening && !isLabel && plain.length >= LABEL_LENGTH)
    return `begins with "${opening[0]}": begin with what acts, or with the noun that it describes`
  const vague = VAGUE.exec(plain)
  return vague ? `says "${vague[0]}": name the person, bot, node or thing` : undefined
}
