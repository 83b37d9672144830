import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readFunctions } from '../../server/db/functions.ts'
import { migrate, readMigrations } from '../../server/db/migrate.ts'
import { newUuid } from '../../server/ids.ts'
import { startServerProcess as start, stop, stopAll } from '../support/server-process.ts'

describe('a server that starts on a database of an older version', () => {
  const database = `upgrade_${newUuid().replaceAll('-', '')}`
  let connection: pg.ClientConfig
  let dataDir: string

  const administer = async (statement: string, where = inject('postgres').database) => {
    const client = new pg.Client({ ...inject('postgres'), database: where })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  /** The lines of a start about bringing the database up to date. */
  const startAndRead = async () => {
    const { user, password, host, port } = inject('postgres')
    const url = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    const server = await start({
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      SECRET_KEY: 'a key for the test of upgrades alone',
    })
    expect(await stop(server.process)).toBe(0)
    return [...server.output().matchAll(/"msg":"((?:brought|made the tables)[^"]*)"/g)].map(
      ([, line]) => line,
    )
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
    await administer(`create database ${database}`)
    connection = { ...inject('postgres'), database }
    await migrate(connection, { upTo: '0096_audience_blocks.sql' })
  })

  afterAll(async () => {
    await stopAll()
    await administer(`drop database ${database} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  })

  it('says in one line from where to where it was brought, and nothing when nothing changed', async () => {
    const later = [...(await readMigrations()).keys()].filter((name) => name > '0097')
    const number = later.at(-1)?.slice(0, 4)
    const functions = (await readFunctions()).length
    expect(await startAndRead()).toEqual([
      `brought the database from 0096 to ${number} (${later.length} migrations, ${functions} functions)`,
    ])
    expect(await startAndRead()).toEqual([])
    await administer(`update functions set checksum = 'another' where name = 'audience_of'`, database)
    expect(await startAndRead()).toEqual([
      `brought 1 function of the database at ${number} to this version: audience_of`,
    ])
  })
})
