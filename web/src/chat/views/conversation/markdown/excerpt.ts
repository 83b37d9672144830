import { plainLine } from '../../../../../../contract/plain-text.ts'

/** Characters of a text that are read for one line. */
const LOOKED_AT = 400

/** A message in one line of plain text, as quotes, announcements and previews show it. */
export const excerptOf = (text: string, nameOf: (profileId: string) => string | undefined): string =>
  plainLine(text, LOOKED_AT, nameOf)
