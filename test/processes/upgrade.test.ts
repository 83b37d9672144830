import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { readFunctions } from '../../server/db/functions.ts'
import { migrate, readMigrations } from '../../server/db/migrate.ts'
import { newUuid } from '../../server/ids.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded.ts'
import { Secrets } from '../../server/secrets.ts'
import { call } from '../support/client.ts'
import { type FormerTopic, fillFormer } from '../support/former-rows.ts'
import { startServerProcess as start, stop, stopAll } from '../support/server-process.ts'

const SECRET_KEY = 'a key for the test of upgrades alone'
/** The newest migration of the first version that had a command to start it, and of the version before this one. */
const FORMER_VERSIONS = ['0004_webhooks.sql', '0122_readings_keep_who_allowed.sql']

const openFolder = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

/** Uses the database of a data folder that no server runs on. */
async function withDatabase<Result>(
  dataDir: string,
  use: (client: pg.Client, connection: pg.ClientConfig) => Promise<Result>,
): Promise<Result> {
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  try {
    return await use(client, postgres.connection)
  } finally {
    await client.end()
    await postgres.stop()
  }
}

/** Whatever the log says of the database between the start of a server and its address. */
const linesIn = (output: string) =>
  [...output.matchAll(/"msg":"([^"]*(?:database|tables)[^"]*)"/g)].map(([, line]) => line)

async function startAndRead(dataDir: string): Promise<(string | undefined)[]> {
  const server = await start({ DATA_DIR: dataDir, SECRET_KEY })
  expect(await stop(server.process)).toBe(0)
  return linesIn(server.output())
}

afterEach(stopAll)

describe('a data folder of an older version', () => {
  it.each(FORMER_VERSIONS)(
    'at %s is served with all that it had, and its start says in one line what was brought',
    async (newest) => {
      const dataDir = await openFolder()
      const topic = await withDatabase(dataDir, async (client, connection) => {
        await migrate(connection, { upTo: newest })
        return fillFormer(client, new Secrets(SECRET_KEY))
      })
      const server = await start({ DATA_DIR: dataDir, SECRET_KEY })
      const later = [...(await readMigrations()).keys()].filter((name) => name > newest)
      const number = later.at(-1)?.slice(0, 4)
      const functions = (await readFunctions()).length
      expect(linesIn(server.output())).toEqual([
        `brought the database from ${newest.slice(0, 4)} to ${number} (${later.length} migrations, ${functions} functions)`,
      ])
      await expectAllServed(server.url, topic)
      expect(await stop(server.process)).toBe(0)

      expect(await startAndRead(dataDir)).toEqual([])
    },
  )

  async function expectAllServed(url: string, topic: FormerTopic): Promise<void> {
    const texts: string[] = []
    let cursor: string | undefined
    do {
      const path = `/v2/topics/${topic.topicId}/messages?order=asc&limit=100${cursor ? `&cursor=${cursor}` : ''}`
      const page = Object((await call(url, topic.credentials, 'GET', path)).body)
      texts.push(...page.messages.map(({ text }: { text: string }) => text))
      cursor = page.nextCursor
    } while (cursor)
    expect(texts).toEqual(topic.texts)
    const body = { topicId: topic.topicId, text: 'after the upgrade' }
    expect((await call(url, topic.credentials, 'POST', '/v2/messages', { body })).status).toBe(201)
  }
})

describe('a new data folder', () => {
  it('gets its tables without a word; a start that brings functions names them', async () => {
    const dataDir = await openFolder()
    expect(await startAndRead(dataDir)).toEqual([])
    await withDatabase(dataDir, (client) =>
      client.query(`update functions set checksum = 'another' where name = 'audience_of'`),
    )
    const number = [...(await readMigrations()).keys()].at(-1)?.slice(0, 4)
    expect(await startAndRead(dataDir)).toEqual([
      `brought 1 function of the database at ${number} to this version: audience_of`,
    ])
  })
})

describe('an empty database', () => {
  it('gets its tables once where two nodes start on it at the same time', async () => {
    const { user, password, host, port } = inject('postgres')
    const database = `empty_${newUuid().replaceAll('-', '')}`
    const administrator = new pg.Client(inject('postgres'))
    await administrator.connect()
    await administrator.query(`create database ${database}`)
    onTestFinished(async () => {
      await stopAll()
      await administrator.query(`drop database ${database} with (force)`)
      await administrator.end()
    })
    const url = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    const folders = [await openFolder(), await openFolder()]
    const nodes = await Promise.all(
      folders.map((DATA_DIR) => start({ DATABASE_URL: url, DATA_DIR, SECRET_KEY })),
    )
    for (const node of nodes) {
      expect((await fetch(`${node.url}/health/ready`)).status).toBe(200)
      expect(linesIn(node.output())).toEqual([])
    }
    const client = new pg.Client({ ...inject('postgres'), database })
    await client.connect()
    const { rows } = await client.query('select name from migrations order by name')
    const nodesSeen = await client.query('select distinct version from nodes')
    await client.end()
    expect(rows.map(({ name }) => name)).toEqual([...(await readMigrations()).keys()])
    // The nodes are of one build, which their report names beside the version.
    expect(nodesSeen.rows).toEqual([{ version: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/) }])
    const info = await (await fetch(`${nodes[0]?.url}/metrics`)).text()
    expect(info).toMatch(/^parley_info\{version="[\d.]+",build="[0-9a-f]{12}"\} 1$/m)
  })
})
