import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { Directory } from '../server/auth/directory.ts'
import { checkSignOn } from '../server/cli/doctor/sign-on.ts'
import { readConfig } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import type { LdapSettings } from '../server/settings-reader.ts'
import { AuthenticatorApp } from './support/authenticator-app.ts'
import { organization } from './support/cast.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, visitor } from './support/people.ts'
import { newKeyPair } from './support/saml-provider.ts'
import { PEOPLE, SLAPD, type Slapd, startSlapd } from './support/slapd.ts'

const MINUTE = 60_000
const PASSWORD = 'the password of the directory'
const WRONG = { status: 401, body: 'wrong user name or password, or not let in here' }
const AWAY = { status: 503, body: 'the directory does not answer, try again' }

describe.skipIf(SLAPD === undefined)('sign-in by a directory (LDAP)', () => {
  let slapd: Slapd
  let server: TestParley
  let orgId: string
  let settings: LdapSettings

  beforeAll(async () => {
    slapd = await startSlapd(SLAPD ?? '')
    for (const [uid, name] of [
      ['ada', 'Ada Okafor'],
      ['jürgen', 'Jürgen Weiß'],
      ['ben', 'Ben Ito'],
    ] as const)
      await slapd.addPerson({ uid, name, mail: `${uid.replace('ü', 'ue')}@example.com`, password: PASSWORD })
  })
  afterAll(() => slapd?.close())

  beforeAll(async () => {
    settings = { ...slapd.settings }
    server = await startTestParley({ ldap: settings })
    orgId = await organization(server)
  })
  afterAll(() => server?.close())
  beforeEach(() => {
    Object.assign(settings, slapd.settings)
    server.clock.ahead += 2 * MINUTE // attempts of the test before do not count
    server.logLines.length = 0
  })

  it('is described by the environment', () => {
    expect(readConfig(slapd.environment).ldap).toEqual(slapd.settings)
  })

  const signIn = (login: string, password = PASSWORD, at = visitor(server.url)) =>
    at.post('/people/sign-in/directory', { login, password })
  const reasons = () =>
    server.logLines.map((line) => Object(JSON.parse(line)).reason).filter((reason) => reason !== undefined)

  it('is not there unless it is set, and leads from single sign-on to its page', async () => {
    const plain = await startTestParley()
    const answer = await visitor(plain.url).post('/people/sign-in/directory', { login: 'ada', password: 'x' })
    expect(answer).toMatchObject({ status: 404, body: 'not found' })
    await plain.close()
    const at = visitor(server.url)
    expect((await at.get('/people/session')).body).toMatchObject({ singleSignOn: 'Lighthouse directory' })
    const begun = await at.get('/people/sso?to=/account')
    expect([begun.status, begun.headers.get('location')]).toEqual([302, '/sign-in/directory?to=%2Faccount'])
    const abroad = await at.get('/people/sso?to=https://evil.example/')
    expect(abroad.headers.get('location')).toBe('/sign-in/directory')
  })

  it('lets a newcomer in by user name, and the same person by address', async () => {
    const answer = await signIn('ada')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        account: {
          email: 'ada@example.com',
          memberships: [{ organizationId: orgId, name: 'Ada Okafor', role: 'member' }],
        },
      },
    })
    const again = await signIn(' ADA@example.com ')
    expect(Object(again.body).account.id).toBe(Object(answer.body).account.id)
    expect((await signIn('jürgen')).body).toMatchObject({ account: { email: 'juergen@example.com' } })
    await server.parley.attemptNotes.settle()
    const entries = await server.parley.db.query(sql`
      select changes from audit_log where org_id = ${orgId} and action = 'member.signed_in' order by id limit 1`)
    expect(entries).toEqual([{ changes: [{ field: 'signedInWith', to: 'directory' }] }])
  })

  it('speaks TLS from the first byte to ldaps://', async () => {
    settings.url = new URL(`ldaps://localhost:${slapd.tlsPort}`)
    expect((await signIn('ben')).status).toBe(200)
  })

  it('knows people by their id, whatever becomes of name and address', async () => {
    await slapd.addPerson({ uid: 'cleo', name: 'Cleo Mbeki', mail: 'cleo@example.com', password: PASSWORD })
    const first = Object((await signIn('cleo')).body).account
    const moved = `uid=cleo.marx,${PEOPLE}`
    await slapd.change(async (admin) => {
      await admin.modifyDN(`uid=cleo,${PEOPLE}`, moved)
      await admin.del(moved)
    })
    // A new entry with the address of the former one is another person.
    await slapd.addPerson({
      uid: 'cleo.marx',
      name: 'Cleo Marx',
      mail: 'cleo@example.com',
      password: PASSWORD,
    })
    expect(await signIn('cleo.marx')).toMatchObject(WRONG)
    expect(reasons()).toEqual(['the account is linked to somebody else at the provider'])
    expect(first).toMatchObject({ email: 'cleo@example.com' })
    // An entry under another name stays the same person.
    await slapd.addPerson({ uid: 'dora', name: 'Dora Lind', mail: 'dora@example.com', password: PASSWORD })
    const dora = Object((await signIn('dora')).body).account
    await slapd.change((admin) => admin.modifyDN(`uid=dora,${PEOPLE}`, `uid=d.lind,${PEOPLE}`))
    expect(Object((await signIn('d.lind')).body).account).toEqual(dora)
  })

  it('tells a person who had an account already, and not whose password it was', async () => {
    const evi = await signInAs(server, { orgId, name: 'Evi Sand', email: 'evi@example.com' })
    await givePassword(server, evi, PASSWORD)
    await slapd.addPerson({ uid: 'evi', name: 'Evi Sand', mail: 'evi@example.com', password: 'another one' })
    expect(await signIn('evi')).toMatchObject(WRONG)
    expect(Object((await signIn('evi', 'another one')).body).account.id).toBe(evi.accountId)
    expect((await lastMail(server, 'evi@example.com')).subject).toContain('linked to single sign-on')
  })

  it('says the same to strangers, and the reason to the operator', async () => {
    await slapd.addPerson({ uid: 'fay', name: 'Fay Far', mail: 'fay@elsewhere.example', password: PASSWORD })
    await slapd.addPerson({ uid: 'gil', name: 'Gil None', password: PASSWORD })
    await slapd.addPerson({ uid: 'twin1', name: 'Twin', mail: 'twin@example.com', password: PASSWORD })
    await slapd.addPerson({ uid: 'twin2', name: 'Twin', mail: 'twin@example.com', password: PASSWORD })
    const tried = [
      ['ada', 'wrong', 'wrong password'],
      ['nobody', PASSWORD, 'no entry has this user name'],
      ['twin@example.com', PASSWORD, 'LDAP_FILTER finds several entries for this user name'],
      ['fay', PASSWORD, 'the domain of the address is not among OIDC_DOMAINS, SAML_DOMAINS or LDAP_DOMAINS'],
      ['gil', PASSWORD, 'the address is not verified'],
    ] as const
    for (const [login, password] of tried)
      expect([login, await signIn(login, password)]).toMatchObject([login, WRONG])
    expect(reasons()).toEqual(tried.map(([, , reason]) => reason))
    expect(server.logLines.join()).not.toContain(PASSWORD)
    await server.parley.attemptNotes.settle()
    const failed = await server.parley.db.query(sql`
      select target_name as name from audit_log where org_id = ${orgId} and action = 'member.sign_in_failed'`)
    expect(failed).toEqual([{ name: 'Ada Okafor' }])
  })

  it('asks no directory about an empty password, to which it would say yes', async () => {
    for (const body of [{ login: 'ada', password: '' }, { login: '', password: PASSWORD }, { login: 'ada' }])
      expect((await visitor(server.url).post('/people/sign-in/directory', body)).status).toBe(400)
    await slapd.change(async (admin) => {
      await admin.bind(`uid=ada,${PEOPLE}`, '') // this directory does say yes
    })
    await expect(new Directory(settings).signIn('ada', '')).rejects.toThrow('the password is empty')
  })

  it.each([
    '*',
    'a*',
    'ad?',
    'ada)(uid=*',
    'x)(|(uid=ada',
    'ada))(|(uid=*',
    '\\61da',
    'ada\\',
    '(',
    '{login}',
    '$&',
    ' ',
    'ada\u0001',
    '*)(userPassword=*',
  ])('finds nobody by the user name %j', async (login) => {
    expect(await signIn(login)).toMatchObject(WRONG)
    expect(reasons()).toEqual(['no entry has this user name'])
  })

  it('trusts no other authority, and no certificate of another name', async () => {
    settings.authorities = newKeyPair().certificate
    for (const url of [`ldap://localhost:${slapd.port}`, `ldaps://localhost:${slapd.tlsPort}`]) {
      settings.url = new URL(url)
      expect(await signIn('ada')).toMatchObject(AWAY)
    }
    Object.assign(settings, slapd.settings)
    settings.url = new URL(`ldap://localhost.localdomain:${slapd.port}`)
    expect(await signIn('ada')).toMatchObject(AWAY)
    expect(reasons()).toHaveLength(3)
    for (const reason of reasons().slice(0, 2)) expect(reason).toMatch(/certificate|issuer/)
  })

  it('sends no password over a second, plain connection where the first one breaks', async () => {
    for (let answers = 1; answers <= 8; answers += 1) {
      const line = await cuttingLine(slapd.port, answers)
      settings.url = new URL(`ldap://localhost:${line.port}`)
      const { status } = await signIn('ada')
      expect([answers, [200, 503].includes(status)]).toEqual([answers, true])
      expect([answers, line.connections]).toEqual([answers, 1])
      expect(line.sent()).not.toContain(PASSWORD)
      expect(line.sent()).not.toContain(settings.reader?.password)
      await line.close()
    }
  })

  it('follows no referral', async () => {
    const trap = await listen(createServer((socket) => socket.destroy()))
    let asked = 0
    trap.server.on('connection', () => {
      asked += 1
    })
    const dn = `ou=elsewhere,${PEOPLE}`
    await slapd.change((admin) =>
      admin.add(dn, {
        objectClass: ['referral', 'extensibleObject'],
        ou: 'elsewhere',
        ref: `ldap://localhost:${trap.port}/ou=people,dc=elsewhere`,
      }),
    )
    expect((await signIn('ada')).status).toBe(200)
    expect(await signIn('nobody')).toMatchObject(WRONG)
    expect(asked).toBe(0)
    trap.server.close()
  })

  it('waits a few seconds for a directory, and no longer', async () => {
    const silent = await listen(createServer(() => {}))
    settings.url = new URL(`ldap://localhost:${silent.port}`)
    expect(await signIn('ada')).toMatchObject(AWAY)
    expect(reasons()[0]).toMatch(/timed out|does not answer/)
    silent.server.close()
  }, 30_000)

  it('is away while the directory is, and counts no attempt', async () => {
    await slapd.stop()
    for (let tries = 0; tries < 12; tries += 1) expect(await signIn('ada')).toMatchObject(AWAY)
    expect(reasons()[0]).toMatch(/no encrypted connection.*ECONNREFUSED|no encrypted connection/)
    await slapd.start()
    expect((await signIn('ada')).status).toBe(200)
  }, 60_000)

  it('limits attempts on one name, however it is spelled', async () => {
    const spellings = ['ben', 'BEN', 'b\u00aden', 'ｂｅｎ', ' ben']
    for (let tries = 0; tries < 10; tries += 1)
      expect((await signIn(spellings[tries % spellings.length] ?? '', 'wrong')).status).toBe(401)
    expect(await signIn('ben')).toMatchObject({ status: 429, body: 'too many attempts, please wait' })
    for (let tries = 0; tries < 10; tries += 1)
      expect((await signIn('nobody-at-all', 'wrong')).status).toBe(401)
    expect((await signIn('nobody-at-all', 'wrong')).status).toBe(429)
  })

  it('does not bring back who was archived', async () => {
    await slapd.addPerson({ uid: 'hal', name: 'Hal Ost', mail: 'hal@example.com', password: PASSWORD })
    const [{ profileId }] = Object((await signIn('hal')).body).account.memberships
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, profileId, 'Archived'))
    expect(await signIn('hal')).toMatchObject(WRONG)
    expect(reasons()).toEqual(['the member was archived or deleted'])
  })

  it('is single sign-on of one factor, and asks for the second one', async () => {
    await slapd.addPerson({ uid: 'ida', name: 'Ida Roth', mail: 'ida@example.com', password: PASSWORD })
    const ida = visitor(server.url)
    const [{ profileId }] = Object((await signIn('ida', PASSWORD, ida)).body).account.memberships
    const needs = async (at = ida) =>
      Object((await at.get('/people/session')).body).account.memberships[0].needs
    const rule = (rules: { sign: boolean; factor: boolean }) =>
      server.parley.db.write(orgId, (tx) =>
        tx.query(sql`
          update organizations set require_sign_on = ${rules.sign}, require_second_factor = ${rules.factor}
          where org_id = ${orgId}`),
      )
    await rule({ sign: true, factor: false })
    expect(await needs()).toBeUndefined()
    expect(await needs(await signInToProfile(server, { orgId, profileId }))).toBe('sign_on')
    await rule({ sign: true, factor: true })
    expect(await needs()).toBe('second_factor')

    const { body: begun } = await ida.post('/people/second-factor/start', {})
    const app = new AuthenticatorApp(Object(begun).secret)
    const code = () => app.code(Date.now() + server.clock.ahead)
    expect((await ida.post('/people/second-factor', { code: code() })).status).toBe(200)
    expect(await needs()).toBeUndefined()
    const next = visitor(server.url)
    expect((await signIn('ida', PASSWORD, next)).body).toMatchObject({ account: null, codeRequired: true })
    server.clock.ahead += MINUTE
    expect((await next.post('/people/sign-in/code', { code: code() })).status).toBe(200)
    expect(await needs(next)).toBeUndefined()
    const kinds = await server.parley.db.query(sql`
      select s.signed_in_with as "with" from sessions s join profiles p using (account_id)
      where p.org_id = ${orgId} and p.id = ${profileId} and s.signed_in_with <> 'password'`)
    expect(kinds).toEqual([{ with: 'directory-code' }, { with: 'directory-code' }])

    server.clock.ahead += MINUTE
    expect((await next.delete('/people/second-factor', { code: code() })).status).toBe(204)
    expect([await needs(), await needs(next)]).toEqual(['second_factor', 'second_factor'])
    await rule({ sign: false, factor: false })
  })

  it('lets an owner require single sign-on, but no second factor, which this is not', async () => {
    const owner = await signInAs(server, { orgId, role: 'owner', name: 'Olga Brandt' })
    const at = await signInToProfile(server, owner, 'directory')
    const path = `/people/organizations/${orgId}`
    expect(await at.patch(path, { requireSecondFactor: true })).toMatchObject({ status: 400 })
    expect((await at.patch(path, { requireSignOn: true })).status).toBe(200)
    expect((await at.patch(path, { requireSignOn: false })).status).toBe(200)
  })

  it('is tried by the doctor, who says what is wrong', async () => {
    const check = async (changed: Partial<LdapSettings>) => {
      const [found] = await checkSignOn({
        ...server.parley.config,
        ldap: { ...slapd.settings, ...changed },
      })
      return found
    }
    expect(await check({})).toMatchObject({ ok: true, detail: expect.stringContaining(PEOPLE) })
    const wrong: [Partial<LdapSettings>, string][] = [
      [{ reader: { dn: 'cn=reader,dc=example,dc=com', password: 'wrong' } }, 'LDAP_BIND_DN'],
      [{ reader: undefined }, 'LDAP_BASE_DN'],
      [{ baseDn: 'ou=nowhere,dc=example,dc=com' }, 'LDAP_BASE_DN'],
      [{ filter: '(uid={login}' }, 'LDAP_FILTER'],
      [{ authorities: undefined }, 'LDAP_CA'],
      [{ url: new URL('ldap://localhost:1') }, 'localhost:1'],
    ]
    for (const [changed, named] of wrong)
      expect([named, await check(changed)]).toMatchObject([
        named,
        { ok: false, detail: expect.stringContaining(named) },
      ])
  })
})

describe('settings of a directory', () => {
  const GIVEN = {
    LDAP_URL: 'ldaps://ldap.example.com',
    LDAP_BASE_DN: 'ou=people,dc=example,dc=com',
    LDAP_DOMAINS: 'Example.com',
  }

  it('are few', () => {
    expect(readConfig(GIVEN).ldap).toEqual({
      url: new URL('ldaps://ldap.example.com'),
      startTls: true,
      authorities: undefined,
      reader: undefined,
      baseDn: 'ou=people,dc=example,dc=com',
      filter: '(|(uid={login})(mail={login}))',
      attributes: { id: 'entryUUID', email: 'mail', name: 'displayName' },
      syncMs: 300_000,
      name: 'single sign-on',
      organizationId: undefined,
      domains: ['example.com'],
    })
    expect(readConfig({}).ldap).toBeUndefined()
    const here = { ...GIVEN, LDAP_URL: 'ldap://127.0.0.1:389', LDAP_START_TLS: 'off' }
    expect(readConfig(here).ldap).toMatchObject({ startTls: false })
  })

  it('say how often members are compared', () => {
    expect(readConfig({ ...GIVEN, LDAP_SYNC_MINUTES: '0' }).ldap?.syncMs).toBe(0)
    expect(() => readConfig({ ...GIVEN, LDAP_SYNC_MINUTES: '-1' })).toThrow('LDAP_SYNC_MINUTES is "-1"')
  })

  it.each([
    [{ LDAP_URL: 'https://ldap.example.com' }, 'LDAP_URL is "https://ldap.example.com"'],
    [{ LDAP_URL: 'ldap://ldap.example.com/ou=people' }, 'LDAP_URL is'],
    [{ LDAP_URL: 'ldap://admin:hunter2@ldap.example.com' }, 'LDAP_URL is "…@ldap.example.com"'],
    [{ LDAP_URL: 'ldap://ldap.example.com', LDAP_START_TLS: 'off' }, 'LDAP_START_TLS is off'],
    [{ LDAP_URL: '' }, 'LDAP_BASE_DN is set, but LDAP_URL'],
    [{ LDAP_BASE_DN: '' }, 'LDAP_URL also needs LDAP_BASE_DN'],
    [{ LDAP_DOMAINS: '' }, 'LDAP_URL also needs LDAP_DOMAINS'],
    [{ LDAP_BIND_DN: 'cn=reader' }, 'LDAP_BIND_DN and LDAP_BIND_PASSWORD go together'],
    [{ LDAP_FILTER: '(uid=*)' }, 'LDAP_FILTER is "(uid=*)"'],
    [{ LDAP_ID_ATTRIBUTE: 'a)(b' }, 'LDAP_ID_ATTRIBUTE is "a)(b"'],
    [{ LDAP_CA: '/nowhere.pem' }, 'LDAP_CA is "/nowhere.pem", which cannot be read'],
    [{ LDAP_CA: 'package.json' }, 'LDAP_CA must name a file with certificates'],
    [{ OIDC_ISSUER: 'https://login.example.com' }, 'a server has one provider'],
  ])('are refused where they are wrong: %j', (changed, message) => {
    expect(() => readConfig({ ...GIVEN, ...changed })).toThrow(message)
    expect(() => readConfig({ ...GIVEN, ...changed })).not.toThrow('hunter2')
  })
})

type Listening = { port: number; server: Server }
async function listen(server: Server): Promise<Listening> {
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  return { server, port: (address as AddressInfo).port }
}

/** A way to the directory that breaks after so many pieces of its answers. */
async function cuttingLine(to: number, answers: number) {
  const sent: Buffer[] = []
  const line = { port: 0, connections: 0, sent: () => Buffer.concat(sent).toString('latin1'), close }
  const { server, port } = await listen(
    createServer((near) => {
      line.connections += 1
      const far = connect(to, 'localhost')
      let left = answers
      near.on('data', (data) => {
        sent.push(data)
        far.write(data)
      })
      far.on('data', (data) => {
        near.write(data)
        left -= 1
        if (left === 0) {
          near.destroy()
          far.destroy()
        }
      })
      near.on('close', () => far.destroy()).on('error', () => {})
      far.on('close', () => near.destroy()).on('error', () => {})
    }),
  )
  async function close() {
    server.close()
  }
  line.port = port
  return line
}
