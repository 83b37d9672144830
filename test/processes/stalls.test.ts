import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, call, sign } from '../support/client.ts'
import { freeze } from '../support/replicated-postgres.ts'
import { postgresPid, type ServerProcess, startServerProcess, stopAll } from '../support/server-process.ts'
import { atNight } from '../support/thorough.ts'
import { send } from '../support/wire.ts'

const STALL_MS = 5000
const TICK_MS = 50

let dataDir: string
let server: ServerProcess
let bot: { apiKey: string; apiSecret: string; controlTopicId: string }

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-stalls-'))
  // The queue and the rate limit have their defaults, but the limit is higher than what is sent.
  server = await startServerProcess({ DATA_DIR: dataDir, QUEUE_MS: '1000', RATE_LIMIT_PER_MINUTE: '1000000' })
  const made = await call(server.url, undefined, 'POST', '/v2/agentic/organization/create', {
    body: {
      companyName: 'Lighthouse Labs',
      humanEmail: 'ada@example.com',
      companySize: 5,
      industry: 'Software',
      botName: 'Deploy bot',
    },
  })
  bot = Object(made.body).credentials
  expect((await post('before')).status).toBe(201)
})
afterAll(async () => {
  await stopAll()
  await rm(dataDir, { recursive: true, force: true })
})

function post(text: string): Promise<Answer> {
  const body = JSON.stringify({ topicId: bot.controlTopicId, text })
  const timestamp = String(Date.now())
  return send(server.url, {
    method: 'POST',
    target: '/v2/messages',
    headers: {
      Authorization: `Bearer ${bot.apiKey}`,
      'X-Timestamp': timestamp,
      'X-Signature': sign(bot.apiSecret, timestamp, body),
      'Content-Type': 'application/json',
    },
    body,
  })
}

/** Sends at an even pace while the database stands still, which is until all is sent on a machine that is busy. */
async function sendInStall(perSecond: number): Promise<Answer[]> {
  const count = (perSecond * STALL_MS) / 1000
  const pids = await freeze(await postgresPid(dataDir))
  const answers: Promise<Answer>[] = []
  try {
    const started = performance.now()
    for (
      let elapsed = 0;
      elapsed < STALL_MS || answers.length < count;
      elapsed = performance.now() - started
    ) {
      const due = Math.min(count, Math.ceil((perSecond * elapsed) / 1000))
      while (answers.length < due) answers.push(post(`${answers.length}`))
      await sleep(TICK_MS)
    }
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  return Promise.all(answers)
}

it.each([1000, ...atNight(20, 200)])(
  'refuses nothing while the database stands still for 5 s and %i messages a second come',
  async (perSecond) => {
    const answers = await sendInStall(perSecond)
    const refused = answers
      .filter(({ status }) => status !== 201)
      .map(({ status, text }) => `${status} ${text}`)
    expect(refused).toEqual([])
    expect(new Set(answers.map(({ body }) => Object(body).id)).size).toBe((perSecond * STALL_MS) / 1000)
  },
)

it('has counted no refusal', async () => {
  const { text } = await send(server.url, { method: 'GET', target: '/metrics' })
  expect(text).toContain('parley_limit_refusals_total{limit="message_queue_ms"} 0\n')
})
