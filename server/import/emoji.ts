import { customEmojiName } from '../../contract/custom-emoji.ts'
import { standardEmoji } from '../emoji-names.ts'
import { isOneEmoji } from '../text.ts'

const SKIN_TONES = ['🏻', '🏼', '🏽', '🏾', '🏿']
const CODE = /(```[\s\S]*?```|`[^`\n]*`)/

/** The emoji that Slack and Mattermost call by this name, such as `+1::skin-tone-3`; undefined for one of their users' own. */
export function emojiNamed(name: string): string | undefined {
  const [base = '', tone] = name.split('::')
  const found = standardEmoji(base)
  if (found === undefined || tone === undefined) return found
  const toned = `${found.replace('\uFE0F', '')}${SKIN_TONES[Number(tone.slice(-1)) - 2] ?? ''}`
  return isOneEmoji(toned) ? toned : found
}

/** A reaction of this name. One of the workspace's own keeps its name, and has its picture again once it is added here; empty where the name cannot be one. */
export function reactionNamed(name: string): string {
  const written = `:${name}:`
  return emojiNamed(name) ?? (customEmojiName(written) === undefined ? '' : written)
}

/** Writes `:tada:` as 🎉, but not in code. */
export const withEmoji = (text: string): string =>
  text
    .split(CODE)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(
            /:([a-z0-9_+-]{1,60}(?:::skin-tone-[2-6])?):/g,
            (all, name) => emojiNamed(name) ?? all,
          ),
    )
    .join('')
