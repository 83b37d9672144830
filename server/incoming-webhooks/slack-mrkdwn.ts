import { code, cut, escaped, link, withoutMentions } from './markdown.ts'

const PROFILE = /^(?:b@)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Private-use characters that mark places to fill in at the end. Texts do not contain them. */
const [OPEN, CLOSE] = ['\uE000', '\uE001']
const PLACES = /\uE000(\d+)\uE001/g
const CODE = /```([\s\S]*?)```|`([^`\n]+)`/g
const CONTROL = /<([^<>\n]{1,3000})>/g
const MAX_LENGTH = 40_000

/** The most common emoji of builds and alerts; others stay as written. */
const EMOJI: Record<string, string> = {
  white_check_mark: '✅',
  heavy_check_mark: '✔️',
  x: '❌',
  warning: '⚠️',
  fire: '🔥',
  rocket: '🚀',
  tada: '🎉',
  rotating_light: '🚨',
  bell: '🔔',
  no_entry: '⛔',
  red_circle: '🔴',
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  large_orange_circle: '🟠',
  large_blue_circle: '🔵',
  hourglass: '⌛',
  information_source: 'ℹ️',
  bug: '🐛',
  eyes: '👀',
  wave: '👋',
  '+1': '👍',
  thumbsup: '👍',
  '-1': '👎',
  package: '📦',
  lock: '🔒',
  memo: '📝',
  link: '🔗',
  chart_with_upwards_trend: '📈',
}

/** Converts Slack's mrkdwn to Markdown. */
export function fromMrkdwn(written: string): string {
  const kept: string[] = []
  const keep = (markdown: string): string => `${OPEN}${kept.push(markdown) - 1}${CLOSE}`
  const marked = cut(written, MAX_LENGTH)
    .replace(/[\uE000\uE001]/g, '')
    .replaceAll('\r\n', '\n')
    .replace(CODE, (_all, block: string | undefined, word: string | undefined) =>
      keep(block === undefined ? code(plainText(word ?? '')) : codeBlock(plainText(block))),
    )
    .replace(CONTROL, (_all, inner: string) => keep(control(inner)))
    .replace(/:([a-z0-9_+-]{1,40}):/g, (all, name: string) => EMOJI[name] ?? all)
  const bold = marked.replace(
    /(^|[^\p{L}\p{N}*\\])\*(?![\s*])([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])/gmu,
    '$1**$2**',
  )
  const struck = bold.replace(
    /(^|[^\p{L}\p{N}~\\])~(?![\s~])([^~\n]*[^~\s])~(?![\p{L}\p{N}~])/gmu,
    '$1~~$2~~',
  )
  return withoutMentions(unescaped(struck)).replace(
    PLACES,
    (_all, place: string) => kept[Number(place)] ?? '',
  )
}

/** Converts the text of `plain_text` objects, which have no marks. */
export const fromPlain = (written: string): string =>
  escaped(
    cut(written, MAX_LENGTH).replace(/:([a-z0-9_+-]{1,40}):/g, (all, name: string) => EMOJI[name] ?? all),
  )

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Replaces links by their labels inside code. */
const plainText = (text: string): string =>
  unescaped(text.replace(CONTROL, (_all, inner: string) => /^[^|]*\|(.*)$/.exec(inner)?.[1] ?? inner))

const codeBlock = (text: string): string => `\n\`\`\`\n${text.replace(/^\n|\n$/g, '')}\n\`\`\`\n`

/** The content of angle brackets: a person, a topic, everybody, a date, or a link. */
function control(inner: string): string {
  const bar = inner.indexOf('|')
  const [target, label] = bar === -1 ? [inner, ''] : [inner.slice(0, bar), unescaped(inner.slice(bar + 1))]
  const named = escaped(label)
  if (target.startsWith('@')) {
    const id = target.slice(1)
    if (PROFILE.test(id)) return `<@${id}>`
    return `@${named.replace(/^@/, '') || escaped(id)}`
  }
  if (target.startsWith('#')) return `#${named.replace(/^#/, '') || escaped(target.slice(1))}`
  if (target.startsWith('!subteam^')) return named || '@team'
  if (target.startsWith('!date^')) return named || escaped(target.split('^')[1] ?? '')
  if (target.startsWith('!')) return named || `@${escaped(target.slice(1).split('^')[0] ?? '')}`
  const url = unescaped(target)
  // Marks are allowed only in a link's label.
  return label === '' ? link('', url) || escaped(url) : link(fromMrkdwn(label), url)
}
