import type { FastifyReply } from 'fastify'
import { KNOWN_BROWSER_SECONDS, knownBrowserToken } from '../auth/known-browsers.ts'
import { type NewSession, SESSION_IDLE_MS } from '../auth/sessions.ts'
import type { Visitor } from '../caller.ts'
import type { Config } from '../config.ts'
import type { Parley } from '../parley.ts'
import { cookieText, setCookie } from './cookies.ts'

export const sessionCookie = (config: Pick<Config, 'baseUrl'>, token: string): string =>
  cookieText(config, 'session', token, SESSION_IDLE_MS / 1000)

/**
 * Sets the cookie of a new session, and the one that marks this browser as the owner's. Every kind of sign-in comes
 * through here and is recorded in the audit log.
 */
export function giveSession(
  { config, secrets, attemptNotes }: Pick<Parley, 'config' | 'secrets' | 'attemptNotes'>,
  visitor: Visitor,
  reply: FastifyReply,
  { accountId, token, email, signedInWith }: NewSession,
): void {
  attemptNotes.note('member.signed_in', accountId, visitor.client, [
    { field: 'signedInWith', to: signedInWith },
  ])
  reply.header('Set-Cookie', sessionCookie(config, token))
  setCookie(reply, config, 'known', knownBrowserToken(secrets, visitor, email), KNOWN_BROWSER_SECONDS)
}

/** Sets the same cookie for as long again: it lasts as long as the session that it is for. */
export function renewCookie(
  reply: FastifyReply,
  config: Pick<Config, 'baseUrl'>,
  { sessionToken }: Visitor,
): void {
  if (sessionToken !== undefined) reply.header('Set-Cookie', sessionCookie(config, sessionToken))
}
