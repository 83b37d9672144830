import { sql } from '../../server/db/sql.ts'
import { indexEverything } from '../../server/search/indexer.ts'
import { type Backstage, openBackstage } from '../parts/cast.ts'
import { makeChat } from '../parts/chat.ts'
import { Connection } from '../parts/connection.ts'
import { latencyOf } from '../parts/histogram.ts'
import { getRequest } from '../parts/requests.ts'
import { WORDS, wordNumber, writeWordyHistory } from '../parts/wordy-history.ts'
import type { Context, Figure, Scenario } from '../scenario.ts'

const SMALL = 1000
const LARGE = 1_000_000
const LARGE_QUICK = 100_000
const TOPICS = 50
/** The seeker is in every other topic. */
const SEARCHES = 300

type Cost = { rows: number; buffers: number; p95: number; milliseconds: number[] }

export const search: Scenario = {
  name: 'search',
  title:
    'Searching 1,000,000 messages of one organization as a person in half of its topics: words often and seldom said, two of them, beginnings, phrases, filters',
  floor: 'the same searches among 1,000 messages',
  target: { p95: { valueUnder: 100 } },
  async run(context) {
    const searchSmall = await grow(context, SMALL)
    context.say('filling the large organization …')
    const searchLarge = await grow(context, context.quick ? LARGE_QUICK : LARGE)
    return context.repeat(async () => {
      const [small, large] = [await searchSmall(), await searchLarge()]
      const figure = (name: 'rows' | 'buffers' | 'p95', unit: string): Figure => ({
        name,
        unit,
        better: 'less',
        value: large[name],
        floor: small[name],
        ...(name === 'p95' && { latency: latencyOf(large.milliseconds) }),
      })
      return [figure('p95', 'ms at p95'), figure('rows', 'a search'), figure('buffers', 'a search')]
    })
  },
}

/** One of each kind in turn; which words they ask for goes from the most frequent to the rarest. */
function queryOf(number: number): string {
  const share = (number * 0.618_034) % 1
  const word = WORDS[wordNumber(share)] ?? ''
  const other = WORDS[wordNumber((share * 7) % 1)] ?? ''
  const kinds = [
    `${word} `,
    `${WORDS[Math.floor(share * WORDS.length)]} `,
    `${word} ${other} `,
    `${word} ${other.slice(0, 4)}`,
    word.slice(0, 3),
    `"${word} ${other}"`,
    `${word} in:"Topic ${2 * Math.floor(share * 25)}"`,
    `${word} from:"Bot ${2 * Math.floor(share * 25)}"`,
    `${word} before:2026-06-01`,
    `unsaid ${word} `,
  ]
  return kinds[number % kinds.length] ?? word
}

/** A server with so many messages, all of them prepared; gives a function that searches, and tells what one search cost. */
async function grow(context: Context, messages: number): Promise<() => Promise<Cost>> {
  const server = await context.startServer({ environment: { PERSON_RATE_LIMIT_PER_MINUTE: '0' } })
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  const { people, topics } = await makeChat(backstage, { people: 1, topics: TOPICS, messagesEach: 0 })
  const [person] = people
  if (!person) throw new Error('there is a person')
  await writeWordyHistory(backstage, topics, messages)
  await leaveOdd(backstage, person.profileId, topics)
  const { db } = backstage
  await db.query(sql`truncate search_entries, search_segments, search_positions`)
  const began = performance.now()
  await indexEverything(db)
  context.say(`prepared in ${Math.round(performance.now() - began)} ms`)
  await db.query(sql`vacuum analyze search_entries`)
  await db.query(sql`create extension if not exists pg_stat_statements`)
  const path = `/people/organizations/${backstage.orgId}/chat/search`
  const connection = new Connection(server.port)
  context.onEnd(async () => connection.end())
  const ask = async (number: number) => {
    const target = `${path}?limit=20&q=${encodeURIComponent(queryOf(number))}`
    const { status, body } = await connection.ask([getRequest(target, { session: person.token })])
    if (status !== 200) throw new Error(`${target}: ${status} ${body}`)
  }
  for (let number = 0; number < 20; number++) await ask(number)
  return async () => {
    const before = await touched(backstage)
    const milliseconds: number[] = []
    for (let number = 0; number < SEARCHES; number++) {
      const start = performance.now()
      await ask(number)
      milliseconds.push(performance.now() - start)
    }
    const after = await touched(backstage)
    const sorted = [...milliseconds].sort((one, other) => one - other)
    if (process.env.BENCH_SEARCH_SLOWEST) showSlowest(milliseconds)
    return {
      p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
      rows: (after.rows - before.rows) / SEARCHES,
      buffers: (after.buffers - before.buffers) / SEARCHES,
      milliseconds,
    }
  }
}

function showSlowest(milliseconds: readonly number[]): void {
  const slowest = milliseconds.map((time, number) => ({ time, q: queryOf(number) }))
  slowest.sort((one, other) => other.time - one.time)
  for (const { time, q } of slowest.slice(0, 25)) console.error(`${time.toFixed(1)} ms  ${q}`)
}

async function leaveOdd(
  { db, orgId }: Backstage,
  profileId: string,
  topics: readonly { id: string }[],
): Promise<void> {
  const odd = topics.filter((_, index) => index % 2 === 1).map(({ id }) => id)
  await db.query(sql`
    delete from topic_members where org_id = ${orgId} and profile_id = ${profileId} and topic_id = any(${odd}::uuid[])`)
}

/** By the statements of a search; the worker's own, which looks for news, is not among them. */
async function touched({ db }: Backstage): Promise<{ rows: number; buffers: number }> {
  const [row] = await db.query<{ rows: number; buffers: number }>(sql`
    select coalesce(sum(rows), 0)::bigint as rows, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint as buffers
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query ~* '\\m(messages|topics|topic_members|profiles|search_entries|search_segments)\\M'
      and query !~* 'pg_stat_statements|^\\s*(insert|vacuum|analyze|create|with begun)'`)
  return row ?? { rows: 0, buffers: 0 }
}
