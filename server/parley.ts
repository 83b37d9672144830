import type { FastifyBaseLogger } from 'fastify'
import { IDENTITY_CHANNEL, Identities } from './auth/identity.ts'
import { Tokens } from './auth/tokens.ts'
import type { Config } from './config.ts'
import { type Clock, Database } from './db/database.ts'
import { Notifications } from './db/notifications.ts'
import type { DatabaseConnection } from './db/open.ts'
import { RateLimiter } from './limits/rate-limiter.ts'
import { checkSecretKey, loadSecretKey, Secrets } from './secrets.ts'

/** The parts that live as long as the server does, and nothing else. */
export type Parley = {
  config: Config
  log: FastifyBaseLogger
  clock: Clock
  db: Database
  secrets: Secrets
  notifications: Notifications
  identities: Identities
  tokens: Tokens
  rateLimiter: RateLimiter
  close(): Promise<void>
}

type Options = { config: Config; connection: DatabaseConnection; log: FastifyBaseLogger; clock?: Clock }

/** Puts the parts together on a database that is up and migrated. */
export async function openParley({ config, connection, log, clock = Date.now }: Options): Promise<Parley> {
  const secrets = new Secrets(await loadSecretKey(config.dataDir, config.secretKey))
  const db = new Database(connection, clock)
  await checkSecretKey(db, secrets)

  const notifications = new Notifications(connection)
  const identities = new Identities(db, secrets, () => notifications.connected)
  notifications.on(IDENTITY_CHANNEL, (id) => identities.drop(id))
  notifications.onConnect(() => identities.drop())
  await notifications.start()

  return {
    config,
    log,
    clock,
    db,
    secrets,
    notifications,
    identities,
    tokens: new Tokens(secrets.tokenKey, clock, config.accessTokenSeconds),
    rateLimiter: new RateLimiter(db, clock),
    async close() {
      await notifications.stop()
      await db.close()
    },
  }
}
