import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { removeBot } from '../server/actions/bots/bot-settings.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { sql } from '../server/db/sql.ts'
import { at, oauthBot, organization, type StaticTestBot, staticBot, type TestBot } from './support/cast.ts'
import { during } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
let orgId: string
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

const path = (key: string) => `/v2/storage/${key}`
const put = (key: string, value: unknown, version?: number, who: TestBot = bot) =>
  who.put(path(key), { value, ...(version !== undefined && { version }) })
const versionOf = (answer: { body: unknown }): number => Object(answer.body).version
const keysOf = async (who: TestBot, query = ''): Promise<string[]> =>
  Object((await who.get(`/v2/storage${query}`)).body).entries.map(({ key }: { key: string }) => key)
const refused = ({ status, body }: { status: number; body: unknown }) => [status, body]

/** Counts kept for the limits, and counts of the rows. */
async function counted(botId: string): Promise<unknown> {
  const [row] = await server.parley.db.query(sql`
    select s.entries, s.bytes, count(e.key) as rows, coalesce(sum(octet_length(e.value)), 0)::bigint as size
    from bot_storage s left join bot_storage_entries e on e.org_id = s.org_id and e.bot_id = s.bot_id
    where s.bot_id = ${botId} group by s.org_id, s.bot_id, s.entries, s.bytes`)
  return row
}

describe('a value', () => {
  it('is written, read, overwritten and deleted, without an event', async () => {
    const value = { list: [1, 'zwei', null, { deep: { deeper: true } }], ключ: '🎈', __proto__x: 0.5 }
    const { result, events } = await during(server, orgId, () => put('state', value))
    expect(result.status).toBe(201)
    expect(result.body).toEqual({
      key: 'state',
      version: expect.any(Number),
      bytes: Buffer.byteLength(JSON.stringify(value)),
      updatedAt: expect.any(Number),
    })
    expect(events).toEqual([])
    expect((await bot.get(path('state'))).body).toEqual({ ...Object(result.body), value })
    const again = await put('state', 'other')
    expect(again.status).toBe(200)
    expect(versionOf(again)).toBeGreaterThan(versionOf(result))
    expect((await bot.get(path('state'))).body).toMatchObject({ value: 'other', version: versionOf(again) })
    expect((await bot.delete(path('state'))).status).toBe(204)
    for (const answer of [await bot.get(path('state')), await bot.delete(path('state'))])
      expect(refused(answer)).toEqual([404, 'Key not found'])
  })

  it.each([[null], [false], [0], [-1.5], [''], [[]], [{}], [Number.MAX_SAFE_INTEGER]])(
    'can be %j',
    async (value) => {
      expect((await put('any', value)).status).toBeLessThan(300)
      expect(Object((await bot.get(path('any'))).body).value).toEqual(value)
    },
  )

  it('keeps a name that objects have anyway', async () => {
    const body = '{"value":{"__proto__":{"admin":true},"constructor":1}}'
    expect((await bot.put(path('odd'), body)).status).toBe(201)
    expect((await bot.get(path('odd'))).text).toContain(
      '"value":{"__proto__":{"admin":true},"constructor":1}',
    )
  })

  it('is the same on every node', async () => {
    const node = await server.secondNode()
    await put('shared', 1)
    expect((await at(node.url, bot).get(path('shared'))).body).toMatchObject({ value: 1 })
  })
})

describe('with a version', () => {
  it('a value is written only over the one that was read', async () => {
    expect(refused(await put('cas', 'x', 5))).toEqual([409, 'version does not match'])
    const first = await put('cas', 'first', 0)
    expect(first.status).toBe(201)
    expect(refused(await put('cas', 'again', 0))).toEqual([409, 'version does not match'])
    const second = await put('cas', 'second', versionOf(first))
    expect(second.status).toBe(200)
    expect(refused(await put('cas', 'late', versionOf(first)))).toEqual([409, 'version does not match'])
    expect((await bot.get(path('cas'))).body).toMatchObject({ value: 'second' })
    expect(refused(await bot.delete(`${path('cas')}?version=${versionOf(first)}`))).toEqual([
      409,
      'version does not match',
    ])
    expect((await bot.delete(`${path('cas')}?version=${versionOf(second)}`)).status).toBe(204)
  })

  it('one that was deleted and made again is another one', async () => {
    const first = await put('phoenix', 1)
    await bot.delete(path('phoenix'))
    await put('phoenix', 1)
    expect((await put('phoenix', 2, versionOf(first))).status).toBe(409)
  })

  it('twenty who count at the same time lose nothing', async () => {
    await put('count', 0)
    const node = await server.secondNode()
    const increment = async (who: TestBot): Promise<void> => {
      const { value, version } = Object((await who.get(path('count'))).body)
      const { status } = await put('count', value + 1, version, who)
      if (status === 409) return increment(who)
      expect(status).toBe(200)
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => increment(n % 2 ? bot : at(node.url, bot))))
    expect((await bot.get(path('count'))).body).toMatchObject({ value: 20 })
  })
})

describe('keys', () => {
  it('are listed in order, in pages, by what they begin with', async () => {
    const lister = await staticBot(server, orgId, 'Lister')
    for (const key of ['user:b', 'user:a', 'user:c', 'user', 'User:z', 'v'])
      await put(key, key, undefined, lister)
    expect(await keysOf(lister)).toEqual(['User:z', 'user', 'user:a', 'user:b', 'user:c', 'v'])
    expect(await keysOf(lister, '?prefix=user:')).toEqual(['user:a', 'user:b', 'user:c'])
    const page = Object((await lister.get('/v2/storage?prefix=user&limit=2')).body)
    expect(page).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
    expect(page.entries[0]).toEqual({
      key: 'user',
      version: expect.any(Number),
      bytes: 6,
      updatedAt: expect.any(Number),
    })
    await put('user:0', 'added meanwhile, before the place', undefined, lister)
    const cursor = encodeURIComponent(page.nextCursor)
    expect(await keysOf(lister, `?cursor=${cursor}&limit=5`)).toEqual(['user:b', 'user:c'])
    expect(refused(await bot.get(`/v2/storage?cursor=${cursor}`))).toEqual([400, 'invalid cursor'])
  })

  it.each(['.', '-a', 'a b', 'ä', 'a/b', 'a\u0000', 'x'.repeat(LIMITS.storageKey + 1)])(
    'cannot be %j',
    async (key) => {
      const address = path(encodeURIComponent(key).replace(/^\.$/, '%2E%20'))
      for (const answer of [
        await bot.get(address),
        await bot.put(address, { value: 1 }),
        await bot.delete(address),
      ])
        expect(refused(answer)).toEqual([400, 'Invalid key'])
    },
  )

  it('may be as long as they may be', async () => {
    const key = `A${'x'.repeat(LIMITS.storageKey - 4)}.:@`
    expect((await put(key, 1)).status).toBe(201)
    expect((await bot.get(path(key))).status).toBe(200)
  })
})

describe('what does not fit', () => {
  it('is a value that is too large, by its bytes', async () => {
    const most = 'ä'.repeat((LIMITS.storageValueBytes - 2) / 2)
    expect((await put('large', most)).status).toBe(201)
    expect(refused(await put('large', `${most}a`))).toEqual([400, 'value too large'])
    expect(Object((await bot.get(path('large'))).body).value).toBe(most)
  })

  it('is a value that is nested without end, or has numbers that would change', async () => {
    const nested = (depth: number) => `{"value":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await bot.put(path('deep'), nested(LIMITS.storageDepth))).status).toBe(201)
    for (const depth of [LIMITS.storageDepth + 1, 300_000])
      expect(refused(await bot.put(path('deep'), nested(depth)))).toEqual([400, 'value nested too deeply'])
    for (const number of ['9007199254740992', '-1e400', '[{"a":12345678901234567890}]'])
      expect(refused(await bot.put(path('number'), `{"value":${number}}`))).toEqual([
        400,
        'value has a number that cannot be kept exactly',
      ])
    expect((await bot.get(path('number'))).status).toBe(404)
  })

  it.each([
    [{}, 'value is required'],
    [{ value: 1, version: -1 }, 'version must be between 0 and 9007199254740991'],
    [{ value: 1, version: '1' }, 'version must be between 0 and 9007199254740991'],
    [{ value: '\u0000' }, 'text must not contain NUL or lone surrogates'],
  ])('is %j', async (body, message) => {
    expect(refused(await bot.put(path('bad'), body))).toEqual([400, message])
    expect((await bot.get(path('bad'))).status).toBe(404)
  })

  it('is more than 10 MiB in all; what makes room still works', async () => {
    const hoarder = await staticBot(server, orgId, 'Hoarder')
    const whole = 'x'.repeat(LIMITS.storageValueBytes - 2)
    const count = LIMITS.storageBytes / LIMITS.storageValueBytes
    const answers = await Promise.all(
      Array.from({ length: count + 4 }, (_, n) => put(`k${n}`, whole, undefined, hoarder)),
    )
    const full = answers.filter(({ status }) => status === 400)
    expect(full.map(refused)).toEqual(Array(4).fill([400, 'storage is full']))
    expect(await counted(hoarder.id)).toEqual({
      entries: count,
      bytes: LIMITS.storageBytes,
      rows: count,
      size: LIMITS.storageBytes,
    })
    const [kept = ''] = await keysOf(hoarder)
    expect((await put(kept, 'smaller', undefined, hoarder)).status).toBe(200)
    expect((await put('one-more', 'small', undefined, hoarder)).status).toBe(201)
    await hoarder.delete(path(kept))
    const [row] = [Object(await counted(hoarder.id))]
    expect([row.entries, row.bytes]).toEqual([row.rows, row.size])
  })

  it('is one key too many', async () => {
    const collector = await staticBot(server, orgId, 'Collector')
    await put('first', 1, undefined, collector)
    await server.parley.db.query(sql`
      update bot_storage set entries = ${LIMITS.storageKeys} where bot_id = ${collector.id}`)
    expect(refused(await put('second', 1, undefined, collector))).toEqual([400, 'too many keys'])
    expect((await put('first', 2, undefined, collector)).status).toBe(200)
  })
})

describe('permitted callers', () => {
  it('is the bot itself: others find nothing, and cannot change it', async () => {
    const other = await staticBot(server, orgId, 'Other')
    const stranger = await staticBot(server, await organization(server, 'Harbor Works'), 'Stranger')
    await put('mine', 'secret')
    for (const who of [other, stranger]) {
      expect((await who.get(path('mine'))).status).toBe(404)
      expect((await who.delete(path('mine'))).status).toBe(404)
      expect(await keysOf(who)).toEqual([])
      expect((await put('mine', 'theirs', 0, who)).status).toBe(201)
    }
    expect((await bot.get(path('mine'))).body).toMatchObject({ value: 'secret' })
  })

  it('is a static key that may write, and a token with the scope', async () => {
    const reader = await staticBot(server, orgId, 'Reader', { permission: 'read' })
    expect((await reader.get('/v2/storage')).status).toBe(200)
    expect(refused(await put('a', 1, undefined, reader))).toEqual([403, 'forbidden'])
    expect(refused(await reader.delete(path('a')))).toEqual([403, 'forbidden'])
    const token = await oauthBot(server, orgId, 'Token', ['storage:read'])
    expect((await token.get('/v2/storage')).status).toBe(200)
    const refusal = await put('a', 1, undefined, token)
    expect(refused(refusal)).toEqual([403, 'forbidden'])
    expect(refusal.headers.get('www-authenticate')).toContain('scope="storage:write"')
    expect((await put('a', 1, undefined, await oauthBot(server, orgId, 'All scopes'))).status).toBe(201)
  })
})

it('is deleted with its bot', async () => {
  const doomed = await staticBot(server, orgId, 'Doomed')
  await put('a', 1, undefined, doomed)
  await server.parley.db.write(orgId, (tx) => removeBot(tx, OPERATOR, doomed.id))
  const [left] = await server.parley.db.query(sql`
    select (select count(*) from bot_storage where bot_id = ${doomed.id}) as storage,
      (select count(*) from bot_storage_entries where bot_id = ${doomed.id}) as entries`)
  expect(left).toEqual({ storage: 0, entries: 0 })
})
