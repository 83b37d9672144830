import type { FastifyInstance } from 'fastify'
import { pageAssets } from '../../http/pages.ts'
import type { Parley } from '../../parley.ts'
import { homeRoute } from './home.ts'
import { joinRoutes } from './join.ts'
import { outboxRoute } from './outbox.ts'
import { setupRoutes } from './setup.ts'

/** The few pages that need no app: the first run, invitations, mail that was kept. */
export function pageRoutes(app: FastifyInstance, parley: Parley): void {
  pageAssets(app)
  homeRoute(app, parley)
  setupRoutes(app, parley)
  joinRoutes(app, parley)
  outboxRoute(app, parley)
}
