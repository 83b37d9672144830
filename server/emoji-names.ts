import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' }
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' }
import { isOneEmoji } from './text.ts'

type Names = Readonly<Record<string, string | readonly string[]>>

const namesIn = (codes: Names): [name: string, emoji: string][] =>
  Object.entries(codes).flatMap(([code, given]) =>
    [given].flat().map((name): [string, string] => [name, fromCode(code)]),
  )

/** Emoji by their names between colons: those that the chat completes, and those of Slack and Mattermost, which win. */
const emoji = new Map([...namesIn(github), ...namesIn(iamcal)])

function fromCode(code: string): string {
  const bare = String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
  return isOneEmoji(bare) ? bare : `${bare}\uFE0F`
}

/** The standard emoji of this name, such as `tada`. */
export const standardEmoji = (name: string): string | undefined => emoji.get(name)
