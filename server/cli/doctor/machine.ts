import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { hasCode } from '../../errors.ts'
import { outboxFolder } from '../../mail/outbox.ts'
import { verifySmtp } from '../../mail/sender.ts'
import { findBinaries } from '../../postgres/binaries.ts'
import { type Check, fine, messageOf, problem } from './check.ts'

const OLDEST_NODE = [20, 19] as const
const MB = 1024 * 1024
/** PostgreSQL keeps up to 2 GB of log of its own, and stops writing when the disk is full. */
const LEAST_FREE_MB = 1024

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return fine('Node', version)
  return problem('Node', version, `Install Node ${OLDEST_NODE.join('.')} or newer from https://nodejs.org.`)
}

export async function checkDataFolder({ dataDir }: Config): Promise<Check> {
  const name = 'Data folder'
  try {
    if (!(await stat(dataDir)).isDirectory())
      return problem(name, `${dataDir} is not a folder`, 'Set DATA_DIR to a folder.')
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return checkNewFolder(dataDir)
    return problem(
      name,
      messageOf(error),
      'Set DATA_DIR to a folder of this user, or hand it over with chown.',
    )
  }
  return checkFreeSpace(dataDir, dataDir)
}

/** The data folder is made at the first start, with the missing folders above it. */
async function checkNewFolder(dataDir: string): Promise<Check> {
  const above = await nearestFolder(dirname(dataDir))
  try {
    await access(above, constants.W_OK | constants.X_OK)
  } catch {
    const fix = `Make it yourself and hand it to this user, or set DATA_DIR to another folder.`
    return problem('Data folder', `${dataDir} is missing, and this user may not make it in ${above}`, fix)
  }
  return checkFreeSpace(above, `${dataDir}, made at the first start`)
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() || dirname(path) === path ? path : nearestFolder(dirname(path))
}

export async function freeMegabytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.floor((bavail * bsize) / MB)
}

async function checkFreeSpace(folder: string, description: string): Promise<Check> {
  const free = await freeMegabytes(folder)
  if (free === 0)
    return problem('Data folder', `the disk of ${description} is full`, 'Make room: nothing can be written.')
  const detail = `${description} (${free} MB free)`
  if (free >= LEAST_FREE_MB) return fine('Data folder', detail)
  return problem('Data folder', detail, `Make room: at least ${LEAST_FREE_MB} MB should be free.`)
}

/** Checked only without DATABASE_URL. */
export async function checkPrograms(): Promise<Check> {
  try {
    const { major } = await findBinaries(undefined)
    return fine('Embedded PostgreSQL', `version ${major}`)
  } catch (error) {
    const fix = 'Run "npm ci" in the folder of Parley (without --omit=optional), or set DATABASE_URL.'
    return problem('Embedded PostgreSQL', messageOf(error), fix)
  }
}

export async function checkMail({ smtpUrl, dataDir }: Config): Promise<Check> {
  if (smtpUrl === undefined) return fine('Mail', `no SMTP_URL: kept in ${outboxFolder(dataDir)}`)
  const host = URL.canParse(smtpUrl) ? new URL(smtpUrl).host : 'the host of SMTP_URL'
  try {
    await verifySmtp(smtpUrl)
    return fine('Mail', `${host} answers`)
  } catch (error) {
    return problem(
      'Mail',
      `${host}: ${messageOf(error)}`,
      'Correct SMTP_URL, or unset it to keep mail in a folder.',
    )
  }
}
