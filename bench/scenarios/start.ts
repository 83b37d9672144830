import { makeBots, makeTopics, openBackstage } from '../parts/cast.ts'
import { latencyOf } from '../parts/histogram.ts'
import type { Scenario } from '../scenario.ts'

const STARTS = 5

export const start: Scenario = {
  name: 'start',
  title: 'From the start of the process to the first answered request, built, on existing data',
  target: { started: { valueUnder: 1000 } },
  async run(context) {
    const first = await context.startServer()
    const backstage = await openBackstage(first)
    await makeTopics(backstage, await makeBots(backstage, 40), { botsEach: 2, people: 5 })
    await backstage.close()
    await first.stop()
    return context.repeat(async () => {
      const times: number[] = []
      for (let number = 0; number < STARTS; number++) {
        const began = performance.now()
        const server = await context.startServer({ dataDir: first.dataDir })
        times.push(performance.now() - began)
        await server.stop()
      }
      const latency = latencyOf(times)
      return [{ name: 'started', unit: 'ms', better: 'less', value: latency.p50, latency }]
    })
  },
}
