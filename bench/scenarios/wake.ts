import { makeBots, makeTopics, type Topic } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import { type Latency, latencyOf } from '../parts/histogram.ts'
import type { Load, Outcome } from '../processes/load.ts'
import type { Polls, Received } from '../processes/polls.ts'
import type { Context, Scenario } from '../scenario.ts'
import { setStage } from './sending.ts'
import { untilParked, wakingFloor } from './waking.ts'

const PARKED = 1000
const BOTS_EACH = 2
const RATE = 200
const CONNECTIONS = 32
const PATIENCE_MS = 5000

type Waking = { context: Context; load: Child<Load>; polls: Child<Polls>; topics: readonly Topic[] }

export const wake: Scenario = {
  name: 'wake',
  title: 'Commit to answered long poll: 1,000 parked, 200 messages a second, each for two of them',
  floor: 'the bare server, parking the same polls and waking them from memory',
  target: { 'acknowledged to answered': { p99Under: 20 } },
  async run(context) {
    const { server, backstage, load, floor } = await setStage(context)
    const polls = context.startProcess<Polls>('polls')
    const topics = await makeTopics(backstage, await makeBots(backstage, PARKED), { botsEach: BOTS_EACH })
    const floorPort = await floor.ask('open', wakingFloor(topics))
    const waking = { context, load, polls, topics }
    return context.repeat(async () => {
      const bare = await measure(waking, floorPort, () => floor.ask('countParked', null))
      const parley = await measure(waking, server.port, server.parked)
      return [
        {
          name: 'acknowledged to answered',
          unit: 'ms at p99',
          better: 'less',
          value: parley.fromAcknowledged.p99,
          floor: bare.fromAcknowledged.p99,
          latency: parley.fromAcknowledged,
          details: { answers: parley.answers, sendP99: parley.sendP99 },
        },
        {
          name: 'woken',
          unit: 'ms at p99',
          better: 'less',
          value: parley.fromCreated.p99,
          floor: bare.fromCreated.p99,
          latency: parley.fromCreated,
        },
      ]
    })
  },
}

async function measure(
  { context, load, polls, topics }: Waking,
  port: number,
  parked: () => Promise<number>,
) {
  await polls.ask('park', { port, bots: topics.flatMap(({ bots }) => bots) })
  await untilParked(PARKED, parked)
  // Each topic has one sender, whose own poll gets the message too.
  const senders = topics.flatMap(({ id, bots: [first] }) =>
    first ? [{ topicId: id, credentials: first }] : [],
  )
  const most = RATE * context.seconds
  const sent = await load.ask('run', {
    ports: [port],
    connections: CONNECTIONS,
    seconds: context.seconds,
    warmUpSeconds: 0,
    plan: { kind: 'send', senders, most },
    expect: 201,
    rate: RATE,
  })
  const expected = sent.ids.length * BOTS_EACH
  const received = await polls.ask('take', { count: expected, limitMs: PATIENCE_MS })
  await polls.ask('leave', null)
  if (received.length < expected)
    throw new Error(`${received.length} of ${expected} polls were answered in time`)
  return { ...timesOf(received, sent), answers: received.length, sendP99: sent.latency.p99 }
}

/**
 * Bounds of the time from commit to receipt. `createdAt` lies before the commit, inside the transaction, so the first
 * is an upper bound. The sender's answer comes just after the commit, so the second is a lower bound.
 */
function timesOf(
  received: readonly Received[],
  { ids, answeredAt }: Outcome,
): { fromCreated: Latency; fromAcknowledged: Latency } {
  const acknowledged = new Map(ids.map((id, index) => [id, answeredAt[index] ?? 0]))
  return {
    fromCreated: latencyOf(received.map(({ createdAt, receivedAt }) => receivedAt - createdAt)),
    fromAcknowledged: latencyOf(
      received.map(({ id, receivedAt }) => receivedAt - (acknowledged.get(id) ?? 0)),
    ),
  }
}
