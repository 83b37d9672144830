import { addOrganization, type Backstage, makeBots, makeTopics, type Topic } from '../parts/cast.ts'
import { BOTS_EACH, PEOPLE, TOPICS } from '../parts/crowd.ts'
import { writeHistory } from '../parts/history.ts'
import { type Nodes, startNodes } from '../parts/nodes.ts'
import { openSharedPostgres } from '../parts/postgres.ts'
import type { Floor } from '../processes/floor.ts'
import type { Load } from '../processes/load.ts'
import type { Scenario } from '../scenario.ts'
import { PAGE, pagePath, type Reads, reading, readOnce } from './read.ts'
import { keysOf, loadServer, throughput } from './sending.ts'

const NEWEST = 'newest page'
const NEWEST_THREE = 'newest page, 3 nodes'
const OWN = 'page of one reader'
const UNIT = 'requests/s'
const MESSAGES_EACH = 60
/** 2,000 topics times ten lengths make 20,000 distinct pages, so a measurement never asks for one twice. */
const OWN_TOPICS = 2000
const LENGTHS = Array.from({ length: 10 }, (_, number) => PAGE - 5 + number)

export const readShapes: Scenario = {
  name: 'read-shapes',
  title:
    'Read newest pages with rate limits on: from one and from three nodes, and pages that nobody else asks for',
  floor: 'the bare server answering a body of that size; three nodes: one node',
  target: { [NEWEST_THREE]: { ratioAtLeast: 0.8 }, [OWN]: { ratioAtLeast: 0.15 } },
  async run(context) {
    const postgres = await openSharedPostgres(context)
    const load = context.startProcess<Load>('load')
    const one = await startNodes(context, postgres, 1)
    const three = await startNodes(context, postgres, 3)
    const shared = await makeFilledTopics(one.backstage, TOPICS)
    const own = await makeFilledTopics(one.backstage, OWN_TOPICS)
    const sharedReads = newestPages(shared)
    const threeReads = newestPages(await makeFilledTopics(three.backstage, TOPICS))
    const ownReads = LENGTHS.flatMap((length) => newestPages(own, length))

    const floor = context.startProcess<Floor>('floor')
    const bots = [...shared, ...own].flatMap((topic) => topic.bots)
    const floorPort = await floor.ask('open', { keys: keysOf(bots), page: await readFirst(one, sharedReads) })
    const read = ({ servers }: Nodes, reads: Reads) => {
      const ports = servers.map(({ port }) => port)
      return loadServer(servers, load, reading(context, ports, reads))
    }
    return context.repeat(async () => {
      const bare = await load.ask('run', reading(context, [floorPort], sharedReads))
      const newest = await read(one, sharedReads)
      return [
        throughput(NEWEST, UNIT, newest, bare),
        throughput(NEWEST_THREE, UNIT, await read(three, threeReads), newest),
        throughput(OWN, UNIT, await read(one, ownReads), bare),
      ]
    })
  },
}

/** Makes the topics in a new organization. */
async function makeFilledTopics(backstage: Backstage, count: number): Promise<Topic[]> {
  const own = { ...backstage, orgId: await addOrganization(backstage.db) }
  const bots = await makeBots(own, count * BOTS_EACH)
  const topics = await makeTopics(own, bots, { botsEach: BOTS_EACH, people: PEOPLE })
  await writeHistory(own, topics, MESSAGES_EACH)
  return topics
}

const newestPages = (topics: readonly Topic[], length?: number): Reads =>
  topics.flatMap(({ id, bots: [bot] }) => (bot ? [{ path: pagePath(id, length), credentials: bot }] : []))

function readFirst({ servers: [server] }: Nodes, [read]: Reads): Promise<string> {
  if (!server || !read) throw new Error('there is a page to read')
  return readOnce(server.port, read.path, read.credentials)
}
