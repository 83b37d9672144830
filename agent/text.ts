const MENTION = /<@((?:[bu]@)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi
/** The beginning of what may become a mention, at the end of a piece of text. */
const MENTION_BEGUN = /<(?:@[0-9a-z@-]{0,40})?$/i

export const countCodePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The first `limit` code points, with a mark where something was cut off. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit || countCodePoints(text) <= limit) return text
  return `${firstCodePoints(text, limit - 1)}…`
}

export function firstCodePoints(text: string, limit: number): string {
  let end = 0
  let count = 0
  for (const point of text) {
    if (count === limit) break
    end += point.length
    count += 1
  }
  return text.slice(0, end)
}

/** Turns mentions into plain text: an agent's words notify no member. */
export const withoutMentions = (text: string): string => text.replace(MENTION, '@$1')

/** Mentions with the names of those who are mentioned; `without` is left out. */
export function withNames(
  text: string,
  mentions: readonly { id: string; name: string }[],
  without?: string,
): string {
  return text
    .replaceAll(`<@${without}> `, '')
    .replaceAll(`<@${without}>`, '')
    .replace(MENTION, (whole, id: string) => {
      const name = mentions.find((mention) => mention.id === id.toLowerCase())?.name
      return name === undefined ? whole : `@${name}`
    })
    .trim()
}

/** Passes text on in pieces in which no mention is cut in two, with the mentions taken out. */
export function mentionFilter() {
  let held = ''
  return {
    take(piece: string): string {
      const text = held + piece
      held = MENTION_BEGUN.exec(text)?.[0] ?? ''
      return withoutMentions(text.slice(0, text.length - held.length))
    },
    /** The rest, once no more text comes. */
    end(): string {
      const rest = held
      held = ''
      return withoutMentions(rest)
    },
  }
}

/** A block of code whose fence is longer than any in the text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Characters that hide others or change their order: control, bidirectional and zero-width ones. */
const HIDING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are among the ones that are shown
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** Shows hiding characters by their numbers: the reader approves what really stands there. */
export const unhidden = (text: string): string =>
  text.replace(
    HIDING,
    (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )

/** One line, for titles. */
export const oneLine = (text: string): string => withoutMentions(text).replace(/\s+/g, ' ').trim()
