import { openBackstage } from '../parts/cast.ts'
import { makeCrowd } from '../parts/crowd.ts'
import { LIMITS_ON } from '../parts/nodes.ts'
import type { Load } from '../processes/load.ts'
import type { Figure, Scenario } from '../scenario.ts'
import { reading } from './read.ts'
import { loadServer, sendToParley, throughput } from './sending.ts'

const PROCESSES = [2, 4]
const ORGANIZATIONS = [1, 20]
const UNIT = 'requests/s'

export const workers: Scenario = {
  name: 'workers',
  title:
    'Send a text, and read who one is, on one server with 2 and 4 processes (WORKERS), rate limits on, 64 connections',
  floor: 'the same server with one process',
  target: Object.fromEntries(
    PROCESSES.flatMap((count) => [
      [`${count} processes, 20 organizations`, { ratioAtLeast: 1 }],
      [`${count} processes, me`, { ratioAtLeast: 1 }],
    ]),
  ),
  async run(context) {
    const load = context.startProcess<Load>('load')
    const start = async (count: number) => {
      const server = await context.startServer({ environment: { ...LIMITS_ON, WORKERS: String(count) } })
      const backstage = await openBackstage(server)
      context.onEnd(backstage.close)
      const crowds = []
      for (const organizations of ORGANIZATIONS)
        crowds.push({ organizations, crowd: await makeCrowd(backstage, [server], organizations) })
      return { count, server, crowds }
    }
    const alone = await start(1)
    const others = await Promise.all(PROCESSES.map(start))
    const measured = async ({ server, crowds }: typeof alone) => {
      const sent = []
      for (const { organizations, crowd } of crowds)
        sent.push({
          name: organizations === 1 ? 'one organization' : `${organizations} organizations`,
          outcome: await sendToParley(context, load, crowd),
        })
      const selves = (crowds[0]?.crowd.senders ?? []).map(({ credentials }) => ({
        path: '/v2/members/me',
        credentials,
      }))
      const me = await loadServer([server], load, reading(context, [server.port], selves))
      return [...sent, { name: 'me', outcome: me }]
    }
    return context.repeat(async () => {
      const figures: Figure[] = []
      for (const other of others) {
        const floor = await measured(alone)
        const own = await measured(other)
        for (const [index, { name, outcome }] of own.entries()) {
          const bare = floor[index]?.outcome
          if (bare) figures.push(throughput(`${other.count} processes, ${name}`, UNIT, outcome, bare))
        }
      }
      return figures
    })
  },
}
