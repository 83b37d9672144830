import { setTimeout as sleep } from 'node:timers/promises'
import { makeBots, openBackstage } from '../parts/cast.ts'
import { latencyOf } from '../parts/histogram.ts'
import { makeManySignedIn } from '../parts/people.ts'
import type { Streams } from '../processes/streams.ts'
import type { Scenario } from '../scenario.ts'
import { makeTopicOf, tellAll } from './streams.ts'

const STREAMS = 50_000
/** A process may have 20,000 files open on many machines, and each stream is one. */
const PROCESSES = 4
const STREAMS_EACH = 20
const SETTLE_MS = 5000

export const manyStreams: Scenario = {
  name: 'many-streams',
  title: `${STREAMS} open live streams of ${STREAMS / STREAMS_EACH} people on ${PROCESSES} processes of one server: each hears each message`,
  target: { told: { valueAtLeast: STREAMS } },
  async run(context) {
    const server = await context.startServer({
      environment: {
        WORKERS: String(PROCESSES),
        MAX_CONNECTIONS: '19000',
        MAX_CONNECTIONS_PER_ADDRESS: '19000',
      },
    })
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    const [bot] = await makeBots(backstage, 1)
    if (!bot) throw new Error('there is a bot')
    const people = await makeManySignedIn(backstage, STREAMS / STREAMS_EACH)
    const topicId = await makeTopicOf(backstage, bot, people)
    const listeners = Array.from({ length: PROCESSES }, () => context.startProcess<Streams>('streams'))
    const { port } = server
    return context.repeat(async () => {
      const before = await server.memoryOfAll()
      const began = performance.now()
      // Each process holds as many streams as every other, of all people.
      const tokens = people.flatMap(({ token }) => Array<string>(STREAMS_EACH / PROCESSES).fill(token))
      await Promise.all(
        listeners.map((listener, index) =>
          listener.ask('open', { port, orgId: backstage.orgId, tokens, from: `127.0.0.${index + 2}` }),
        ),
      )
      const openedMs = performance.now() - began
      await sleep(SETTLE_MS)
      const after = await server.memoryOfAll()
      const times = await tellAll(context, listeners, { port, topicId, bot })
      await Promise.all(listeners.map((listener) => listener.ask('close', null)))
      await sleep(SETTLE_MS)
      return [
        {
          name: 'told',
          unit: 'streams, of each message',
          better: 'more',
          value: STREAMS, // one that is not told, or that ends, fails the scenario
          latency: latencyOf(times),
          details: {
            messages: times.length,
            openedSeconds: openedMs / 1000,
            memoryMB: after / 2 ** 20,
            kbAStream: (after - before) / 1024 / STREAMS,
          },
        },
      ]
    })
  },
}
