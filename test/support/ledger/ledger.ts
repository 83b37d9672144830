import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../../../fuzz/random.ts'
import type { RestartableCluster } from '../cluster.ts'
import { Nodes } from '../nodes.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import type { Replication } from '../replicated-postgres.ts'
import { administer, LOOP_SETTINGS, loopAndRelease, openTopics } from './administrator.ts'
import { type Company, makeCompanies } from './cast.ts'
import { type Calm, FAULTS, LEISURELY, NODE_IS_AWAY, NODES, type Pace, type PlannedFault } from './faults.ts'
import { Follower, type Listener, Poller, WebhookListener } from './listeners.ts'
import { judge, type Listed, longestGap, readTopic, type Verdict } from './verdict.ts'
import { Book, write } from './writers.ts'

const COMPANIES = 3
/** The writers of all companies but the first, which is busy, pause for so many times longer. */
const QUIET_FACTOR = 2
/** Deliveries that a killed node had begun wait until its lease ends, some 20 s. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 200

export type FaultReport = PlannedFault & {
  /** The longest time without an acknowledgement in an organization, by the nodes that were well, until all were. */
  gapMs: number
}

export type LedgerReport = { verdict: Verdict; faults: FaultReport[]; resets: number; renamed: number }

/**
 * Three nodes on one database, each with writers, pollers, streams and webhook receivers, while administrators change
 * who may write where and faults follow each other. Each answer is compared with what was right at that time;
 * acknowledged messages are then compared with the lists and with what all listeners got.
 */
export async function keepLedger({
  faults,
  calm,
  pace = LEISURELY,
  seed = 0,
  nodeCount = NODES,
  workers = 1,
  isBehindProxy = false,
  replication,
  hasSmallDisk = false,
  former,
  cluster,
  onFault = () => {},
}: {
  faults: Iterable<PlannedFault>
  calm: Calm
  pace?: Pace
  /** Equal seeds draw equal messages and changes. */
  seed?: number
  nodeCount?: number
  /** How many processes answer requests of each node. */
  workers?: number
  /** Whether haproxy is one more way to the nodes, where it is installed. */
  isBehindProxy?: boolean
  /** Whether the database has a standby, and how it follows. */
  replication?: Replication | undefined
  hasSmallDisk?: boolean
  /** The folder of the version that the nodes start with. */
  former?: string | undefined
  /** The database is spread over it; faults of the database are those of a worker. */
  cluster?: RestartableCluster | undefined
  onFault?: (report: FaultReport) => void
}): Promise<LedgerReport> {
  const receiver = await startReceiver()
  const nodes = await Nodes.start(
    nodeCount,
    { ...LOOP_SETTINGS, WORKERS: String(workers) },
    {
      hasLines: true,
      isBehindProxy,
      replication,
      hasSmallDisk,
      former,
      cluster,
    },
  )
  const book = new Book()
  const audience = new Audience()
  try {
    const companies = await makeCompanies(nodes, receiver, COMPANIES)
    await audience.gather(nodes, receiver, companies)
    const writing = startWriters(book, nodes, companies, pace, seed)
    const reports: FaultReport[] = []
    await untilCalm(book, calm)
    for (const { fault, node } of faults) {
      const from = Date.now()
      await FAULTS[fault](nodes, node, pace)
      const to = Date.now()
      await untilCalm(book, calm)
      const except = NODE_IS_AWAY.includes(fault) ? { except: node } : {}
      const gaps = companies.map(({ orgId }) => longestGap(book.acknowledged, { orgId, from, to, ...except }))
      const report = { fault, node, gapMs: Math.max(...gaps) }
      reports.push(report)
      onFault(report)
    }
    book.isWriting = false
    await Promise.all(writing)

    const lists = await readSettledLists(nodes, companies)
    const topicsOf = (orgId: string) => companies.find((company) => company.orgId === orgId)?.topicIds ?? []
    await audience.untilAllHeard(lists, topicsOf)
    const verdict = judge(book, lists, audience.listeners, topicsOf)
    const report = { verdict, faults: reports, ...audience.report() }
    print(report, book)
    return report
  } finally {
    book.isWriting = false
    await audience.stop()
    await nodes.close()
    await receiver.close()
  }
}

function startWriters(
  book: Book,
  nodes: Nodes,
  companies: readonly Company[],
  { pauseMs }: Pace,
  seed: number,
): Promise<void>[] {
  let drawers = 0
  const newRandom = () => new Random(seed, drawers++)
  return companies.flatMap((company, number) => {
    const writers = [true, false].flatMap((keyed) =>
      nodes.entrances.map((_, home) => {
        const name = `${keyed ? 'keyed' : 'plain'} writer ${home} of company ${number}`
        const pace = { random: newRandom(), pauseMs: number === 0 ? pauseMs : pauseMs * QUIET_FACTOR }
        return write(book, { name, company, nodes, home, keyed }, pace)
      }),
    )
    const administration = { book, nodes, company }
    const administrators = [administer, openTopics, loopAndRelease].map(async (work) => {
      const random = newRandom()
      // Another version's faults under changes do not count here.
      while (book.isWriting && nodes.hasFormer) await sleep(LOOK_EVERY_MS)
      await work(administration, random)
    })
    return [...writers, ...administrators]
  })
}

async function untilCalm(book: Book, { ms, messages }: Calm): Promise<void> {
  const wanted = book.acknowledged.length + messages
  await sleep(ms)
  await until(() => book.acknowledged.length >= wanted)
}

/** All listeners. */
class Audience {
  #pollers: Poller[] = []
  #followers: Follower[] = []
  #webhooks: WebhookListener[] = []

  /** Streams begin at the end of the log: nothing may be written before all of them have. */
  async gather(nodes: Nodes, receiver: Receiver, companies: readonly Company[]): Promise<void> {
    const homes = Array.from({ length: nodes.count }, (_, node) => node)
    this.#pollers = companies.flatMap((company) => homes.map((home) => new Poller(nodes, company, home)))
    this.#followers = companies.flatMap((company) => homes.map((home) => new Follower(nodes, company, home)))
    this.#webhooks = companies.flatMap((company, number) =>
      company.receivers.map((_, bot) => new WebhookListener(receiver, company, `${number}-${bot}`)),
    )
    await until(() => this.#followers.every(({ resets }) => resets === 1))
  }

  get listeners(): Listener[] {
    return [...this.#pollers, ...this.#followers, ...this.#webhooks]
  }

  async untilAllHeard(
    lists: ReadonlyMap<string, readonly Listed[]>,
    topicsOf: (orgId: string) => readonly string[],
  ): Promise<void> {
    const heardAll = () =>
      this.listeners.every((listener) => {
        const heard = new Set(listener.heard().map(({ id }) => id))
        return topicsOf(listener.orgId).every((topicId) =>
          lists.get(topicId)?.every(({ id }) => heard.has(id)),
        )
      })
    // Webhooks catch up at their pace: the wait goes on while they make progress.
    const heard = () => this.listeners.reduce((sum, listener) => sum + listener.heard().length, 0)
    for (let before = -1; !heardAll() && heard() > before; ) {
      before = heard()
      await until(heardAll)
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pollers, ...this.#followers].map((listener) => listener.stop()))
  }

  /** Counts streams that had to start over, and deliveries that came under another id. */
  report(): { resets: number; renamed: number } {
    return {
      resets: this.#followers.reduce((sum, { resets }) => sum + resets - 1, 0),
      renamed: this.#webhooks.reduce((sum, { renamed }) => sum + renamed, 0),
    }
  }
}

/** A request that was cut off may still be written a moment later: read until two looks see the same. */
async function readSettledLists(nodes: Nodes, companies: readonly Company[]): Promise<Map<string, Listed[]>> {
  let before = -1
  for (;;) {
    const lists = new Map<string, Listed[]>()
    for (const company of companies) {
      for (const topicId of company.topicIds) {
        lists.set(topicId, await readTopic(nodes.url(0), company, topicId))
      }
    }
    const count = [...lists.values()].flat().length
    if (count === before) return lists
    before = count
    await sleep(LOOK_EVERY_MS)
  }
}

/** Gives up silently; the verdict then names who misses what. */
async function until(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!isTrue() && Date.now() < deadline) await sleep(LOOK_EVERY_MS)
}

function print({ verdict, faults, resets, renamed }: LedgerReport, book: Book): void {
  const failures = [...book.failures].map(([reason, count]) => `${count} × ${reason.split('\n')[0]}`)
  console.log(
    [
      `ledger: ${verdict.amounts.acknowledged} acknowledged, ${book.acknowledged.filter(({ keyed }) => keyed).length} of them keyed`,
      `failed requests: ${failures.join(', ') || 'none'}`,
      ...faults.map(
        ({ fault, gapMs }) => `${fault}: ${(gapMs / 1000).toFixed(1)} s without an acknowledgement`,
      ),
      ...Object.entries({ ...verdict, resets, renamed }).map(
        ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
      ),
    ].join('\n  '),
  )
}
