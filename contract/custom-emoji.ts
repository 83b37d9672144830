/** Longest name of an emoji of an organization's own: with its colons it fits where one emoji does. */
export const MAX_EMOJI_NAME = 30
export const EMOJI_NAME_PATTERN = `^[a-z0-9][a-z0-9_+-]{1,${MAX_EMOJI_NAME - 1}}$`

const CUSTOM_EMOJI = new RegExp(`^:(${EMOJI_NAME_PATTERN.slice(1, -1)}):$`)

/** The name in `:name:`; undefined for everything else, such as a standard emoji. */
export const customEmojiName = (text: string): string | undefined => CUSTOM_EMOJI.exec(text)?.[1]
