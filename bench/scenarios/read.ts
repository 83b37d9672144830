import { makeBots, makeTopics, sendersOf } from '../parts/cast.ts'
import { Connection } from '../parts/connection.ts'
import { BOTS_EACH, PEOPLE, TOPICS } from '../parts/crowd.ts'
import { type Credentials, getRequest } from '../parts/requests.ts'
import type { Job } from '../processes/load.ts'
import type { Context, Scenario } from '../scenario.ts'
import { keysOf, loadServer, setStage, throughput, warmUpSeconds } from './sending.ts'

const CONNECTIONS = 64
const MESSAGES_EACH = 60
export const PAGE = 50

export const pagePath = (topicId: string, length: number = PAGE): string =>
  `/v2/topics/${topicId}/messages?limit=${length}`

export const read: Scenario = {
  name: 'read',
  title: 'Read the newest 50 messages of a topic, 64 connections, 20 topics',
  floor: 'the bare server, which checks the same signature, answering a body of that size',
  target: { read: { ratioAtLeast: 0.4 } },
  async run(context) {
    const { server, backstage, load, floor } = await setStage(context)
    const bots = await makeBots(backstage, TOPICS * BOTS_EACH)
    const topics = await makeTopics(backstage, bots, { botsEach: BOTS_EACH, people: PEOPLE })
    const plan = { kind: 'send', senders: sendersOf(topics), most: TOPICS * MESSAGES_EACH } as const
    await load.ask('run', {
      ports: [server.port],
      connections: 8,
      seconds: 60,
      warmUpSeconds: 0,
      plan,
      expect: 201,
    })

    const reads = sendersOf(topics).map(({ topicId, credentials }) => ({
      path: pagePath(topicId),
      credentials,
    }))
    const [first] = reads
    if (!first) throw new Error('there are topics')
    const page = await readOnce(server.port, first.path, first.credentials)
    const floorPort = await floor.ask('open', { keys: keysOf(bots), page })
    return context.repeat(async () => {
      const bare = await load.ask('run', reading(context, [floorPort], reads))
      const parley = await loadServer([server], load, reading(context, [server.port], reads))
      const figure = throughput('read', 'requests/s', parley, bare)
      return [{ ...figure, details: { ...figure.details, bytes: Buffer.byteLength(page) } }]
    })
  },
}

export type Reads = { path: string; credentials: Credentials }[]

export function reading(
  context: Context,
  ports: readonly number[],
  reads: Reads,
  connections: number = CONNECTIONS,
): Job {
  const warmUp = warmUpSeconds(context)
  const plan = { kind: 'get', reads } as const
  return { ports, connections, seconds: context.seconds, warmUpSeconds: warmUp, plan, expect: 200 }
}

export async function readOnce(port: number, path: string, credentials: Credentials): Promise<string> {
  const connection = new Connection(port)
  try {
    const { status, body } = await connection.ask([getRequest(path, credentials)])
    const { messages } = JSON.parse(body.toString())
    if (status !== 200 || messages?.length !== PAGE) throw new Error(`not a full page: ${status} ${body}`)
    return body.toString()
  } finally {
    connection.end()
  }
}
