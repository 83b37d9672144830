import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../bin/build.mjs'
import { migrate } from '../../server/db/migrate.ts'
import { type Connection, startEmbeddedPostgres } from '../../server/postgres/embedded.ts'

export const TEMPLATE = 'parley_template'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Connection
  }
}

/** One PostgreSQL for the whole run, with a migrated template that each test file copies. */
export default async function setup(project: TestProject) {
  await buildIfStale() // once, for the tests that run the program itself
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
  // The tests of crashes start servers of their own with the real settings; here nothing needs to survive one.
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate({ ...postgres.connection, database: TEMPLATE })
  project.provide('postgres', postgres.connection)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
