import type { Child } from '../parts/child.ts'
import { makeCrowd } from '../parts/crowd.ts'
import { startNodesOf } from '../parts/nodes.ts'
import { openSharedPostgres } from '../parts/postgres.ts'
import type { Load } from '../processes/load.ts'
import type { Context, Figure, Scenario } from '../scenario.ts'
import { type Loaded, sendToParley, throughput } from './sending.ts'

/** Organizations that send, over so many connections to so many nodes; one node of plain PostgreSQL is compared with as many. */
const SHAPES = [
  { organizations: 20, connections: 16, nodes: 1 },
  { organizations: 20, connections: 64, nodes: 1 },
  { organizations: 1, connections: 64, nodes: 1 },
  { organizations: 20, connections: 64, nodes: 2 },
] as const
type Shape = (typeof SHAPES)[number]

const nameOf = ({ organizations, connections, nodes }: Shape): string =>
  `${organizations === 1 ? 'one organization' : `${organizations} organizations`}, ${connections} connections${nodes > 1 ? `, ${nodes} nodes` : ''}`

/** A database that was spread over its machines; the organizations of this benchmark stay in it. */
const CLUSTER = process.env.BENCH_CLUSTER_URL

export const sendCluster: Scenario = {
  name: 'send-cluster',
  title: 'Send on a cluster (BENCH_CLUSTER_URL, a database that is spread), a text message for each request',
  floor: 'the same on one PostgreSQL (BENCH_DATABASE_URL, or one of its own), in turns',
  target: {
    ...Object.fromEntries(SHAPES.map((shape) => [nameOf(shape), { ratioAtLeast: 0.5 }])),
    [nameOf(SHAPES[2])]: { ratioAtLeast: 0.7 },
  },
  async run(context) {
    if (!CLUSTER) {
      context.say('skipped: BENCH_CLUSTER_URL names no cluster (docs/scaling.md)')
      return []
    }
    const plainUrl = await (await openSharedPostgres(context)).createDatabase()
    const load = context.startProcess<Load>('load')
    return context.repeat(async () => {
      const figures: Figure[] = []
      for (const shape of SHAPES.filter((one) => context.wants(nameOf(one)))) {
        const floor = await measure(context, load, plainUrl, shape)
        figures.push(
          throughput(nameOf(shape), 'requests/s', await measure(context, load, CLUSTER, shape), floor),
        )
      }
      return figures
    })
  },
}

async function measure(context: Context, load: Child<Load>, url: string, shape: Shape): Promise<Loaded> {
  const { servers, backstage } = await startNodesOf(context, url, shape.nodes)
  const crowd = await makeCrowd(backstage, servers, shape.organizations)
  const loaded = await sendToParley(context, load, crowd, { connections: shape.connections })
  for (const server of servers) await server.stop()
  return loaded
}
