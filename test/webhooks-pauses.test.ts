import { afterAll, beforeAll, expect, it } from 'vitest'
import { readWebhook } from '../server/queries/bots/deliveries.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { tally } from '../server/webhooks/tally.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  ON_LOOPBACK,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
  webhookBot,
} from './support/receiver.ts'

let server: TestParley
let dispatcher: Dispatcher
let receiver: Receiver

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookAllowedOrganizations: 'all' })
  receiver = await startReceiver()
})
afterAll(async () => {
  await dispatcher?.stop()
  await receiver.close()
  await server.close()
})

const run = (text: string) => server.parley.db.pool.query(text)

/** A topic in a new organization, with a bot that writes there. */
async function newTopic() {
  const orgId = await organization(server)
  const writer = await staticBot(server, orgId, 'Writer')
  const { id: topicId } = Object((await writer.post('/v2/topics', { name: 'News', members: [] })).body)
  return {
    orgId,
    say: async () => expect((await writer.post('/v2/messages', { topicId, text: 'Hello' })).status).toBe(201),
    async receiving(name: string): Promise<StaticTestBot> {
      const bot = await webhookBot(server, orgId, `${receiver.url}/${name}`, name)
      await server.parley.db.pool.query(
        `insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at) values ($1, $2, $3, 0, 0)`,
        [orgId, topicId, bot.id],
      )
      return bot
    },
  }
}

const pauseOf = async ({ id: botId, orgId }: StaticTestBot) =>
  (await readWebhook({ orgId, botId }, server.parley.db))?.pauseReason
const isPaused = (bot: StaticTestBot) =>
  until(
    async () => (await pauseOf(bot)) === 'gone',
    () => bot.id,
  )
const requestsTo = (name: string) => receiver.received.filter(({ path }) => path.endsWith(`/${name}`)).length

it('a webhook that cannot be paused keeps no other from being paused and served, in its organization or another', async () => {
  const [one, two] = [await newTopic(), await newTopic()]
  const broken = await one.receiving('broken')
  const sibling = await one.receiving('sibling')
  const other = await two.receiving('other')
  const first = await two.receiving('first')
  const fine = await two.receiving('fine')
  // The results of all but the first wait behind it, and are recorded together, the broken one before the others.
  const answered = ['first', 'broken', 'sibling', 'other']
  let turn = -1
  receiver.otherwise = async ({ path }) => {
    const mine = answered.findIndex((name) => path.endsWith(`/${name}`))
    await until(() => mine <= turn)
    return mine < 0 ? 200 : 410
  }
  await run(`create function refuse_pause() returns trigger language plpgsql as
    'begin if new.webhook_paused_at is not null and new.id = ''${broken.id}'' then raise exception ''it cannot be paused''; end if; return new; end'`)
  await run('create trigger refuses before update on bots for each row execute function refuse_pause()')
  const lock = await server.parley.db.pool.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table delivery_attempts in share mode')
    await Promise.all([one.say(), two.say()])
    dispatcher = startDispatcher(server)
    await receiver.has(5)
    for (const [index] of answered.entries()) {
      turn = index
      await until(() => tally.inFlight < answered.length - index)
    }
  } finally {
    await lock.query('commit')
    lock.release()
  }
  await Promise.all([first, sibling, other].map(isPaused))
  expect(await pauseOf(broken)).toBeNull()
  const results = () =>
    [...server.parley.workers].find(({ state }) => state.name === 'webhook results')?.state
  await until(() => (results()?.failures ?? 0) > 0)
  await two.say()
  await until(() => requestsTo('fine') === 2)
  expect([requestsTo('other'), await pauseOf(fine)]).toEqual([1, null])

  await run('drop trigger refuses on bots')
  server.clock.ahead = 3_600_000 // its next attempt is due
  await isPaused(broken)
})
