import type { FastifyInstance } from 'fastify'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { assistantRoutes } from './assistants.ts'
import { directoryRoutes } from './directory-sign-in.ts'
import { invitationRoutes } from './invitations.ts'
import { joiningRoutes } from './joining.ts'
import { accountLimits } from './limits.ts'
import { passkeyRoutes } from './passkeys.ts'
import { passwordRoutes } from './passwords.ts'
import { pushRoutes } from './push.ts'
import { samlRoutes } from './saml.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { sessionRoutes } from './sessions.ts'
import { setupRoute } from './setup.ts'
import { signOnRoutes } from './sign-on.ts'

/** Registers routes for signing in and for the own account. */
export function accountRoutes(api: PeopleApi, app: FastifyInstance, parley: Parley): void {
  const limits = accountLimits(parley.clock)
  sessionRoutes(api, limits)
  passwordRoutes(api, limits)
  invitationRoutes(api, limits)
  joiningRoutes(api, limits)
  setupRoute(api, limits)
  passkeyRoutes(api, limits)
  secondFactorRoutes(api, limits)
  assistantRoutes(api, limits)
  pushRoutes(api)
  signOnRoutes(app, parley, limits)
  samlRoutes(app, parley, limits)
  directoryRoutes(api, app, parley, limits)
}
