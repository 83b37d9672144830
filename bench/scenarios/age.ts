import { makeBots, makeTopics, openBackstage, type Sender, sendersOf } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import { writeHistory } from '../parts/history.ts'
import type { Job, Load } from '../processes/load.ts'
import type { Context, Scenario } from '../scenario.ts'
import { pagePath, reading, readOnce } from './read.ts'
import { throughput, warmUpSeconds } from './sending.ts'

const SMALL = 100
const LARGE = 1_000_000
const LARGE_QUICK = 100_000
const CONNECTIONS = 16
const MOST_PER_SECOND = 10_000
/** The large topic may take at most 1.2 times as long as the small one. */
const RATIO = 1 / 1.2

type Aged = { port: number; senders: Sender[] }

export const age: Scenario = {
  name: 'age',
  title: 'A topic of 1,000,000 messages: sending into it, and reading its newest page',
  floor: 'the same on a server whose only topic has 100 messages',
  target: { 'sent into it': { ratioAtLeast: RATIO }, 'newest page': { ratioAtLeast: RATIO } },
  async run(context) {
    const load = context.startProcess<Load>('load')
    const small = await grow(context, SMALL)
    context.say(`filling the large topic …`)
    const large = await grow(context, context.quick ? LARGE_QUICK : LARGE)
    return context.repeat(async () => {
      const pageOfSmall = await readPages(context, load, small)
      const pageOfLarge = await readPages(context, load, large)
      const sentToSmall = await load.ask('run', sending(context, small))
      const sentToLarge = await load.ask('run', sending(context, large))
      return [
        throughput('newest page', 'requests/s', pageOfLarge, pageOfSmall),
        throughput('sent into it', 'requests/s', sentToLarge, sentToSmall),
      ]
    })
  },
}

/** A server with one topic of this many messages of the last year. */
async function grow(context: Context, messages: number): Promise<Aged> {
  const server = await context.startServer()
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  const topics = await makeTopics(backstage, await makeBots(backstage, 2), { botsEach: 2, people: 5 })
  await writeHistory(backstage, topics, messages)
  return { port: server.port, senders: sendersOf(topics) }
}

async function readPages(context: Context, load: Child<Load>, { port, senders }: Aged) {
  const reads = senders.map(({ topicId, credentials }) => ({ path: pagePath(topicId), credentials }))
  for (const { path, credentials } of reads) await readOnce(port, path, credentials)
  return load.ask('run', reading(context, [port], reads, CONNECTIONS))
}

function sending(context: Context, { port, senders }: Aged): Job {
  const warmUp = warmUpSeconds(context)
  const most = Math.ceil((context.seconds + warmUp) * MOST_PER_SECOND)
  const plan = { kind: 'send', senders, most } as const
  return {
    ports: [port],
    connections: CONNECTIONS,
    seconds: context.seconds,
    warmUpSeconds: warmUp,
    plan,
    expect: 201,
  }
}
