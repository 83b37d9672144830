import type { FastifyInstance } from 'fastify'
import { localPath } from '../../../../contract/people/local-path.ts'
import { signInWithDirectory } from '../../../../contract/people/session.ts'
import { findLinked, NotLetIn, signOnWithPassword } from '../../../actions/accounts/sign-on.ts'
import { Directory, DirectoryAway, DirectoryRefused } from '../../../auth/directory.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import type { ExternalIdentity } from '../../../auth/sign-on.ts'
import type { Visitor } from '../../../caller.ts'
import { Refusal, refusal } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { answerEntered } from './entering.ts'
import type { AccountLimits } from './limits.ts'
import { leadTo } from './sign-on.ts'

const PAGE = '/sign-in/directory'

/** Single sign-on by a directory (LDAP): the password is entered on a page of this server. */
export function directoryRoutes(
  people: PeopleApi,
  app: FastifyInstance,
  parley: Parley,
  limits: AccountLimits,
): void {
  const { config, db, log, attemptNotes } = parley
  const settings = config.ldap
  const directory = settings && new Directory(settings)

  people.anyone(signInWithDirectory, async ({ body: { login, password }, visitor, reply }) => {
    if (!settings || !directory) throw refusal('not_found')
    const entered = await limits.passwords.watch(attemptOf(visitor, login), async () => {
      const identity = await prove(directory, { login: login.trim(), password }, visitor)
      try {
        return await db.transaction((open) => signOnWithPassword(open, parley, settings, visitor, identity))
      } catch (error) {
        if (!(error instanceof NotLetIn || error instanceof Refusal)) throw error
        log.warn({ reason: error.message }, 'single sign-on failed')
        throw refusal('directory_sign_in_wrong')
      }
    })
    return ok(await answerEntered(parley, visitor, reply, entered))
  })

  const attemptOf = (visitor: Visitor, login: string) => ({
    address: visitor.client.address,
    account: `directory ${loginKey(login)}`,
    knownBrowser: knownBrowser(parley.secrets, visitor, login),
  })

  async function prove(
    asked: Directory,
    { login, password }: { login: string; password: string },
    visitor: Visitor,
  ): Promise<ExternalIdentity> {
    try {
      return await asked.signIn(login, password)
    } catch (error) {
      if (error instanceof DirectoryAway) {
        log.warn({ reason: error.message }, 'the directory cannot be asked')
        throw refusal('directory_away')
      }
      if (!(error instanceof DirectoryRefused)) throw error
      // Any visitor can bring this about, some thirty times a minute.
      log.info({ reason: error.message }, 'single sign-on failed')
      const linked = await findLinked(db, { issuer: asked.issuer, subject: error.subject ?? '' })
      if (linked) attemptNotes.note('member.sign_in_failed', linked.id, visitor.client)
      throw refusal('directory_sign_in_wrong')
    }
  }

  if (!directory) return
  app.get('/people/sso', { exposeHeadRoute: false }, async (request, reply) => {
    const { to }: { to?: unknown } = Object(request.query)
    const path = localPath(to, new URL(config.baseUrl).origin)
    return leadTo(reply, path === undefined ? PAGE : `${PAGE}?to=${encodeURIComponent(path)}`)
  })
}

/** Spellings that a directory takes for one name (RFC 4518) have one key. */
const loginKey = (login: string): string =>
  login
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{C}\p{M}\p{Z}]/gu, '')
