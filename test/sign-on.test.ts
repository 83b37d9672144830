import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inviteMember } from '../server/actions/members/invitations.ts'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { makeHome } from '../server/actions/organization/installation.ts'
import { readConfig } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import type { SignOnSettings } from '../server/settings-reader.ts'
import { organization, person } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts'
import { lastMail, mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, type Visitor, visitor } from './support/people.ts'

const MINUTE = 60_000
const FAILED = '/sign-in?error=sso'

let provider: IdentityProvider
let server: TestParley
let orgId: string
let settings: SignOnSettings

beforeAll(async () => {
  provider = await startIdentityProvider()
  settings = {
    issuer: new URL(provider.url),
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    name: 'Lighthouse login',
    organizationId: undefined,
    domains: [],
  }
  server = await startTestParley({ signOn: settings })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

/** Empties the server for each test, because these tests depend on what a server knows of a person. */
function withEmptyServer(): void {
  beforeEach(async () => {
    Object.assign(settings, { organizationId: undefined, domains: [] })
    provider.signWith = 'own key'
    provider.userInfo = undefined
    isAda()
    const { db } = server.parley
    await db.query(sql`truncate organizations, accounts, one_time_tokens, mails cascade`)
    await db.query(sql`delete from settings where name = 'home_organization'`)
    server.clock.ahead += 2 * MINUTE // attempts of the test before do not count
    server.logLines.length = 0
    orgId = await organization(server)
  })
}

/** Signs Ada in at the provider. */
function isAda(claims: Record<string, unknown> = {}): void {
  provider.claims = {
    sub: 'ada-1',
    email: 'Ada@example.com',
    email_verified: true,
    name: 'Ada Okafor',
    ...claims,
  }
}

const locationOf = ({ headers }: Answer) => headers.get('location') ?? ''
/** A browser that another page sent here. */
const open = (at: Visitor, path: string) =>
  at.get(path, {
    headers: { origin: undefined, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  })

/** Goes to the provider and back; `change` tampers with the address on the way. */
async function signOn(at = visitor(server.url), to = '', change: (back: URL) => void = () => {}) {
  const begun = await open(at, `/people/sso${to}`)
  expect(begun.status).toBe(302)
  const back = await provider.visit(locationOf(begun))
  change(back)
  return open(at, back.pathname + back.search)
}

/** A node that has not read the provider's configuration yet, which names the address of more claims only where there are some. */
const visitorOfNewNode = async () => visitor((await server.secondNode()).url)

const accountOf = async (at: Visitor) => Object((await at.get('/people/session')).body).account
const failures = () =>
  server.logLines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'single sign-on failed')
    .map(({ reason }) => reason)

async function expectRefused(what: string, answer: Answer, at: Visitor): Promise<void> {
  expect([what, answer.status, locationOf(answer)]).toEqual([what, 302, FAILED])
  expect([what, await accountOf(at)]).toEqual([what, null])
}

describe('single sign-on', () => {
  withEmptyServer()

  it('is not there unless it is set', async () => {
    const plain = await startTestParley()
    for (const path of ['/people/sso', '/people/sso/callback?code=1&state=2']) {
      expect(await visitor(plain.url).get(path)).toMatchObject({ status: 404, body: 'not found' })
    }
    expect((await visitor(plain.url).get('/people/session')).body).toMatchObject({ singleSignOn: null })
    await plain.close()
    expect((await visitor(server.url).get('/people/session')).body).toMatchObject({
      singleSignOn: 'Lighthouse login',
    })
  })

  it('makes an account and an active member the first time, and finds them the next', async () => {
    const browser = visitor(server.url)
    const answer = await signOn(browser)
    expect([answer.status, locationOf(answer)]).toEqual([302, '/'])
    expect([...browser.cookies.keys()]).toEqual(['parley_session', 'parley_known'])
    const account = await accountOf(browser)
    expect(account).toMatchObject({
      email: 'Ada@example.com',
      memberships: [{ organizationId: orgId, name: 'Ada Okafor', role: 'member' }],
    })
    expect((await browser.get('/people/account')).body).toMatchObject({ hasPassword: false })
    // A provider's address of a person may change; the identity does not.
    isAda({ email: 'ada.lindqvist@example.com', email_verified: false })
    const again = visitor(server.url)
    await signOn(again)
    expect(await accountOf(again)).toEqual(account)
    await server.parley.attemptNotes.settle()
    const entries = await server.parley.db.query(sql`
      select action, actor_kind as kind, actor_name as name, changes from audit_log where org_id = ${orgId} order by id`)
    const ada = { kind: 'person', name: 'Ada Okafor' }
    const changes = [{ field: 'signedInWith', to: 'sign-on' }]
    expect(entries).toEqual([
      { action: 'member.joined', ...ada, changes: [] },
      { action: 'member.signed_in', ...ada, changes },
      { action: 'member.signed_in', ...ada, changes },
    ])
  })

  it('finds the account that has the address, and keeps what it has', async () => {
    const ada = await signInAs(server, { orgId, name: 'Ada', email: 'ada@EXAMPLE.com', role: 'admin' })
    await givePassword(server, ada, 'a long and private sentence')
    const browser = visitor(server.url)
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({
      id: ada.accountId,
      memberships: [{ name: 'Ada', role: 'admin', profileId: ada.profileId }],
    })
    expect((await browser.get('/people/account')).body).toMatchObject({ hasPassword: true })
    const mail = await lastMail(server, ada.email)
    expect(mail.subject).toBe('Your account on Parley was linked to single sign-on')
    expect(mail.text).toContain('Lighthouse login')
    await signOn(visitor(server.url))
    expect(await mailsTo(server, ada.email), 'told once').toHaveLength(1)
  })

  it('sends no mail for a new account', async () => {
    await signOn()
    expect(await mailsTo(server, 'Ada@example.com')).toEqual([])
  })

  it('leads newcomers to the home organization, and who is a member elsewhere to none', async () => {
    server.clock.ahead += MINUTE
    const other = await organization(server, 'Mill & Sons')
    const [newcomer, member] = [visitor(server.url), visitor(server.url)]
    await signOn(newcomer)
    expect(await accountOf(newcomer)).toMatchObject({ memberships: [{ organizationId: orgId }] })
    await person(server, other, 'Grace', { email: 'grace@example.com' })
    isAda({ sub: 'grace-1', email: 'grace@example.com' })
    await signOn(member)
    expect((await accountOf(member)).memberships).toMatchObject([{ organizationId: other }])
  })

  it('leads newcomers to the home organization although another one is older', async () => {
    const younger = await organization(server, 'Mill & Sons')
    await server.parley.db.write(younger, makeHome)
    const browser = visitor(server.url)
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ memberships: [{ organizationId: younger }] })
  })

  it('lets in members only, where there is no home organization', async () => {
    await server.parley.db.query(sql`delete from settings where name = 'home_organization'`)
    const browser = visitor(server.url)
    await expectRefused('a newcomer', await signOn(browser), browser)
    expect(failures()).toEqual([
      'no active member, and no organization to join: set OIDC_ORGANIZATION, or name the home organization with `parley org set --org ID --home`',
    ])
    const members = () => server.parley.db.query(sql`select 1 from profiles where org_id = ${orgId}`)
    expect(await members()).toHaveLength(0)
    await person(server, orgId, 'Ada', { email: 'ada@example.com' })
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ memberships: [{ organizationId: orgId }] })
  })

  it('accepts an invitation that is open', async () => {
    const id = await person(server, orgId, 'A. Okafor', { email: 'ada@example.com', status: 'Pending' })
    const url = await server.parley.db.write(orgId, (tx) => inviteMember(tx, server.parley, id))
    const browser = visitor(server.url)
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ memberships: [{ profileId: id, name: 'A. Okafor' }] })
    const look = await visitor(server.url).post('/people/invitations/look', { token: url.split('#')[1] })
    expect(look.status).toBe(403)
  })

  it('asks the provider where the token tells only who it is', async () => {
    provider.claims = { sub: 'ada-1' }
    provider.userInfo = { sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: ' ' }
    const browser = await visitorOfNewNode()
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ memberships: [{ name: 'ada' }] })
  })

  it('asks the provider where the token does not tell whether the address is verified', async () => {
    isAda({ email_verified: undefined })
    provider.userInfo = { sub: 'ada-1', email: 'ada@example.com', email_verified: true }
    const browser = await visitorOfNewNode()
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ memberships: [{ name: 'Ada Okafor' }] })
  })

  it('leads on to a page of this server, and nowhere else', async () => {
    const to = async (wanted: string) =>
      locationOf(await signOn(visitor(server.url), `?to=${encodeURIComponent(wanted)}`))
    expect(await to('/console/bots?state=active#top')).toBe('/console/bots?state=active#top')
    for (const wanted of [
      'https://attacker.example/',
      '//attacker.example/',
      '/\\attacker.example/',
      '\\\\attacker.example',
      '/..//attacker.example/',
      '/\t/attacker.example',
      'javascript:alert(1)',
      'account',
    ]) {
      expect([wanted, new URL(await to(wanted), server.url).origin]).toEqual([wanted, server.url])
      expect([wanted, await to(wanted)]).toEqual([wanted, expect.not.stringMatching(/^\/[/\\]/)])
    }
  })
})

describe('single sign-on is refused', () => {
  withEmptyServer()

  it('with a forged state, code, or error', async () => {
    const forgeries: [string, (back: URL) => void][] = [
      ['state', (back) => back.searchParams.set('state', 'forged')],
      ['no state', (back) => back.searchParams.delete('state')],
      ['code', (back) => back.searchParams.set('code', 'forged')],
      ['no code', (back) => back.searchParams.delete('code')],
      ['error', (back) => back.searchParams.set('error', 'access_denied')],
    ]
    for (const [what, change] of forgeries) {
      const browser = visitor(server.url)
      await expectRefused(what, await signOn(browser, '', change), browser)
    }
  })

  it('with an ID token that is not for this sign-in', async () => {
    for (const claims of [
      { nonce: 'another' },
      { nonce: undefined },
      { aud: 'another client' },
      { iss: 'https://attacker.example' },
      { exp: Math.floor(Date.now() / 1000) - 3600 },
      { sub: undefined },
    ]) {
      isAda(claims)
      const browser = visitor(server.url)
      await expectRefused(JSON.stringify(claims), await signOn(browser), browser)
    }
    isAda()
    provider.signWith = 'another key'
    const browser = visitor(server.url)
    await expectRefused('another key', await signOn(browser), browser)
    expect(await server.parley.db.query(sql`select 1 as one from accounts`)).toEqual([])
  })

  it('in a browser that did not begin it, twice, or too late', async () => {
    const begin = async (at: Visitor) => provider.visit(locationOf(await open(at, '/people/sso')))
    const browser = visitor(server.url)
    const back = await begin(browser)
    const path = back.pathname + back.search
    const other = visitor(server.url)
    await expectRefused('no cookie', await open(other, path), other)
    await open(other, '/people/sso')
    await expectRefused('the cookie of another', await open(other, path), other)
    const copy = visitor(server.url, new Map(browser.cookies))
    expect(locationOf(await open(browser, path))).toBe('/')
    // The other browser used its own up as well, when it came back with what was not its.
    expect(await server.parley.db.query(sql`select 1 as one from one_time_tokens`)).toEqual([])
    await expectRefused('twice', await open(copy, path), copy)

    const slow = visitor(server.url)
    const late = await begin(slow)
    server.clock.ahead += 10 * MINUTE
    await expectRefused('late', await open(slow, late.pathname + late.search), slow)
  })

  it('without a log line if it was not begun here, and only so often', async () => {
    const stranger = visitor(server.url)
    const path = '/people/sso/callback?code=1&state=2'
    for (let time = 0; time < 30; time++) await expectRefused('guess', await open(stranger, path), stranger)
    expect((await open(stranger, path)).status).toBe(429)
    expect(failures()).toEqual([])
  })

  it('to a second identity with the address of the first', async () => {
    const browser = visitor(server.url)
    await signOn(browser)
    isAda({ sub: 'another-ada' })
    const other = visitor(server.url)
    await expectRefused('the address of somebody else', await signOn(other), other)
    expect(failures()).toEqual(['the account is linked to somebody else at the provider'])
    isAda()
    await signOn(other)
    expect(await accountOf(other)).toEqual(await accountOf(browser))
  })

  it('without a verified address, unless the person is known', async () => {
    for (const claims of [{ email_verified: false }, { email_verified: undefined }, { email: undefined }]) {
      isAda(claims)
      const browser = visitor(server.url)
      await expectRefused(JSON.stringify(claims), await signOn(browser), browser)
    }
    expect(failures()).toEqual(Array(3).fill('the address is not verified'))
  })

  it('to members who were archived or deleted, also when they came this way before', async () => {
    const browser = visitor(server.url)
    await signOn(browser)
    const { profileId } = (await accountOf(browser)).memberships[0]
    for (const status of ['Archived', 'Deleted'] as const) {
      await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, profileId, status))
      await expectRefused(status, await signOn(browser), browser)
    }
    await person(server, orgId, 'Grace', { email: 'grace@example.com' }).then((id) =>
      server.parley.db.write(orgId, (tx) => setMemberStatus(tx, id, 'Archived')),
    )
    isAda({ sub: 'grace-1', email: 'grace@example.com' })
    await expectRefused('never here before', await signOn(browser), browser)
    const rows = await server.parley.db.query(sql`select status from profiles order by email`)
    expect(rows).toEqual([{ status: 'Deleted' }, { status: 'Archived' }])
  })

  it('to addresses of other domains, where domains are set', async () => {
    settings.domains = ['example.com', 'example.org']
    const browser = visitor(server.url)
    for (const email of ['ada@attacker.example', 'ada@sub.example.com', 'ada@notexample.com']) {
      isAda({ email })
      await expectRefused(email, await signOn(browser), browser)
    }
    isAda({ email: 'ada@EXAMPLE.org' })
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ email: 'ada@EXAMPLE.org' })
    settings.domains = ['example.net']
    const later = visitor(server.url)
    await expectRefused('a domain that is not let in any more', await signOn(later), later)
  })

  it('to newcomers where the organization that is meant is not there', async () => {
    const other = await organization(server, 'Mill & Sons')
    const browser = visitor(server.url)
    settings.organizationId = newUuid()
    await expectRefused('an unknown one', await signOn(browser), browser)
    settings.organizationId = other
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ memberships: [{ organizationId: other }] })
    settings.organizationId = undefined
    const again = visitor(server.url)
    await signOn(again)
    expect(await accountOf(again), 'known by now').toMatchObject({ memberships: [{ organizationId: other }] })
  })

  it('while the provider cannot be reached, and works as soon as it can', async () => {
    const own = { ...settings, issuer: new URL('http://127.0.0.1:1') }
    const fresh = await startTestParley({ signOn: own }) // has not read the provider's configuration yet
    await organization(fresh)
    const browser = visitor(fresh.url)
    expect(locationOf(await open(browser, '/people/sso'))).toBe(FAILED)
    own.issuer = settings.issuer
    await signOn(browser)
    expect(await accountOf(browser)).toMatchObject({ email: 'Ada@example.com' })
    await fresh.close()
  })
})

describe('the settings', () => {
  const GIVEN = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  it('are read', () => {
    expect(readConfig({}).signOn).toBeUndefined()
    expect(readConfig({ ...GIVEN, OIDC_DOMAINS: 'Example.com, example.org' }).signOn).toEqual({
      issuer: new URL('https://login.example.com'),
      clientId: 'a',
      clientSecret: 'b',
      name: 'single sign-on',
      organizationId: undefined,
      domains: ['example.com', 'example.org'],
    })
    for (const OIDC_ISSUER of ['https://login.example.com/a', 'https://login.example.com/a/']) {
      expect(readConfig({ ...GIVEN, OIDC_ISSUER }).signOn?.issuer.href).toBe(OIDC_ISSUER)
    }
    expect(readConfig({ ...GIVEN, OIDC_DOMAINS: 'BÜCHER.example' }).signOn?.domains).toEqual([
      'xn--bcher-kva.example',
    ])
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(readConfig({ ...GIVEN, OIDC_ISSUER: `http://${host}:9000` }).signOn?.issuer.protocol).toBe(
        'http:',
      )
    }
  })

  it.each([
    [{ ...GIVEN, OIDC_ISSUER: 'http://login.example.com' }, 'must begin with https://'],
    [{ ...GIVEN, OIDC_ISSUER: 'http://localhost.attacker.example' }, 'must begin with https://'],
    [{ ...GIVEN, OIDC_ISSUER: 'login.example.com' }, 'must be a plain http or https address'],
    [{ ...GIVEN, OIDC_CLIENT_SECRET: '' }, 'also needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'],
    [{ OIDC_CLIENT_ID: 'a' }, 'OIDC_ISSUER, the address of the provider, is not'],
    [{ ...GIVEN, OIDC_DOMAINS: 'example.com,@example.org' }, 'OIDC_DOMAINS holds "@example.org"'],
    [{ ...GIVEN, OIDC_ORGANIZATION: 'Lighthouse' }, 'OIDC_ORGANIZATION is "Lighthouse"'],
  ])('%j are refused', (environment, mistake) => {
    expect(() => readConfig(environment)).toThrow(mistake)
  })
})
