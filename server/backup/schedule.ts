import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { isBackupUnderWay } from '../db/file-locks.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { PROJECT_FOLDER } from '../project.ts'
import { readSetting } from '../queries/organization/installation.ts'
import { LAST_BACKUP, type LastBackup } from './backup.ts'
import { type BackupFolder, openBackupFolder } from './places.ts'

const HOUR_MS = 3_600_000
export const BACKUP_NAME = /^parley-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.backup$/
const isBackupName = (name: string): boolean => BACKUP_NAME.test(name)

/** How a backup is called that was made at this moment, so that names sort by age. */
export const backupName = (at: Date): string =>
  `parley-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.backup`

export async function readLastBackup(db: Database): Promise<LastBackup | undefined> {
  const text = await readSetting(db, LAST_BACKUP)
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Makes a backup if the last one is old enough, and removes surplus ones. A separate process does it, so that requests
 * do not wait; of several nodes, one does.
 */
export async function makeDueBackup(
  { db, config, log }: { db: Database; config: Config; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { folder, everyHours, keep } = config.backups
  if (folder === undefined || !(await isDue(db, everyHours * HOUR_MS))) return
  const backups = await openBackupFolder(folder, config)
  await backups.removeDrafts(isBackupName) // no backup runs now
  const path = backups.placeOf(backupName(new Date()))
  const { code, output } = await runBackup(path, signal)
  if (signal.aborted) return
  if (code === 0) log.info({ path }, 'made a backup')
  else if (await isDue(db, everyHours * HOUR_MS)) throw new Error(`no backup could be made: ${output.trim()}`)
  await removeOldest(backups, keep)
}

async function isDue(db: Database, everyMs: number): Promise<boolean> {
  const [row] = await db.query<{ underWay: boolean }>(sql`select ${isBackupUnderWay()} as "underWay"`)
  const last = await readLastBackup(db)
  return !row?.underWay && (last === undefined || db.clock() - last.at >= everyMs)
}

function runBackup(path: string, signal: AbortSignal): Promise<{ code: number | null; output: string }> {
  const program = join(PROJECT_FOLDER, 'bin', 'parley.mjs')
  const child = spawn(process.execPath, [program, 'backup', '--quiet', '--to', path], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      if (!signal.aborted) reject(error)
    })
    child.once('close', (code) => resolve({ code, output }))
  })
}

async function removeOldest(backups: BackupFolder, keep: number): Promise<void> {
  const names = (await backups.list()).filter(isBackupName).sort()
  for (const name of names.slice(0, -keep)) await backups.remove(name)
}
