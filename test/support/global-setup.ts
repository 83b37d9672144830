import { rm } from 'node:fs/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../bin/build.mjs'
import { migrate } from '../../server/db/migrate.ts'
import { type Connection, startEmbeddedPostgres } from '../../server/postgres/embedded.ts'
import { type Cluster, findCluster, makeClusterTemplate } from './cluster.ts'
import { fastFolder } from './fast-folder.ts'
import { TEMPLATE } from './template.ts'

/** Empty, for asking how a statement would be planned. */
export const RULES_DATABASE = 'parley_rules'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Connection
    /** The cluster of CITUS_URL, if given: servers of tests have their databases there. */
    cluster: Cluster | null
  }
}

/** One PostgreSQL for the whole run, with a migrated template that each test file copies. */
export default async function setup(project: TestProject) {
  await buildIfStale() // once, for the tests that run the program itself
  const dataDir = await fastFolder('parley-test-')
  // The tests of crashes start servers of their own with the real settings; here nothing needs to survive one.
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  // Each of some 1,500 connections would hash the password 4,096 times, on both of its sides.
  await client.query('set scram_iterations = 1')
  await client.query(
    `alter role ${client.user} password ${client.escapeLiteral(postgres.connection.password)}`,
  )
  await client.query(`create database ${TEMPLATE}`)
  await migrate({ ...postgres.connection, database: TEMPLATE })
  await client.query(`create database ${RULES_DATABASE} template ${TEMPLATE} strategy file_copy`)
  await client.end()
  project.provide('postgres', postgres.connection)
  const cluster = await findCluster(process.env.CITUS_URL)
  if (cluster) await makeClusterTemplate(cluster)
  project.provide('cluster', cluster ?? null)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
