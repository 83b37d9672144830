import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from 'vitest'
import { makeHome, renewSetupToken } from '../server/actions/organization/installation.ts'
import { listOrganizations } from '../server/cli/find.ts'
import { describeSignups } from '../server/cli/signups.ts'
import { migrate } from '../server/db/migrate.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { readHome, readSignups } from '../server/queries/organization/installation.ts'
import { organization } from './support/cast.ts'
import { call } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, visitor } from './support/people.ts'
import { IS_THOROUGH } from './support/thorough.ts'
import { send } from './support/wire.ts'

const SIGNUP = '/v2/agentic/organization/create'
const PASSWORD = 'a long and private sentence'
const STRANGER = { 'X-Forwarded-For': '203.0.113.7' }

let server: TestParley

const SETTINGS = { agentSignup: undefined, trustProxy: ['127.0.0.1'] }

/** Gives each test a server that is not set up. */
function withServers(): void {
  beforeEach(async () => {
    server = await startTestParley(SETTINGS)
  })
  afterEach(() => server.close())
}

const signup = (changes: Record<string, unknown> = {}) => ({
  companyName: 'Stranger & Sons',
  humanEmail: `${newUuid()}@example.com`,
  companySize: 12,
  industry: 'Software',
  botName: 'First in line',
  ...changes,
})
const signUp = (headers: Record<string, string> = {}, body: object = signup(), node = server) =>
  call(node.url, undefined, 'POST', SIGNUP, { body, headers })
const statusOf = async (headers: Record<string, string> = {}, node = server) =>
  (await signUp(headers, signup(), node)).status

const form = (changes: Record<string, unknown> = {}) => ({
  organizationName: 'Lighthouse Labs',
  adminName: 'Ada Okafor',
  adminEmail: 'ada@example.com',
  password: PASSWORD,
  botName: 'Assistant',
  ...changes,
})
const renew = async () => (await server.parley.db.transaction(renewSetupToken)) ?? ''
const setUp = (token: string, changes = {}) =>
  visitor(server.url).post('/people/setup', { token, ...form(changes) })
const newAdmin = () => ({ adminEmail: `${newUuid()}@example.com` })
const session = async () => (await visitor(server.url).get('/people/session')).body
const countOrganizations = async () => (await server.parley.db.query(sql`select 1 from organizations`)).length
const home = () => readHome(server.parley.db)

describe('agent sign-up on a server without a set-up', () => {
  let open: TestParley
  let closed: TestParley
  beforeAll(async () => {
    server = await startTestParley(SETTINGS)
    open = await server.secondNode({ agentSignup: true })
    closed = await server.secondNode({ agentSignup: false })
  })
  afterAll(() => server.close())
  /** Organizations of earlier tests stay, and none of them is the home. */
  beforeEach(() =>
    server.parley.db.query(sql`delete from settings where name in ('home_organization', 'agent_signup')`),
  )

  it('is for visitors on this machine, and not found for others', async () => {
    const refused = await signUp(STRANGER)
    expect([refused.status, refused.body]).toEqual([404, 'not found'])
    expect(await statusOf({ 'X-Forwarded-For': '2001:db8::1' })).toBe(404)
    const target = { method: 'POST', target: SIGNUP, body: JSON.stringify(signup()) }
    const rebound = await send(server.url, {
      ...target,
      headers: { 'Content-Type': 'application/json', Host: 'attacker.example' },
    })
    expect(rebound.status).toBe(404)
    expect(await countOrganizations()).toBe(0)
    expect(await statusOf()).toBe(201)
  })

  it('is off if people come from elsewhere: a silent proxy would make all of them local', async () => {
    const elsewhere = await server.secondNode({ baseUrlGiven: true })
    elsewhere.parley.config.baseUrl = 'https://chat.example.com'
    expect(await statusOf({}, elsewhere)).toBe(404)
  })

  it('is as the operator says, where AGENT_SIGNUP is given', async () => {
    expect([await statusOf(STRANGER, open), await statusOf({}, open)]).toEqual([201, 201])
    expect([await statusOf(STRANGER, closed), await statusOf({}, closed)]).toEqual([404, 404])
  })

  it('stays so once the server has been set up, unless the set-up opens it', async () => {
    expect((await setUp(await renew(), newAdmin())).status).toBe(201)
    expect([await statusOf(STRANGER), await statusOf()]).toEqual([404, 201])
    expect(await statusOf({}, closed)).toBe(404)
  })

  it('stays so once an operator has created an organization', async () => {
    expect(await statusOf()).toBe(201)
    await organization(server)
    expect([await statusOf(STRANGER), await statusOf()]).toEqual([404, 201])
  })

  it.each([
    [true, [201, 201]],
    [false, [404, 404]],
  ])('is as the set-up says: %s', async (agentSignup, statuses) => {
    const token = await renew()
    expect(await visitor(server.url).post('/people/setup/look', { token })).toMatchObject({
      status: 200,
      body: { asksAboutAgents: true, isLocal: true },
    })
    expect((await setUp(token, { agentSignup, ...newAdmin() })).status).toBe(201)
    expect([await statusOf(STRANGER), await statusOf()]).toEqual(statuses)
  })

  it('is not asked about at the set-up where AGENT_SIGNUP says it', async () => {
    const token = await renew()
    const look = await visitor(closed.url).post('/people/setup/look', { token })
    expect(look.body).toMatchObject({ asksAboutAgents: false })
    const set = { token, ...form({ agentSignup: true, ...newAdmin() }) }
    expect((await visitor(closed.url).post('/people/setup', set)).status).toBe(201)
    expect(await statusOf({}, closed)).toBe(404)
  })
})

describe('the set-up link', () => {
  withServers()

  it('works until it was used, even after other sign-ups', async () => {
    const token = await renew()
    for (let agent = 0; agent < 3; agent++) expect(await statusOf()).toBe(201)
    expect(await session()).toMatchObject({ isSetUp: false, hasOrganization: true })
    expect(await renew(), 'a restart prints another one').not.toBe('')
    expect((await setUp(token)).status, 'which takes the place of the first').toBe(403)

    const made = await setUp(await renew())
    expect(made.status).toBe(201)
    expect(await home()).toBe(Object(made.body).organizationId)
    expect(await session()).toMatchObject({ isSetUp: true, hasOrganization: true })
    expect(await renew()).toBe('')
  })

  it('ends when the operator creates an organization, or names one that is there', async () => {
    const created = await renew()
    const orgId = await organization(server)
    expect((await setUp(created)).status).toBe(403)
    expect([await home(), await renew()]).toEqual([orgId, ''])

    await server.parley.db.query(sql`delete from settings where name = 'home_organization'`)
    const named = await renew()
    await server.parley.db.write(orgId, makeHome)
    expect((await setUp(named)).status).toBe(403)
    expect([await home(), await renew()]).toEqual([orgId, ''])
  })

  it('leaves one home organization, even after concurrent uses', async () => {
    const token = await renew()
    const [page, ...ids] = await Promise.all([
      setUp(token),
      organization(server, 'Mill'),
      organization(server, 'Harbor'),
    ])
    const made: string[] = page.status === 201 ? [Object(page.body).organizationId] : []
    expect([201, 403]).toContain(page.status)
    expect([...made, ...ids]).toContain(await home())
    expect((await setUp(token)).status).toBe(403)
    expect(await renew()).toBe('')
  })

  it('gives a password to an address that an agent only invited', async () => {
    expect((await signUp({}, signup({ humanEmail: 'Ada@Example.com' }))).status).toBe(201)
    expect((await setUp(await renew())).status).toBe(201)
    const ada = visitor(server.url)
    expect(
      (await ada.post('/people/sign-in', { email: 'ada@example.com', password: PASSWORD })).body,
    ).toMatchObject({ account: { memberships: [{ organizationName: 'Lighthouse Labs', role: 'owner' }] } })
  })

  it('takes over no account in use, and stays', async () => {
    const { body } = await signUp({}, signup({ humanEmail: 'ada@example.com' }))
    const { organizationId: orgId, humanProfileId: profileId } = Object(body)
    const somebody = await signInToProfile(server, { orgId, profileId })
    await givePassword(server, somebody, 'the sentence of somebody else')
    const token = await renew()
    expect(await setUp(token)).toMatchObject({
      status: 400,
      body: 'this e-mail address has an account already; use another one',
    })
    expect([await countOrganizations(), await home()]).toEqual([1, undefined])
    expect((await setUp(token, { adminEmail: 'olu@example.com' })).status).toBe(201)
  })
})

describe('the home organization', () => {
  withServers()

  /** The person whom an agent invited, signed in as the owner of the agent's organization. */
  async function ownerOfFirst() {
    const { body } = await signUp()
    const { organizationId: orgId, humanProfileId: profileId } = Object(body)
    await server.parley.db.query(sql`update profiles set status = 'Active' where id = ${profileId}`)
    return signInToProfile(server, { orgId, profileId })
  }

  it('is not the oldest, but the one that an operator made', async () => {
    const stranger = await ownerOfFirst()
    const path = (orgId: string) => `/people/organizations/${orgId}`
    const decide = (agentSignup: boolean) => stranger.patch(path(stranger.orgId), { agentSignup })
    const isHome = async () => Object((await stranger.get(path(stranger.orgId))).body).server.isHome
    const refused = {
      status: 403,
      body: 'agent sign-up is for owners of the home organization of the server',
    }
    expect(await isHome(), 'without one, nobody has its rights').toBe(false)
    expect(await decide(true)).toMatchObject(refused)
    expect(await statusOf(STRANGER)).toBe(404)

    await setUp(await renew())
    expect(await isHome()).toBe(false)
    expect(await decide(true)).toMatchObject(refused)
    expect(await statusOf(STRANGER)).toBe(404)

    await server.parley.db.write(stranger.orgId, makeHome)
    expect(await isHome()).toBe(true)
    expect((await decide(true)).status).toBe(200)
    expect(await statusOf(STRANGER)).toBe(201)
    expect((await decide(false)).status).toBe(200)
    expect([await statusOf(STRANGER), await statusOf()]).toEqual([404, 404])
  })
})

describe('an operator', () => {
  withServers()

  it('sees who may sign up, and all organizations', async () => {
    const made = Object((await setUp(await renew())).body)
    const { organizationId: orgId } = Object((await signUp()).body)
    const { db, config, clock } = server.parley
    const signups = { access: 'this machine', organizations: 2, lastDay: 2 }
    expect(await readSignups(db, config, clock())).toEqual(signups)
    expect(await readSignups(db, config, clock() + 86_400_000)).toMatchObject({ lastDay: 0 })
    expect(describeSignups(await readSignups(db, { agentSignup: true }, clock()))).toBe(
      'everybody who reaches this server may create organizations; there are 2, 2 of them from the last 24 hours',
    )
    expect(await listOrganizations(db)).toMatchObject([
      { organizationId: made.organizationId, isHome: true, people: 1, bots: 1 },
      { organizationId: orgId, name: 'Stranger & Sons', isHome: false, people: 1, bots: 1 },
    ])
    const [{ lastEventAt } = { lastEventAt: 0 }] = await listOrganizations(db)
    expect(Math.abs(clock() - Number(lastEventAt))).toBeLessThan(3_600_000)
  })

  it('reads in the overview of the home organization alone how many signed up', async () => {
    const orgId = await organization(server)
    const overviewOf = async (id: string) => {
      const owner = await signInAs(server, { orgId: id, role: 'owner', email: `${id}@example.com` })
      return Object((await owner.get(`/people/organizations/${id}/overview`)).body)
    }
    const other = await organization(server, 'Somebody else')
    expect((await overviewOf(orgId)).signups).toEqual({
      access: 'this machine',
      organizations: 2,
      lastDay: 2,
    })
    expect(await overviewOf(other)).not.toHaveProperty('signups')
  })
})

describe('a database from before', () => {
  const LAST_BEFORE = '0008_console.sql'
  const DECIDING = '0009_home_and_ceilings.sql'
  const MIGRATIONS = join(import.meta.dirname, '..', 'server', 'db', 'migrations')

  const BEFORE = `before_${newUuid().replaceAll('-', '')}`

  const administer = async (statement: string) => {
    const client = new pg.Client(inject('postgres'))
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }

  beforeAll(async () => {
    await administer(`create database ${BEFORE}`)
    const client = new pg.Client({ ...inject('postgres'), database: BEFORE })
    await client.connect()
    await client.query(
      'create table migrations (name text primary key, applied_at timestamptz default now())',
    )
    for (const name of (await readdir(MIGRATIONS)).sort()) {
      if (name > LAST_BEFORE) break
      await client.query(await readFile(join(MIGRATIONS, name), 'utf8'))
      await client.query('insert into migrations (name) values ($1)', [name])
    }
    await client.end()
  })
  afterAll(() => administer(`drop database ${BEFORE} with (force)`))

  /** A database of the previous version; `upgrade` brings it to this one, or to the migration that decides. */
  async function former() {
    const connection = { ...inject('postgres'), database: `former_${newUuid().replaceAll('-', '')}` }
    await administer(`create database ${connection.database} template ${BEFORE} strategy file_copy`)
    const client = new pg.Client(connection)
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await administer(`drop database ${connection.database} with (force)`)
    })
    let age = 0
    return {
      client,
      /** `by`: its creator, as far as the audit log knows. */
      async found(by: 'operator' | 'person' | 'bot' | undefined, industry = by === 'bot' ? 'Software' : '') {
        const id = newUuid()
        const at = ++age
        await client.query(
          `insert into organizations (org_id, name, industry, created_at, updated_at) values ($1, 'Any', $2, $3, $3)`,
          [id, industry, at],
        )
        if (by) await this.log(id, by, 'organization.created', [])
        return id
      },
      async log(id: string, by: string, action: string, changes: object[]) {
        await client.query(
          `insert into audit_log (org_id, id, at, actor_kind, action, target_type, target_id, target_name, changes)
           values ($1, $2, 1, $3, $4, 'organization', $5, 'Any', $6)`,
          [
            id,
            `00000000-0000-7000-8000-${String(++age).padStart(12, '0')}`,
            by,
            action,
            id,
            JSON.stringify(changes),
          ],
        )
      },
      async upgrade({ isWhole = IS_THOROUGH } = {}) {
        await migrate(connection, isWhole ? {} : { upTo: DECIDING })
        const { rows } = await client.query<{ name: string; value: string }>(
          'select name, value from settings',
        )
        return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
      },
    }
  }

  it.each(['operator', 'person', undefined] as const)(
    'keeps its oldest organization as the home, where %s created it',
    async (by) => {
      const it = await former()
      const oldest = await it.found(by)
      await it.found('bot')
      await it.found('operator')
      expect(await it.upgrade()).toEqual({ home_organization: oldest })
    },
  )

  it('has the only one that an operator created, where an agent was first', async () => {
    const it = await former()
    await it.found('bot')
    const own = await it.found('person')
    await it.found('bot')
    expect(await it.upgrade({ isWhole: true })).toEqual({ home_organization: own })
  })

  it.each([
    ['an agent was first and operators created several', ['bot', 'operator', 'operator']],
    ['only agents signed up', ['bot', 'bot']],
    ['an agent was first, before there was an audit log', ['unknown agent']],
  ])('has none where %s, and what a stranger opened is closed', async (_, founders) => {
    const it = await former()
    for (const by of founders) {
      if (by === 'unknown agent') await it.found(undefined, 'Software')
      else await it.found(by === 'bot' ? 'bot' : 'operator')
    }
    await it.client.query(`insert into settings values ('agent_signup', 'on'), ('base_url', 'http://x')`)
    expect(await it.upgrade()).toEqual({ base_url: 'http://x' })
  })

  it('keeps what an operator set as the ceiling, and what an owner chose as a choice', async () => {
    const it = await former()
    const [operators, owners, older, none] = [
      await it.found('operator'),
      await it.found('operator'),
      await it.found(undefined),
      await it.found('bot'),
    ]
    const change = [{ field: 'rateLimit', to: '5000' }]
    for (const id of [operators, owners, older])
      await it.client.query('update organizations set rate_limit = 5000 where org_id = $1', [id])
    await it.log(operators, 'person', 'organization.changed', change)
    await it.log(operators, 'operator', 'organization.changed', change)
    await it.log(operators, 'person', 'organization.changed', [{ field: 'name', to: 'New' }])
    await it.log(owners, 'operator', 'organization.changed', change)
    await it.log(owners, 'person', 'organization.changed', [{ field: 'name', to: 'New' }, ...change])
    await it.upgrade({ isWhole: true })
    const { rows } = await it.client.query(
      'select org_id, rate_limit, rate_limit_ceiling from organizations order by created_at',
    )
    expect(rows).toEqual([
      { org_id: operators, rate_limit: null, rate_limit_ceiling: 5000 },
      { org_id: owners, rate_limit: 5000, rate_limit_ceiling: null },
      { org_id: older, rate_limit: null, rate_limit_ceiling: 5000 },
      { org_id: none, rate_limit: null, rate_limit_ceiling: null },
    ])
  })
})
