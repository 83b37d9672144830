import { setTimeout as sleep } from 'node:timers/promises'
import { type Bot, makeBots, makeTopics, type Topic } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import { Connection } from '../parts/connection.ts'
import { latencyOf } from '../parts/histogram.ts'
import { messageBody, postRequest } from '../parts/requests.ts'
import type { Polls } from '../processes/polls.ts'
import type { Scenario } from '../scenario.ts'
import { setStage } from './sending.ts'
import { untilParked, wakingFloor } from './waking.ts'

const BOTS = 100
const MESSAGES_PER_SECOND = 8
/** Polls count as parked when they have joined; this long after, they have also read and really wait. */
const SETTLE_MS = 20
const PATIENCE_MS = 5000

export const fanOut: Scenario = {
  name: 'fan-out',
  title: 'One message into a topic of 100 polling bots, all parked: until the last has it',
  floor: 'the bare server, parking the same polls and waking them from memory',
  target: { 'last answered': { p99Under: 50 } },
  async run(context) {
    const { server, backstage, floor } = await setStage(context)
    const polls = context.startProcess<Polls>('polls')
    const topics = await makeTopics(backstage, await makeBots(backstage, BOTS), { botsEach: BOTS })
    const floorPort = await floor.ask('open', wakingFloor(topics))
    const messages = Math.ceil(context.seconds * MESSAGES_PER_SECOND)
    return context.repeat(async () => {
      const bare = await measure(polls, topics, floorPort, messages, () => floor.ask('countParked', null))
      const parley = await measure(polls, topics, server.port, messages, server.parked)
      const latency = latencyOf(parley)
      return [
        {
          name: 'last answered',
          unit: 'ms at p99',
          better: 'less',
          value: latency.p99,
          floor: latencyOf(bare).p99,
          latency,
          details: { messages, bots: BOTS },
        },
      ]
    })
  },
}

/** Milliseconds from each message's creation to the last answer. */
async function measure(
  polls: Child<Polls>,
  [topic]: readonly Topic[],
  port: number,
  messages: number,
  parked: () => Promise<number>,
): Promise<number[]> {
  const [sender] = topic?.bots ?? []
  if (!topic || !sender) throw new Error('there is a topic with bots')
  const connection = new Connection(port)
  try {
    await polls.ask('park', { port, bots: topic.bots })
    const slowest: number[] = []
    for (let number = 0; number < messages; number++) {
      await untilParked(BOTS, parked)
      await sleep(SETTLE_MS)
      await sendOne(connection, topic.id, sender, number)
      const received = await polls.ask('take', { count: BOTS, limitMs: PATIENCE_MS })
      if (received.length < BOTS) throw new Error(`${received.length} of ${BOTS} polls were answered in time`)
      slowest.push(Math.max(...received.map(({ createdAt, receivedAt }) => receivedAt - createdAt)))
    }
    return slowest
  } finally {
    connection.end()
    await polls.ask('leave', null)
  }
}

async function sendOne(connection: Connection, topicId: string, sender: Bot, number: number): Promise<void> {
  const { status, body } = await connection.ask([
    postRequest('/v2/messages', sender, messageBody(topicId, number)),
  ])
  if (status !== 201) throw new Error(`not sent: ${status} ${body}`)
}
