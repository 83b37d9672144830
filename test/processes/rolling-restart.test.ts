import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, organization, type StaticTestBot, staticBot } from '../support/cast.ts'
import { call, sign } from '../support/client.ts'
import { HAPROXY, type Haproxy, startHaproxy } from '../support/haproxy.ts'
import { Nodes } from '../support/nodes.ts'
import { countOf } from '../support/thorough.ts'

const NODES = 3
const WRITERS = 8
const READERS = 4
const POLLERS = 20
/** The proxy checks four times a second, and acts on the first failure. */
const DRAIN_MS = '3000'
/** Minimum number of requests; docs/operations.md has the figures of 100,000. */
const REQUESTS = Number(process.env.ROLLING_REQUESTS ?? countOf(1050, 2100))
/** Requests before the first node stops, and after each stop or start. */
const AROUND = REQUESTS / (1 + 2 * NODES)

if (HAPROXY === undefined) console.log('skipped: a rolling restart needs haproxy (apt install haproxy)')

describe.skipIf(HAPROXY === undefined)('three nodes behind haproxy that are restarted one by one', () => {
  let nodes: Nodes
  let haproxy: Haproxy | undefined
  let url: string
  let bot: StaticTestBot
  let topicId: string
  const agent = new Agent({ keepAlive: true })

  beforeAll(async () => {
    nodes = await Nodes.start(NODES, { DRAIN_MS, TRUST_PROXY: 'true' })
    bot = await nodes.prepare(async (beside) => staticBot(beside, await organization(beside)))
    const topic = await call(nodes.url(0), bot.credentials, 'POST', '/v2/topics', {
      body: { name: 'Under way', members: [] },
    })
    topicId = String(Object(topic.body).id)
    haproxy = await startHaproxy(Array.from({ length: NODES }, (_, number) => nodes.url(number)))
    url = haproxy?.url ?? ''
  })

  afterAll(async () => {
    agent.destroy()
    await haproxy?.close()
    await nodes?.close()
  })

  /** On a kept-alive connection, as a bot's library has it; nothing is tried again. Gives the status and, of a refusal, the words. */
  const ask = (method: string, path: string, body?: string): Promise<string> => {
    const timestamp = String(Date.now())
    const { apiKey, apiSecret } = bot.credentials
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'x-timestamp': timestamp,
        'x-signature': sign(apiSecret, timestamp, body ?? path),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      }
      const outgoing = request(url + path, { method, agent, headers }, (response) => {
        let words = ''
        response.on('data', (chunk: Buffer) => {
          if (response.statusCode === undefined || response.statusCode >= 400) words += chunk
        })
        response
          .once('error', reject)
          .once('end', () => resolve(`${response.statusCode}${words && ` ${words}`}`))
      })
      outgoing.once('error', reject).end(body)
    })
  }

  it('fail no request, and lose no message', async () => {
    let isOver = false
    let asked = 0
    const failed: Record<string, number> = {}
    const sent: string[] = []
    const repeat = async (expected: string, once: () => Promise<string>) => {
      while (!isOver) {
        asked += 1
        const answer = await once().catch((error: Error) => error.message)
        if (answer !== expected) failed[answer] = (failed[answer] ?? 0) + 1
      }
    }
    const work = [
      ...Array.from({ length: WRITERS }, (_, writer) => {
        let count = 0
        return repeat('201', async () => {
          count += 1
          const text = `${writer}:${count}`
          const status = await ask('POST', '/v2/messages', JSON.stringify({ topicId, text }))
          if (status === '201') sent.push(text)
          return status
        })
      }),
      ...Array.from({ length: READERS }, () => repeat('200', () => ask('GET', '/v2/members/me'))),
      ...Array.from({ length: POLLERS }, () =>
        repeat('200', () => ask('GET', '/v2/updates?offset=newest&timeout=30')),
      ),
    ]
    const more = async () => {
      const goal = asked + AROUND
      await expect.poll(() => asked).toBeGreaterThan(goal)
    }
    await more()
    for (let number = 0; number < NODES; number++) {
      expect(await nodes.stop(number)).toBe(0)
      await more() // by the others
      await nodes.begin(number)
      await more()
    }
    isOver = true
    await at(nodes.url(0), bot).post('/v2/messages', { topicId, text: 'wakes the last polls' })
    await Promise.all(work)
    console.log(
      `a rolling restart: ${asked} requests, ${Object.values(failed).reduce((sum, count) => sum + count, 0)} failed, ${sent.length} messages`,
    )
    expect(failed).toEqual({})

    const kept: string[] = []
    for (let query = 'limit=100', hasMore = true; hasMore; ) {
      const page = Object((await at(nodes.url(1), bot).get(`/v2/topics/${topicId}/messages?${query}`)).body)
      kept.push(...page.messages.map(({ text }: { text: string }) => text))
      hasMore = page.hasMore
      query = `cursor=${page.nextCursor}`
    }
    const counted = kept.filter((text) => text !== 'wakes the last polls')
    expect([...counted].sort()).toEqual([...sent].sort())
  })
})
