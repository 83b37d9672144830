/** A word being completed: its sign, the characters typed after it, and the place of the sign. */
export type Query = { sign: '@' | '#' | ':' | '/'; typed: string; start: number }

/** A query follows a space or an opening mark, or starts the text: addresses and times are no queries. */
const NAME = /(?:^|[\s([{>*_~"'“„«])([@#])([\p{L}\p{N}._'’-]*(?: [\p{L}\p{N}._'’-]+){0,3})$/u
const EMOJI = /(?:^|[\s([{>*_~"'])(:)([\p{L}\p{N}_+-]{2,30})$/u
/** Commands begin a message. */
const COMMAND = /^\/([a-z0-9_-]{0,32})$/
/** Names are not longer. */
const LOOKED_AT = 110

export function queryAt(text: string, caret: number): Query | undefined {
  const command = COMMAND.exec(text.slice(0, Math.min(caret, LOOKED_AT)))?.[1]
  if (command !== undefined) return { sign: '/', typed: command, start: 0 }
  const before = text.slice(Math.max(0, caret - LOOKED_AT), caret)
  const [, sign, typed] = EMOJI.exec(before) ?? NAME.exec(before) ?? []
  if (typed === undefined || (sign !== '@' && sign !== '#' && sign !== ':')) return undefined
  return { sign, typed, start: caret - typed.length - 1 }
}

/** A word behind a command, which may be an argument with suggestions: what was written before it, and the command. */
export type ArgumentQuery = { typed: string; start: number; command: string; before: string }

const BEHIND_COMMAND = /^\/([a-z][a-z0-9_-]{0,31})\s/
/** Texts behind commands are looked at up to here. */
const MAX_BEHIND_COMMAND = 500

export function argumentAt(text: string, caret: number): ArgumentQuery | undefined {
  const [head = '', command] = BEHIND_COMMAND.exec(text) ?? []
  if (command === undefined || caret < head.length || caret > MAX_BEHIND_COMMAND) return undefined
  const behind = text.slice(head.length, caret)
  const quote = behind.lastIndexOf('"')
  const isQuoted = quote >= 0 && (behind.split('"').length - 1) % 2 === 1
  const start = isQuoted ? quote : startOfWord(behind)
  const typed = behind.slice(start).replace(/^"/, '')
  return { typed, start: head.length + start, command, before: behind.slice(0, start) }
}

function startOfWord(text: string): number {
  let start = text.length
  while (start > 0 && text.charAt(start - 1).trim() !== '') start -= 1
  return start
}

/** Removes case and accents: "ines" finds Inês. */
export function plain(text: string): string {
  const known = plainNames.get(text)
  if (known !== undefined) return known
  if (plainNames.size >= MAX_PLAIN_NAMES) plainNames.clear()
  const made = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  plainNames.set(text, made)
  return made
}
/** Names are compared at each key: making them plain took most of the time among two thousand. */
const plainNames = new Map<string, string>()
const MAX_PLAIN_NAMES = 10_000

/** Names that begin with what was typed, then those in which a word does. `isNear` ones come first among equals. */
export function findNames<Item extends { name: string }>(
  items: Iterable<Item>,
  typed: string,
  limit: number,
  isNear: (item: Item) => boolean = () => false,
): Item[] {
  const wanted = plain(typed)
  const found: { item: Item; rank: number }[] = []
  for (const item of items) {
    const name = plain(item.name)
    const rank = name.startsWith(wanted)
      ? 0
      : name.split(/[\s._-]+/).some((word) => word.startsWith(wanted))
        ? 1
        : 2
    if (rank < 2) found.push({ item, rank: rank + (isNear(item) ? 0 : 2) })
  }
  return found
    .sort((one, other) => one.rank - other.rank || one.item.name.localeCompare(other.item.name))
    .slice(0, limit)
    .map(({ item }) => item)
}
