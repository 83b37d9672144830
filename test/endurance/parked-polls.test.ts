import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { openBeside } from '../support/beside.ts'
import { type StaticTestBot, staticBot } from '../support/cast.ts'
import { call, sign } from '../support/client.ts'
import { startServerProcess, stopAll } from '../support/server-process.ts'

const POLLS = 10_000
const BOTS = 100
const TIMEOUT_SECONDS = 30
/** Connections opened at the same time. */
const CROWD = 200
const MOST_BYTES_EACH = 20 * 1024

afterEach(stopAll)

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

async function parked(url: string): Promise<number> {
  const { text } = await call(url, undefined, 'GET', '/metrics')
  return Number(/^parley_parked_polls (\d+)/m.exec(text)?.[1])
}

/** One poll on a bare socket, so that ten thousand of them cost this side little. */
type Poll = { bot: StaticTestBot; socket: Socket; answer(): string }

function park(url: URL, bot: StaticTestBot, offset: string): Poll {
  const path = `/v2/updates?timeout=${TIMEOUT_SECONDS}&offset=${offset}`
  const timestamp = String(Date.now())
  const { apiKey, apiSecret } = bot.credentials
  const socket = connect(Number(url.port), url.hostname)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  socket.on('error', () => {})
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${apiKey}\r\nX-Timestamp: ${timestamp}\r\nX-Signature: ${sign(apiSecret, timestamp, path)}\r\n\r\n`,
  )
  return { bot, socket, answer: () => answer }
}

it('parks ten thousand polls at little cost, and wakes exactly the right ones', async (test) => {
  if (process.platform !== 'linux') test.skip('memory is read from /proc')
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-parked-'))
  const polls: Poll[] = []
  try {
    const server = await startServerProcess({ DATA_DIR: dataDir })
    const url = new URL(server.url)
    const bots = await openBeside(dataDir, server.url, async (beside, orgId) => {
      const made: StaticTestBot[] = []
      for (let number = 0; number < BOTS; number++) made.push(await staticBot(beside, orgId, `Bot ${number}`))
      return made
    })
    const offsets = new Map<string, string>()
    for (const bot of bots) {
      const { body } = await bot.get('/v2/updates')
      offsets.set(bot.id, (body as { nextOffset: string }).nextOffset)
    }
    const before = await residentBytes(server.process.pid ?? 0)
    for (let count = 0; count < POLLS; count += CROWD) {
      for (let more = 0; more < CROWD; more++) {
        const bot = bots[(count + more) % BOTS]
        if (bot) polls.push(park(url, bot, offsets.get(bot.id) ?? ''))
      }
      while ((await parked(server.url)) < count + CROWD) await sleep(5)
    }
    const after = await residentBytes(server.process.pid ?? 0)
    const each = (after - before) / POLLS
    console.log(`${POLLS} parked polls: ${Math.round(each)} bytes of memory each`)
    expect(each).toBeLessThan(MOST_BYTES_EACH)

    const [first, second] = bots
    if (!first || !second) throw new Error('there are bots')
    expect((await first.get('/v2/members/me')).status).toBe(200)
    const topic = await first.post('/v2/topics', { name: 'Wake up', members: [] })
    const topicId = (topic.body as { id: string }).id
    await first.post('/v2/messages', { topicId, text: 'good morning' })
    const mine = polls.filter(({ bot }) => bot === first)
    while (mine.some(({ answer }) => !answer().includes('good morning'))) await sleep(5)
    expect(polls.filter(({ answer }) => answer() !== '')).toHaveLength(mine.length)
    expect(await parked(server.url)).toBe(POLLS - mine.length)

    for (const { socket } of polls) socket.destroy()
    while ((await parked(server.url)) > 0) await sleep(5)
  } finally {
    for (const { socket } of polls) socket.destroy()
    await stopAll()
    await rm(dataDir, { recursive: true, force: true })
  }
})
