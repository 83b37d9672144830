import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid, sha256 } from '../server/ids.ts'
import { openMail } from '../server/mail/queue.ts'
import { organization, person } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const PATH = '/v2/agentic/organization/create'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SECOND = 1000

let server: TestParley

beforeAll(async () => {
  server = await startTestParley()
})
afterAll(() => server.close())

const signup = (changes: Record<string, unknown> = {}) => ({
  companyName: 'Lighthouse Labs',
  humanEmail: `${newUuid()}@example.com`,
  companySize: 12,
  industry: 'Software',
  botName: 'Deploy bot',
  ...changes,
})

const signUp = (body: unknown, headers: Record<string, string> = {}, node = server): Promise<Answer> =>
  call(node.url, undefined, 'POST', PATH, { body, headers })

type Created = {
  organizationId: string
  botProfileId: string
  channelId: string
  humanProfileId: string
  credentials: { apiKey: string; apiSecret: string; controlTopicId: string }
}

/** The contract's own check has seen this body before it comes here. */
async function created(changes: Record<string, unknown> = {}, node = server): Promise<Created> {
  const { status, body } = await signUp(signup(changes), {}, node)
  expect(status).toBe(201)
  return Object(body)
}

async function expectRefused(changes: Record<string, unknown>, text: string): Promise<void> {
  const { status, body } = await signUp(signup(changes))
  expect([changes, status, body]).toEqual([changes, 400, text])
}

const countOrganizations = async () => (await server.parley.db.query(sql`select 1 from organizations`)).length

describe('signing up', () => {
  it('gives an organization, a bot, a person, a topic and credentials', async () => {
    const { status, body } = await signUp(signup())
    expect(status).toBe(201)
    const answer: Created = Object(body)
    expect(answer).toEqual({
      organizationId: expect.stringMatching(UUID),
      botProfileId: expect.stringMatching(/^b@[0-9a-f-]{36}$/),
      channelId: expect.stringMatching(UUID),
      humanProfileId: expect.stringMatching(UUID),
      credentials: {
        apiKey: expect.stringMatching(/^[A-Za-z0-9]{22,}$/), // 128 bits in letters and digits
        apiSecret: expect.stringMatching(/^[A-Za-z0-9]{33,}$/), // 192 bits
        controlTopicId: answer.channelId,
      },
    })
  })

  it('needs no authentication, and ignores what there is', async () => {
    expect((await signUp(signup(), { Authorization: 'Bearer nonsense' })).status).toBe(201)
  })

  it('gives credentials that work at once, with permission to write', async () => {
    const { credentials, botProfileId, humanProfileId } = await created({ botName: 'Ops 🤖' })
    const me = await call(server.url, credentials, 'GET', '/v2/members/me')
    expect(me.status).toBe(200)
    expect(me.body).toMatchObject({ id: botProfileId, name: 'Ops 🤖', type: 'bot', status: 'Active' })
    const topic = { name: 'Plans', members: [humanProfileId] }
    expect((await call(server.url, credentials, 'POST', '/v2/topics', { body: topic })).status).toBe(201)
  })

  it('gives a bot that polls', async () => {
    const { credentials } = await created()
    expect((await call(server.url, credentials, 'GET', '/v2/updates')).status).toBe(200)
  })

  it('leaves the person pending, under the address that was given', async () => {
    const humanEmail = `Ada.${newUuid()}@Example.com`
    const { credentials, humanProfileId } = await created({ humanEmail })
    const human = await call(server.url, credentials, 'GET', `/v2/members/${humanProfileId}`)
    expect(human.body).toMatchObject({ type: 'user', status: 'Pending', email: humanEmail })
  })

  it('puts both into the control topic', async () => {
    const { credentials, channelId, botProfileId, humanProfileId } = await created()
    const { status, body } = await call(server.url, credentials, 'GET', `/v2/topics/${channelId}`)
    expect(status).toBe(200)
    expect(Object(body).memberIds.toSorted()).toEqual([botProfileId, humanProfileId].toSorted())
  })

  it('is in the audit log, as what the bot did', async () => {
    const { organizationId, botProfileId } = await created({ companyName: 'Mill', botName: 'Bo' })
    const entries = await server.parley.db.query(sql`
      select action, actor_kind as kind, actor_id as actor, target_name as target from audit_log
      where org_id = ${organizationId} order by id`)
    const by = { kind: 'bot', actor: botProfileId }
    expect(entries).toEqual([
      { action: 'organization.created', ...by, target: 'Mill' },
      { action: 'bot.created', ...by, target: 'Bo' },
      { action: 'member.invited', ...by, target: expect.any(String) },
    ])
  })

  it('keeps organizations apart', async () => {
    const [one, other] = [await created(), await created()]
    const foreign = `/v2/members/${other.humanProfileId}`
    expect((await call(server.url, one.credentials, 'GET', foreign)).status).toBe(404)
    expect((await call(server.url, other.credentials, 'GET', foreign)).status).toBe(200)
    const topic = `/v2/topics/${other.channelId}`
    expect((await call(server.url, one.credentials, 'GET', topic)).status).toBe(404)
  })

  it.each([
    [1, '1-10'],
    [10, '1-10'],
    [11, '11-50'],
    [50, '11-50'],
    [51, '51-200'],
    [200, '51-200'],
    [201, '201-500'],
    [500, '201-500'],
    [501, '501-1000'],
    [1000, '501-1000'],
    [1001, '1001-5000'],
    [5000, '1001-5000'],
    [5001, '5001+'],
    [2_000_000_000, '5001+'],
  ])('keeps a company of %i as %s, with its name and industry', async (companySize, range) => {
    const { organizationId } = await created({ companySize, companyName: '  Déjà & Co ', industry: 'R&D' })
    const rows = await server.parley.db.query(sql`
      select name, size_range, industry from organizations where org_id = ${organizationId}`)
    expect(rows).toEqual([{ name: '  Déjà & Co ', size_range: range, industry: 'R&D' }])
  })
})

describe('the invitation', () => {
  it('is queued as a mail, and its link is nowhere else', async () => {
    const humanEmail = `${newUuid()}@example.com`
    const answer = await signUp(signup({ humanEmail, companyName: 'Quiet & Co' }))
    expect(answer.status).toBe(201)
    const rows = await server.parley.db.query<{ id: string; content: Buffer }>(
      sql`select id, content from mails`,
    )
    const mails = rows
      .map((row) => openMail(server.parley.secrets, row))
      .filter(({ to }) => to === humanEmail)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toContain('Quiet & Co')

    const [link = '', token = ''] = /http:\/\/\S+#([A-Za-z0-9]{33,})/.exec(mails[0]?.text ?? '') ?? []
    expect(link.startsWith(`${server.url}/`)).toBe(true)
    const [invitation] = await server.parley.db.query<{ profile_id: string }>(
      sql`select profile_id from invitations where token_hash = ${sha256(token)}`,
    )
    expect(invitation?.profile_id).toBe(Object(answer.body).humanProfileId)

    expect(answer.text).not.toContain(token)
    expect([...answer.headers].flat().join('\n')).not.toContain(token)
    expect(server.logLines.join('\n')).not.toContain(token)
    expect(rows.some(({ content }) => content.includes(token))).toBe(false)
  })

  it('goes out only when the organization was made', async () => {
    const humanEmail = `${newUuid()}@example.com`
    await created({ humanEmail })
    const count = async () => (await server.parley.db.query(sql`select 1 from mails`)).length
    const before = await count()
    await expectRefused({ humanEmail }, 'Unable to create organization')
    expect(await count()).toBe(before)
  })
})

describe('each field', () => {
  it('is required', async () => {
    const before = await countOrganizations()
    for (const missing of [undefined, '']) {
      await expectRefused({ companyName: missing }, 'companyName is required')
      await expectRefused({ humanEmail: missing }, 'invalid humanEmail')
      await expectRefused({ industry: missing }, 'industry is required')
      await expectRefused({ botName: missing }, 'botName is required')
      await expectRefused({ companySize: missing }, 'companySize must be a positive integer')
    }
    const nothing = await signUp({})
    expect([nothing.status, nothing.body]).toEqual([400, 'companyName is required'])
    expect(await countOrganizations()).toBe(before)
  })

  it('has the right type', async () => {
    for (const wrong of [null, 12, true, [], {}, ['Lighthouse Labs']]) {
      await expectRefused({ companyName: wrong }, 'companyName must be a string')
      await expectRefused({ humanEmail: wrong }, 'invalid humanEmail')
      await expectRefused({ industry: wrong }, 'industry must be a string')
      await expectRefused({ botName: wrong }, 'botName must be a string')
    }
  })

  it('companySize is an integer from 1', async () => {
    for (const wrong of [0, -1, -12, 1.5, 0.1, '12', 'many', null, true, [], {}]) {
      await expectRefused({ companySize: wrong }, 'companySize must be a positive integer')
    }
    const huge = JSON.stringify(signup()).replace(':12,', ':1e999,')
    expect((await signUp(huge)).body).toBe('companySize must be a positive integer')
    const exact = JSON.stringify(signup()).replace(':12,', ':12.0,')
    expect((await signUp(exact)).status).toBe(201)
  })

  it('humanEmail is an address', async () => {
    const wrong = [
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'ada@@example.com',
      'ada@example..com',
      'ada@.example.com',
      'ada@example.com.',
      'ada lovelace@example.com',
      ' ada@example.com',
      'ada@example.com\n',
      'ada@example.com\nBcc: eve@example.com',
      'ada@example.com,eve@example.com',
      'Ada <ada@example.com>',
      '"ada"@example.com',
      `${'a'.repeat(250)}@example.com`,
    ]
    for (const humanEmail of wrong) await expectRefused({ humanEmail }, 'invalid humanEmail')
    const tail = `${newUuid()}@example.com`
    const longest = `${'a'.repeat(254 - tail.length)}${tail}`
    expect(longest).toHaveLength(254)
    for (const humanEmail of [`o'hara+x_${tail}`, `größe${tail}`, longest]) await created({ humanEmail })
    await expectRefused({ humanEmail: `a${longest}` }, 'invalid humanEmail')
  })

  it('companyName, industry and botName have 1 to 100 characters, however many bytes', async () => {
    const [rockets, families] = ['🚀'.repeat(100), '👩‍👩‍👧'.repeat(20)]
    expect(Array.from(families)).toHaveLength(100)
    for (const text of ['x', 'x'.repeat(100), 'é'.repeat(100), rockets, families]) {
      const { credentials, organizationId } = await created({
        companyName: text,
        industry: text,
        botName: text,
      })
      const me = await call(server.url, credentials, 'GET', '/v2/members/me')
      expect(me.body).toMatchObject({ name: text })
      const rows = await server.parley.db.query(
        sql`select name, industry from organizations where org_id = ${organizationId}`,
      )
      expect(rows).toEqual([{ name: text, industry: text }])
    }
    for (const text of ['x'.repeat(101), `${rockets}!`, `${families}👩`]) {
      await expectRefused({ companyName: text }, 'companyName exceeds max length')
      await expectRefused({ industry: text }, 'industry too long')
      await expectRefused({ botName: text }, 'botName too long')
    }
  })
})

describe('an address that is in use', () => {
  const TAKEN = 'Unable to create organization'

  it('is refused, whatever its case', async () => {
    const name = newUuid()
    await created({ humanEmail: `Ada.${name}@example.com` })
    for (const humanEmail of [
      `Ada.${name}@example.com`,
      `ada.${name}@example.com`,
      `ADA.${name.toUpperCase()}@EXAMPLE.COM`,
    ]) {
      await expectRefused({ humanEmail }, TAKEN)
    }
    await created({ humanEmail: `adam.${name}@example.com` })
  })

  it('is refused, whatever the case of its domain in other alphabets', async () => {
    const name = newUuid()
    await created({ humanEmail: `${name}@bücher.example` })
    await expectRefused({ humanEmail: `${name}@BÜCHER.example` }, TAKEN)
  })

  it('is not one that only reads the same', async () => {
    const name = newUuid()
    await created({ humanEmail: `Größe.${name}@example.com` })
    await created({ humanEmail: `GRÖSSE.${name}@example.com` })
  })

  it('is refused when it belongs to a member of any organization', async () => {
    const email = `${newUuid()}@example.com`
    await person(server, await organization(server), 'Ben Carter', { email })
    await expectRefused({ humanEmail: email.toUpperCase() }, TAKEN)
  })

  it('is given to one alone when many ask at once', async () => {
    for (let round = 0; round < 8; round++) {
      const name = newUuid()
      const answers = await Promise.all(
        ['ada', 'Ada', 'aDa', 'adA', 'ADA', 'ada'].map((first) =>
          signUp(signup({ humanEmail: `${first}.${name}@example.com` })),
        ),
      )
      const outcomes = answers.map(({ status, body }) => (status === 201 ? 'created' : body)).toSorted()
      expect(outcomes).toEqual([...Array(5).fill(TAKEN), 'created'])
    }
  })
})

describe('the budget of an address', () => {
  let node: TestParley
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const statusFrom = async (address: string, changes = {}) =>
    (await signUp(signup(changes), from(address), node)).status

  beforeAll(async () => {
    node = await server.secondNode({ agentSignupPerMinute: 1, trustProxy: ['127.0.0.1'] })
  })

  it('is one a minute', async () => {
    expect(await statusFrom('203.0.113.1')).toBe(201)
    const refused = await signUp(signup(), from('203.0.113.1'), node)
    expect([refused.status, refused.body]).toEqual([429, 'rate limit exceeded'])
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(50)
    expect(wait).toBeLessThanOrEqual(60)
    expect(await statusFrom('203.0.113.2')).toBe(201)
    expect(await statusFrom('2001:db8::1')).toBe(201)

    node.clock.ahead = 55 * SECOND
    expect(await statusFrom('203.0.113.1')).toBe(429)
    node.clock.ahead = 60 * SECOND
    expect(await statusFrom('203.0.113.1')).toBe(201)
    node.clock.ahead = 0
  })

  it('is spent by what was accepted only', async () => {
    expect(await statusFrom('203.0.113.3', { companySize: 0 })).toBe(400)
    expect(await statusFrom('203.0.113.3', { companyName: '' })).toBe(400)
    expect(await statusFrom('203.0.113.3')).toBe(201)
    expect(await statusFrom('203.0.113.3')).toBe(429)
    expect(await statusFrom('203.0.113.3', { companyName: '' })).toBe(429)
  })

  it('is one also when many come at once', async () => {
    const before = await countOrganizations()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => signUp(signup(), from('203.0.113.4'), node)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(429)])
    expect(await countOrganizations()).toBe(before + 1)
  })

  it('is one on all nodes together', async () => {
    const other = await server.secondNode({ agentSignupPerMinute: 1, trustProxy: ['127.0.0.1'] })
    expect(await statusFrom('203.0.113.5')).toBe(201)
    expect((await signUp(signup(), from('203.0.113.5'), other)).status).toBe(429)
  })

  it('is one for all addresses of an IPv6 network', async () => {
    expect(await statusFrom('2001:db8:0:5::1')).toBe(201)
    expect(await statusFrom('2001:db8:0:5::2')).toBe(429)
    expect(await statusFrom('2001:DB8:0:5:ffff:ffff:ffff:ffff')).toBe(429)
    expect(await statusFrom('2001:db8:0:6::1')).toBe(201)
    expect(await statusFrom('203.0.113.55')).toBe(201)
    expect(await statusFrom('::ffff:203.0.113.55')).toBe(429)
  })

  it('belongs to the address that the trusted proxy saw', async () => {
    expect(await statusFrom('198.51.100.1, 203.0.113.6')).toBe(201)
    expect(await statusFrom('198.51.100.2, 203.0.113.6')).toBe(429)
    expect(await statusFrom('203.0.113.6, 203.0.113.7')).toBe(201)
  })

  it('belongs to the nearest hop where one proxy is trusted', async () => {
    const { trustProxy } = readConfig({ TRUST_PROXY: 'true' })
    const behindOne = await server.secondNode({ agentSignupPerMinute: 1, trustProxy })
    const status = async (address: string) => (await signUp(signup(), from(address), behindOne)).status
    expect(await status('198.51.100.1, 203.0.113.8')).toBe(201)
    expect(await status('198.51.100.2, 203.0.113.8')).toBe(429)
  })

  it('belongs to the connection where no proxy is trusted', async () => {
    const open = await server.secondNode({ agentSignupPerMinute: 1 })
    expect((await signUp(signup(), from('203.0.113.9'), open)).status).toBe(201)
    expect((await signUp(signup(), from('203.0.113.10'), open)).status).toBe(429)
  })

  it('is what the operator sets', async () => {
    const generous = await server.secondNode({ agentSignupPerMinute: 3, trustProxy: ['127.0.0.1'] })
    const status = async () => (await signUp(signup(), from('203.0.113.11'), generous)).status
    expect([await status(), await status(), await status(), await status()]).toEqual([201, 201, 201, 429])
  })
})

describe('an operator who wants none of this', () => {
  it('can switch it off', async () => {
    const closed = await server.secondNode({ agentSignup: false })
    for (const body of [signup(), {}, '{']) {
      const refused = await signUp(body, {}, closed)
      expect([refused.status, refused.body]).toEqual([404, 'not found'])
    }
    expect((await signUp(signup())).status).toBe(201)
  })
})
