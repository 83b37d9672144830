import type { Visitor } from '../caller.ts'
import { randomToken } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { emailKey } from '../text.ts'

const NAME_BITS = 128
export const KNOWN_BROWSER_SECONDS = 400 * 86_400 // as long as browsers keep a cookie
const PURPOSE = 'known browser'

/**
 * The name of a browser in which the owner of this address has signed in before. Its attempts are counted by themselves:
 * guesses elsewhere do not lock the owner out. It proves nothing else, and opens nothing.
 */
export function knownBrowser(
  secrets: Secrets,
  { knownBrowserToken: token = '' }: Pick<Visitor, 'knownBrowserToken'>,
  email: string,
): string | undefined {
  const [name = '', signature = ''] = token.split('.')
  return secrets.isSigned(PURPOSE, `${name} ${emailKey(email)}`, signature) ? name : undefined
}

/** The cookie of a browser whose owner has signed in. If several people share a browser, only the last is known. */
export function knownBrowserToken(secrets: Secrets, visitor: Visitor, email: string): string {
  const name = knownBrowser(secrets, visitor, email) ?? randomToken(NAME_BITS)
  return `${name}.${secrets.sign(PURPOSE, `${name} ${emailKey(email)}`)}`
}
