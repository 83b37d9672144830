import { toName } from '../text.ts'

/** Dots, colons, slashes and at signs of all scripts that mail programs, or the names of domains, take for these. */
const BREAKS = /([.:/\\@\u2024\u3002\uff0e\uff0f\uff1a\uff20\uff61])(?=\S)/gu
const AT_SIGN = /(?<=\S)(?=[@\uff20])/gu
/** Seven digits and more, however they are grouped: phones make numbers of them that call when touched. */
const LONG_NUMBER = /\+?\d(?:[\s().\u2010-\u2015-]*\d){6,}/gu

class AsIs {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Marks addresses of this server and of the reader, the only parts of a mail that may become links. */
export const asIs = (text: string): AsIs => new AsIs(text)

/**
 * The text of a mail. Any value in it may come from a stranger and go to another: it becomes one line in which nothing
 * can be clicked, unless `asIs` marks it. `evil.example` reads `evil. example`.
 */
export function mailWords(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | AsIs)[]
): string {
  const shown = values.map((value) => (value instanceof AsIs ? value.text : unlinked(String(value))))
  return String.raw({ raw: texts }, ...shown)
}

const unlinked = (text: string): string =>
  toName(text).replace(/\s+/g, ' ').replace(LONG_NUMBER, '…').replace(BREAKS, '$1 ').replace(AT_SIGN, ' ')
