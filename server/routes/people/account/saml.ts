import type { FastifyInstance, FastifyReply } from 'fastify'
import { localPath } from '../../../../contract/people/local-path.ts'
import { signOn } from '../../../actions/accounts/sign-on.ts'
import { issueToken, takeToken } from '../../../auth/one-time-tokens.ts'
import { SamlSignOn } from '../../../auth/saml.ts'
import { replaceSession } from '../../../auth/sessions.ts'
import { clearCookie, readCookie, setCookie } from '../../../http/cookies.ts'
import { rawBody } from '../../../http/request-body.ts'
import { giveSession } from '../../../http/session-cookies.ts'
import { visitorOf } from '../../../http/visitor.ts'
import type { Parley } from '../../../parley.ts'
import { SAML_BYTES } from '../../../saml-metadata.ts'
import type { AccountLimits } from './limits.ts'
import { FAILED, leadTo, UNDER_WAY_MS } from './sign-on.ts'

const ANSWER = '/people/sso/saml'
/** An answer in base64, in a form. */
const BODY_BYTES = 2 * SAML_BYTES
/** Time between the provider's answer and the page that the browser goes to with it. */
const TICKET_MS = 60_000

/**
 * Single sign-on by SAML: to the provider, its answer, and the way back. The answer comes by a POST of another site, with which browsers
 * send no cookies of this one; the page after it has them, and compares the answer with what this browser began.
 */
export function samlRoutes(app: FastifyInstance, parley: Parley, limits: AccountLimits): void {
  const { config, db, clock, log } = parley
  const settings = config.saml
  if (!settings) return
  const provider = new SamlSignOn(settings, () => ({
    entityId: `${config.baseUrl}${ANSWER}/metadata`,
    answersTo: `${config.baseUrl}${ANSWER}`,
  }))

  const fail = (reply: FastifyReply, error: unknown) => {
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'single sign-on failed')
    return leadTo(reply, FAILED)
  }

  app.get('/people/sso', { exposeHeadRoute: false }, async (request, reply) => {
    limits.challenges.count({ address: request.ip })
    const { to }: { to?: unknown } = Object(request.query)
    try {
      const { url, requestId } = await provider.begin()
      const token = await issueToken(db, {
        purpose: 'single sign-on',
        data: { requestId, to: localPath(to, new URL(config.baseUrl).origin) ?? '/' },
        expiresAt: clock() + UNDER_WAY_MS,
      })
      setCookie(reply, config, 'sign_on', token, UNDER_WAY_MS / 1000)
      return leadTo(reply, url)
    } catch (error) {
      return fail(reply, error)
    }
  })

  app.get(`${ANSWER}/metadata`, { exposeHeadRoute: false }, async (_request, reply) =>
    reply.header('Content-Type', 'application/samlmetadata+xml').send(Buffer.from(await provider.metadata())),
  )

  app.post(ANSWER, { bodyLimit: BODY_BYTES }, async (request, reply) => {
    const forgive = limits.guesses.count({ address: request.ip })
    try {
      const form = new URLSearchParams(rawBody(request).toString('utf8'))
      const { requestId, issuer, subject, email, name } = await provider.read(
        form.get('SAMLResponse') ?? '',
        db,
        clock(),
      )
      forgive()
      const ticket = await issueToken(db, {
        purpose: 'single sign-on answer',
        data: {
          issuer,
          subject,
          ...(requestId !== undefined && { requestId }),
          ...(email !== undefined && { email }),
          ...(name !== undefined && { name }),
        },
        expiresAt: clock() + TICKET_MS,
      })
      return leadTo(reply, `${ANSWER}/finish?ticket=${ticket}`)
    } catch (error) {
      return fail(reply, error)
    }
  })

  app.get(`${ANSWER}/finish`, { exposeHeadRoute: false }, async (request, reply) => {
    const forgive = limits.guesses.count({ address: request.ip })
    const token = readCookie(request, config, 'sign_on')
    clearCookie(reply, config, 'sign_on')
    const { ticket }: { ticket?: unknown } = Object(request.query)
    try {
      const answer =
        typeof ticket === 'string' ? await takeToken(db, 'single sign-on answer', ticket, clock()) : undefined
      const begun = token === undefined ? undefined : await takeToken(db, 'single sign-on', token, clock())
      if (!answer) throw new Error('the answer of the provider was used, or is too old')
      const { requestId, issuer = '', subject = '', email, name } = answer.data
      if (requestId !== begun?.data.requestId && requestId !== undefined)
        throw new Error('another browser asked for the assertion')
      forgive()
      const visitor = visitorOf(request, config)
      const session = await db.transaction(async (open) => {
        const account = await signOn(open, parley, settings, { issuer, subject, email, name })
        return replaceSession(open, parley, visitor, account, 'sign-on')
      })
      giveSession(parley, visitor, reply, session)
      return leadTo(reply, requestId === undefined ? '/' : (begun?.data.to ?? '/'))
    } catch (error) {
      return fail(reply, error)
    }
  })
}
