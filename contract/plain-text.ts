const LINK = /!?\[([^[\]\n]{1,200})\]\(([^()\s]{1,400})\)/g

/** A text without the signs of Markdown; the text between them stays, the targets of links too, behind their words. */
export const withoutMarkdownSigns = (text: string): string =>
  text
    .replace(LINK, '$1 ($2)')
    .replace(/^[^\S\r\n\u2028\u2029]*(?:```[^\n]*|#{1,6}\s|>\s?|[-*+]\s)/gm, '')
    .replace(/\*\*|~~|`/g, '')

/** The first characters of a text, on one line, with names in place of ids and without Markdown. */
export const plainLine = (
  text: string,
  length: number,
  nameOf: (profileId: string) => string | undefined,
): string =>
  withoutMarkdownSigns(
    text
      .slice(0, length)
      .replace(/<@((?:b@)?[0-9a-f-]{36})>/gi, (whole, id: string) => `@${nameOf(id.toLowerCase()) ?? whole}`)
      .replace(/(?<!@)<@([^\s@<>]{1,64})>/gu, '@$1')
      .replace(/<@[^\s@<>]{0,64}$/u, text.length >= length ? '…' : '$&') // a mention that the cut divided
      .replace(LINK, '$1'),
  )
    .replace(/\s+/g, ' ')
    .trim()
