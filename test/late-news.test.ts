import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Sql, sql, toStatement } from '../server/db/sql.ts'
import { type OAuthTestBot, oauthBot, organization, staticBot, tokenFor } from './support/cast.ts'
import { call } from './support/client.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
let orgId: string

beforeAll(async () => {
  server = await startTestParley({ rateLimitPerMinute: 0 })
  orgId = await organization(server)
})
afterAll(() => server.close())

/** Changes a bot as another node would, without the notification: it is late, or lost. */
const changeUnheard = (botId: string, change: Sql) =>
  server.parley.db.query(sql`update bots set ${change} where org_id = ${orgId} and id = ${botId}`)

const ME = '/v2/members/me'

/** The statuses of a request before and after a change that this node does not hear of. */
async function aroundUnheard(
  botId: string,
  { before, after }: { before: Sql; after: Sql },
  ask: () => Promise<{ status: number }>,
): Promise<number[]> {
  await changeUnheard(botId, before)
  server.parley.identities.drop()
  const refused = await ask()
  await changeUnheard(botId, after)
  return [refused.status, (await ask()).status]
}

describe('a bot that memory would refuse is asked for in the database first', () => {
  it('when it goes on after a pause, is active again, or accepts its version of signatures again', async () => {
    const bot = await staticBot(server, orgId)
    const me = () => bot.get(ME)
    const paused = { before: sql`paused_at = 1`, after: sql`paused_at = null` }
    expect(await aroundUnheard(bot.id, paused, me)).toEqual([403, 200])
    const inactive = { before: sql`active = false`, after: sql`active = true` }
    expect(await aroundUnheard(bot.id, inactive, me)).toEqual([401, 200])
    const strict = { before: sql`signature_version = 2`, after: sql`signature_version = 1` }
    expect(await aroundUnheard(bot.id, strict, me)).toEqual([401, 200])
  })

  it('when it may write, and when it polls', async () => {
    const bot = await staticBot(server, orgId)
    const write = () => bot.post('/v2/topics', { name: 'New', members: [] })
    const permission = { before: sql`permission = 'read'`, after: sql`permission = 'write'` }
    expect(await aroundUnheard(bot.id, permission, write)).toEqual([403, 201])
    const delivery = {
      before: sql`delivery = 'webhook', webhook_url = 'https://example.com/'`,
      after: sql`delivery = 'polling', webhook_url = null`,
    }
    expect(await aroundUnheard(bot.id, delivery, () => bot.get('/v2/updates'))).toEqual([409, 200])
  })

  it('when it signs with a new secret, in a request and in an upload', async () => {
    const bot = await staticBot(server, orgId)
    const { id: topicId } = Object((await bot.post('/v2/topics', { name: 'Files', members: [] })).body)
    const file = form({ topicId }, [{ content: 'a file', name: 'file.txt', type: 'text/plain' }])
    const uploaded = { body: file.body, headers: { 'content-type': file.contentType } }
    for (const [method, path, options] of [
      ['GET', ME, {}],
      ['POST', '/v2/messages', uploaded],
    ] as const) {
      server.parley.identities.drop()
      const apiSecret = `a new secret for ${path}`
      await changeUnheard(bot.id, sql`secret = ${server.parley.secrets.encrypt('an old one', bot.id)}`)
      await call(server.url, { ...bot.credentials, apiSecret: 'an old one' }, 'GET', ME) // it is in memory now
      await changeUnheard(bot.id, sql`secret = ${server.parley.secrets.encrypt(apiSecret, bot.id)}`)
      const answer = await call(server.url, { ...bot.credentials, apiSecret }, method, path, options)
      expect([path, answer.status]).toEqual([path, 200])
    }
  })

  it('when a scope of its token is given back to it, and when its tokens were revoked before', async () => {
    const bot: OAuthTestBot = await oauthBot(server, orgId)
    const scopes = { before: sql`scopes = '{}'`, after: sql`scopes = '{channel:list}'` }
    expect(await aroundUnheard(bot.id, scopes, () => bot.get('/v2/topics'))).toEqual([403, 200])
    await changeUnheard(bot.id, sql`token_generation = token_generation + 1`)
    const token = await tokenFor(server.url, bot.clientId, bot.clientSecret)
    server.parley.identities.drop()
    expect((await call(server.url, { token }, 'GET', '/v2/topics')).status).toBe(200)
  })

  it('when its budget for the day was raised', async () => {
    const bot = await staticBot(server, orgId)
    const { id: topicId } = Object((await bot.post('/v2/topics', { name: 'Talk', members: [] })).body)
    const budget = { before: sql`messages_per_day = 1`, after: sql`messages_per_day = 10` }
    const say = () => bot.post('/v2/messages', { topicId, text: 'hello' })
    await changeUnheard(bot.id, sql`messages_per_day = 1`)
    server.parley.identities.drop()
    expect((await say()).status).toBe(201)
    expect(await aroundUnheard(bot.id, budget, say)).toEqual([429, 201])
  })

  it("when its organization's limit was raised", async () => {
    const node = await server.secondNode({ rateLimitPerMinute: 100 })
    const limited = await organization(server, 'Limited')
    const bot = await staticBot(node, limited)
    const limit = (requests: number) =>
      server.parley.db.query(sql`update organizations set rate_limit = ${requests} where org_id = ${limited}`)
    await limit(1)
    expect([(await bot.get(ME)).status, (await bot.get(ME)).status]).toEqual([200, 429])
    await limit(50)
    expect((await bot.get(ME)).status).toBe(200)
  })
})

describe('a refusal', () => {
  it('costs one statement, for a known key and for an unknown one', async () => {
    const { credentials } = await staticBot(server, orgId)
    const ask = (apiKey: string) =>
      call(server.url, { apiKey, apiSecret: 'not its secret' }, 'GET', ME).then(({ status }) => status)
    const keys = [credentials.apiKey, 'nobody-has-this-key']
    for (const key of keys) await ask(key)
    const spy = vi.spyOn(server.parley.db, 'query')
    // Workers of the server query other things at any time.
    const statements = () =>
      spy.mock.calls.filter(([query]) => /api_keys|join bots/.test(toStatement(query).text)).length
    for (const key of keys) {
      spy.mockClear()
      expect([await ask(key), statements()]).toEqual([401, 1])
    }
    spy.mockClear()
    const { identities } = server.parley
    await Promise.all(Array.from({ length: 500 }, () => identities.renewed(undefined)))
    expect(statements(), 'the first, and all others together').toBe(2)
    spy.mockRestore()
  })

  it('is not kept for an Idempotency-Key', async () => {
    const bot = await staticBot(server, orgId)
    const headers = { 'Idempotency-Key': 'the same key' }
    const create = () => bot.post('/v2/topics', { name: 'Once', members: [] }, { headers })
    const paused = { before: sql`paused_at = 1`, after: sql`paused_at = null` }
    expect(await aroundUnheard(bot.id, paused, create)).toEqual([403, 201])
  })
})

it('lets a person type who has just joined a topic', async () => {
  const caller = { orgId, profileId: 'somebody' }
  const type = (isMember: boolean) =>
    server.parley.ephemeral.typing(caller, { topicId: 'a topic' }, async () => isMember)
  expect([await type(false), await type(true), await type(false)]).toEqual([false, true, true])
})
