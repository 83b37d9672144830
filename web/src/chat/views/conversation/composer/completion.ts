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
