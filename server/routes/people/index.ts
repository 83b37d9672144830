import type { FastifyInstance } from 'fastify'
import { mirroredApi } from '../../http/mirrored-api.ts'
import { peopleApi } from '../../http/people-api.ts'
import type { Parley } from '../../parley.ts'
import { conversationRoutes } from '../bot/index.ts'
import { accountRoutes } from './account/index.ts'
import { chatRoutes } from './chat/index.ts'
import { pictureRoutes } from './chat/pictures.ts'
import { consoleRoutes } from './console/index.ts'

/** What people use: signing in, their account, the chat, and the console of admins. */
export function peopleRoutes(app: FastifyInstance, parley: Parley): void {
  const api = peopleApi(app, parley)
  accountRoutes(api, app, parley)
  chatRoutes(api)
  pictureRoutes(app, parley)
  conversationRoutes(mirroredApi(app, parley))
  consoleRoutes(api, app, parley)
}
