import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { migrate, readMigrations } from '../../server/db/migrate.ts'
import { newUuid } from '../../server/ids.ts'
import { TEMPLATE } from './template.ts'

export type TestDatabase = { connection: pg.ClientConfig; client: pg.Client }

/** A new migrated database. */
export const openMigrated = (): Promise<TestDatabase> =>
  openDatabase(`template ${TEMPLATE} strategy file_copy`)

/** A new empty database. */
export const openEmpty = (): Promise<TestDatabase> => openDatabase('')

async function openDatabase(options: string): Promise<TestDatabase> {
  const administrator = new pg.Client(inject('postgres'))
  await administrator.connect()
  const database = `migrations_${newUuid().replaceAll('-', '')}`
  await administrator.query(`create database ${database} ${options}`)
  const connection = { ...inject('postgres'), database }
  const client = new pg.Client(connection)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await administrator.query(`drop database ${database} with (force)`)
    await administrator.end()
  })
  return { connection, client }
}

/** A database that has the migrations before this one, and a function that applies the others. */
export async function openFormer(first: string): Promise<{ old: pg.Client; upgrade(): Promise<unknown> }> {
  const { connection, client: old } = await openEmpty()
  const migrations = [...(await readMigrations())].filter(([name]) => name < first)
  for (const [, text] of migrations) await old.query(text)
  await old.query('create table migrations (name text primary key)')
  for (const [name] of migrations) await old.query('insert into migrations (name) values ($1)', [name])
  return { old, upgrade: () => migrate(connection) }
}
