import { makeBots, makeTopics, sendersOf } from '../parts/cast.ts'
import { Connection } from '../parts/connection.ts'
import { BOTS_EACH, PEOPLE, TOPICS } from '../parts/crowd.ts'
import { type Credentials, getRequest } from '../parts/requests.ts'
import type { Job } from '../processes/load.ts'
import type { Context, Figure, Scenario } from '../scenario.ts'
import { keysOf, loadServer, setStage, throughput, warmUpSeconds } from './sending.ts'

const CONNECTIONS = 64
const MESSAGES_EACH = 60
export const PAGE = 50
const ME = '/v2/members/me'

export const pagePath = (topicId: string, length: number = PAGE): string =>
  `/v2/topics/${topicId}/messages?limit=${length}`

export const read: Scenario = {
  name: 'read',
  title: 'Read the newest 50 messages of a topic, and who one is oneself; 64 connections, 20 topics',
  floor: 'the bare server, which checks the same signature, answering a body of that size',
  target: { read: { ratioAtLeast: 0.4 }, me: { ratioAtLeast: 0.5 } },
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
    const selves = reads.map(({ credentials }) => ({ path: ME, credentials }))
    const me = await answerOnce(server.port, ME, first.credentials)
    const floorPort = await floor.ask('open', { keys: keysOf(bots), page, me })
    const measured = async (name: string, asked: Reads, answer: string): Promise<Figure[]> => {
      if (!context.wants(name)) return []
      const bare = await load.ask('run', reading(context, [floorPort], asked))
      const parley = await loadServer([server], load, reading(context, [server.port], asked))
      const figure = throughput(name, 'requests/s', parley, bare)
      return [{ ...figure, details: { ...figure.details, bytes: Buffer.byteLength(answer) } }]
    }
    return context.repeat(async () => [
      ...(await measured('read', reads, page)),
      ...(await measured('me', selves, me)),
    ])
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
  const page = await answerOnce(port, path, credentials)
  const { messages } = JSON.parse(page)
  if (messages?.length !== PAGE) throw new Error(`not a full page: ${page}`)
  return page
}

async function answerOnce(port: number, path: string, credentials: Credentials): Promise<string> {
  const connection = new Connection(port)
  try {
    const { status, body } = await connection.ask([getRequest(path, credentials)])
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
    return body.toString()
  } finally {
    connection.end()
  }
}
