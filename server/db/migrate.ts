import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Any number, the same on every node: who holds this advisory lock migrates, the others wait. */
const LOCK = 7_265_539
const OLDEST_SERVER = 15

/** Brings the database up to date; returns the names of the migrations that were applied. */
export async function migrate(config: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await applyPending(client)
  } finally {
    await client.end()
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (major < OLDEST_SERVER) {
    throw new Error(
      `DATABASE_URL points to PostgreSQL ${major}; Parley needs ${OLDEST_SERVER} or newer. Upgrade that server, or unset DATABASE_URL to use the embedded one.`,
    )
  }
}

async function applyPending(client: pg.Client): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  const pending = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql') && !applied.has(name)).sort()
  for (const name of pending) {
    const text = await readFile(`${FOLDER}${name}`, 'utf8')
    await client.query('begin')
    try {
      await client.query(text)
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    }
  }
  return pending
}
