import { createHash } from 'node:crypto'
import type { Context } from '../scenario.ts'
import { type Backstage, openSharedBackstage } from './cast.ts'
import type { SharedPostgres } from './postgres.ts'
import type { Server } from './server.ts'

/**
 * A limit that is counted but never reached: 50,000 requests a second. A node takes a twentieth of it at a time, so at
 * full load it asks the database every ten seconds or so, as with the default limit and a normal load.
 */
export const LIMITS_ON = { RATE_LIMIT_PER_MINUTE: '3000000' }

/** Nodes that share one database. */
export type Nodes = { servers: readonly Server[]; backstage: Backstage }

export async function startNodes(context: Context, postgres: SharedPostgres, count: number): Promise<Nodes> {
  return startNodesOf(context, await postgres.createDatabase(), count)
}

export async function startNodesOf(context: Context, databaseUrl: string, count: number): Promise<Nodes> {
  // Nodes that come to a database later need the same one.
  const secretKey = createHash('sha256').update(databaseUrl).digest('hex')
  const environment = { ...LIMITS_ON, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey }
  const servers: Server[] = []
  for (let number = 0; number < count; number++) servers.push(await context.startServer({ environment }))
  const backstage = await openSharedBackstage(databaseUrl, secretKey)
  context.onEnd(backstage.close)
  return { servers, backstage }
}
