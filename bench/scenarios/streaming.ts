import { setTimeout as sleep } from 'node:timers/promises'
import { createTopic } from '../../server/actions/topics.ts'
import { sql } from '../../server/db/sql.ts'
import { type Backstage, type Bot, makeBots, openBackstage, type Sender } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import { Connection } from '../parts/connection.ts'
import { makeSignedIn } from '../parts/people.ts'
import { postRequest } from '../parts/requests.ts'
import type { Floor } from '../processes/floor.ts'
import type { Load } from '../processes/load.ts'
import type { Streams } from '../processes/streams.ts'
import type { Context, Scenario } from '../scenario.ts'
import { keysOf } from './sending.ts'

const BOTS = 100
const BOTS_EACH = 5
const WATCHING = 5
const APPENDS_PER_SECOND = 20
/** Pieces as a language model gives them, a few letters at a time. */
const TOKEN = ' token'
/** Until the code of both servers is compiled: in the first seconds they take half as much again. */
const WARM_UP_SECONDS = 6

export const streaming: Scenario = {
  name: 'streaming',
  title: '100 bots write a message each, with 20 appends a second, before the eyes of 5 people in 20 topics',
  floor:
    'a bare node:http server that checks the same signatures and answers each append, and shows it to nobody',
  target: { core: { valueUnder: 0.3 }, rows: { valueUnder: 1.01 }, append: { p99Under: 50 } },
  run(context) {
    return context.repeat(async () => {
      const server = await context.startServer()
      const backstage = await openBackstage(server)
      const bots = await makeBots(backstage, BOTS)
      const people = await makeSignedIn(backstage, WATCHING)
      const eyes = context.startProcess<Streams>('streams')
      const senders = await begin(backstage, server.port, bots, people)
      await eyes.ask('open', {
        port: server.port,
        orgId: backstage.orgId,
        tokens: people.map(({ token }) => token),
      })
      const before = await rowsIn(backstage)
      const load = context.startProcess<Load>('load')
      const floor = context.startProcess<Floor>('floor')
      const floorPort = await floor.ask('open', { keys: keysOf(bots) })
      const bare = await underLoad(context, load, floorPort, senders, () => floor.ask('cpuSeconds', null))
      const loaded = await underLoad(context, load, server.port, senders, server.cpuSeconds)
      const after = await rowsIn(backstage)
      await Promise.all([load.end(), floor.end(), eyes.end()])
      await backstage.close()
      await server.stop()
      return [
        {
          name: 'core',
          unit: 'of a core',
          better: 'less',
          value: loaded.cpu,
          floor: bare.cpu,
          details: { appendsPerSecond: loaded.perSecond, appendsPerSecondAtFloor: bare.perSecond },
        },
        {
          name: 'rows',
          unit: 'for each message',
          better: 'less',
          value: (after.streaming + after.others - before.others) / BOTS,
          details: { keptEachSecond: (after.updates - before.updates) / BOTS / loaded.seconds },
        },
        {
          name: 'append',
          unit: 'ms at p99',
          better: 'less',
          value: loaded.latency.p99,
          floor: bare.latency.p99,
          latency: loaded.latency,
        },
      ]
    })
  },
}

/** Appends at the pace of all bots; the share of a core that whoever answers took for that, once it is warm. */
async function underLoad(
  context: Context,
  load: Child<Load>,
  port: number,
  senders: readonly Sender[],
  cpuSeconds: () => Promise<number>,
) {
  const seconds = Math.min(context.seconds, 60)
  const rate = BOTS * APPENDS_PER_SECOND
  const running = load.ask('run', {
    ports: [port],
    connections: BOTS,
    seconds,
    warmUpSeconds: WARM_UP_SECONDS,
    plan: { kind: 'send', senders, most: rate * (seconds + WARM_UP_SECONDS + 2) },
    expect: 200,
    rate,
  })
  await sleep(WARM_UP_SECONDS * 1000)
  const [before, began] = [await cpuSeconds(), performance.now()]
  await sleep(seconds * 1000 - 200)
  const cpu = ((await cpuSeconds()) - before) / ((performance.now() - began) / 1000)
  const { perSecond, latency } = await running
  return { cpu, perSecond, latency, seconds: seconds + WARM_UP_SECONDS }
}

/** A message of each bot, begun; what the load sends to go on with them. */
async function begin(
  { db, orgId }: Backstage,
  port: number,
  bots: readonly Bot[],
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

async function rowsIn({ db }: Backstage): Promise<{ streaming: number; others: number; updates: number }> {
  const [row] = await db.query<{ streaming: number; others: number; updates: number }>(sql`
    select (select count(*) from streaming_messages) as streaming,
      (select count(*) from messages) + (select count(*) from events) + (select count(*) from idempotent_answers) as others,
      (select n_tup_upd from pg_stat_user_tables where relname = 'streaming_messages') as updates`)
  return row ?? { streaming: 0, others: 0, updates: 0 }
}
