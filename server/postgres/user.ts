import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../errors.ts'
import { foreignDataFolder } from './failures.ts'

/** The user that PostgreSQL runs as, if it is not Parley's own. */
export type SystemUser = { uid: number; gid: number }

const UNPRIVILEGED = 'nobody'
const UNPRIVILEGED_IDS: SystemUser = { uid: 65_534, gid: 65_534 }
const MAY_READ = 4
const MAY_ENTER = 1

/**
 * PostgreSQL refuses to run as root. Parley as root hands the cluster to the user who owns it already, or to `nobody`;
 * any other user keeps it to themselves (undefined).
 */
export async function chooseUser(dataDir: string, clusterFolder: string): Promise<SystemUser | undefined> {
  const own = process.getuid?.()
  const owner = await ownerOf(dataDir, clusterFolder)
  if (own === undefined) return undefined
  if (own !== 0) {
    if (owner !== undefined && owner.uid !== own) throw foreignDataFolder(dataDir, owner.uid)
    return undefined
  }
  if (owner === undefined || owner.uid === 0) return findUnprivilegedUser()
  return owner
}

async function ownerOf(dataDir: string, clusterFolder: string): Promise<SystemUser | undefined> {
  try {
    const { uid, gid } = await stat(clusterFolder)
    return { uid, gid }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (hasCode(error, 'EACCES')) throw foreignDataFolder(dataDir, (await stat(dataDir)).uid)
    throw error
  }
}

/** macOS writes the ids of the user `nobody` as -2; here they are unsigned, as `stat` reports them. */
async function findUnprivilegedUser(): Promise<SystemUser> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  const fields = lines.find((line) => line.startsWith(`${UNPRIVILEGED}:`))?.split(':')
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  if (!Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0) return UNPRIVILEGED_IDS
  return { uid: uid >>> 0, gid: gid >>> 0 }
}

/** Ids for `spawn`, which takes them as signed 32-bit numbers. */
export function spawnAs(user: SystemUser | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid | 0, gid: user.gid | 0 }
}

/** Whether this user may step into the folder, which needs every folder above it too. */
export async function mayEnter(user: SystemUser | undefined, folder: string): Promise<boolean> {
  if (user === undefined) return true
  if (!(await allows(user, folder, MAY_ENTER))) return false
  return dirname(folder) === folder || mayEnter(user, dirname(folder))
}

export async function mayReadAndEnter(user: SystemUser | undefined, path: string): Promise<boolean> {
  return user === undefined || allows(user, path, MAY_READ | MAY_ENTER)
}

async function allows(user: SystemUser, path: string, wanted: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path)
  const granted = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode
  return (granted & wanted) === wanted
}
