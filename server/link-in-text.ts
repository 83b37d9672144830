const MAX_URL_LENGTH = 2048
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{}|\p{Cc}\p{Cf}]+/iu
const TRAILING = '.,;:!?*_~]'

/** Whether a text may have a link; a quick check for five letters. */
export const mayHaveLink = (text: string): boolean => text.includes('http')

/**
 * The first address in a text that can have a preview, as a browser would request it; undefined if there is none. Code
 * is skipped, and so is an address with a password, which is private.
 */
export function linkIn(text: string): string | undefined {
  if (!mayHaveLink(text)) return undefined
  const found = ADDRESS.exec(text.replace(CODE, ' '))?.[0]
  const address = found && withoutEnd(found)
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href.length > MAX_URL_LENGTH ? undefined : url.href
}

/** The address without the punctuation of its sentence, or the brackets around it. */
function withoutEnd(address: string): string {
  const shown = address.slice(0, 2 * MAX_URL_LENGTH)
  const end = endWithout(shown, TRAILING, shown.length)
  const isOpen = shown.split('(').length >= shown.split(')').length
  if (isOpen || shown.charAt(end - 1) !== ')') return shown.slice(0, end)
  return shown.slice(0, endWithout(shown, TRAILING, endWithout(shown, ')', end)))
}

/** The end of a text before `end`, without trailing signs. */
function endWithout(text: string, signs: string, end: number): number {
  let last = end
  while (last > 0 && signs.includes(text.charAt(last - 1))) last -= 1
  return last
}
