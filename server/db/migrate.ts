import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../errors.ts'
import { PROJECT_FOLDER } from '../project.ts'
import { sqlState } from './database.ts'

const FOLDER = join(PROJECT_FOLDER, 'server', 'db', 'migrations')
/** Any number, the same on every node: who holds this advisory lock migrates, the others wait. */
const LOCK = 7_265_539
export const OLDEST_SERVER = 15
/** While a migration waits for a table, everybody else who wants it waits behind: it gives way and tries again. */
const LOCK_TIMEOUT_MS = 5000
/** Lock timeout, deadlock. */
const IN_THE_WAY = new Set(['55P03', '40P01'])
const PAUSE_MS = 2000
const MAX_TRIES = 5

/** Brings the database up to date; returns the names of the migrations that were applied. */
export async function migrate(config: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    await refuseOldServer(client)
    const pending = await pendingMigrations(client)
    if (pending.length === 0) return []
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await applyAll(client, await pendingMigrations(client))
  } finally {
    await client.end()
  }
}

/** What has not been applied yet, in order. */
export async function pendingMigrations(client: pg.Client | pg.Pool): Promise<string[]> {
  const known = await client.query<{ found: boolean }>(
    `select to_regclass('migrations') is not null as found`,
  )
  const applied = known.rows[0]?.found
    ? (await client.query<{ name: string }>('select name from migrations')).rows.map((row) => row.name)
    : []
  const all = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return all.filter((name) => !applied.includes(name))
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (major < OLDEST_SERVER) {
    throw new OperatorError(
      `DATABASE_URL points to PostgreSQL ${major}; Parley needs ${OLDEST_SERVER} or newer. Upgrade that server, or unset DATABASE_URL to use the embedded one.`,
    )
  }
}

async function applyAll(client: pg.Client, pending: readonly string[]): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  for (const name of pending) await apply(client, name)
  return [...pending]
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const text = await readFile(join(FOLDER, name), 'utf8')
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await client.query(text)
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!IN_THE_WAY.has(sqlState(error))) throw failure(name, error, NOT_OURS)
      if (attempt === MAX_TRIES) throw failure(name, error, IN_USE)
      await setTimeout(PAUSE_MS)
    }
  }
}

const NOT_OURS = 'If the database belongs to Parley alone, please report this.'
const IN_USE =
  'A long transaction, such as a backup, uses a table that it changes: start again when that is over.'

function failure(name: string, error: unknown, advice: string): OperatorError {
  const reason = error instanceof Error ? error.message : String(error)
  return new OperatorError(`The migration ${name} failed: ${reason}. Nothing of it was kept. ${advice}`, {
    cause: error,
  })
}
