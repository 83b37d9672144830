import type { FastifyInstance } from 'fastify'
import { pageAssets } from '../../http/pages.ts'
import type { Parley } from '../../parley.ts'
import { outboxRoute } from './outbox.ts'
import { statusRoute } from './status.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

/** The few pages that need no app: mail that was kept, mail that is not wanted, and the status for operators. */
export function pageRoutes(app: FastifyInstance, parley: Parley): void {
  pageAssets(app)
  outboxRoute(app, parley)
  statusRoute(app, parley)
  unsubscribeRoutes(app, parley)
}
