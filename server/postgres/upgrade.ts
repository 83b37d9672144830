import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { findFormerBinaries } from './binaries.ts'
import {
  type Cluster,
  draftCluster,
  findSite,
  formerFolder,
  nameOf,
  readMajor,
  type Site,
  swapClusters,
} from './cluster.ts'
import type { Connection, EmbeddedPostgres } from './embedded.ts'
import type { Settings } from './settings.ts'

const MB = 1024 * 1024
/** Room for the write-ahead log while a cluster is filled, and for initdb's files. */
const EXTRA_ROOM = 1024 * MB
const WHILE_FILLED: Settings = { max_wal_size: '512MB' }

export type CopyDatabase = (from: Connection, to: Connection) => Promise<void>

type Means = {
  run: (cluster: Cluster, settings?: Settings) => Promise<EmbeddedPostgres>
  copyDatabase: CopyDatabase
  log: (message: string) => void
}

/**
 * Takes over a data folder of a former major version, if the programs of that version are installed: both servers run,
 * everything is copied into a new cluster, and that replaces the former one, which stays beside it. Without anything to
 * take over, or the means to do so, it does nothing: the next step that opens the cluster reports it.
 */
export async function upgradeCluster(dataDir: string, { run, copyDatabase, log }: Means): Promise<void> {
  const site = await findSite(dataDir, log)
  const former = await readMajor(site.folder)
  if (former === undefined || former >= site.binaries.major) return
  const binaries = await findFormerBinaries(former, site.user)
  if (binaries === undefined) return
  await refuseSecond(site, former)
  await refuseWithoutRoom(site)
  const draft = await draftCluster(site)
  try {
    await copyInto(draft, site, { ...site, binaries }, { run, copyDatabase, log })
    await swapClusters(site, draft, former)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function copyInto(
  draft: string,
  site: Site,
  former: Site,
  { run, copyDatabase }: Means,
): Promise<void> {
  const from = await run({ ...former, name: await nameOf(former.folder) })
  try {
    const to = await run({ ...site, folder: draft, name: await nameOf(draft) }, WHILE_FILLED)
    try {
      await copyDatabase(from.connection, to.connection)
    } finally {
      await to.stop()
    }
  } finally {
    await from.stop()
  }
}

async function refuseSecond({ dataDir, folder }: Site, former: number): Promise<void> {
  const kept = formerFolder(dataDir, former)
  if ((await stat(kept).catch(() => undefined)) === undefined) return
  throw new OperatorError(
    `The database in ${folder} was made by PostgreSQL ${former}, and would be kept as ${kept} once it is taken over, which is there already. Move that away, or remove it if you need it no more, and start Parley again.`,
  )
}

async function refuseWithoutRoom({ dataDir, folder, binaries }: Site): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  const needed = (await sizeOf(folder)) + EXTRA_ROOM
  if (bavail * bsize >= needed) return
  throw new OperatorError(
    `The database in ${folder} cannot be taken over to PostgreSQL ${binaries.major}: a copy of it needs ${Math.ceil(needed / MB)} MB on the disk, and ${Math.floor((bavail * bsize) / MB)} MB are free. Make room and start Parley again; nothing was changed.`,
  )
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  let bytes = 0
  for (const entry of entries) {
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  }
  return bytes
}
