import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../contract/scopes.ts'
import { openDatabase } from '../../server/cli/open.ts'
import { readConfig } from '../../server/config.ts'
import { tokenFor } from '../support/cast.ts'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine, type StartedServer } from '../support/command-line.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Visitor, visitor } from '../support/people.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const BOT = /^b@[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NOBODY = '00000000-0000-4000-8000-000000000000'

let parley: CommandLine
let dataDir: string
let server: StartedServer
let url: string
let org: string
/** The bot of the set-up. */
let key: { apiKey: string; apiSecret: string }
let beside: { DATA_DIR: string }
/** A browser of the signed-in owner. */
let admin: Visitor

/** One server for nearly all tests; it is set up through its printed link. */
beforeAll(async () => {
  parley = await openCommandLine()
  dataDir = await migratedFolder('parley-cli-data-')
  beside = { DATA_DIR: dataDir }
  server = await parley.start({ ...beside, PORT: '0' })
  url = server.said.address ?? ''
  const token = server.said.setupUrl?.split('#')[1]
  const setup = {
    organizationName: 'Lighthouse Labs',
    adminName: 'Ada',
    adminEmail: 'ada@example.com',
    password: 'a long and private sentence',
    botName: 'Bo',
  }
  admin = visitor(url)
  const { body } = await admin.post('/people/setup', { token, ...setup })
  const { organizationId, bot } = Object(body)
  org = organizationId
  key = bot
})

afterAll(async () => {
  await parley?.close()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

const refused = async (args: string[]) => {
  const { code, stdout, stderr } = await parley.run(args, beside)
  expect(stdout).toBe('')
  return { code, stderr }
}
const whoAmI = async (credentials: Parameters<typeof call>[1]) =>
  (await call(url, credentials, 'GET', '/v2/members/me')).status

describe('organizations and members', () => {
  it('creates an organization whose admin is invited by the running server', async () => {
    const made = await parley.json(
      ['org', 'create', '--name', 'Mill', '--admin-email', 'Bo@example.com'],
      beside,
    )
    expect(Object.keys(made)).toEqual(['organizationId', 'adminProfileId', 'inviteUrl'])
    expect(made.organizationId).toMatch(UUID)
    expect(made.inviteUrl?.startsWith(`${url}/join#`)).toBe(true)
    const token = made.inviteUrl?.split('#')[1]
    const look = await visitor(url).post('/people/invitations/look', { token })
    expect(look.body).toMatchObject({ organizationName: 'Mill', name: 'Bo', hasAccount: false })
    expect(await mailTo('Bo@example.com')).toContain(made.inviteUrl)
  })

  it('changes settings of an organization, of which the server hears at once', async () => {
    const limited = await parley.json(['org', 'set', '--org', org, '--rate-limit', '2'], beside)
    expect(limited).toMatchObject({ organizationId: org, rateLimit: 2, restrictToOrgUnits: false })
    const statuses = [await whoAmI(key), await whoAmI(key), await whoAmI(key)]
    expect(statuses).toEqual([200, 200, 429])
    const [unlimited] = await Promise.all([
      parley.json(
        ['org', 'set', '--org', org, '--rate-limit', 'default', '--restrict-to-org-units', 'true'],
        beside,
      ),
      refused(['org', 'set', '--org', NOBODY, '--rate-limit', '2']).then(({ code, stderr }) => {
        expect(stderr).toContain(`No organization has the id ${NOBODY}`)
        expect(code).toBe(1)
      }),
    ])
    expect(unlimited).toMatchObject({ rateLimit: null, restrictToOrgUnits: true })
    expect(await whoAmI(key)).toBe(200)
    const signIn = (days: string) => parley.json(['org', 'set', '--org', org, '--sign-in-days', days], beside)
    expect(await signIn('30')).toMatchObject({ signInDays: 30 })
    const settings = async () => (await admin.get(`/people/organizations/${org}`)).body
    expect(await settings()).toMatchObject({ signInDays: 30 })
    expect(await signIn('none')).toMatchObject({ signInDays: null })
    expect(await settings()).toMatchObject({ signInDays: null })
  })

  it('allows an organization more than the server does, for as long as the operator wants', async () => {
    const [raised, wrong] = await Promise.all([
      parley.json(['org', 'set', '--org', org, '--retention-days', '30', '--rate-limit', '5000'], beside),
      refused(['org', 'set', '--org', org, '--retention-days', '0']),
    ])
    expect(raised).toMatchObject({ rateLimit: 5000, retentionDays: 30 })
    expect(raised.chosen).toEqual({ rateLimit: null, retentionDays: null })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('days above 0') })
    const path = `/people/organizations/${org}`
    expect((await admin.get(path)).body).toMatchObject({ server: { rateLimit: 5000, retentionDays: 30 } })
    expect((await admin.patch(path, { retentionDays: 30 })).status).toBe(200)
    expect((await admin.patch(path, { retentionDays: 31 })).status).toBe(400)
    await parley.json(
      ['org', 'set', '--org', org, '--retention-days', 'default', '--rate-limit', 'default'],
      beside,
    )
    expect((await admin.get(path)).body).toMatchObject({ retentionDays: 7, server: { retentionDays: 7 } })
    const { body } = await admin.get(`${path}/audit?targetId=${org}&limit=100`)
    const changes = Object(body).entries.flatMap((entry: { changes: object[] }) => entry.changes)
    expect(changes).toContainEqual({ field: 'maxRetentionDays', to: '30' })
    expect(changes).toContainEqual({ field: 'maxRateLimit', from: '5000' })
  })

  it('makes another organization the home of the server', async () => {
    const isHome = async () => Object((await admin.get(`/people/organizations/${org}`)).body).server.isHome
    expect(await isHome()).toBe(true)
    const other = await parley.json(
      ['org', 'create', '--name', 'Harbor', '--admin-email', 'harbor@example.com'],
      beside,
    )
    expect(await isHome(), 'which the second is not by itself').toBe(true)
    const set = ['org', 'set', '--home', '--org']
    expect(await parley.json([...set, other.organizationId ?? ''], beside)).toMatchObject({ isHome: true })
    expect(await isHome()).toBe(false)
    const [back, valued] = await Promise.all([
      parley.json([...set, org], beside),
      refused(['org', 'set', '--org', org, '--home=yes']),
    ])
    expect(back).toMatchObject({ organizationId: org, isHome: true })
    expect(valued).toMatchObject({ code: 2, stderr: expect.stringContaining('--home takes no value') })
    expect(await isHome()).toBe(true)
  })

  it('adds people, pending or active, and changes their state', async () => {
    const person = ['member', 'add', '--org', org, '--name', 'Cy Twombly', '--email']
    const [pending, active] = await Promise.all([
      parley.json([...person, 'cy@example.com'], beside),
      parley.json(
        [...person, 'dee@example.com', '--status', 'Active', '--phone', '+49 30 1', '--external-id', 'd-1'],
        beside,
      ),
    ])
    expect(Object.keys(pending)).toEqual(['profileId', 'inviteUrl'])
    expect(Object.keys(active)).toEqual(['profileId'])
    const [again, archived, nobody] = await Promise.all([
      refused([...person, 'CY@example.com']),
      parley.json(
        ['member', 'set', '--org', org, '--member', active.profileId ?? '', '--status', 'Archived'],
        beside,
      ),
      refused(['member', 'set', '--org', org, '--member', NOBODY, '--status', 'Archived']),
    ])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already belongs to a member') })
    expect(archived).toEqual({ profileId: active.profileId, status: 'Archived' })
    expect(nobody).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No member of this organization'),
    })
    const { body } = await call(url, key, 'GET', `/v2/members/${active.profileId}`)
    expect(body).toMatchObject({ status: 'Archived', phone: '+49 30 1', externalId: 'd-1' })
  })
})

describe('the audit log', () => {
  /** Audit entries about one target, the oldest first. */
  const told = async (targetId: string) => {
    const { body } = await admin.get(`/people/organizations/${org}/audit?targetId=${targetId}&limit=100`)
    const entries: { actor: { kind: string }; action: string; changes: object[] }[] = Object(body).entries
    expect(entries.every(({ actor }) => actor.kind === 'operator')).toBe(true)
    return entries.toReversed().map(({ action, changes }) => ({ action, changes }))
  }

  it('tells what an operator did to a member', async () => {
    const person = ['member', 'add', '--org', org, '--name', 'Eli', '--email', 'eli@example.com']
    const { profileId = '' } = await parley.json(person, beside)
    const set = ['member', 'set', '--org', org, '--member', profileId, '--status']
    for (const status of ['Archived', 'Archived', 'Active']) await parley.json([...set, status], beside)
    expect(await told(profileId)).toEqual([
      {
        action: 'member.invited',
        changes: [
          { field: 'email', to: 'eli@example.com' },
          { field: 'role', to: 'member' },
        ],
      },
      { action: 'member.archived', changes: [{ field: 'status', from: 'Pending', to: 'Archived' }] },
      { action: 'member.activated', changes: [{ field: 'status', from: 'Archived', to: 'Active' }] },
    ])
  })

  it('tells what an operator did to a bot, and no secret', async () => {
    const bot = ['bot', 'create', '--org', org, '--name', 'Fritz', '--credential', 'static']
    const { botId = '' } = await parley.json(bot, beside)
    await parley.json(['bot', 'set', '--bot', botId, '--name', 'Franz', '--permission', 'read'], beside)
    const { apiSecret = '' } = await parley.json(['bot', 'rotate-secret', '--bot', botId], beside)
    expect(await parley.json(['bot', 'pause', '--bot', botId], beside)).toEqual({ botId, paused: true })
    expect(await parley.json(['bot', 'resume', '--bot', botId], beside)).toEqual({ botId, paused: false })
    await parley.json(['bot', 'deactivate', '--bot', botId], beside)
    const entries = await told(botId)
    expect(entries.map(({ action }) => action)).toEqual([
      'bot.created',
      'bot.changed',
      'bot.secret_rotated',
      'bot.paused',
      'bot.resumed',
      'bot.deactivated',
    ])
    expect(entries[1]?.changes).toEqual([
      { field: 'name', from: 'Fritz', to: 'Franz' },
      { field: 'permission', from: 'write', to: 'read' },
    ])
    expect(JSON.stringify(entries)).not.toContain(apiSecret)
  })
})

describe('bots', () => {
  it('creates a static bot, changes it and takes it back, and the server knows at once', async () => {
    const made = await parley.json(bot('static', '--permission', 'read'), beside)
    expect(Object.keys(made)).toEqual(['botId', 'apiKey', 'apiSecret'])
    expect(made.botId).toMatch(BOT)
    expect(await parley.run(bot('oauth', '--control-topic', NOBODY), beside)).toMatchObject({ code: 2 })
    const member = ['member', 'add', '--org', org, '--name', 'Cleo', '--email', 'cleo@example.com']
    const { profileId = '' } = await parley.json(member, beside)
    const plugin = await parley.json(bot('static', '--control-topic', profileId), beside)
    const parts = Buffer.from(plugin.token ?? '', 'base64')
      .toString()
      .split(':')
    expect(parts).toEqual([plugin.controlTopicId, plugin.apiKey, plugin.apiSecret])
    const [controlTopicId = '', apiKey = '', apiSecret = ''] = parts
    const control = await call(url, { apiKey, apiSecret }, 'GET', `/v2/topics/${controlTopicId}`)
    expect(control.body).toMatchObject({
      name: 'Robot',
      memberIds: expect.arrayContaining([plugin.botId, profileId]),
    })
    const former = { apiKey: made.apiKey ?? '', apiSecret: made.apiSecret ?? '' }
    const createTopic = () => call(url, former, 'POST', '/v2/topics', { body: { name: 'T', members: [] } })
    expect((await createTopic()).status).toBe(403)

    const set = await parley.json(['bot', 'set', '--bot', made.botId ?? '', '--permission', 'write'], beside)
    expect(set).toEqual({
      botId: made.botId,
      name: 'Robot',
      credential: 'static',
      permission: 'write',
      signatureVersion: 1,
      delivery: 'polling',
      events: [],
      usedToday: { messages: 0, tokens: 0 },
      active: true,
    })
    expect((await createTopic()).status).toBe(201)

    const budget = (...options: string[]) =>
      parley.json(['bot', 'set', '--bot', made.botId ?? '', ...options], beside)
    expect(await budget('--messages-per-day', '500', '--tokens-per-day', '9')).toMatchObject({
      messagesPerDay: 500,
      tokensPerDay: 9,
    })
    const report = { body: { tokens: 7 } }
    expect((await call(url, former, 'POST', '/v2/usage', report)).status).toBe(200)
    const raised = await budget('--tokens-per-day', 'none')
    expect(raised).toMatchObject({ messagesPerDay: 500, usedToday: { messages: 0, tokens: 7 } })
    expect(raised).not.toHaveProperty('tokensPerDay')

    const signatures = (version: string) =>
      parley.json(['bot', 'set', '--bot', made.botId ?? '', '--signature-version', version], beside)
    expect(await signatures('2')).toMatchObject({ signatureVersion: 2 })
    expect(await whoAmI(former)).toBe(401)
    expect(await signatures('1')).toMatchObject({ signatureVersion: 1 })
    expect(await whoAmI(former)).toBe(200)

    const rotated = await parley.json(['bot', 'rotate-secret', '--bot', made.botId ?? ''], beside)
    expect(Object.keys(rotated)).toEqual(['botId', 'apiSecret'])
    expect(await whoAmI(former)).toBe(401)
    const renewed = { ...former, apiSecret: rotated.apiSecret ?? '' }
    expect(await whoAmI(renewed)).toBe(200)

    await parley.json(['bot', 'deactivate', '--bot', made.botId ?? ''], beside)
    expect(await whoAmI(renewed)).toBe(401)
    await parley.json(['bot', 'activate', '--bot', made.botId ?? ''], beside)
    expect(await whoAmI(renewed)).toBe(200)
  })

  it('replaces key and secret of a bot, and deletes it, and the server knows at once', async () => {
    const { botId = '', ...made } = await parley.json(bot('static'), beside)
    const former = { apiKey: made.apiKey ?? '', apiSecret: made.apiSecret ?? '' }
    expect(await whoAmI(former)).toBe(200)
    const replaced = await parley.json(['bot', 'replace-key', '--bot', botId], beside)
    expect(Object.keys(replaced)).toEqual(['botId', 'apiKey', 'apiSecret'])
    const renewed = { apiKey: replaced.apiKey ?? '', apiSecret: replaced.apiSecret ?? '' }
    expect([await whoAmI(former), await whoAmI(renewed)]).toEqual([401, 200])

    const other = await parley.json(bot('static'), beside)
    const key = { apiKey: other.apiKey ?? '', apiSecret: other.apiSecret ?? '' }
    const topic = { name: 'Farewell', members: [botId] }
    const { body } = await call(url, key, 'POST', '/v2/topics', { body: topic })
    expect(await parley.json(['bot', 'delete', '--bot', botId], beside)).toEqual({ botId })
    expect(await whoAmI(renewed)).toBe(401)
    const { updates } = Object((await call(url, key, 'GET', '/v2/updates?limit=100')).body)
    expect(updates).toMatchObject([
      { eventType: 'member.removed', data: { topicId: Object(body).id, memberId: botId, actorId: botId } },
    ])
    const again = await parley.run(['bot', 'delete', '--bot', botId], beside)
    expect(again.code).not.toBe(0)
    expect(again.stderr).toContain(`No bot has the id ${botId}`)

    const oauth = await parley.json(bot('oauth'), beside)
    const refused = await parley.run(['bot', 'replace-key', '--bot', oauth.botId ?? ''], beside)
    expect(refused.stderr).toContain('bot rotate-secret')
  })

  it('creates an oauth bot, whose tokens can be revoked', async () => {
    const made = await parley.json(bot('oauth', '--scopes', 'member:read task:read'), beside)
    expect(Object.keys(made)).toEqual(['botId', 'clientId', 'clientSecret'])
    const { botId = '', clientId = '', clientSecret = '' } = made
    const token = await tokenFor(url, clientId, clientSecret)
    expect(await whoAmI({ token })).toBe(200)

    const [set, staticOnly] = await Promise.all([
      parley.json(['bot', 'set', '--bot', botId, '--scopes', 'task:read', '--events', 'poll_votes'], beside),
      refused(['bot', 'set', '--bot', botId, '--permission', 'read']),
    ])
    expect(set).toMatchObject({ scopes: ['task:read'], events: ['poll_votes'] })
    expect(staticOnly.code).toBe(2)
    expect(await whoAmI({ token })).toBe(403)

    await parley.json(['bot', 'revoke-tokens', '--bot', botId], beside)
    expect(await whoAmI({ token })).toBe(401)
    const rotated = await parley.json(['bot', 'rotate-secret', '--bot', botId], beside)
    expect(Object.keys(rotated)).toEqual(['botId', 'clientSecret'])
    await expect(tokenFor(url, clientId, clientSecret)).rejects.toThrow(/invalid_grant/)
    expect(await tokenFor(url, clientId, rotated.clientSecret ?? '')).toBeTruthy()
  })

  it('checks where webhooks go', async () => {
    const webhook = ['--delivery', 'webhook', '--webhook-url']
    const [made, noUrl, noScheme, scopes, unknown, noBot] = await Promise.all([
      parley.json(bot('oauth', ...webhook, 'http://127.0.0.1:9/events'), beside),
      refused(bot('static', '--delivery', 'webhook')),
      refused(bot('static', ...webhook, 'ftp://example.com')),
      refused(bot('static', '--scopes', 'task:read')),
      refused(bot('oauth', '--scopes', 'task:read task:eat')),
      refused(['bot', 'deactivate', '--bot', `b@${NOBODY}`]),
    ])
    expect(made.botId).toMatch(BOT)
    expect(noUrl).toMatchObject({ code: 2, stderr: expect.stringContaining('also needs --webhook-url') })
    expect(noScheme).toMatchObject({ code: 2, stderr: expect.stringContaining('an http or https address') })
    expect(scopes).toMatchObject({ code: 2, stderr: expect.stringContaining('--credential oauth') })
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining(ALL_SCOPES.join(' ')) })
    expect(noBot).toMatchObject({ code: 1, stderr: expect.stringContaining('No bot has the id') })

    const secure = { ...beside, BASE_URL: 'https://chat.example.com' }
    const clear = await parley.run(bot('oauth', ...webhook, 'http://example.com/events'), secure)
    expect(clear).toMatchObject({ code: 2, stderr: expect.stringContaining('must begin with https://') })
  })
})

describe('the installation', () => {
  it('is examined by the doctor, who names the fix', async () => {
    const [well, ill] = await Promise.all([
      parley.run(['doctor', '--json'], beside),
      parley.run(['doctor', '--json'], {
        ...beside,
        SECRET_KEY: 'x'.repeat(32),
        SMTP_URL: 'smtp://127.0.0.1:9',
      }),
    ])
    const checks = JSON.parse(well.stdout)
    expect(checks.ok).toBe(true)
    expect(checks.checks.map(({ name }: { name: string }) => name)).toContain('Migrations')
    expect(checks.checks).toContainEqual({
      name: 'Push messages',
      ok: true,
      detail: '0 browsers are notified, 0 messages wait',
    })
    expect(well.code).toBe(0)
    const problems = JSON.parse(ill.stdout).checks.filter(({ ok }: { ok: boolean }) => !ok)
    expect(problems).toMatchObject([
      { name: 'Secret key', fix: expect.stringContaining('SECRET_KEY') },
      { name: 'Mail', fix: expect.stringContaining('SMTP_URL') },
    ])
    expect(ill.code).toBe(1)
  })

  it('is shown as it is now: nodes, database, work that waits', async () => {
    await expect
      .poll(() => parley.json(['status'], beside))
      .toMatchObject({
        nodes: [
          {
            version: expect.stringMatching(/^\d/),
            roles: ['api', 'worker'],
            silent: false,
            isStopping: false,
          },
        ],
        database: { version: expect.stringMatching(/^\d+/), isStandby: false },
        standbys: [],
        webhooks: { pendingDeliveries: 0, lagSeconds: 0, pausedBots: 0 },
        migrations: { pending: [], changed: [], newer: [] },
        backup: null,
      })
    const { stdout } = await parley.run(['status'], beside)
    expect(stdout).toMatch(/up for \d+ (s|min); api,worker, \d+ MB of memory, \d+ MB of disk free/)
    expect(stdout).toMatch(/Backup\s+none was made yet/)
    const link = await parley.json(['status', '--link'], beside)
    const page = await fetch(link.url ?? '')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('up for')])
  })

  it('names background work that fails, since when, how often and why, until it succeeds', async () => {
    const { connection, close } = await openDatabase(readConfig(beside), 'status')
    const client = new pg.Client(connection)
    await client.connect()
    const lines = async () => (await parley.run(['status'], beside)).stdout
    try {
      await client.query('alter table questions rename to questions_away')
      await expect
        .poll(lines, { interval: 500 })
        .toMatch(
          /FAILING: questions +on \S+, [2-9]\d* times in a row, since 20\S+Z \(\d+ s\): relation "questions" does not exist/,
        )
      expect(await lines()).toMatch(/\d+ workers, \d+ runs, \d+ failures/)
      const { nodes } = Object(await parley.json(['status'], beside))
      const [questions] = nodes[0].workers.filter(({ name }: { name: string }) => name === 'questions')
      expect(questions).toMatchObject({ failingSince: expect.any(Number), runs: expect.any(Number) })
    } finally {
      await client.query('alter table questions_away rename to questions')
      await client.end()
      await close()
    }
    await expect.poll(lines, { interval: 500 }).not.toContain('FAILING')
  })

  it('shows whether its public address leads to it, and what a proxy lacks', async () => {
    const { port } = new URL(url)
    // An address that is not that of this machine alone, and leads to it all the same.
    const reach = { ...beside, HOST: '127.0.0.1', PORT: port, BASE_URL: `http://0.0.0.0:${port}` }
    const checks = async (environment: Record<string, string>) =>
      JSON.parse((await parley.run(['doctor', '--json'], environment)).stdout).checks
    const [reached, lost, unproxied] = await Promise.all([
      checks(reach),
      checks({ ...reach, BASE_URL: 'http://0.0.0.0:9' }),
      checks({ ...reach, BASE_URL: 'https://0.0.0.0:9' }),
    ])
    expect(reached).toContainEqual({
      name: 'Address',
      ok: true,
      detail: expect.stringContaining('leads to Parley'),
    })
    expect(lost).toContainEqual(expect.objectContaining({ name: 'Address', ok: false }))
    expect(lost).toContainEqual(expect.objectContaining({ name: 'Proxy', ok: true }))
    expect(unproxied).toContainEqual(
      expect.objectContaining({ name: 'Proxy', ok: false, fix: expect.stringContaining('TRUST_PROXY') }),
    )
  })

  it('names what is wrong with a foreign database, and no password', async () => {
    const { code, stderr } = await parley.run(['migrate'], {
      ...beside,
      DATABASE_URL: 'postgres://me:hidden@127.0.0.1:9/chat',
    })
    expect(stderr).toContain('127.0.0.1:9/chat')
    expect(stderr).toContain('correct DATABASE_URL')
    expect(stderr).not.toContain('hidden')
    expect(code).toBe(1)
  })

  it('works without a server too: two commands at once take turns, and mail is delivered', async () => {
    const alone = { DATA_DIR: join(parley.folder, 'alone') }
    const create = (email: string) =>
      parley.begin(['org', 'create', '--name', 'Alone', '--admin-email', email], alone).ended
    const made = await Promise.all([create('eve@example.com'), create('finn@example.com')])
    expect(made).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    expect(await readdir(join(alone.DATA_DIR, 'outbox'))).toHaveLength(2)
    expect(existsSync(join(alone.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false)
    expect(existsSync(join(alone.DATA_DIR, 'parley.pid'))).toBe(false)
  })

  it('stops with a signal and exit code 0, and prints a link no more once it is set up', async () => {
    expect(server.said.setupUrl).toMatch(/\/setup#[A-Za-z0-9]{33}$/)
    expect(await server.stop()).toBe(0)
    server = await parley.start({ ...beside, PORT: '0' })
    expect(server.said.setupUrl).toBeUndefined()
  })
})

const bot = (credential: string, ...options: string[]) => [
  ...['bot', 'create', '--org', org, '--name', 'Robot', '--credential', credential],
  ...options,
]

async function mailTo(address: string): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    const names = existsSync(outbox) ? (await readdir(outbox)).filter((name) => name.endsWith('.eml')) : []
    const mails = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
    const mail = mails.find((text) => text.includes(`To: ${address}`))
    if (mail) return mail
  }
  throw new Error(`no mail to ${address}`)
}
