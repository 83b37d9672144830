import { setTimeout as sleep } from 'node:timers/promises'
import { createTopic } from '../../server/actions/topics/topics.ts'
import { sql } from '../../server/db/sql.ts'
import { type Backstage, type Bot, makeBots, openBackstage } from '../parts/cast.ts'
import { wallClock } from '../parts/clock.ts'
import { Connection } from '../parts/connection.ts'
import { latencyOf } from '../parts/histogram.ts'
import { makeSignedIn } from '../parts/people.ts'
import { messageBody, postRequest } from '../parts/requests.ts'
import type { Streams } from '../processes/streams.ts'
import type { Context, Scenario } from '../scenario.ts'

const STREAMS = 5000
/** An account may have 20 open streams. */
const STREAMS_EACH = 20
const PEOPLE = STREAMS / STREAMS_EACH
const SETTLE_MS = 3000
/** Pause after the last stream has received a message. */
const PAUSE_MS = 200
const PATIENCE_MS = 30_000
const LEAST_MESSAGES = 5

type Listener = {
  ask(name: 'take', argument: { id: string; limitMs: number }): Promise<{ lastAt: number }>
}
export type Sending = { port: number; topicId: string; bot: Bot }

export const streams: Scenario = {
  name: 'streams',
  title: 'One message into a topic whose 250 people have 5,000 live streams open: until the last is told',
  target: {
    'last told': { p99Under: 150 },
    'log reads': { valueUnder: 1.1 },
    memory: { valueUnder: 11 },
  },
  run(context) {
    return context.repeat(async () => {
      // Each run has its own server, because memory of an earlier run is not given back.
      const server = await context.startServer()
      const backstage = await openBackstage(server)
      const [bot] = await makeBots(backstage, 1)
      if (!bot) throw new Error('there is a bot')
      const people = await makeSignedIn(backstage, PEOPLE)
      const topicId = await makeTopicOf(backstage, bot, people)
      const process = context.startProcess<Streams>('streams')

      await sleep(SETTLE_MS)
      const before = await server.memory()
      const tokens = Array.from({ length: STREAMS_EACH }, () => people.map(({ token }) => token)).flat()
      await process.ask('open', { port: server.port, orgId: backstage.orgId, tokens })
      await sleep(SETTLE_MS)
      const after = await server.memory()

      const sending = { port: server.port, topicId, bot }
      const idle = await statementsDuring(backstage, () => sleep(SETTLE_MS, []))
      const busy = await statementsDuring(backstage, () => tellAll(context, [process], sending))
      const latency = latencyOf(busy.result)
      const messages = busy.result.length
      // A server with open streams also asks for lost wake-ups and ended sessions: those statements are not for an event.
      const forEvents = (name: keyof Statements) =>
        busy.statements[name] - (idle.statements[name] / idle.ms) * busy.ms
      await process.end()
      await backstage.close()
      await server.stop()
      return [
        {
          name: 'last told',
          unit: 'ms at p99',
          better: 'less',
          value: latency.p99,
          latency,
          details: { messages, streams: STREAMS },
        },
        {
          name: 'log reads',
          unit: 'for each event',
          better: 'less',
          value: forEvents('logReads') / messages,
          details: { statements: forEvents('all') / messages },
        },
        {
          name: 'memory',
          unit: 'KB a stream',
          better: 'less',
          value: (after.now - before.now) / 1024 / STREAMS,
          details: { beforeMB: before.now / 2 ** 20, afterMB: after.now / 2 ** 20 },
        },
      ]
    })
  },
}

export async function makeTopicOf(
  { db, orgId }: Backstage,
  bot: Bot,
  people: readonly { profileId: string }[],
): Promise<string> {
  const members = people.map(({ profileId }) => profileId)
  const { id } = await db.write(orgId, (tx) =>
    createTopic(tx, { createdBy: bot.id, name: 'Everybody', members }),
  )
  return id
}

/** Sends messages one by one. Returns the milliseconds from each acknowledgement until the last stream received it. */
export async function tellAll(
  context: Context,
  listeners: readonly Listener[],
  { port, topicId, bot }: Sending,
): Promise<number[]> {
  const connection = new Connection(port)
  try {
    const times: number[] = []
    const until = performance.now() + context.seconds * 1000
    while (times.length < LEAST_MESSAGES || performance.now() < until) {
      const request = postRequest('/v2/messages', bot, messageBody(topicId, times.length))
      const { status, body } = await connection.ask([request])
      const acknowledgedAt = wallClock()
      if (status !== 201) throw new Error(`not sent: ${status} ${body}`)
      const { id }: { id: string } = JSON.parse(body.toString())
      const told = await Promise.all(
        listeners.map((listener) => listener.ask('take', { id, limitMs: PATIENCE_MS })),
      )
      times.push(Math.max(...told.map(({ lastAt }) => lastAt)) - acknowledgedAt)
      await sleep(PAUSE_MS)
    }
    return times
  } finally {
    connection.end()
  }
}

type Statements = { all: number; logReads: number }

/**
 * Statements that the database has been asked so far, and those among them that read the event log. Notifications and search follow the
 * log in pages of their own, whether streams are open or not: theirs name the ids of messages, and are left out.
 */
async function countStatements({ db }: Backstage): Promise<Statements> {
  await db.query(sql`create extension if not exists pg_stat_statements`)
  const [row] = await db.query<Statements>(sql`
    select coalesce(sum(calls), 0)::bigint as all,
      coalesce(sum(calls) filter (
        where query ~* '\\m(from|join)\\s+events\\M' and query !~* 'insert into events' and query !~* 'message_?ids'
      ), 0)::bigint as "logReads"
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`)
  return row ?? { all: 0, logReads: 0 }
}

async function statementsDuring<Result>(backstage: Backstage, work: () => Promise<Result>) {
  const before = await countStatements(backstage)
  const began = performance.now()
  const result = await work()
  const ms = performance.now() - began
  const after = await countStatements(backstage)
  const statements = { all: after.all - before.all, logReads: after.logReads - before.logReads }
  return { result, ms, statements }
}
