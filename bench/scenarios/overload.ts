import { makeBots, makeTopics, openBackstage, sendersOf } from '../parts/cast.ts'
import { BOTS_EACH, PEOPLE, TOPICS } from '../parts/crowd.ts'
import type { Load } from '../processes/load.ts'
import type { Scenario } from '../scenario.ts'
import { sendTooMuch, sendToParley } from './sending.ts'

const TIMES = 3
const CONNECTIONS = 3000

export const overload: Scenario = {
  name: 'overload',
  title: `${TIMES} times as many messages as can be written, ${CONNECTIONS} connections, QUEUE_MS as it is by default`,
  target: { served: { p99Under: 250 } },
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
      const rate = capacity * TIMES
      const { perSecond, latency, shed, count, cpu } = await sendTooMuch(context, load, crowd, {
        rate,
        connections: CONNECTIONS,
      })
      const details = { capacity, rate, shed, count, generatorCpu: cpu }
      return [{ name: 'served', unit: 'requests/s', better: 'more', value: perSecond, latency, details }]
    })
  },
}
