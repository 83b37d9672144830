import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Credentials } from '../contract/people/bots.ts'
import { createTopic } from '../server/actions/topics/topics.ts'
import { sql } from '../server/db/sql.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { at, oauthBot, organization, person, staticBot } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { ON_LOOPBACK, startReceiver } from './support/receiver.ts'

let server: TestParley
let second: TestParley
let orgId: string
let admin: TestPerson

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  second = await server.secondNode()
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'admin' })
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const path = (botId: string, rest = '') => `/people/organizations/${orgId}/bots/${botId}${rest}`
const NOT_FOUND = { status: 404, body: 'Bot not found' }

describe('a new key and secret', () => {
  it('take the place of the old ones, on every node', async () => {
    const bot = await staticBot(server, orgId)
    const nodes = [bot, at(second.url, bot)]
    for (const node of nodes) expect((await node.get('/v2/members/me')).status).toBe(200)

    const answer = await admin.post(path(bot.id, '/key'))
    expect(answer.status, answer.text).toBe(200)
    const { apiKey = '', apiSecret = '', bot: after }: Credentials = Object(answer.body)
    expect(after.keyHint).toBe(apiKey.slice(0, 4))
    expect([apiKey, apiSecret]).not.toContain(bot.credentials.apiKey)
    for (const node of nodes) {
      await eventually(async () => (await node.get('/v2/members/me')).status).toBe(401)
      const me = await call(node.url, { apiKey, apiSecret }, 'GET', '/v2/members/me')
      expect(me.body).toMatchObject({ id: bot.id })
      // Halves of the old and the new pair do not work together.
      for (const mixed of [
        { apiKey, apiSecret: bot.credentials.apiSecret },
        { apiKey: bot.credentials.apiKey, apiSecret },
      ])
        expect((await call(node.url, mixed, 'GET', '/v2/members/me')).status).toBe(401)
    }
  })

  it('are for bots that have a key', async () => {
    const bot = await oauthBot(server, orgId)
    expect(refusal(await admin.post(path(bot.id, '/key')))).toEqual({
      status: 400,
      body: 'an OAuth bot has no API key',
    })
    expect((await bot.get('/v2/members/me')).status).toBe(200)
    expect(refusal(await admin.post(path(admin.profileId, '/key')))).toEqual(NOT_FOUND)
  })
})

describe('a bot that is deleted', () => {
  it('can do nothing any more, on any node, and is not found', async () => {
    const bot = await staticBot(server, orgId)
    const token = await oauthBot(server, orgId)
    const nodes = [bot, token, at(second.url, bot), at(second.url, token)]
    for (const node of nodes) expect((await node.get('/v2/members/me')).status).toBe(200)
    const parked = bot.get('/v2/updates?timeout=30')
    for (const { id } of [bot, token]) expect((await admin.delete(path(id))).status).toBe(204)

    expect((await parked).status).toBe(401)
    for (const node of nodes)
      await eventually(async () => (await node.get('/v2/members/me')).status).toBe(401)
    const form = {
      grant_type: 'client_credentials',
      client_id: token.clientId,
      client_secret: token.clientSecret,
    }
    const asked = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    expect(asked.status).toBe(401)
    expect(await asked.json()).toMatchObject({ error: 'invalid_client' })

    for (const send of [
      () => admin.get(path(bot.id)),
      () => admin.patch(path(bot.id), { active: true }),
      () => admin.post(path(bot.id, '/key')),
      () => admin.post(path(bot.id, '/secret')),
      () => admin.delete(path(bot.id)),
    ])
      expect(refusal(await send())).toEqual(NOT_FOUND)
    const { text } = await admin.get(`/people/organizations/${orgId}/bots?limit=100`)
    expect(text).not.toContain(bot.id)
  })

  it('stays in history under its name, and leaves its topics', async () => {
    const bot = await staticBot(server, orgId, 'Farewell bot')
    const other = await staticBot(server, orgId, 'Other bot')
    const ada = await person(server, orgId, 'Ada Gone', { email: 'ada.gone@example.com' })
    const wanted = { name: 'Releases', members: [other.id, ada], externalId: 'releases-1' }
    const topicId: string = Object((await bot.post('/v2/topics', wanted)).body).id
    const { id: dmId } = await server.parley.db.write(orgId, (tx) =>
      createTopic(tx, { createdBy: bot.id, members: [other.id], name: '', type: 'dm' }),
    )
    const messageId: string = Object(
      (await bot.post('/v2/messages', { topicId, text: 'It is out.' })).body,
    ).id
    await bot.post('/v2/messages', { topicId: dmId, text: 'Between us.' })
    const { nextOffset } = Object((await other.get('/v2/updates?limit=100')).body)

    expect((await admin.delete(path(bot.id))).status).toBe(204)

    expect((await other.get(`/v2/messages/${messageId}`)).body).toMatchObject({
      senderId: bot.id,
      senderName: 'Farewell bot',
      senderType: 'bot',
    })
    expect((await other.get(`/v2/topics/${topicId}`)).body).toMatchObject({
      memberIds: expect.not.arrayContaining([bot.id]),
      externalId: `${bot.id}:releases-1`,
    })
    const external = encodeURIComponent(`${bot.id}:releases-1`)
    expect((await other.get(`/v2/topics/external/${external}`)).body).toMatchObject({ id: topicId })
    expect((await other.get(`/v2/topics/${dmId}`)).body).toMatchObject({
      name: 'Farewell bot',
      memberIds: expect.arrayContaining([bot.id, other.id]),
    })
    expect((await other.get(`/v2/members/${bot.id}`)).body).toMatchObject({
      name: 'Farewell bot',
      status: 'Deleted',
    })
    expect((await other.get('/v2/members?limit=100')).text).not.toContain(bot.id)
    expect((await other.get('/v2/members?limit=100&status=Deleted')).text).toContain(bot.id)
    expect(refusal(await other.post(`/v2/topics/${topicId}/members`, { memberIds: [bot.id] }))).toEqual({
      status: 400,
      body: 'Invalid member',
    })

    const { updates } = Object((await other.get(`/v2/updates?offset=${nextOffset}`)).body)
    expect(updates).toMatchObject([
      {
        eventType: 'member.removed',
        data: { topicId, memberIds: [bot.id], memberId: bot.id, memberType: 'bot', actorId: admin.profileId },
      },
    ])
  })

  it('receives nothing more, and leaves nothing behind once its events are gone', async () => {
    const receiver = await startReceiver()
    const dispatcher = new Dispatcher(server.parley, { pollMs: 50 })
    const bot = await staticBot(server, orgId)
    const other = await staticBot(server, orgId)
    const { id: dmId } = await server.parley.db.write(orgId, (tx) =>
      createTopic(tx, { createdBy: bot.id, members: [other.id], name: '', type: 'dm' }),
    )
    receiver.script(500)
    await admin.patch(path(bot.id), { delivery: 'webhook', webhookUrl: receiver.url })
    await other.post('/v2/messages', { topicId: dmId, text: 'One' })
    await receiver.has(1)
    const rows = async () => {
      const [row] = await server.parley.db.query<{
        audience: number
        deliveries: number
        attempts: number
      }>(sql`
        select (select count(*) from events where org_id = ${orgId} and ${bot.id} = any(bot_ids)) as audience,
          (select count(*) from deliveries where org_id = ${orgId} and bot_id = ${bot.id}) as deliveries,
          (select count(*) from delivery_attempts where org_id = ${orgId} and bot_id = ${bot.id}) as attempts`)
      return row
    }
    await eventually(rows).toEqual({ audience: 1, deliveries: 1, attempts: 1 })

    expect((await admin.delete(path(bot.id))).status).toBe(204)
    // The retry would be due by now, before the other bot's delivery.
    server.clock.ahead += 3_600_000
    await admin.patch(path(other.id), { delivery: 'webhook', webhookUrl: `${receiver.url}/other` })
    await other.post(
      '/v2/messages',
      { topicId: dmId, text: 'Two' },
      { timestamp: String(server.parley.clock()) },
    )
    const both = () => receiver.received.filter(({ path }) => path === '/events/other').length
    await eventually(async () => both()).toBeGreaterThanOrEqual(2)
    await dispatcher.stop()
    expect(receiver.received.length).toBe(1 + both())
    expect(await rows()).toEqual({ audience: 1, deliveries: 1, attempts: 1 })

    await removeOldEvents(server.parley.db, server.parley.clock(), 0)
    expect(await rows()).toEqual({ audience: 0, deliveries: 0, attempts: 0 })
    await receiver.close()
  })

  it('is recorded once in the audit log', async () => {
    const bot = await staticBot(server, orgId, 'Named bot')
    await admin.delete(path(bot.id))
    const { entries } = Object(
      (await admin.get(`/people/organizations/${orgId}/audit?targetId=${encodeURIComponent(bot.id)}`)).body,
    )
    expect(entries).toMatchObject([
      {
        action: 'bot.deleted',
        actor: { kind: 'person', id: admin.profileId },
        target: { type: 'bot', id: bot.id, name: 'Named bot' },
      },
    ])
  })
})
