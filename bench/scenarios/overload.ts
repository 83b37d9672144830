import { makeBots, makeTopics, openBackstage, sendersOf } from '../parts/cast.ts'
import { BOTS_EACH, PEOPLE, TOPICS } from '../parts/crowd.ts'
import type { Load, Outcome } from '../processes/load.ts'
import type { Figure, Scenario } from '../scenario.ts'
import { sendTooMuch, sendToParley } from './sending.ts'

const TIMES = 3
const CONNECTIONS = 3000
const STALL_SECONDS = 3
const AFTER_STALL = `two seconds after a stall of ${STALL_SECONDS} s`

export const overload: Scenario = {
  name: 'overload',
  title: `${TIMES} times as many messages as can be written, ${CONNECTIONS} connections, QUEUE_MS as it is by default`,
  target: { served: { p99Under: 250 }, [AFTER_STALL]: { ratioAtLeast: 0.8, p99Under: 250 } },
  async run(context) {
    const server = await context.startServer({ environment: { QUEUE_MS: '1000' } })
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    const load = context.startProcess<Load>('load')
    const bots = await makeBots(backstage, TOPICS * BOTS_EACH)
    const topics = await makeTopics(backstage, bots, { botsEach: BOTS_EACH, people: PEOPLE })
    const { db, orgId } = backstage
    const senders = sendersOf(topics)
    const crowd = { servers: [server], ports: [server.port], db, orgIds: [orgId], senders }
    return context.repeat(async () => {
      const { perSecond: capacity } = await sendToParley(context, load, crowd)
      const much = { rate: capacity * TIMES, connections: CONNECTIONS }
      const served = await sendTooMuch(context, load, crowd, much)
      const figures = [figureOf('served', served, { capacity, rate: much.rate })]
      if (!context.wants(AFTER_STALL)) return figures
      const stalled = await sendTooMuch(context, load, crowd, { ...much, stallSeconds: STALL_SECONDS })
      return [...figures, { ...figureOf(AFTER_STALL, stalled), floor: served.perSecond }]
    })
  },
}

function figureOf(name: string, outcome: Outcome, more: Record<string, number> = {}): Figure {
  const { perSecond, latency, shed, count, cpu } = outcome
  const details = { ...more, shed, count, generatorCpu: cpu }
  return { name, unit: 'requests/s', better: 'more', value: perSecond, latency, details }
}
