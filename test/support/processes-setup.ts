import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/db/migrate.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded.ts'
import { fastFolder } from './fast-folder.ts'
import setUp from './global-setup.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with an empty up-to-date database; see `migratedFolder`. */
    dataFolder: string
  }
}

export default async function setup(project: TestProject) {
  const [tearDown, dataFolder] = await Promise.all([setUp(project), makeDataFolder()])
  project.provide('dataFolder', dataFolder)
  return async () => {
    await tearDown()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

async function makeDataFolder(): Promise<string> {
  const dataDir = await fastFolder('parley-test-')
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  await migrate(postgres.connection)
  await postgres.stop()
  return dataDir
}
