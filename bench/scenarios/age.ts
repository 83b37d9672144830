import { sql } from '../../server/db/sql.ts'
import { type Backstage, makeBots, makeTopics, openBackstage, type Sender, sendersOf } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import type { Job, Load } from '../processes/load.ts'
import type { Context, Scenario } from '../scenario.ts'
import { pagePath, reading, readOnce } from './read.ts'
import { throughput, warmUpSeconds } from './sending.ts'

const SMALL = 100
const LARGE = 1_000_000
const LARGE_QUICK = 100_000
const BATCH = 100_000
const YEAR_MS = 365 * 24 * 3600 * 1000
const CONNECTIONS = 16
const MOST_PER_SECOND = 10_000
/** A time of the large one is at most 1.2 times that of the small one. */
const RATIO = 1 / 1.2

type Aged = { port: number; senders: Sender[] }

export const age: Scenario = {
  name: 'age',
  title: 'A topic of 1,000,000 messages: sending into it, and reading its newest page',
  floor: 'the same on a server whose only topic has 100 messages',
  target: { 'sent into it': { ratioAtLeast: RATIO }, 'newest page': { ratioAtLeast: RATIO } },
  async run(context) {
    const load = context.startProcess<Load>('load')
    const small = await grow(context, SMALL)
    context.say(`filling the large topic …`)
    const large = await grow(context, context.quick ? LARGE_QUICK : LARGE)
    return context.repeat(async () => {
      const pageOfSmall = await readPages(context, load, small)
      const pageOfLarge = await readPages(context, load, large)
      const sentToSmall = await load.ask('run', sending(context, small))
      const sentToLarge = await load.ask('run', sending(context, large))
      return [
        throughput('newest page', 'requests/s', pageOfLarge, pageOfSmall),
        throughput('sent into it', 'requests/s', sentToLarge, sentToSmall),
      ]
    })
  },
}

/** A server with one topic that has so many messages, of the last year. */
async function grow(context: Context, messages: number): Promise<Aged> {
  const server = await context.startServer()
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  const topics = await makeTopics(backstage, await makeBots(backstage, 2), { botsEach: 2, people: 5 })
  const senders = sendersOf(topics)
  for (let first = 0; first < messages; first += BATCH) {
    await fill(backstage, senders, first, Math.min(first + BATCH, messages), messages)
  }
  await backstage.db.query(sql`vacuum analyze messages`)
  await backstage.db.query(sql`checkpoint`)
  return { port: server.port, senders }
}

/** Ids as `uuidFromTick` makes them: sixty bits of time and order around the version, the rest by chance. */
async function fill(
  { db, orgId }: Backstage,
  senders: readonly Sender[],
  first: number,
  end: number,
  all: number,
): Promise<void> {
  const begin = Date.now() - YEAR_MS
  const step = Math.floor((YEAR_MS - 3_600_000) / all)
  const topicId = senders[0]?.topicId
  await db.query(sql`
    insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
    select ${orgId}, concat(substr(head, 1, 8), '-', substr(head, 9, 4), '-7', substr(head, 13, 3), '-8',
        substr(tail, 1, 3), '-', substr(tail, 4, 12))::uuid,
      ${topicId}, sender.id, 'text', 'Message ' || number || ': the build of the main branch went through.', at, at
    from (
      select number, ${begin}::bigint + number * ${step}::bigint as at from generate_series(${first}::bigint, ${end - 1}::bigint) as number
    ) as numbered
    cross join lateral (
      select lpad(to_hex(at * 4096), 15, '0') as head, md5(random()::text || number) as tail
    ) as made
    cross join (
      select min(profile_id) as id from topic_members
      where org_id = ${orgId} and topic_id = ${topicId} and profile_id like 'b@%'
    ) as sender`)
}

async function readPages(context: Context, load: Child<Load>, { port, senders }: Aged) {
  const reads = senders.map(({ topicId, credentials }) => ({ path: pagePath(topicId), credentials }))
  for (const { path, credentials } of reads) await readOnce(port, path, credentials)
  return load.ask('run', reading(context, port, reads, CONNECTIONS))
}

function sending(context: Context, { port, senders }: Aged): Job {
  const warmUp = warmUpSeconds(context)
  const most = Math.ceil((context.seconds + warmUp) * MOST_PER_SECOND)
  const plan = { kind: 'send', senders, most } as const
  return {
    port,
    connections: CONNECTIONS,
    seconds: context.seconds,
    warmUpSeconds: warmUp,
    plan,
    expect: 201,
  }
}
