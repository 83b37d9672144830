import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { findRunningPostgres } from '../../server/postgres/embedded.ts'
import { Secrets } from '../../server/secrets.ts'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'
import { migratedFolder } from '../support/migrated-folder.ts'

const PARLEY = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))
const ANSWERS = 20_000

let parley: CommandLine
beforeAll(async () => {
  parley = await openCommandLine()
})
afterAll(() => parley?.close())

it('is replaced beside a running server; a command that is killed on the way loses nothing', async () => {
  const dataDir = await migratedFolder('parley-key-')
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const environment = { DATA_DIR: dataDir, PORT: '0' }
  const server = await parley.start(environment)
  const url = server.said.address ?? ''
  const { organizationId = '' } = await parley.json(
    ['org', 'create', '--name', 'Mill', '--admin-email', 'ada@example.com'],
    environment,
  )
  const bot = await parley.json(
    ['bot', 'create', '--org', organizationId, '--name', 'Bo', '--credential', 'static'],
    environment,
  )
  const credentials = { apiKey: bot.apiKey ?? '', apiSecret: bot.apiSecret ?? '' }
  const whoAmI = async () => (await call(url, credentials, 'GET', '/v2/members/me')).status
  expect(await whoAmI()).toBe(200)

  // The many kept answers make the command run until it is killed.
  const connection = await findRunningPostgres(dataDir)
  const db = new pg.Client(connection ?? {})
  await db.connect()
  const former = new Secrets((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim())
  const body = former.encrypt('{}', `answer:${organizationId}:${bot.botId}`)
  await db.query(
    `insert into idempotent_answers (org_id, owner, key, request_hash, status, body, created_at)
     select $1, $2, n::text, '\\x00', 200, $3, $4 from generate_series(1, ${ANSWERS}) n`,
    [organizationId, bot.botId, body, Date.now()],
  )
  const count = async (version: number): Promise<number> => {
    const { rows } = await db.query(
      'select count(*)::int as count from idempotent_answers where get_byte(body, 0) = $1',
      [version],
    )
    return rows[0].count
  }

  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment }
  const command = spawn(process.execPath, [PARLEY, 'secret-key', 'rotate'], { cwd: parley.folder, env })
  const ended = new Promise((resolve) => command.once('exit', (_code, signal) => resolve(signal)))
  await expect.poll(() => count(2), { interval: 1 }).toBeGreaterThan(0)
  command.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
  expect(await count(1)).toBeGreaterThan(0)
  expect(await whoAmI()).toBe(200)

  await db.end()
  expect(await server.stop()).toBe(0)
  expect(await parley.json(['secret-key', 'status'], environment)).toMatchObject({ state: 're-encrypting' })
  const again = await parley.start(environment)
  onTestFinished(async () => void (await again.stop()))
  const status = async () => (await parley.json(['secret-key', 'status'], environment)).state
  await expect.poll(status).toBe('waiting')
  expect((await call(again.said.address ?? '', credentials, 'GET', '/v2/members/me')).status).toBe(200)
  const doctor = await parley.run(['doctor'], environment)
  expect(doctor.stdout).toContain('the former one is kept until')
  // The file has both keys, the new one first, readable by its owner alone. A second command continues and begins
  // nothing.
  expect((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim().split('\n')).toHaveLength(2)
  expect(await parley.json(['secret-key', 'rotate'], environment)).toMatchObject({
    state: 'waiting',
    former: former.fingerprint,
    remaining: 0,
  })
})
