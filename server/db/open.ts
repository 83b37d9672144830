import type { Config } from '../config.ts'
import { lockDataFolder } from '../postgres/data-folder.ts'
import { type Connection, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../postgres/embedded.ts'
import { connectionTo, type DatabaseConnection } from './connection.ts'

export type OpenDatabase = {
  connection: DatabaseConnection
  /** The connection to the embedded database, if that is it. */
  embedded?: Connection
  close(): Promise<void>
}

/** The server's database: the one of DATABASE_URL, or the embedded one, which this process then owns. */
export async function openOwnDatabase(
  config: Config,
  holder: { command: string; temporary: boolean },
  options: Pick<EmbeddedPostgresOptions, 'onUnexpectedExit' | 'log' | 'copyDatabase'> = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const direct = config.databaseDirectUrl && connectionTo(config.databaseDirectUrl)
    const connection = { ...connectionTo(config.databaseUrl), ...(direct && { direct }) }
    return { connection, close: async () => {} }
  }
  const lock = await lockDataFolder(config.dataDir, holder)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, ...options })
    return {
      connection: postgres.connection,
      embedded: postgres.connection,
      async close() {
        await postgres.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
