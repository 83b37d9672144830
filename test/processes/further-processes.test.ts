import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Credentials, call } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { furtherPidsOf } from '../support/further-pids.ts'
import {
  isRunning,
  type ServerProcess,
  startServerProcess,
  stop,
  stopAll,
} from '../support/server-process.ts'
import { itAtNight } from '../support/thorough.ts'

const WORKERS = 3
const MESSAGES = 200
const WRITERS = 8

let folder: string
let server: ServerProcess
let bot: Exclude<Credentials, undefined>
let topicId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-further-'))
  server = await start()
  const body = {
    companyName: 'Many',
    humanEmail: 'ada@many.test',
    companySize: 3,
    industry: 'x',
    botName: 'Bot',
  }
  const made = await call(server.url, undefined, 'POST', '/v2/agentic/organization/create', { body })
  const { credentials } = Object(made.body)
  bot = { apiKey: credentials.apiKey, apiSecret: credentials.apiSecret }
  topicId = credentials.controlTopicId
})
afterAll(async () => {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
})

const start = () => startServerProcess({ DATA_DIR: folder, WORKERS: String(WORKERS) })

const furtherPids = () => furtherPidsOf(server.process.pid ?? 0)

/** The answer to a request on a connection of its own, which any of the processes may take. */
async function ask(path: string): Promise<string> {
  const asked = request(server.url + path, { agent: new Agent() }).end()
  const [answer] = await once(asked, 'response')
  let text = ''
  for await (const chunk of answer) text += chunk
  return text
}

/** The numbers of processes whose metrics are in a text. */
const numbersIn = (metrics: string): string[] =>
  [...metrics.matchAll(/^process_start_time_seconds\{process="(\d)"\}/gm)].map(([, number = '']) => number)

const allAnswer = () =>
  eventually(async () => numbersIn(await ask('/metrics')).toSorted()).toEqual(['1', '2', '3'])

it('answers with all of its processes, each of which knows the metrics of all', async () => {
  await allAnswer()
  const status = JSON.parse(await ask('/health/ready'))
  expect(status.status).toBe('ready')
  const texts: string[] = []
  for (let count = 0; count < 9; count++) texts.push(await ask('/metrics'))
  for (const each of texts) expect(numbersIn(each).toSorted()).toEqual(['1', '2', '3'])
  const text = texts.at(-1) ?? ''
  const described = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name)
  expect(new Set(described).size).toBe(described.length)
  const answeredBy = [...text.matchAll(/^parley_http_request_seconds_count\{.*process="(\d)"/gm)]
  expect(new Set(answeredBy.map(([, number]) => number)).size).toBeGreaterThan(1)
})

it('goes on without a process that is killed, and starts it again', async () => {
  await allAnswer()
  const [killed = 0, ...others] = await furtherPids()
  expect(others).toHaveLength(WORKERS - 2)
  const texts: string[] = Array.from({ length: MESSAGES }, () => randomUUID())
  const left = [...texts]
  const send = async (text: string): Promise<void> => {
    const options = { body: { topicId, text }, headers: { 'Idempotency-Key': text } }
    const answer = await call(server.url, bot, 'POST', '/v2/messages', options).catch(() => undefined)
    if (answer?.status === 201) return
    expect(answer?.status).toBeUndefined() // the connection broke, and nothing else
    await send(text)
  }
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let text = left.pop(); text !== undefined; text = left.pop()) {
        if (left.length === MESSAGES / 2) process.kill(killed, 'SIGKILL')
        await send(text)
      }
    }),
  )
  const stored: string[] = []
  for (let cursor = ''; ; ) {
    const path = `/v2/topics/${topicId}/messages?limit=100${cursor && `&cursor=${cursor}`}`
    const { messages, nextCursor } = Object((await call(server.url, bot, 'GET', path)).body)
    stored.push(...messages.map((message: { text: string }) => message.text))
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  expect(stored.filter((text) => texts.includes(text)).toSorted()).toEqual(texts.toSorted())
  await eventually(async () => (await furtherPids()).length).toBe(WORKERS - 1)
  expect(await furtherPids()).not.toContain(killed)
  await allAnswer()
})

it('ends all processes when the first one is stopped, or killed', async () => {
  const gone = async (pids: number[]) =>
    eventually(async () => (await Promise.all(pids.map(isRunning))).includes(true)).toBe(false)
  const stopped = await furtherPids()
  expect(stopped).toHaveLength(WORKERS - 1)
  expect(await stop(server.process)).toBe(0)
  await gone(stopped)

  server = await start()
  await allAnswer()
  const left = await furtherPids()
  server.process.kill('SIGKILL')
  await once(server.process, 'exit')
  await gone(left)

  server = await start()
  await allAnswer()
  const { status } = await call(server.url, bot, 'POST', '/v2/messages', { body: { topicId, text: 'Back' } })
  expect(status).toBe(201)
})

itAtNight(
  'stops without a process that hangs',
  async () => {
    await allAnswer()
    const [hung = 0, ...others] = await furtherPids()
    process.kill(hung, 'SIGSTOP')
    expect(await stop(server.process)).toBe(0)
    await eventually(async () => (await Promise.all([hung, ...others].map(isRunning))).includes(true)).toBe(
      false,
    )
    server = await start()
  },
  90_000,
)

it('answers nobody with further processes where its role is not to answer', async () => {
  expect(await stop(server.process)).toBe(0)
  server = await startServerProcess({ DATA_DIR: folder, WORKERS: String(WORKERS), ROLES: 'worker' })
  expect(await furtherPids()).toEqual([])
  expect(JSON.parse(await ask('/health/ready')).status).toBe('ready')
})
