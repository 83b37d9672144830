import type { FastifyInstance } from 'fastify'
import { mirroredApi, type RunForPerson } from '../../http/mirrored-api.ts'
import { peopleApi } from '../../http/people-api.ts'
import type { Parley } from '../../parley.ts'
import { conversationRoutes } from '../bot/index.ts'
import { accountRoutes } from './account/index.ts'
import { chatRoutes } from './chat/index.ts'
import { pictureRoutes } from './chat/pictures.ts'
import { consoleRoutes } from './console/index.ts'

/** Routes for people: signing in, their account, the chat, and the console. Gives the operations that assistants run for them. */
export function peopleRoutes(app: FastifyInstance, parley: Parley): ReadonlyMap<string, RunForPerson> {
  const api = peopleApi(app, parley)
  accountRoutes(api, app, parley)
  chatRoutes(api)
  pictureRoutes(app, parley)
  const mirrored = mirroredApi(app, parley)
  conversationRoutes(mirrored)
  consoleRoutes(api, app, parley)
  return mirrored.runs
}
