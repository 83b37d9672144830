import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { Call } from '../server/http/call.ts'
import { newUuid } from '../server/ids.ts'
import {
  at,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
  type TestBot,
} from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { setRateLimit } from './support/limits.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const HOUR = 3_600_000
const SIGNUP = '/v2/agentic/organization/create'

let server: TestParley
let orgId: string
let deploy: StaticTestBot

beforeAll(async () => {
  server = await startTestParley({ trustProxy: ['127.0.0.1'] })
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
})
afterAll(() => server.close())

const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })
const topic = (name: string) => ({ name, members: [] })
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed')

async function topicsNamed(bot: TestBot, name: string): Promise<number> {
  const rows = await server.parley.db.query(
    sql`select 1 from topics where org_id = ${bot.orgId} and name = ${name}`,
  )
  return rows.length
}

function expectReplay(first: Answer, again: Answer): void {
  expect(again.headers.get('x-error-code')).toBe(first.headers.get('x-error-code'))
  expect(replayed(first)).toBeNull()
  expect([again.status, again.text, replayed(again)]).toEqual([first.status, first.text, 'true'])
}

const signup = () => ({
  companyName: `Company ${newUuid()}`,
  humanEmail: `${newUuid()}@example.com`,
  companySize: 12,
  industry: 'Software',
  botName: 'Deploy bot',
})

const signUp = (body: unknown, key: string, address = '203.0.113.7', node = server) =>
  call(node.url, undefined, 'POST', SIGNUP, {
    body,
    headers: { 'Idempotency-Key': key, 'X-Forwarded-For': address },
  })

async function organizationsNamed(name: string): Promise<number> {
  return (await server.parley.db.query(sql`select 1 from organizations where name = ${name}`)).length
}

describe('the same request with the same key', () => {
  it('gets the first answer again, and changes nothing more', async () => {
    const first = await deploy.post('/v2/topics', topic('Releases'), withKey('releases'))
    expect(first.status).toBe(201)
    expectReplay(first, await deploy.post('/v2/topics', topic('Releases'), withKey('releases')))
    expectReplay(first, await deploy.post('/v2/topics', topic('Releases'), withKey('releases')))
    expect(await topicsNamed(deploy, 'Releases')).toBe(1)
  })

  it('is done again without a key, or with another one', async () => {
    const keys = [withKey('one'), withKey('two'), {}, {}]
    const answers = []
    for (const options of keys) answers.push(await deploy.post('/v2/topics', topic('Plans'), options))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(answers.map(replayed)).toEqual([null, null, null, null])
    expect(await topicsNamed(deploy, 'Plans')).toBe(4)
  })

  it('sends a message once', async () => {
    const { id } = Object((await deploy.post('/v2/topics', topic('Chatter'))).body)
    const message = { topicId: id, text: 'The release is out.' }
    const first = await deploy.post('/v2/messages', message, withKey('hello'))
    expect(first.status).toBe(201)
    expectReplay(first, await deploy.post('/v2/messages', message, withKey('hello')))
    const { body } = await deploy.get(`/v2/topics/${id}/messages`)
    expect(Object(body).messages).toHaveLength(1)
  })

  it('creates an organization once, and gives its credentials again', async () => {
    const body = signup()
    const first = await signUp(body, 'our company')
    expect(first.status).toBe(201)
    expectReplay(first, await signUp(body, 'our company'))
    expect(await organizationsNamed(body.companyName)).toBe(1)
    const { credentials } = Object(first.body)
    expect((await call(server.url, credentials, 'GET', '/v2/members/me')).status).toBe(200)
  })

  it('is done once for many concurrent requests, on any node', async () => {
    const node = await server.secondNode()
    const abroad = at(node.url, deploy)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 ? deploy : abroad).post('/v2/topics', topic('Rush'), withKey('rush')),
      ),
    )
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await topicsNamed(deploy, 'Rush')).toBe(1)

    const body = signup()
    const signups = await Promise.all(
      Array.from({ length: 8 }, (_, index) => signUp(body, 'rush', '203.0.113.7', index % 2 ? server : node)),
    )
    expect(signups.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect(new Set(signups.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(signups[0]?.status).toBe(201)
    expect(await organizationsNamed(body.companyName)).toBe(1)
  })

  it('is done again after 24 hours', async () => {
    const bot = await staticBot(server, await organization(server, 'Daily Planet'))
    const post = () => {
      const timestamp = String(Date.now() + server.clock.ahead)
      return bot.post('/v2/topics', topic('Daily'), { ...withKey('daily'), timestamp })
    }
    const first = await post()
    server.clock.ahead = 24 * HOUR - 10_000
    expectReplay(first, await post())
    server.clock.ahead = 24 * HOUR
    const next = await post()
    expect([next.status, replayed(next)]).toEqual([201, null])
    expect(Object(next.body).id).not.toBe(Object(first.body).id)
    expectReplay(next, await post())
    server.clock.ahead = 0
    expect(await topicsNamed(bot, 'Daily')).toBe(2)
  })
})

describe('another request with the same key', () => {
  const USED = 'Idempotency-Key was already used with another request'

  it('is refused when its body differs by as much as a space', async () => {
    const body = JSON.stringify(topic('Fixed'))
    expect((await deploy.post('/v2/topics', body, withKey('fixed'))).status).toBe(201)
    for (const other of [`${body} `, JSON.stringify(topic('fixed')), JSON.stringify(topic('Other'))]) {
      const refused = await deploy.post('/v2/topics', other, withKey('fixed'))
      expect([refused.status, refused.body]).toEqual([400, USED])
    }
    expect(await topicsNamed(deploy, 'Other')).toBe(0)
    expect(replayed(await deploy.post('/v2/topics', body, withKey('fixed')))).toBe('true')
  })

  it('is refused when it goes elsewhere', async () => {
    const body = { name: 'Urgent', members: [] }
    expect((await deploy.post('/v2/topics', body, withKey('elsewhere'))).status).toBe(201)
    const refused = await deploy.post('/v2/organization/labels', body, withKey('elsewhere'))
    expect([refused.status, refused.body]).toEqual([400, USED])
    expect((await deploy.post('/v2/organization/labels', body)).status).toBe(201)
  })

  it('is refused for an organization, too', async () => {
    const [one, other] = [signup(), signup()]
    expect((await signUp(one, 'company')).status).toBe(201)
    const refused = await signUp(other, 'company')
    expect([refused.status, refused.body]).toEqual([400, USED])
    expect(await organizationsNamed(other.companyName)).toBe(0)
  })
})

describe('the same key of another caller', () => {
  it('is another key', async () => {
    const strangers = [
      deploy,
      await staticBot(server, orgId, 'Audit bot'),
      await oauthBot(server, orgId, 'Calendar bot'),
      await staticBot(server, await organization(server, 'Harbour'), 'Deploy bot'),
    ]
    const answers = []
    for (const bot of strangers) {
      answers.push(await bot.post('/v2/topics', topic('Mine'), withKey('shared')))
    }
    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual(Array(4).fill([201, null]))
    expect(new Set(answers.map(({ body }) => Object(body).id)).size).toBe(4)
  })

  it('is another key for each address that signs up', async () => {
    const [one, other] = [signup(), signup()]
    expect((await signUp(one, 'mine', '203.0.113.1')).status).toBe(201)
    const second = await signUp(other, 'mine', '203.0.113.2')
    expect([second.status, replayed(second)]).toEqual([201, null])
  })
})

describe('the key', () => {
  it('has 1 to 255 characters', async () => {
    for (const key of ['k', 'k'.repeat(255)]) {
      const first = await deploy.post('/v2/topics', topic('Sized'), withKey(key))
      expect(first.status).toBe(201)
      expectReplay(first, await deploy.post('/v2/topics', topic('Sized'), withKey(key)))
    }
    for (const key of ['', 'k'.repeat(256)]) {
      const refused = await deploy.post('/v2/topics', topic('Oversized'), withKey(key))
      expect([refused.status, refused.body]).toEqual([400, 'Idempotency-Key must have 1 to 255 characters'])
      expect((await signUp(signup(), key)).status).toBe(400)
    }
    expect(await topicsNamed(deploy, 'Oversized')).toBe(0)
  })

  it('may be any text, and differs by case', async () => {
    const keys = ["'; drop table topics --", 'schlüssel', '{"a":1}', 'KEY', 'key', '%00', 'a b']
    for (const key of keys) {
      const first = await deploy.post('/v2/topics', topic('Odd'), withKey(key))
      expect([key, first.status, replayed(first)]).toEqual([key, 201, null])
      expectReplay(first, await deploy.post('/v2/topics', topic('Odd'), withKey(key)))
    }
  })

  it('means nothing on a request that is not a POST', async () => {
    const { id } = Object((await deploy.post('/v2/topics', topic('Renamed'))).body)
    for (const name of ['First', 'Second', 'First']) {
      const answer = await deploy.patch(`/v2/topics/${id}`, { name }, withKey('rename'))
      expect([answer.status, Object(answer.body).name, replayed(answer)]).toEqual([200, name, null])
    }
    expect(replayed(await deploy.get('/v2/members', withKey('rename')))).toBeNull()
  })

  it('is hashed with the body once, however often it is asked for', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    app.post('/', async (request, reply) => {
      const made = new Call(request, reply, { orgId, profileId: deploy.id })
      const { repeat } = made
      return repeat !== undefined && repeat === made.repeat
    })
    const answer = await app.inject({ method: 'POST', url: '/', payload: {}, ...withKey('once') })
    expect(answer.json()).toBe(true)
  })
})

describe('a refusal', () => {
  it('is kept when the state of things was the reason', async () => {
    const host = await staticBot(server, orgId, 'Host bot')
    const { id } = Object((await host.post('/v2/topics', topic('Closed'))).body)
    const message = { topicId: id, text: 'Let me in' }
    const first = await deploy.post('/v2/messages', message, withKey('knock'))
    expect([first.status, first.body]).toEqual([404, 'Topic not found'])

    expect((await host.post(`/v2/topics/${id}/members`, { memberIds: [deploy.id] })).status).toBe(200)
    expectReplay(first, await deploy.post('/v2/messages', message, withKey('knock')))
    expect((await deploy.post('/v2/messages', message, withKey('knock again'))).status).toBe(201)
  })

  it('is kept with its status and text', async () => {
    await person(server, orgId, 'Ada Okafor')
    const taken = { ...signup(), humanEmail: 'ada.okafor@example.com' }
    const first = await signUp(taken, 'taken')
    expect([first.status, first.body]).toEqual([400, 'Unable to create organization'])
    expectReplay(first, await signUp(taken, 'taken'))

    expect((await deploy.post('/v2/organization/labels', { name: 'Late' })).status).toBe(201)
    const label = await deploy.post('/v2/organization/labels', { name: 'late' }, withKey('late'))
    expect([label.status, label.body]).toEqual([400, 'Label name already exists'])
    expectReplay(label, await deploy.post('/v2/organization/labels', { name: 'late' }, withKey('late')))
  })

  it('leaves nothing behind of what it began', async () => {
    const name = `Half ${newUuid()}`
    const body = { name, members: [newUuid()] }
    const first = await deploy.post('/v2/topics', body, withKey(name))
    expect([first.status, first.body]).toEqual([400, 'Invalid member'])
    expectReplay(first, await deploy.post('/v2/topics', body, withKey(name)))
    expect(await topicsNamed(deploy, name)).toBe(0)
  })

  it('is not kept when the credentials were the reason', async () => {
    const signature = '0'.repeat(64)
    const denied = await deploy.post('/v2/topics', topic('Signed'), { ...withKey('signed'), signature })
    expect(denied.status).toBe(401)
    const answer = await deploy.post('/v2/topics', topic('Signed'), withKey('signed'))
    expect([answer.status, replayed(answer)]).toEqual([201, null])
  })

  it('is not kept when there were too many', async () => {
    const bot = await staticBot(server, await organization(server, 'Narrow Gate'), 'Deploy bot')
    await setRateLimit(server, bot.orgId, 1)
    await eventually(async () => (await bot.get('/v2/members/me')).status).toBe(429)
    const post = () => bot.post('/v2/topics', topic('Patient'), withKey('patient'))
    expect((await post()).status).toBe(429)
    await setRateLimit(server, bot.orgId, 0)
    await eventually(async () => (await bot.get('/v2/members/me')).status).toBe(200)
    const answer = await post()
    expect([answer.status, replayed(answer)]).toEqual([201, null])
  })

  it('is not kept when too many signed up; who did before gets the answer again', async () => {
    const node = await server.secondNode({ agentSignupPerMinute: 1 })
    const [early, late] = [signup(), signup()]
    const first = await signUp(early, 'early', '203.0.113.20', node)
    expect(first.status).toBe(201)
    expect((await signUp(late, 'late', '203.0.113.20', node)).status).toBe(429)
    expectReplay(first, await signUp(early, 'early', '203.0.113.20', node))
    node.clock.ahead = 60_000
    const answer = await signUp(late, 'late', '203.0.113.20', node)
    expect([answer.status, replayed(answer)]).toEqual([201, null])
  })

  it('is not kept when the server failed', async () => {
    const rename = (from: string, to: string) =>
      server.parley.db.pool.query(`alter table ${from} rename to ${to}`)
    await rename('topic_members', 'hidden')
    let hidden = true
    onTestFinished(async () => {
      if (hidden) await rename('hidden', 'topic_members')
    })
    const post = () => deploy.post('/v2/topics', topic('Unlucky'), withKey('unlucky'))
    expect((await post()).status).toBe(500)
    await rename('hidden', 'topic_members')
    hidden = false
    const answer = await post()
    expect([answer.status, replayed(answer)]).toEqual([201, null])
    expect(await topicsNamed(deploy, 'Unlucky')).toBe(1)
  })
})

describe('a kept answer', () => {
  it('is encrypted, because it can hold credentials', async () => {
    const address = '203.0.113.30'
    const answer = await signUp(signup(), 'secret', address)
    const { organizationId, credentials } = Object(answer.body)
    const [row] = await server.parley.db.query<{ body: Buffer; all: string }>(sql`
      select body, to_jsonb(a) #>> '{}' as all from idempotent_answers a
      where owner = ${address} and key = 'secret'`)
    expect(row?.body.length).toBeGreaterThan(answer.text.length)
    for (const secret of [credentials.apiKey, credentials.apiSecret, organizationId]) {
      expect(secret).toMatch(/.{20}/)
      expect(row?.body.includes(secret)).toBe(false)
      expect(row?.all).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})
