import { setTimeout as sleep } from 'node:timers/promises'
import { createTopic } from '../../server/actions/topics/topics.ts'
import { sql } from '../../server/db/sql.ts'
import {
  type Backstage,
  type Bot,
  makeBots,
  makeOAuthBots,
  type OAuthBot,
  openBackstage,
  type Sender,
} from '../parts/cast.ts'
import { Connection } from '../parts/connection.ts'
import { makeSignedIn } from '../parts/people.ts'
import { postRequest } from '../parts/requests.ts'
import type { Bodies } from '../processes/bodies.ts'
import type { Floor } from '../processes/floor.ts'
import type { Load } from '../processes/load.ts'
import type { Streams } from '../processes/streams.ts'
import type { Context, Scenario } from '../scenario.ts'
import { keysOf } from './sending.ts'

const BOTS = 100
const BOTS_EACH = 5
const WATCHING = 5
const APPENDS_PER_SECOND = 20
/** A piece as language models produce it, a few letters long. */
const TOKEN = ' token'
/** Seconds until both servers' code is compiled; until then they need half as much time again. */
const WARM_UP_SECONDS = 6

export const streaming: Scenario = {
  name: 'streaming',
  title:
    '100 bots write a message each, 20 pieces a second, before the eyes of 5 people in 20 topics: as one body for each, and as requests',
  floor:
    'a bare node:http server that checks the same tokens or signatures, takes each piece and answers, and shows it to nobody',
  target: { bodies: { valueUnder: 0.3 }, rows: { valueUnder: 1.01 }, append: { p99Under: 50 } },
  run(context) {
    return context.repeat(async () => {
      const server = await context.startServer()
      const backstage = await openBackstage(server)
      const people = await makeSignedIn(backstage, WATCHING)
      const eyes = context.startProcess<Streams>('streams')
      await eyes.ask('open', {
        port: server.port,
        orgId: backstage.orgId,
        tokens: people.map(({ token }) => token),
      })
      const floor = context.startProcess<Floor>('floor')
      const figures = []
      if (context.wants('bodies')) {
        const bots = await makeOAuthBots(backstage, server.port, BOTS)
        const senders = await begin(backstage, server.port, bots, people)
        const before = await rowsIn(backstage)
        const floorPort = await floor.ask('open', { keys: [], tokenKey: backstage.secrets.tokenKey })
        const bare = await asBodies(context, floorPort, bots, senders, () => floor.ask('cpuSeconds', null))
        const loaded = await asBodies(context, server.port, bots, senders, server.cpuSeconds)
        figures.push({
          name: 'bodies',
          unit: 'of a core',
          better: 'less' as const,
          value: loaded.cpu,
          floor: bare.cpu,
          details: { piecesPerSecond: loaded.perSecond, p99OfAnswer: loaded.latency.p99 },
        })
        figures.push(rowsFigure(before, await rowsIn(backstage), loaded.seconds))
      }
      if (context.wants('requests') || context.wants('append')) {
        const bots = await makeBots(backstage, BOTS)
        const senders = await begin(backstage, server.port, bots, people)
        const floorPort = await floor.ask('open', { keys: keysOf(bots) })
        const bare = await asRequests(context, floorPort, senders, () => floor.ask('cpuSeconds', null))
        const loaded = await asRequests(context, server.port, senders, server.cpuSeconds)
        figures.push(
          {
            name: 'requests',
            unit: 'of a core',
            better: 'less' as const,
            value: loaded.cpu,
            floor: bare.cpu,
            details: { appendsPerSecond: loaded.perSecond, appendsPerSecondAtFloor: bare.perSecond },
          },
          {
            name: 'append',
            unit: 'ms at p99',
            better: 'less' as const,
            value: loaded.latency.p99,
            floor: bare.latency.p99,
            latency: loaded.latency,
          },
        )
      }
      await Promise.all([floor.end(), eyes.end()])
      await backstage.close()
      await server.stop()
      return figures
    })
  },
}

type Rows = { streaming: number; others: number; updates: number }

const rowsFigure = (before: Rows, after: Rows, seconds: number) => ({
  name: 'rows',
  unit: 'for each message',
  better: 'less' as const,
  value: (after.streaming + after.others - before.others) / BOTS,
  details: { keptEachSecond: (after.updates - before.updates) / BOTS / seconds },
})

/** The share of a core that the server uses once it is warm. */
async function shareOfCore(seconds: number, cpuSeconds: () => Promise<number>): Promise<number> {
  await sleep(WARM_UP_SECONDS * 1000)
  const [before, began] = [await cpuSeconds(), performance.now()]
  await sleep(seconds * 1000 - 200)
  return ((await cpuSeconds()) - before) / ((performance.now() - began) / 1000)
}

const secondsOf = (context: Context): number => Math.min(context.seconds, 60)

/** Sends one open body for each bot. */
async function asBodies(
  context: Context,
  port: number,
  bots: readonly OAuthBot[],
  senders: readonly { path: string }[],
  cpuSeconds: () => Promise<number>,
) {
  const seconds = secondsOf(context)
  const writing = context.startProcess<Bodies>('bodies')
  const running = writing.ask('run', {
    port,
    bodies: senders.map(({ path }, index) => ({ path, token: bots[index]?.token ?? '' })),
    piece: TOKEN,
    rate: BOTS * APPENDS_PER_SECOND,
    seconds: seconds + WARM_UP_SECONDS,
  })
  const cpu = await shareOfCore(seconds, cpuSeconds)
  const { perSecond, latency } = await running
  await writing.end()
  return { cpu, perSecond, latency, seconds: seconds + WARM_UP_SECONDS }
}

/** Sends each piece as a request, at the pace of all bots. */
async function asRequests(
  context: Context,
  port: number,
  senders: readonly Sender[],
  cpuSeconds: () => Promise<number>,
) {
  const seconds = secondsOf(context)
  const rate = BOTS * APPENDS_PER_SECOND
  const load = context.startProcess<Load>('load')
  const running = load.ask('run', {
    ports: [port],
    connections: BOTS,
    seconds,
    warmUpSeconds: WARM_UP_SECONDS,
    plan: { kind: 'send', senders, most: rate * (seconds + WARM_UP_SECONDS + 2) },
    expect: 200,
    rate,
  })
  const cpu = await shareOfCore(seconds, cpuSeconds)
  const { perSecond, latency } = await running
  await load.end()
  return { cpu, perSecond, latency }
}

/** Begins a message of each bot. Returns what the load sends to continue them. */
async function begin(
  { db, orgId }: Backstage,
  port: number,
  bots: readonly (Bot | OAuthBot)[],
  people: readonly { profileId: string }[],
) {
  const connection = new Connection(port)
  const senders = []
  for (let first = 0; first < bots.length; first += BOTS_EACH) {
    const own = bots.slice(first, first + BOTS_EACH)
    const members = [...own.slice(1).map(({ id }) => id), ...people.map(({ profileId }) => profileId)]
    const createdBy = own[0]?.id ?? ''
    const { id: topicId } = await db.write(orgId, (tx) =>
      createTopic(tx, { createdBy, name: `Topic ${first}`, members }),
    )
    for (const bot of own) {
      const body = JSON.stringify({ topicId, streaming: true })
      const answer = await connection.ask([postRequest('/v2/messages', bot, body)])
      if (answer.status !== 201) throw new Error(`not begun: ${answer.status} ${answer.body}`)
      const { id }: { id: string } = JSON.parse(answer.body.toString())
      senders.push({ topicId, credentials: bot, path: `/v2/messages/${id}/append`, text: TOKEN })
    }
  }
  connection.end()
  return senders
}

async function rowsIn({ db }: Backstage): Promise<Rows> {
  const [row] = await db.query<Rows>(sql`
    select (select count(*) from streaming_messages) as streaming,
      (select count(*) from messages) + (select count(*) from events) + (select count(*) from idempotent_answers) as others,
      (select n_tup_upd from pg_stat_user_tables where relname = 'streaming_messages') as updates`)
  return row ?? { streaming: 0, others: 0, updates: 0 }
}
