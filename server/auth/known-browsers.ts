import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie } from '../http/cookies.ts'
import { randomToken } from '../ids.ts'
import type { Parley } from '../parley.ts'
import { emailKey } from '../text.ts'

const NAME_BITS = 128
const LIFETIME_SECONDS = 400 * 86_400 // as long as browsers keep a cookie
const PURPOSE = 'known browser'

type Parts = Pick<Parley, 'config' | 'secrets'>

/**
 * The name of a browser in which the owner of this address has signed in before. Its attempts are counted by themselves:
 * whoever guesses elsewhere does not lock the owner out. It proves nothing else, and opens nothing.
 */
export function knownBrowser(
  { config, secrets }: Parts,
  request: FastifyRequest,
  email: string,
): string | undefined {
  const [name = '', signature = ''] = readCookie(request, config, 'known')?.split('.') ?? []
  return secrets.isSigned(PURPOSE, `${name} ${emailKey(email)}`, signature) ? name : undefined
}

/** Once its owner has signed in. Only the one who signed in last is known, where several share a browser. */
export function rememberBrowser(
  { config, secrets }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): void {
  const name = knownBrowser({ config, secrets }, request, email) ?? randomToken(NAME_BITS)
  const signature = secrets.sign(PURPOSE, `${name} ${emailKey(email)}`)
  setCookie(reply, config, 'known', `${name}.${signature}`, LIFETIME_SECONDS)
}
