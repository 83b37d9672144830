import type { FastifyInstance } from 'fastify'
import { pageAssets } from '../../http/pages.ts'
import type { Parley } from '../../parley.ts'
import { outboxRoute } from './outbox.ts'

/** The few pages that need no app: mail that was kept. */
export function pageRoutes(app: FastifyInstance, parley: Parley): void {
  pageAssets(app)
  outboxRoute(app, parley)
}
