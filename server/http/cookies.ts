import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/**
 * The session; a browser that its owner has signed in with before; a passkey that is being added or used; a password
 * whose second factor is awaited; a single sign-on that is under way.
 */
export type CookieName = 'session' | 'known' | 'passkey' | 'second_factor' | 'sign_on'

type Address = Pick<Config, 'baseUrl'>

const isSecure = ({ baseUrl }: Address): boolean => baseUrl.startsWith('https:')

/** Over https the name binds the cookie to this very host: no neighbour under the same domain can set it. */
const fullName = (config: Address, name: CookieName) => `${isSecure(config) ? '__Host-' : ''}parley_${name}`

/** No script can read it, and no other site can send it along with what changes something. */
export function cookieText(config: Address, name: CookieName, value: string, seconds: number): string {
  const secure = isSecure(config) ? '; Secure' : ''
  return `${fullName(config, name)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

export function setCookie(
  reply: FastifyReply,
  config: Address,
  name: CookieName,
  value: string,
  seconds: number,
): void {
  reply.header('Set-Cookie', cookieText(config, name, value, seconds))
}

export function clearCookie(reply: FastifyReply, config: Address, name: CookieName): void {
  setCookie(reply, config, name, '', 0)
}

export function readCookie(request: FastifyRequest, config: Address, name: CookieName): string | undefined {
  const prefix = `${fullName(config, name)}=`
  const cookie = request.headers.cookie?.split(';').find((part) => part.trim().startsWith(prefix))
  return cookie?.trim().slice(prefix.length) || undefined
}
