import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { openBeside } from '../support/beside.ts'
import { organization, type StaticTestBot, staticBot } from '../support/cast.ts'
import { type Credentials, call } from '../support/client.ts'
import { startTestParley } from '../support/parley.ts'
import { kill, type ServerProcess, startServerProcess, stopAll } from '../support/server-process.ts'

const WRITERS = 8
const CONNECTIONS = 4
const BOTS = 20
const TOPICS = 10
const EVENTS = 20_000
const KILLS = 5
const MOST_PAUSE_MS = 100

type Update = { updateId: string; data: { message?: { id: string; topicId: string } } }
type Updates = { updates: Update[]; nextOffset: string }

const random = (most: number) => 1 + Math.floor(Math.random() * most)

/** Every bot is in every second topic or so; each topic has at least the first bot. */
async function fillTopics(bots: StaticTestBot[]): Promise<Map<string, StaticTestBot[]>> {
  const [first] = bots
  if (!first) throw new Error('there are bots')
  const topics = new Map<string, StaticTestBot[]>()
  for (let number = 0; number < TOPICS; number++) {
    const members = [first, ...bots.slice(1).filter((_, index) => (index + number) % 2 === 0)]
    const { body } = await first.post('/v2/topics', {
      name: `Topic ${number}`,
      members: members.map(({ id }) => id),
    })
    topics.set((body as { id: string }).id, members)
  }
  return topics
}

/** Polls until `isDone` and nothing is left; returns the ids of messages in the order in which they came. */
async function receive(
  urlOf: () => string,
  credentials: Credentials,
  isDone: () => boolean,
): Promise<string[]> {
  const received: string[] = []
  let offset: string | undefined
  for (;;) {
    const done = isDone()
    const path = `/v2/updates?limit=${random(100)}&timeout=1${offset ? `&offset=${offset}` : ''}`
    const answer = await call(urlOf(), credentials, 'GET', path).catch(() => undefined)
    if (answer?.status !== 200) {
      await sleep(20)
      continue
    }
    const { updates, nextOffset } = answer.body as Updates
    for (const { data } of updates) if (data.message) received.push(data.message.id)
    offset = nextOffset
    if (done && updates.length === 0) return received
    await sleep(random(MOST_PAUSE_MS)) // a bot does something with what it got
  }
}

/** The ids are time-ordered by commit, so sorting them gives the order that every bot must have seen. */
const inOrder = (ids: Iterable<string>) => [...ids].sort()

afterEach(stopAll)

it('gives every bot exactly its events, in commit order, while many write at once', async () => {
  const server = await startTestParley({}, { max: CONNECTIONS })
  try {
    const orgId = await organization(server)
    const bots = await Promise.all(
      Array.from({ length: BOTS }, (_, number) => staticBot(server, orgId, `Bot ${number}`)),
    )
    const topics = await fillTopics(bots)
    const topicIds = [...topics.keys()]
    const sent: { id: string; topicId: string }[] = []
    let writing = true

    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let left = EVENTS / WRITERS; left > 0; ) {
        const batch = Math.min(left, random(10))
        const messages = await Promise.all(
          Array.from({ length: batch }, () => {
            const topicId = topicIds[random(TOPICS) - 1] ?? ''
            const [sender] = topics.get(topicId) ?? []
            const caller = { orgId, profileId: sender?.id ?? '' }
            return server.parley.messages.sendNow(caller, { topicId, text: `writer ${writer}` })
          }),
        )
        sent.push(...messages)
        left -= batch
      }
    })
    const readers = bots.map((bot) =>
      receive(
        () => server.url,
        bot.credentials,
        () => !writing,
      ),
    )
    await Promise.all(writers)
    writing = false
    const received = await Promise.all(readers)

    expect(sent).toHaveLength(EVENTS)
    bots.forEach((bot, index) => {
      const mine = sent.filter(({ topicId }) => topics.get(topicId)?.includes(bot)).map(({ id }) => id)
      expect(received[index]).toEqual(inOrder(mine))
    })
  } finally {
    await server.close()
  }
})

it(`loses nothing that was acknowledged while the server is killed ${KILLS} times`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-endurance-'))
  try {
    let server: ServerProcess = await startServerProcess({ DATA_DIR: dataDir })
    const { bots, topics } = await prepare(dataDir, server.url)
    const topicIds = [...topics.keys()]
    const acknowledged = new Map<string, string>()
    let writing = true
    let turn = 0

    const writers = Array.from({ length: WRITERS }, async () => {
      while (acknowledged.size < EVENTS) {
        const topicId = topicIds[turn++ % topicIds.length] ?? ''
        const [sender] = topics.get(topicId) ?? []
        const answer = await call(server.url, sender?.credentials, 'POST', '/v2/messages', {
          body: { topicId, text: 'still here' },
        }).catch(() => undefined)
        if (answer?.status === 201) acknowledged.set((answer.body as { id: string }).id, topicId)
        else await sleep(20)
      }
    })
    const readers = bots.map((bot) =>
      receive(
        () => server.url,
        bot.credentials,
        () => !writing,
      ),
    )
    for (let killed = 1; killed <= KILLS; killed++) {
      while (acknowledged.size < (EVENTS * killed) / (KILLS + 1)) await sleep(10)
      await kill(server.process)
      server = await startServerProcess({ DATA_DIR: dataDir })
    }
    await Promise.all(writers)
    writing = false
    const received = await Promise.all(readers)

    bots.forEach((bot, index) => {
      const mine = received[index] ?? []
      expect(mine).toEqual(inOrder(new Set(mine)))
      const got = new Set(mine)
      const missing = [...acknowledged].filter(
        ([id, topicId]) => topics.get(topicId)?.includes(bot) && !got.has(id),
      )
      expect(missing).toEqual([])
    })
  } finally {
    await stopAll()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function prepare(dataDir: string, url: string) {
  return openBeside(dataDir, url, async (beside, orgId) => {
    const numbers = Array.from({ length: BOTS }, (_, number) => number)
    const bots = await Promise.all(numbers.map((number) => staticBot(beside, orgId, `Bot ${number}`)))
    return { bots, topics: await fillTopics(bots) }
  })
}
