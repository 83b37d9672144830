import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Connection, startEmbeddedPostgres } from '../../server/postgres/embedded.ts'
import type { Context } from '../scenario.ts'

/** Three groups of nodes with some 15 connections each, and room to look at them. */
const MAX_CONNECTIONS = '300'

/** A PostgreSQL that belongs to no node. Each database is new, and dropped with the scenario. */
export type SharedPostgres = { createDatabase(): Promise<string> }

/** The one of BENCH_DATABASE_URL; otherwise one of our own, set up as the embedded one is, with fsync on. */
export async function openSharedPostgres(context: Context): Promise<SharedPostgres> {
  const given = process.env.BENCH_DATABASE_URL
  const url = given ? new URL(given) : await startPostgres(context)
  return {
    async createDatabase() {
      const name = `parley_bench_${randomBytes(6).toString('hex')}`
      await administer(url, `create database ${name}`)
      context.onEnd(() => administer(url, `drop database ${name} with (force)`))
      const own = new URL(url)
      own.pathname = `/${name}`
      return own.href
    },
  }
}

async function startPostgres(context: Context): Promise<URL> {
  const dataDir = await mkdtemp(join(context.folder, 'postgres-'))
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { max_connections: MAX_CONNECTIONS } })
  context.onEnd(postgres.stop)
  return urlOf(postgres.connection)
}

/** A socket's folder is no valid host in a URL. */
function urlOf({ host, port, user, password, database }: Connection): URL {
  const url = new URL(`postgres://localhost/${database}`)
  url.username = user
  url.password = password
  url.searchParams.set('host', host)
  url.searchParams.set('port', String(port))
  return url
}

async function administer(url: URL, statement: string): Promise<void> {
  const client = new pg.Client(url.href)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
