import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { localPath } from '../../../../contract/people/local-path.ts'
import { signOn } from '../../../actions/accounts/sign-on.ts'
import { issueToken, takeToken } from '../../../auth/one-time-tokens.ts'
import { replaceSession } from '../../../auth/sessions.ts'
import { SignOn } from '../../../auth/sign-on.ts'
import { clearCookie, readCookie, setCookie } from '../../../http/cookies.ts'
import { giveSession } from '../../../http/session-cookies.ts'
import { visitorOf } from '../../../http/visitor.ts'
import type { Parley } from '../../../parley.ts'
import type { AccountLimits } from './limits.ts'

const CALLBACK = '/people/sso/callback'
export const FAILED = '/sign-in?error=sso'
/** Time to enter a password and a second factor at the provider. */
export const UNDER_WAY_MS = 10 * 60_000

/** Pages to be opened: to the provider of single sign-on, and back from there. Any page may link to the first. */
export function signOnRoutes(app: FastifyInstance, parley: Parley, limits: AccountLimits): void {
  const { config, db, clock, log } = parley
  const settings = config.signOn
  if (!settings) return
  const provider = new SignOn(settings)
  const redirectUri = () => `${config.baseUrl}${CALLBACK}`

  const fail = (reply: FastifyReply, error: unknown) => {
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'single sign-on failed')
    return leadTo(reply, FAILED)
  }

  app.get('/people/sso', { exposeHeadRoute: false }, async (request, reply) => {
    limits.challenges.count({ address: request.ip })
    const { to }: { to?: unknown } = Object(request.query)
    try {
      const { url, pending } = await provider.begin(redirectUri())
      const token = await issueToken(db, {
        purpose: 'single sign-on',
        data: { ...pending, to: localPath(to, new URL(config.baseUrl).origin) ?? '/' },
        expiresAt: clock() + UNDER_WAY_MS,
      })
      setCookie(reply, config, 'sign_on', token, UNDER_WAY_MS / 1000)
      return leadTo(reply, url.href)
    } catch (error) {
      return fail(reply, error)
    }
  })

  app.get(CALLBACK, { exposeHeadRoute: false }, async (request, reply) => {
    const forgive = limits.guesses.count({ address: request.ip })
    const token = readCookie(request, config, 'sign_on')
    clearCookie(reply, config, 'sign_on')
    try {
      const taken = token === undefined ? undefined : await takeToken(db, 'single sign-on', token, clock())
      if (!taken) {
        // Any visitor can open this address, so it must not fill the log.
        log.debug('single sign-on that nobody began in this browser')
        return leadTo(reply, FAILED)
      }
      forgive()
      const visitor = visitorOf(request, config)
      const { state = '', nonce = '', verifier = '', to = '/' } = taken.data
      const address = new URL(`${redirectUri()}${searchOf(request)}`)
      const identity = await provider.finish(address, { state, nonce, verifier })
      const session = await db.transaction(async (open) => {
        const account = await signOn(open, parley, settings, identity)
        // Whether a second factor is asked for is the provider's business: it knows the person and the device.
        return replaceSession(open, parley, visitor, account, 'sign-on')
      })
      giveSession(parley, visitor, reply, session)
      return leadTo(reply, to)
    } catch (error) {
      return fail(reply, error)
    }
  })
}

const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

export const leadTo = (reply: FastifyReply, where: string): FastifyReply =>
  reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer').redirect(where, 302)
