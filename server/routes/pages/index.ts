import type { FastifyInstance } from 'fastify'
import { pageAssets } from '../../http/pages.ts'
import type { Parley } from '../../parley.ts'
import { outboxRoute } from './outbox.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

/** The few pages that need no app: mail that was kept, and mail that is not wanted. */
export function pageRoutes(app: FastifyInstance, parley: Parley): void {
  pageAssets(app)
  outboxRoute(app, parley)
  unsubscribeRoutes(app, parley)
}
