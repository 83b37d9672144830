import { chmod, lstat, mkdtemp, readFile, realpath, rmdir, unlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { handOver } from './cluster.ts'
import type { Settings } from './settings.ts'
import { mayEnter, type SystemUser } from './user.ts'

/** The address that PostgreSQL listens on, and its settings. Never on the network. */
export type Address = {
  host: string
  port: number
  settings: Settings
  /** Frees the address after a server that was killed. */
  clear(): Promise<void>
  remove(): Promise<void>
}

const SOCKET_PORT = 5432
const PREFIX = 'parley-'
const OWN_FOLDER = /^parley-\w{6}$/
/** The path of a socket may have 103 bytes on macOS, 107 on Linux; `/.s.PGSQL.5432` is 14 of them. */
const LONGEST_FOLDER = 103 - `/.s.PGSQL.${SOCKET_PORT}`.length
const LOOPBACK = '127.0.0.1'

/** A socket in a fresh folder that only PostgreSQL's user can enter; not in the data folder, whose path may be too long. */
export async function socketAddress(user: SystemUser | undefined): Promise<Address> {
  const folder = await makeSocketFolder(user)
  return {
    host: folder,
    port: SOCKET_PORT,
    settings: {
      listen_addresses: '',
      unix_socket_directories: folder,
      unix_socket_permissions: '0700',
      port: String(SOCKET_PORT),
    },
    clear: () => removeSockets(folder),
    remove: () => removeSocketFolder(folder),
  }
}

/** An address on systems without Unix sockets: a free port that only this machine can reach. */
export async function loopbackAddress(): Promise<Address> {
  const port = await findFreePort()
  return {
    host: LOOPBACK,
    port,
    settings: { listen_addresses: LOOPBACK, unix_socket_directories: '', port: String(port) },
    clear: async () => {},
    remove: async () => {},
  }
}

async function makeSocketFolder(user: SystemUser | undefined): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const path = await realpath(parent).catch(() => undefined)
    if (path === undefined || Buffer.byteLength(join(path, `${PREFIX}123456`)) > LONGEST_FOLDER) continue
    if (!(await mayEnter(user, path))) continue
    const folder = await mkdtemp(join(path, PREFIX)).catch(() => undefined)
    if (folder === undefined) continue
    await chmod(folder, 0o700)
    await handOver(folder, user)
    return folder
  }
  throw new OperatorError(
    `PostgreSQL needs a folder for its socket, and neither ${tmpdir()} nor /tmp will do. Set TMPDIR to a folder with a short path that all users may enter and write to.`,
  )
}

/** Removes sockets that a killed Parley left in the temporary folder; PostgreSQL keeps the command line of its last start. */
export async function removeLeftoverSockets(clusterFolder: string): Promise<void> {
  const command = await readFile(join(clusterFolder, 'postmaster.opts'), 'utf8').catch(() => '')
  const [, folder] = /"unix_socket_directories=([^"]+)"/.exec(command) ?? []
  if (folder !== undefined) await removeSocketFolder(folder)
}

/**
 * Removes only named files in a folder that we made: the path may come from a file that PostgreSQL's user can change,
 * and root is asked to delete what is there.
 */
async function removeSocketFolder(folder: string): Promise<void> {
  if (!OWN_FOLDER.test(basename(folder))) return
  if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) return
  await removeSockets(folder)
  await rmdir(folder).catch(() => {})
}

/** A server that was killed leaves its socket, and a lock that holds its process number. */
async function removeSockets(folder: string): Promise<void> {
  const socket = join(folder, `.s.PGSQL.${SOCKET_PORT}`)
  for (const path of [socket, `${socket}.lock`]) await unlink(path).catch(() => {})
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, LOOPBACK, () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
