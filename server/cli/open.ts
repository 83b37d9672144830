import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { DatabaseClock } from '../db/clock.ts'
import { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { type OpenDatabase, openOwnDatabase } from '../db/open.ts'
import { announceCommit } from '../events/wake.ts'
import { openSecrets } from '../keys/key-state.ts'
import { loadMarkKey } from '../keys/mark-key.ts'
import { DataFolderInUse } from '../postgres/data-folder.ts'
import { findRunningPostgres } from '../postgres/embedded.ts'
import { BASE_URL, isServerRunning, readSetting } from '../queries/organization/installation.ts'
import type { Installation } from './installation.ts'

const CONNECTIONS = 2
/** A server that holds the folder but has no database yet is just starting: a first start takes about a second. */
const STARTING_PATIENCE_MS = 15_000
const RETRY_MS = 50

/** Opens an up-to-date database with its keys. */
export async function openInstallation(
  config: Config,
  command: string,
): Promise<{ installation: Installation; close(): Promise<void> }> {
  const database = await openDatabase(config, command)
  let db: Database | undefined
  const announcements: Promise<void>[] = []
  const close = async () => {
    await Promise.allSettled(announcements)
    await db?.close()
    await database.close()
  }
  try {
    await migrate(database.connection)
    const clock = new DatabaseClock()
    const opened = new Database({ ...database.connection, max: CONNECTIONS }, clock.now)
    db = opened
    await clock.measure(opened)
    await opened.open()
    // Announces commits to readers of a running server.
    opened.onCommit = (commit) => announcements.push(announceCommit(opened, commit))
    return { installation: await describeInstallation(config, opened), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function describeInstallation(config: Config, db: Database): Promise<Installation> {
  const secrets = await openSecrets(db, config)
  db.setMarkKey(await loadMarkKey(db, secrets, db.clock()))
  const known = config.baseUrlGiven ? undefined : await readSetting(db, BASE_URL)
  const baseUrl = known ?? config.baseUrl
  return { config: { ...config, baseUrl }, db, secrets, serverRuns: await isServerRunning(db) }
}

/**
 * The embedded database of a running server, or one of our own. The holder of the data folder decides: the database
 * that another command runs for the moment is not used, since that command will stop it under our hands.
 */
export async function openDatabase(config: Config, command: string): Promise<OpenDatabase> {
  const deadline = performance.now() + STARTING_PATIENCE_MS
  for (;;) {
    try {
      return await openOwnDatabase(config, { command, temporary: true })
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || error.temporary) throw error
      const running = await findRunningPostgres(config.dataDir)
      if (running) return { connection: running, close: async () => {} }
      if (performance.now() > deadline) throw error
      await sleep(RETRY_MS)
    }
  }
}
