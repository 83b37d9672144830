import { setTimeout as sleep } from 'node:timers/promises'
import { makeBots, openBackstage } from '../parts/cast.ts'
import type { Polls } from '../processes/polls.ts'
import type { Scenario } from '../scenario.ts'
import { untilParked } from './waking.ts'

const POLLS = 10_000
const BOTS = 100
const SETTLE_MS = 2000

export const parked: Scenario = {
  name: 'parked',
  title: 'Resident memory of the server for each of 10,000 parked polls',
  target: { memory: { valueUnder: 20 } },
  run(context) {
    return context.repeat(async () => {
      // Each run has its own server, because memory of an earlier run is not given back.
      const server = await context.startServer()
      const backstage = await openBackstage(server)
      const bots = await makeBots(backstage, BOTS)
      await backstage.close()
      const polls = context.startProcess<Polls>('polls')

      await sleep(SETTLE_MS)
      const before = await server.memory()
      const everybody = Array.from({ length: POLLS / BOTS }, () => bots).flat()
      await polls.ask('park', { port: server.port, bots: everybody })
      await untilParked(
        POLLS,
        async () => {
          await polls.ask('check', null)
          return server.parked()
        },
        100,
      )
      await sleep(SETTLE_MS)
      const after = await server.memory()
      await polls.end()
      await server.stop()
      return [
        {
          name: 'memory',
          unit: 'KB a poll',
          better: 'less',
          value: (after.now - before.now) / 1024 / POLLS,
          details: { beforeMB: before.now / 2 ** 20, afterMB: after.now / 2 ** 20 },
        },
      ]
    })
  },
}
