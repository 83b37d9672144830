import { plainLine } from '../../../../../../contract/plain-text.ts'

/** Only so much of a text is looked at for one line. */
const LOOKED_AT = 400

/** A message in one line of plain text, as quotes, announcements and previews show it. */
export const excerptOf = (text: string, nameOf: (profileId: string) => string | undefined): string =>
  plainLine(text, LOOKED_AT, nameOf)
