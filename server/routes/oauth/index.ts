import type { FastifyInstance } from 'fastify'
import type { Parley } from '../../parley.ts'
import { assistantOAuthRoutes } from './assistants.ts'
import { botTokenRoute, grantingToBots } from './bots.ts'
import { metadataRoutes } from './metadata.ts'

/** Tokens: for bots by their credentials, for assistants by what a person has allowed. */
export function oauthRoutes(app: FastifyInstance, parley: Parley): void {
  const grantToBot = grantingToBots(parley)
  botTokenRoute(app, parley, grantToBot)
  metadataRoutes(app, parley)
  assistantOAuthRoutes(app, parley, grantToBot)
}
