import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { CONNECTION_LIMITS } from '../../server/db/database.ts'
import { type Answer, type Credentials, call } from '../support/client.ts'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { type ServerProcess, startServerProcess, stopAll } from '../support/server-process.ts'

if (!hasPgbouncer) console.log('skipped: a pooler in front needs pgbouncer (apt install pgbouncer)')

const WRITERS = 20
const EACH = 15
const LIMITS = Object.entries(CONNECTION_LIMITS)
  .map(([name, value]) => `set ${name}=${value}`)
  .join('; ')

describe.skipIf(!hasPgbouncer)('two nodes behind pgbouncer in transaction mode', () => {
  const database = `pooled_${process.pid}`
  let admin: pg.Client
  let pooler: Pgbouncer
  let folder: string
  let cli: CommandLine
  let environment: { DATABASE_URL: string; DATABASE_DIRECT_URL: string; SECRET_KEY: string }
  let nodes: [ServerProcess, ServerProcess]
  let credentials: Credentials
  let topicId: string

  beforeAll(async () => {
    const postgres = inject('postgres')
    admin = new pg.Client(postgres)
    await admin.connect()
    await admin.query(`create database ${database}`)
    const { user, password, host, port } = postgres
    pooler = await startPgbouncer({ ...postgres, database }, { connectQuery: LIMITS })
    folder = await mkdtemp(join(tmpdir(), 'parley-pooled-'))
    cli = await openCommandLine()
    environment = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
      SECRET_KEY: 'the same secret key for both of them',
    }
    const begin = (name: string) => startServerProcess({ ...environment, DATA_DIR: join(folder, name) })
    nodes = await Promise.all([begin('one'), begin('two')]) // both migrate: one waits for the lock of the other
    const signup = await call(nodes[0].url, undefined, 'POST', '/v2/agentic/organization/create', {
      body: {
        companyName: 'Labs',
        humanEmail: 'ada@example.com',
        companySize: 3,
        industry: 'Software',
        botName: 'Bot',
      },
    })
    const body = Object(signup.body)
    credentials = body.credentials
    topicId = body.channelId
  })

  afterAll(async () => {
    await stopAll()
    await cli?.close()
    await pooler?.close()
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
    await rm(folder, { recursive: true, force: true })
  })

  const send = (node: 0 | 1, text: string, key?: string): Promise<Answer> =>
    call(nodes[node].url, credentials, 'POST', '/v2/messages', {
      body: { topicId, text },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })

  it('write and read from many connections over few sessions', async () => {
    const write = async (writer: number): Promise<Answer[]> => {
      const answers: Answer[] = []
      for (let number = 0; number < EACH; number++) {
        const node = (writer + number) % 2 === 0 ? 0 : 1
        answers.push(
          await send(node, `${writer}:${number}`, number % 3 === 0 ? `${writer}-${number}` : undefined),
        )
        answers.push(
          await call(nodes[node].url, credentials, 'GET', `/v2/topics/${topicId}/messages?limit=5`),
        )
      }
      return answers
    }
    const answers = (await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))).flat()
    expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
    const { rows } = await admin.query(
      `select count(*)::integer as sessions from pg_stat_activity where datname = $1 and application_name = 'parley'`,
      [database],
    )
    expect(rows[0]?.sessions).toBeLessThanOrEqual(4)
    const kept: string[] = []
    for (let query = 'limit=100', hasMore = true; hasMore; ) {
      const page = Object(
        (await call(nodes[0].url, credentials, 'GET', `/v2/topics/${topicId}/messages?${query}`)).body,
      )
      kept.push(...page.messages.map(({ text }: { text: string }) => text))
      hasMore = page.hasMore
      query = `cursor=${page.nextCursor}`
    }
    expect(new Set(kept).size).toBe(WRITERS * EACH)
    expect(kept.length).toBe(WRITERS * EACH)
  })

  it('do a keyed request once, however many ask for it at a time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) => send(number % 2 === 0 ? 0 : 1, 'once', 'the-key')),
    )
    expect(new Set(answers.map(({ body }) => Object(body).id)).size).toBe(1)
  })

  it('wake a poll that waits at the other node', async () => {
    const poll = (query: string) => call(nodes[1].url, credentials, 'GET', `/v2/updates?${query}`)
    const { body } = await poll('offset=newest&timeout=0')
    const waiting = poll(`offset=${Object(body).nextOffset}&timeout=30`)
    const sent = await send(0, 'are you there?')
    expect(sent.status).toBe(201)
    expect((await waiting).text).toContain('are you there?')
  })

  it('are backed up around it, and doctor finds nothing wrong with it', async () => {
    const settings = { ...environment, DATA_DIR: join(folder, 'one') }
    const made = await cli.json(['backup', '--to', join(folder, 'one.backup')], settings)
    expect(Number(made.rows)).toBeGreaterThan(WRITERS * EACH)
    expect((await cli.run(['doctor'], settings)).stdout).toMatch(/Pooler\s+its sessions have limits/)
  })

  it('learn what is missing: the way around it, and limits of its sessions', async () => {
    const { DATABASE_DIRECT_URL, ...straight } = environment
    const refused = await cli.run(['start'], { ...straight, DATA_DIR: join(folder, 'three'), PORT: '0' })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set DATABASE_DIRECT_URL')])
    const bare = await startPgbouncer({ ...inject('postgres'), database })
    try {
      const settings = { ...environment, DATABASE_URL: bare.url, DATA_DIR: join(folder, 'one') }
      const { stdout } = await cli.run(['doctor'], settings)
      expect(stdout).toContain(`connect_query='${LIMITS}'`)
    } finally {
      await bare.close()
    }
  })
})
