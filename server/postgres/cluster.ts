import { createHash, randomBytes } from 'node:crypto'
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, OperatorError } from '../errors.ts'
import { type Binaries, findBinaries, findFormerBinaries, installFormer } from './binaries.ts'
import { DATA_FOLDER_MODE } from './data-folder.ts'
import { cannotSwitch } from './failures.ts'
import { endPreviousServer } from './processes.ts'
import { runProgram } from './run-program.ts'
import { chooseUser, mayEnter, type SystemUser } from './user.ts'

export const DATABASE = 'parley'
export const ROLE = 'parley'
const DRAFT = 'postgres.new-'

/**
 * Sorted by code point, the same on every machine and for ever, with upper and lower case known for all of Unicode. Nothing
 * depends on the locales that this system has.
 */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** The place of a PostgreSQL data folder that exists or will, and the means to run programs on it. */
export type Site = {
  dataDir: string
  folder: string
  user: SystemUser | undefined
  /** Whether that user can reach the folder by its path; if not, as the working directory. */
  isOpen: boolean
  binaries: Binaries
}

/** The name is in the command line of each process of this cluster and of no other, which is how they are recognized. */
export type Cluster = Site & { name: string }

export const clusterFolder = (dataDir: string) => join(dataDir, 'postgres')
/** A cluster of this major version that holds all of a former one, and is about to take its place. */
const upgradedFolder = (dataDir: string) => join(dataDir, 'postgres.upgraded')
/** The folder of a replaced cluster of a former major version. */
export const formerFolder = (dataDir: string, major: number) => join(dataDir, `postgres.${major}`)
const passwordFile = (dataDir: string) => join(dataDir, 'postgres.password')

/** Prepares the data folder for work, and cleans up after a process that was killed there. */
export async function findSite(givenDataDir: string, log: (message: string) => void): Promise<Site> {
  await mkdir(givenDataDir, { recursive: true, mode: DATA_FOLDER_MODE })
  const dataDir = await realpath(givenDataDir)
  const folder = clusterFolder(dataDir)
  await finishSwap(dataDir)
  const user = await chooseUser(dataDir, folder)
  const isOpen = await mayEnter(user, dataDir)
  if (!isOpen && process.platform !== 'linux') {
    throw new OperatorError(
      `PostgreSQL does not run as root, and the user it is handed to cannot enter ${dataDir}. Set DATA_DIR to a folder that all users may enter (chmod 711), as all those above it, or run Parley as an ordinary user.`,
    )
  }
  await removeDrafts(dataDir, log)
  return { dataDir, folder, user, isOpen, binaries: await findBinaries(user) }
}

/** Opens the cluster in the data folder, or makes one. */
export async function openCluster(dataDir: string, log: (message: string) => void): Promise<Cluster> {
  const site = await findSite(dataDir, log)
  const { folder } = site
  if ((await readMajor(folder)) !== undefined) await refuseForeign(site)
  else {
    log(`Creating the database in ${folder}`)
    await createCluster(site)
  }
  return { ...site, name: await nameOf(folder) }
}

/** Gives an upgraded cluster the place of the former one. A crash at any moment leaves the one or the other there, and the next start ends it. */
export async function swapClusters({ dataDir, folder }: Site, draft: string, former: number): Promise<void> {
  await rename(draft, upgradedFolder(dataDir))
  await syncFolder(dataDir)
  await rename(folder, formerFolder(dataDir, former))
  await finishSwap(dataDir)
}

async function finishSwap(dataDir: string): Promise<void> {
  const [folder, upgraded] = [clusterFolder(dataDir), upgradedFolder(dataDir)]
  if (!(await exists(upgraded))) return
  // The former one is still in its place, and may have been written to since: all of it is copied again.
  if (await exists(folder)) await rm(upgraded, { recursive: true })
  else await rename(upgraded, folder)
  await syncFolder(dataDir)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Names the cluster by device and inode. Its path is the same in every container, and programs there are visible from
 * outside.
 */
export async function nameOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder)
  return `parley-${createHash('sha256').update(`${dev} ${ino}`).digest('hex').slice(0, 12)}`
}

/**
 * The folder as PostgreSQL reaches it. A folder above it may be closed to its user (/root, a `mktemp -d`); but the working
 * directory is entered before the user is changed, and Linux leads to it without asking the folders above.
 */
export function pathWithin(site: Site, folder = site.folder): string {
  return site.isOpen ? folder : '/proc/self/cwd'
}

/** The major version that made the cluster in this folder; undefined: there is none. */
export async function readMajor(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  if (names.length === 0) return undefined
  if (names.includes('PG_VERSION')) return Number(await readFile(join(folder, 'PG_VERSION'), 'utf8'))
  throw new OperatorError(
    `${folder} holds files that are no PostgreSQL database. Move them away, or set DATA_DIR to another folder.`,
  )
}

async function refuseForeign({ folder, binaries, user }: Site): Promise<void> {
  const madeBy = await readMajor(folder)
  if (madeBy !== undefined && madeBy !== binaries.major)
    throw new OperatorError(
      `The database in ${folder} was made by PostgreSQL ${madeBy}, and this Parley carries PostgreSQL ${binaries.major}. ${await describeWay(madeBy, binaries.major, user)}`,
    )
  if (user !== undefined && (await stat(folder)).uid !== user.uid) {
    throw new OperatorError(
      `The database in ${folder} belongs to root, and PostgreSQL does not run as root. Hand it over with "chown -R ${user.uid}:${user.gid} ${folder}".`,
    )
  }
}

/** How a cluster of another major version can be used, in words for the operator. */
async function describeWay(madeBy: number, own: number, user: SystemUser | undefined): Promise<string> {
  const byHand = `start the Parley that made it, take a backup there with "parley backup", and restore that with this one ("parley restore"). Or run PostgreSQL ${madeBy} on it yourself, and set DATABASE_URL.`
  if (madeBy > own) return `Start a newer Parley. To stay with this one, ${byHand}`
  if (await findFormerBinaries(madeBy, user)) return 'Start Parley, which takes it over: "parley start".'
  return `Parley takes it over by itself where it has the programs of PostgreSQL ${madeBy} too: run "${installFormer(madeBy)}" in the folder of Parley, or install version ${madeBy} from the packages of your system, and start it again. Without them, ${byHand}`
}

/** Made under another name and renamed when all of it is on the disk: a crash at any moment leaves no cluster, or a whole one. */
async function createCluster(site: Site): Promise<void> {
  const draft = await draftCluster(site)
  await rename(draft, site.folder)
  await syncFolder(site.dataDir)
}

/** A whole cluster without anything in it, under a name that the next start removes. */
export async function draftCluster({ dataDir, ...site }: Site): Promise<string> {
  const password = (await readPassword(dataDir)) ?? randomPassword()
  await keepPassword(dataDir, password)
  const draft = await mkdtemp(join(dataDir, DRAFT))
  try {
    await handOver(draft, site.user)
    await fillCluster({ dataDir, ...site }, draft, password)
    return draft
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function fillCluster(site: Site, draft: string, password: string): Promise<void> {
  const { user, binaries } = site
  const path = ['-D', pathWithin(site, draft)]
  const passwordInput = await openOnce(`${draft}.password`, password, user)
  try {
    const security = [`--username=${ROLE}`, '--auth=scram-sha-256', '--pwfile=/dev/fd/3']
    const options = { user, cwd: draft, extraFile: passwordInput.fd }
    await runProgram(
      binaries.initdb,
      [...path, ...LOCALE, ...security, '--no-sync', '--no-instructions'],
      options,
    )
  } finally {
    await passwordInput.close()
  }
  await runStatement(site, draft, `create database ${DATABASE}`, ['-c', 'fsync=off'])
  // One sync after all steps takes 45 ms, initdb's own alone 80 ms.
  await runProgram(binaries.initdb, [...path, '--sync-only'], { user, cwd: draft })
}

/** Runs one statement with PostgreSQL in single-user mode, without a server. */
async function runStatement(
  site: Site,
  folder: string,
  statement: string,
  flags: string[] = [],
): Promise<void> {
  const args = ['--single', '-D', pathWithin(site, folder), '-c', 'exit_on_error=on', ...flags, 'postgres']
  await runProgram(site.binaries.postgres, args, { user: site.user, cwd: folder, input: `${statement}\n` })
}

/** A first start or an upgrade that was killed: a server is ended, and other programs end when their files are gone. */
async function removeDrafts(dataDir: string, log: (message: string) => void): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT)) continue
    const folder = join(dataDir, name)
    await endPreviousServer({ folder, name: await nameOf(folder) }, log)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => {})
  }
}

export async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(passwordFile(dataDir), 'utf8')).trim() || undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The password; a new one is set when its file was lost. No server may be running. */
export async function ensurePassword(cluster: Cluster): Promise<string> {
  const known = await readPassword(cluster.dataDir)
  if (known !== undefined) return known
  const password = randomPassword()
  await runStatement(cluster, cluster.folder, `alter role ${ROLE} password '${password}'`)
  await keepPassword(cluster.dataDir, password)
  return password
}

/** Letters, digits, - and _: needs no quoting in SQL. */
const randomPassword = () => randomBytes(24).toString('base64url')

async function keepPassword(dataDir: string, password: string): Promise<void> {
  const draft = `${passwordFile(dataDir)}.new`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${password}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, passwordFile(dataDir))
  await syncFolder(dataDir)
}

/** A file that only this user may read and that has no name any more: nothing is left over, whatever happens. */
async function openOnce(path: string, text: string, user: SystemUser | undefined) {
  const written = await open(path, 'wx', 0o600)
  try {
    if (user !== undefined) await written.chown(user.uid, user.gid)
    await written.writeFile(`${text}\n`)
    return await open(path, 'r')
  } finally {
    await written.close()
    await unlink(path)
  }
}

export async function handOver(folder: string, user: SystemUser | undefined): Promise<void> {
  if (user === undefined) return
  try {
    await chown(folder, user.uid, user.gid)
  } catch (error) {
    throw cannotSwitch(user, error)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
