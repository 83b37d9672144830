import { sql } from '../../server/db/sql.ts'
import { indexEverything } from '../../server/search/indexer.ts'
import { type Backstage, openBackstage, type Sender } from '../parts/cast.ts'
import { makeChat } from '../parts/chat.ts'
import { Connection } from '../parts/connection.ts'
import { latencyOf } from '../parts/histogram.ts'
import { getRequest } from '../parts/requests.ts'
import type { Server } from '../parts/server.ts'
import { WORDS, wordNumber, writeWordyHistory } from '../parts/wordy-history.ts'
import type { Load, Outcome } from '../processes/load.ts'
import type { Context, Figure, Scenario } from '../scenario.ts'
import { sendToParley, throughput } from './sending.ts'

const SMALL = 1000
const LARGE = 1_000_000
const LARGE_QUICK = 100_000
const TOPICS = 50
/** Number of searches. The searcher is in every other topic. */
const SEARCHES = 300

type Cost = { rows: number; buffers: number; p95: number; milliseconds: number[] }
type Grown = {
  search(): Promise<Cost>
  /** Sends while messages are indexed, and while they are not. */
  send(): Promise<Record<'indexed' | 'plain', Outcome>>
}

export const search: Scenario = {
  name: 'search',
  title:
    'Searching 1,000,000 messages of one organization as a person in half of its topics: words often and seldom said, two of them, beginnings, phrases, filters, alternatives, exclusions, misspellings',
  floor: 'the same searches among 1,000 messages; sends that nobody prepares for search',
  target: { p95: { valueUnder: 100 }, sent: { ratioAtLeast: 0.9 } },
  async run(context) {
    const few = await grow(context, SMALL)
    context.say('filling the large organization …')
    const many = await grow(context, context.quick ? LARGE_QUICK : LARGE)
    return context.repeat(async () => {
      const [small, large] = [await few.search(), await many.search()]
      const { indexed, plain } = await many.send()
      const figure = (name: 'rows' | 'buffers' | 'p95', unit: string): Figure => ({
        name,
        unit,
        better: 'less',
        value: large[name],
        floor: small[name],
        ...(name === 'p95' && { latency: latencyOf(large.milliseconds) }),
      })
      return [
        figure('p95', 'ms at p95'),
        figure('rows', 'a search'),
        figure('buffers', 'a search'),
        throughput('sent', 'requests/s', indexed, plain),
      ]
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
    `${word} -${other} `,
    `${word} -${word} `,
    `${word} OR ${other} `,
    `-${word} in:"Topic ${2 * Math.floor(share * 25)}"`,
    `${word} -from:"Bot ${2 * Math.floor(share * 25)}"`,
    `${word} from:"Bot 2" OR has:link `,
    `${word} is:thread`,
    `has:pin -${word} `,
    `${word} has:reaction during:2026-03`,
    `${other}${other}x `,
    `${misspelled(other)} ${word} `,
  ]
  return kinds[number % kinds.length] ?? word
}

/** Swaps two letters of a word. */
const misspelled = (word: string): string =>
  word.length < 5
    ? `${word}${word}q`
    : `${word.slice(0, 2)}${word.charAt(3)}${word.charAt(2)}${word.slice(4)}`

/** A server with this many messages, all indexed. */
async function grow(context: Context, messages: number): Promise<Grown> {
  const server = await context.startServer({ environment: { PERSON_RATE_LIMIT_PER_MINUTE: '0' } })
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  const { people, topics } = await makeChat(backstage, { people: 1, topics: TOPICS, messagesEach: 0 })
  const [person] = people
  if (!person) throw new Error('there is a person')
  await writeWordyHistory(backstage, topics, messages)
  await leaveOdd(backstage, person.profileId, topics)
  await prepareAll(context, backstage)
  const senders = topics.flatMap(({ id, bots }) => bots.map((credentials) => ({ topicId: id, credentials })))
  return {
    search: () => searchAll(server, backstage, person.token),
    send: () => sendWithAndWithout(context, server, backstage, senders),
  }
}

/** Indexes every message without the pauses of the server's worker, which may hold the organization for a step. */
async function prepareAll(context: Context, { db, orgId }: Backstage): Promise<void> {
  await db.query(sql`truncate search_documents, search_ranges, search_progress`)
  const began = performance.now()
  for (let isDone = false; !isDone; ) {
    await indexEverything(db)
    const [position] = await db.query<{ done: boolean }>(
      sql`select older_than is null as done from search_progress where org_id = ${orgId}`,
    )
    isDone = position?.done ?? false
  }
  const [count] = await db.query<{ documents: number }>(
    sql`select count(*) as documents from search_documents`,
  )
  const seconds = (performance.now() - began) / 1000
  context.say(
    `prepared in ${seconds.toFixed(1)} s, ${Math.round((count?.documents ?? 0) / seconds)} messages a second`,
  )
  await db.query(sql`vacuum analyze search_documents`)
  await db.query(sql`create extension if not exists pg_stat_statements`)
}

/** Searches, and returns the cost of one search. */
async function searchAll(server: Server, backstage: Backstage, session: string): Promise<Cost> {
  const path = `/people/organizations/${backstage.orgId}/chat/search`
  const connection = new Connection(server.port)
  const ask = async (number: number) => {
    const target = `${path}?limit=20&q=${encodeURIComponent(queryOf(number))}`
    const { status, body } = await connection.ask([getRequest(target, { session })])
    if (status !== 200) throw new Error(`${target}: ${status} ${body}`)
  }
  for (let number = 0; number < 20; number++) await ask(number)
  const before = await touched(backstage)
  const milliseconds: number[] = []
  for (let number = 0; number < SEARCHES; number++) {
    const start = performance.now()
    await ask(number)
    milliseconds.push(performance.now() - start)
  }
  const after = await touched(backstage)
  connection.end()
  const sorted = [...milliseconds].sort((one, other) => one - other)
  if (process.env.BENCH_SEARCH_SLOWEST) showSlowest(milliseconds)
  return {
    p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
    rows: (after.rows - before.rows) / SEARCHES,
    buffers: (after.buffers - before.buffers) / SEARCHES,
    milliseconds,
  }
}

/**
 * The plain run locks the search position, so that the worker skips the organization. It indexes those messages
 * afterwards.
 */
async function sendWithAndWithout(
  context: Context,
  server: Server,
  { db, orgId }: Backstage,
  senders: readonly Sender[],
): Promise<Record<'indexed' | 'plain', Outcome>> {
  const load = context.startProcess<Load>('load')
  const crowd = { servers: [server], ports: [server.port], db, orgIds: [orgId], senders }
  await sendToParley(context, load, crowd) // compiles what both have in common
  const plain = await db.transaction(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
    await tx.query(sql`select 1 from search_progress where org_id = ${orgId} for update`)
    return sendToParley(context, load, crowd)
  })
  return { plain, indexed: await sendToParley(context, load, crowd) }
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

/** Cost of the statements of a search, without the worker's own. */
async function touched({ db }: Backstage): Promise<{ rows: number; buffers: number }> {
  const [row] = await db.query<{ rows: number; buffers: number }>(sql`
    select coalesce(sum(rows), 0)::bigint as rows, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint as buffers
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query ~* '\\m(messages|topics|topic_members|profiles|search_documents|search_ranges)\\M'
      and query !~* 'pg_stat_statements|^\\s*(insert|vacuum|analyze|create|with begun)'`)
  return row ?? { rows: 0, buffers: 0 }
}
