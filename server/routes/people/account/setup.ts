import { lookAtSetup, setUp } from '../../../../contract/people/session.ts'
import { isSetupToken, setUpFirstOrganization } from '../../../actions/organization/installation.ts'
import { checkPassword } from '../../../auth/password-rules.ts'
import { hashPassword } from '../../../auth/passwords.ts'
import { replaceSession } from '../../../auth/sessions.ts'
import { refusal } from '../../../errors.ts'
import { created, ok } from '../../../http/answers.ts'
import { isLocalServer } from '../../../http/local.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { giveSession } from '../../../http/session-cookies.ts'
import { sessionOf } from './entering.ts'
import type { AccountLimits } from './limits.ts'

/** Serves the first run, behind the link that `start` prints. */
export function setupRoute(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(lookAtSetup, ({ body: { token }, parley, visitor }) =>
    limits.guesses.watch(visitor.client, async () => {
      if (!(await isSetupToken(parley.db, token))) throw refusal('link_not_valid')
      const { config } = parley
      return ok({ asksAboutAgents: config.agentSignup === undefined, isLocal: isLocalServer(config) })
    }),
  )

  people.anyone(setUp, async ({ body, parley, visitor, reply }) => {
    const { db, secrets, config } = parley
    const { token, password, ...setup } = body
    const agentSignup = config.agentSignup === undefined ? body.agentSignup : undefined
    const { made, session } = await limits.guesses.watch(visitor.client, async () => {
      if (!(await isSetupToken(db, token))) throw refusal('link_not_valid')
      checkPassword(password, { email: setup.adminEmail, organizations: [setup.organizationName] })
      const hash = await hashPassword(password, config.passwordCost)
      return db.transaction(async (open) => {
        const made = await setUpFirstOrganization(open, secrets, token, {
          ...setup,
          agentSignup,
          password: hash,
        })
        const owner = { id: made.accountId, email: setup.adminEmail }
        return { made, session: await replaceSession(open, parley, visitor, owner, 'password') }
      })
    })
    giveSession(parley, visitor, reply, session)
    return created({
      session: await sessionOf(parley, session),
      organizationId: made.organizationId,
      topicId: made.topicId,
      topicName: made.topicName,
      bot: { id: made.botId, name: setup.botName, apiKey: made.apiKey, apiSecret: made.apiSecret },
    })
  })
}
