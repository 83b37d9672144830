/** Only so much of a text is looked at for one line. */
const LOOKED_AT = 400

/** A message in one line of plain text, as quotes, announcements and previews show it. */
export function excerptOf(text: string, nameOf: (profileId: string) => string | undefined): string {
  return text
    .slice(0, LOOKED_AT)
    .replace(/<@((?:b@)?[0-9a-f-]{36})>/gi, (whole, id: string) => `@${nameOf(id) ?? whole}`)
    .replace(/!?\[([^\]\n]{1,200})\]\([^()\s]{1,400}\)/g, '$1')
    .replace(/^\s*(?:```[^\n]*|#{1,6}\s|>\s?|[-*+]\s)/gm, '')
    .replace(/\*\*|~~|`/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
