import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeHome } from '../server/actions/organization/installation.ts'
import { sql } from '../server/db/sql.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'
import {
  ON_LOOPBACK,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
  webhookBot,
} from './support/receiver.ts'

let server: TestParley
let homeId: string
let otherId: string
let receiver: Receiver
let dispatcher: Dispatcher | undefined

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  homeId = await organization(server)
  otherId = await organization(server, 'Somebody else')
})
afterAll(() => server.close())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await dispatcher?.stop()
  dispatcher = undefined
  await receiver.close()
})

async function outcomesOf(bot: StaticTestBot, attempts: number): Promise<string[]> {
  let outcomes: string[] = []
  await until(async () => {
    const rows = await server.parley.db.query<{ outcome: string }>(sql`
      select outcome from delivery_attempts where org_id = ${bot.orgId} and bot_id = ${bot.id} order by at`)
    outcomes = rows.map(({ outcome }) => outcome)
    return outcomes.length >= attempts
  })
  return outcomes
}

/** A bot with a webhook on loopback that gets an event about being added to a topic. */
async function toldBot(orgId: string): Promise<StaticTestBot> {
  const writer = await staticBot(server, orgId, 'Writer')
  const bot = await webhookBot(server, orgId, receiver.url)
  await writer.post('/v2/topics', { name: 'News', members: [bot.id] })
  return bot
}

describe('the networks that the operator opened', () => {
  it('are reached by the home organization', async () => {
    dispatcher = startDispatcher(server)
    expect(await outcomesOf(await toldBot(homeId), 1)).toEqual(['ok'])
  })

  it('are closed to others, by address and by name, also while a connection of the home organization is open', async () => {
    dispatcher = startDispatcher(server, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    expect(await outcomesOf(await toldBot(homeId), 1)).toEqual(['ok'])
    expect(await outcomesOf(await toldBot(otherId), 1)).toEqual(['blocked'])
    const named = await webhookBot(server, otherId, `http://inside.test:${new URL(receiver.url).port}/`)
    const writer = await staticBot(server, otherId, 'Writer')
    await writer.post('/v2/topics', { name: 'News', members: [named.id] })
    expect(await outcomesOf(named, 1)).toEqual(['blocked'])
    expect(receiver.received).toHaveLength(1)
  })

  it('are reached by organizations that the operator names, and by all if so named', async () => {
    for (const webhookAllowedOrganizations of [[otherId], 'all'] as const) {
      dispatcher = startDispatcher(await server.secondNode({ ...ON_LOOPBACK, webhookAllowedOrganizations }))
      expect(await outcomesOf(await toldBot(otherId), 1)).toEqual(['ok'])
      await dispatcher.stop()
    }
  })

  it('are closed to an organization from the moment that it is home no longer', async () => {
    dispatcher = startDispatcher(server)
    const bot = await toldBot(homeId)
    expect(await outcomesOf(bot, 1)).toEqual(['ok'])
    await server.parley.db.write(otherId, (tx) => makeHome(tx))
    const writer = await staticBot(server, homeId, 'Writer')
    await writer.post('/v2/topics', { name: 'More news', members: [bot.id] })
    expect(await outcomesOf(bot, 2)).toEqual(['ok', 'blocked'])
    await server.parley.db.write(homeId, (tx) => makeHome(tx))
  })

  it.each([
    ['is taken from the home organization', () => homeId, 201],
    ['is refused from others at once', () => otherId, 400],
  ])('an address in them %s', async (_, orgIdOf, status) => {
    const orgId = orgIdOf()
    const admin = await signInAs(server, { orgId, role: 'admin' })
    const wanted = { name: 'Inside', credential: 'static', delivery: 'webhook', webhookUrl: receiver.url }
    expect(await admin.post(`/people/organizations/${orgId}/bots`, wanted)).toMatchObject({
      status,
      ...(status === 400 && { text: expect.stringContaining('WEBHOOK_ALLOWED_NETWORKS') }),
    })
  })
})
