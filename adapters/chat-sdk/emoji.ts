import { defaultEmojiResolver, type EmojiValue, getEmoji } from 'chat'

const OWN_EMOJI = /^:([^:]+):$/
const NAME = /^[\w+-]+$/

/** The emoji that Parley takes: a character, or `:name:` for one of the organization's own. */
export function toParleyEmoji(emoji: EmojiValue | string): string {
  const known = defaultEmojiResolver.toDiscord(emoji)
  return NAME.test(known) ? `:${known}:` : known
}

export function fromParleyEmoji(emoji: string): EmojiValue {
  const [, name] = OWN_EMOJI.exec(emoji) ?? []
  return name === undefined ? defaultEmojiResolver.fromGChat(emoji) : getEmoji(name)
}
