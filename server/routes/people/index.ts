import type { FastifyInstance } from 'fastify'
import { peopleApi } from '../../http/people-api.ts'
import type { Parley } from '../../parley.ts'
import { accountRoutes } from './account/index.ts'
import { consoleRoutes } from './console/index.ts'

/** What people use: signing in, their account, and the console of admins. */
export function peopleRoutes(app: FastifyInstance, parley: Parley): void {
  const api = peopleApi(app, parley)
  accountRoutes(api, app, parley)
  consoleRoutes(api, app, parley)
}
