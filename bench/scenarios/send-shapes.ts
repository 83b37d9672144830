import { openBackstage } from '../parts/cast.ts'
import { type Crowd, makeCrowd } from '../parts/crowd.ts'
import { LIMITS_ON, type Nodes, startNodes } from '../parts/nodes.ts'
import { openSharedPostgres, type SharedPostgres } from '../parts/postgres.ts'
import type { Floor } from '../processes/floor.ts'
import type { Load } from '../processes/load.ts'
import type { Context, Figure, Scenario, Target } from '../scenario.ts'
import { keysOf, sendToFloor, sendToParley, throughput } from './sending.ts'

type Shape = { figure: string; nodes: number; organizations: number; keyed?: boolean; target: Target }

const ONE = 'one organization'
const ONE_DURABLE = 'one organization, durable floor'
const ONE_EMBEDDED = 'one organization, embedded'
const UNIT = 'requests/s'

/** The shape that the others are compared with. */
const BASE: Shape = { figure: ONE, nodes: 1, organizations: 1, target: { ratioAtLeast: 0.5 } }

/** Ordered by the number of nodes. */
const SHAPES: readonly Shape[] = [
  { figure: 'keyed', nodes: 1, organizations: 1, keyed: true, target: { ratioAtLeast: 0.85 } },
  { figure: '20 organizations', nodes: 1, organizations: 20, target: { ratioAtLeast: 0.8, p99Under: 60 } },
  { figure: '200 organizations', nodes: 1, organizations: 200, target: { ratioAtLeast: 0.7, p99Under: 60 } },
  { figure: '2 nodes', nodes: 2, organizations: 1, target: { ratioAtLeast: 0.8, p99Under: 80 } },
  {
    figure: '2 nodes, 20 organizations',
    nodes: 2,
    organizations: 20,
    target: { ratioAtLeast: 0.8, p99Under: 80 },
  },
  { figure: '3 nodes', nodes: 3, organizations: 1, target: { ratioAtLeast: 0.8, p99Under: 80 } },
  {
    figure: '3 nodes, 20 organizations',
    nodes: 3,
    organizations: 20,
    target: { ratioAtLeast: 0.8, p99Under: 80 },
  },
  { figure: '3 nodes, 20 organizations, keyed', nodes: 3, organizations: 20, keyed: true, target: {} },
]

export const sendShapes: Scenario = {
  name: 'send-shapes',
  title:
    'Send a text with rate limits on: keyed, in many organizations, to several nodes; 64 connections in all',
  floor: 'one organization on one node; that one: the bare server, without and with a durable grouped insert',
  target: {
    [ONE_DURABLE]: { ratioAtLeast: 0.65 },
    [ONE_EMBEDDED]: { ratioAtLeast: 0.5 },
    ...Object.fromEntries([BASE, ...SHAPES].map(({ figure, target }) => [figure, target])),
  },
  async run(context) {
    const shapes = SHAPES.filter(({ figure }) => context.wants(figure))
    const postgres = await openSharedPostgres(context)
    const crowdOf = await prepareCrowds(context, postgres, [BASE, ...shapes])
    const load = context.startProcess<Load>('load')
    const send = (shape: Shape) => sendToParley(context, load, crowdOf(shape), shape)
    const floors = context.wants(ONE) ? await openFloors(context, postgres, crowdOf(BASE)) : undefined

    // Everything is held against the base, so it must not be the one that runs while its code is still being compiled.
    await send(BASE)
    return context.repeat(async () => {
      const figures: Figure[] = []
      let base = await send(BASE)
      if (floors) {
        const { senders } = crowdOf(BASE)
        const bare = await sendToFloor(context, load, floors.bare, senders)
        const durable = await sendToFloor(context, load, floors.durable, senders)
        const embedded = await sendToParley(context, load, floors.embedded)
        figures.push(
          throughput(ONE, UNIT, base, bare),
          throughput(ONE_DURABLE, UNIT, base, durable),
          throughput(ONE_EMBEDDED, UNIT, embedded, bare),
        )
      }
      let { nodes } = BASE
      for (const shape of shapes) {
        // A shared machine changes within a minute, so each number of nodes gets its own measurement of the base.
        if (shape.nodes !== nodes) base = await send(BASE)
        nodes = shape.nodes
        figures.push(throughput(shape.figure, UNIT, await send(shape), base))
      }
      return figures
    })
  },
}

/** Each number of nodes has a database of its own, so that one node is really alone on its database. */
async function prepareCrowds(
  context: Context,
  postgres: SharedPostgres,
  shapes: readonly Shape[],
): Promise<(shape: Shape) => Crowd> {
  const nodes = new Map<number, Nodes>()
  const crowds = new Map<string, Crowd>()
  const nameOf = (shape: Shape) => `${shape.organizations} organizations on ${shape.nodes} nodes`
  for (const shape of shapes) {
    const { servers, backstage } =
      nodes.get(shape.nodes) ?? (await startNodes(context, postgres, shape.nodes))
    nodes.set(shape.nodes, { servers, backstage })
    if (crowds.has(nameOf(shape))) continue
    crowds.set(nameOf(shape), await makeCrowd(backstage, servers, shape.organizations))
  }
  return (shape) => {
    const crowd = crowds.get(nameOf(shape))
    if (!crowd) throw new Error(`nobody sends from ${nameOf(shape)}`)
    return crowd
  }
}

/** The ports of the two bare servers, and a node with the embedded database. */
async function openFloors(context: Context, postgres: SharedPostgres, { bots }: Crowd) {
  const keys = keysOf(bots)
  const databaseUrl = await postgres.createDatabase()
  const server = await context.startServer({ environment: LIMITS_ON })
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  return {
    bare: await context.startProcess<Floor>('floor').ask('open', { keys }),
    durable: await context.startProcess<Floor>('floor').ask('open', { keys, databaseUrl }),
    embedded: await makeCrowd(backstage, [server], 1),
  }
}
