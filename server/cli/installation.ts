import { type Config, readConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { hasCode } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import type { Secrets } from '../secrets.ts'

export type Installation = {
  /** The base URL is the running server's, even if that was started on another port. */
  config: Config
  db: Database
  secrets: Secrets
  /** Whether a server works on the same database now; the command leaves background work to it. */
  serverRuns: boolean
}

/** The settings of the environment, and of a file `.env` in the current folder; the environment wins. */
export function loadConfig(overrides: Record<string, string> = {}): Config {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  return readConfig({ ...process.env, ...overrides })
}

/** Opens the installation for the moment of a command, and closes it whatever happens. Long work hears signals itself. */
export async function withInstallation<Result>(
  command: string,
  work: (installation: Installation) => Promise<Result>,
  longWork?: LongWork,
): Promise<Result> {
  const config = loadConfig()
  if (longWork === undefined) endWithSignals()
  // Loaded when all of the command line is right: help and refusals are there at once.
  const { openInstallation } = await import('./open.ts')
  const { installation, close } = await openInstallation(config, command)
  try {
    return await work(installation)
  } finally {
    await close()
  }
}

/** Leaving by `exit` takes the embedded database along, which a bare signal would leave running. */
export function endWithSignals(): () => void {
  const leave = (_signal: NodeJS.Signals, number: number) => process.exit(128 + number)
  process.once('SIGINT', leave).once('SIGTERM', leave)
  return () => process.off('SIGINT', leave).off('SIGTERM', leave)
}
