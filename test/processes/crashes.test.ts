import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Credentials, call } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import {
  isRunning,
  kill,
  postgresPid,
  type ServerProcess,
  startServerProcess as start,
  stop,
  stopAll,
} from '../support/server-process.ts'

type Signup = { channelId: string; credentials: { apiKey: string; apiSecret: string } }

let count = 0
async function signUp(url: string): Promise<Signup> {
  count += 1
  const { status, body, text } = await call(url, undefined, 'POST', '/v2/agentic/organization/create', {
    body: {
      companyName: 'Lighthouse Labs',
      humanEmail: `ada${count}@example.com`,
      companySize: 3,
      industry: 'Software',
      botName: 'Survivor',
    },
  })
  expect(status, text).toBe(201)
  return body as Signup
}

const send = (url: string, { credentials, channelId }: Signup, text: string, headers = {}) =>
  call(url, credentials, 'POST', '/v2/messages', { body: { topicId: channelId, text }, headers })

async function said(url: string, credentials: Credentials, topicId: string): Promise<string[]> {
  const path = `/v2/topics/${topicId}/messages?order=asc&limit=100`
  const deadline = Date.now() + PATIENCE_MS
  let { status, body } = await call(url, credentials, 'GET', path)
  while (status === 503 && Date.now() < deadline) {
    await sleep(20)
    ;({ status, body } = await call(url, credentials, 'GET', path))
  }
  expect(status).toBe(200)
  return (body as { messages: { text: string }[] }).messages.map(({ text }) => text)
}

describe('a server with its own PostgreSQL', () => {
  let dataDir: string
  let signup: Signup
  let last: ServerProcess | undefined

  /** The server that the test before has left running, or a new one. */
  const running = async (): Promise<ServerProcess> => {
    const hasEnded = !last || last.process.exitCode !== null || last.process.signalCode !== null
    if (!last || hasEnded) last = await start({ DATA_DIR: dataDir })
    return last
  }

  beforeAll(async () => {
    dataDir = await migratedFolder('parley-crash-')
    const server = await running()
    signup = await signUp(server.url)
    await send(server.url, signup, 'first')
  })

  afterAll(async () => {
    await stopAll()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('stops its PostgreSQL when it stops, and finds everything again', async () => {
    const server = await running()
    const pid = await postgresPid(dataDir)
    expect(await stop(server.process)).toBe(0)
    expect(await isRunning(pid)).toBe(false)
    const next = await running()
    expect(await said(next.url, signup.credentials, signup.channelId)).toContain('first')
  })

  it('comes back by itself after kill -9 of the server, with its orphaned PostgreSQL still running', async () => {
    const server = await running()
    const orphan = await postgresPid(dataDir)
    expect((await send(server.url, signup, 'before the server died')).status).toBe(201)
    await kill(server.process)
    expect(await isRunning(orphan)).toBe(true)
    const next = await running()
    expect(await said(next.url, signup.credentials, signup.channelId)).toContain('before the server died')
    expect(await isRunning(orphan)).toBe(false)
  })

  it('goes on after kill -9 of PostgreSQL under a running server', async () => {
    const server = await running()
    expect((await send(server.url, signup, 'before PostgreSQL died')).status).toBe(201)
    process.kill(await postgresPid(dataDir), 'SIGKILL')
    const deadline = Date.now() + PATIENCE_MS
    const key = { 'idempotency-key': 'after-the-kill' }
    for (;;) {
      const { status } = await send(server.url, signup, 'after PostgreSQL died', key)
      if (status === 201) break
      expect(status).toBe(503)
      expect(Date.now()).toBeLessThan(deadline)
      await sleep(20)
    }
    const messages = await said(server.url, signup.credentials, signup.channelId)
    expect(messages).toContain('before PostgreSQL died')
    expect(messages.filter((text) => text === 'after PostgreSQL died')).toHaveLength(1)
  })

  it('comes back after kill -9 of both at once', async () => {
    const server = await running()
    expect((await send(server.url, signup, 'before both died')).status).toBe(201)
    const pid = await postgresPid(dataDir)
    await Promise.all([kill(server.process), Promise.resolve(process.kill(pid, 'SIGKILL'))])
    const next = await running()
    expect(await said(next.url, signup.credentials, signup.channelId)).toContain('before both died')
  })

  it('keeps every acknowledged message when it is killed in the middle of writing', async () => {
    const server = await running()
    const topic = await call(server.url, signup.credentials, 'POST', '/v2/topics', {
      body: { name: 'Many', members: [] },
    })
    const { id } = topic.body as { id: string }
    const acknowledged: string[] = []
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; number < 1000; number++) {
        const text = `${writer}:${number}`
        const answer = await send(server.url, { ...signup, channelId: id }, text).catch(() => undefined)
        if (answer?.status !== 201) return
        acknowledged.push(text)
      }
    })
    while (acknowledged.length < 50) await sleep(5)
    await kill(server.process)
    await Promise.all(writers)
    const next = await running()
    const kept = new Set<string>()
    for (let query = 'limit=100', more = true; more; ) {
      const page = await call(next.url, signup.credentials, 'GET', `/v2/topics/${id}/messages?${query}`)
      const { messages, hasMore, nextCursor } = page.body as {
        messages: { text: string }[]
        hasMore: boolean
        nextCursor?: string
      }
      for (const { text } of messages) kept.add(text)
      more = hasMore
      query = `cursor=${nextCursor}`
    }
    expect(acknowledged.filter((text) => !kept.has(text))).toEqual([])
  })

  it('refuses a second server on the same folder and names the first', async () => {
    const server = await running()
    await expect(start({ DATA_DIR: dataDir })).rejects.toThrow(
      new RegExp(`already running on .* \\(process ${server.process.pid}\\)`),
    )
    expect((await send(server.url, signup, 'the first goes on')).status).toBe(201)
  })

  it('finishes running requests and answers waiting polls before it stops', async () => {
    const server = await running()
    const first = await call(server.url, signup.credentials, 'GET', '/v2/updates?limit=100')
    const { nextOffset } = first.body as { nextOffset: string }
    const path = `/v2/updates?offset=${nextOffset}&timeout=30`
    const waiting = call(server.url, signup.credentials, 'GET', path)
    const sending = send(server.url, signup, 'at the last moment')
    await sleep(100)
    expect(await stop(server.process)).toBe(0)
    expect((await waiting).status).toBe(200)
    expect((await sending).status).toBe(201)
  })
})

describe('two nodes on one database', () => {
  const postgres = inject('postgres')
  const database = `nodes_${process.pid}`
  const admin = new pg.Client(postgres)
  let nodes: ServerProcess[]
  let signup: Signup

  beforeAll(async () => {
    await admin.connect()
    await admin.query(`create database ${database}`)
    const { user, password, host, port } = postgres
    const environment = {
      DATABASE_URL: `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
      SECRET_KEY: 'the same secret key for both of them',
      DATA_DIR: '/tmp/parley-none',
    }
    nodes = await Promise.all([1, 2].map(() => start(environment)))
  })
  afterAll(async () => {
    await stopAll()
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  })
  const urlOf = (index: 0 | 1) => nodes[index]?.url ?? ''

  it('start together on an empty one, and both come up', async () => {
    signup = await signUp(urlOf(0))
    expect((await send(urlOf(1), signup, 'from the other')).status).toBe(201)
    expect(await said(urlOf(0), signup.credentials, signup.channelId)).toEqual(['from the other'])
  })

  it('send what is scheduled once, while the one that is at it is killed', async () => {
    const topic = await call(urlOf(0), signup.credentials, 'POST', '/v2/topics', {
      body: { name: 'Later', members: [] },
    })
    const { id: topicId } = topic.body as { id: string }
    const texts = Array.from({ length: 80 }, (_, number) => `Later ${number}`)
    const begin = Date.now() + 8000
    const answers = await Promise.all(
      texts.map((text, number) =>
        call(urlOf(0), signup.credentials, 'POST', '/v2/messages', {
          body: { topicId, text, sendAt: begin + number * 20 },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201))
    const sent = () => said(urlOf(1), signup.credentials, topicId)
    await eventually(async () => (await sent()).length).toBeGreaterThan(10)
    const [first] = nodes
    if (!first) throw new Error('two were started')
    await kill(first.process)
    expect((await sent()).length).toBeLessThan(texts.length)
    await eventually(async () => (await sent()).length).toBeGreaterThanOrEqual(texts.length)
    expect((await sent()).toSorted()).toEqual(texts.toSorted())
    const path = '/v2/scheduled-messages'
    expect((await call(urlOf(1), signup.credentials, 'GET', path)).body).toMatchObject({
      scheduledMessages: [],
    })
  })
})
