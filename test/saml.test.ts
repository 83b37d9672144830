import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkSignOn } from '../server/cli/doctor/sign-on.ts'
import { readConfig } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import { readSamlMetadata } from '../server/saml-metadata.ts'
import type { SamlSettings } from '../server/settings-reader.ts'
import { organization, person } from './support/cast.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInToProfile, type TestPerson, type Visitor, visitor } from './support/people.ts'
import { isInstalled } from './support/programs.ts'
import {
  type Assertion,
  type KeyPair,
  metadataOf,
  newKeyPair,
  SIGN_IN,
  samlProvider,
} from './support/saml-provider.ts'
import { created, newProvider } from './support/scim.ts'
import { openStream } from './support/stream.ts'

const FAILED = '/sign-in?error=sso'

describe.skipIf(!isInstalled('openssl'))('single sign-on by SAML', () => {
  let server: TestParley
  let orgId: string
  let key: KeyPair
  let another: KeyPair
  let settings: SamlSettings
  let idp: ReturnType<typeof samlProvider>

  beforeAll(async () => {
    key = newKeyPair()
    another = newKeyPair()
    const own = newKeyPair()
    settings = {
      provider: readSamlMetadata(metadataOf(key)),
      name: 'Lighthouse login',
      organizationId: undefined,
      domains: ['example.com'],
      allowsUnasked: false,
      ...own,
    }
    server = await startTestParley({ saml: settings })
    orgId = await organization(server)
    idp = samlProvider(key, async () => (await fetch(`${server.url}/people/sso/saml/metadata`)).text())
  })
  afterAll(() => server?.close())
  beforeEach(() => {
    settings.allowsUnasked = false
    server.logLines.length = 0
  })

  const leads = async (at: Visitor, method: 'get' | 'post', path: string, body?: string) => {
    const headers = {
      origin: method === 'post' ? 'https://login.example.com' : undefined,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      ...(method === 'post' && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const answer = method === 'get' ? await at.get(path, { headers }) : await at.post(path, body, { headers })
    return { status: answer.status, to: answer.headers.get('location') ?? '' }
  }
  const begin = async (at: Visitor, to = '') => {
    const { status, to: location } = await leads(at, 'get', `/people/sso${to}`)
    expect(status).toBe(302)
    expect(location.startsWith(SIGN_IN)).toBe(true)
    return idp.requestIn(location)
  }
  /** Posts an answer as a browser does, which sends no cookies with it, and goes where that leads. */
  const hand = async (at: Visitor, answer: string) => {
    const posted = await leads(
      visitor(server.url),
      'post',
      '/people/sso/saml',
      new URLSearchParams({ SAMLResponse: answer }).toString(),
    )
    return posted.to === FAILED ? posted.to : (await leads(at, 'get', posted.to)).to
  }
  const signOn = async (said: Assertion = {}, at = visitor(server.url)) => {
    const { id } = await begin(at)
    return { at, to: await hand(at, await idp.answer({ requestId: id, ...said })) }
  }
  const reason = (): string => {
    const lines = server.logLines.flatMap((line) => line.split('\n')).filter((line) => line.startsWith('{'))
    return String(lines.map((line) => Object(JSON.parse(line)).reason).findLast((one) => one !== undefined))
  }
  /** Tampers with an answer; `change` gets its XML. */
  const changed = (answer: string, change: (xml: string) => string): string =>
    Buffer.from(change(Buffer.from(answer, 'base64').toString())).toString('base64')

  it('lets a newcomer in under their name, and the same person again', async () => {
    const at = visitor(server.url)
    const { id, issuer } = await begin(at, '?to=/account')
    expect(issuer).toBe(`${server.parley.config.baseUrl}/people/sso/saml/metadata`)
    expect(await hand(at, await idp.answer({ requestId: id }))).toBe('/account')
    const { body } = await at.get('/people/session')
    expect(body).toMatchObject({
      singleSignOn: 'Lighthouse login',
      account: {
        email: 'ada@example.com',
        memberships: [{ organizationId: orgId, name: 'Ada Okafor', role: 'member' }],
      },
    })
    expect((await signOn()).to).toBe('/')
    const { to } = await signOn({ nameId: 'ada-2' })
    expect(to).toBe(FAILED)
    expect(reason()).toBe('the account is linked to somebody else at the provider')
  })

  it('accepts an invitation, and reads assertions that are encrypted for it', async () => {
    const id = await person(server, orgId, 'Grace Lindqvist', { status: 'Pending' })
    const said = { nameId: 'grace-1', email: 'grace.lindqvist@example.com', isEncrypted: true }
    const { at, to } = await signOn(said)
    expect(to, reason()).toBe('/')
    expect((await at.get('/people/session')).body).toMatchObject({
      account: { memberships: [{ profileId: id }] },
    })
  })

  it.each<[string, Assertion, RegExp]>([
    ['is signed by another key', {}, /signature/i],
    ['is not signed', { isUnsigned: true }, /signature/i],
    ['comes from a clock that is an hour behind', { aheadMs: -3_600_000 }, /expired/],
    ['comes from a clock that is an hour ahead', { aheadMs: 3_600_000 }, /not yet valid/],
    ['is for another audience', { audience: 'https://elsewhere.test' }, /audience/],
    ['is for another recipient', { recipient: 'https://elsewhere.test/acs' }, /recipient/],
    ['is of another provider', { issuer: 'https://elsewhere.test' }, /issuer|provider/i],
    ['has an address of another domain', { nameId: 'x', email: 'ada@elsewhere.test' }, /domain/],
    ['answers what nobody asked', { requestId: undefined }, /SAML_IDP_INITIATED is off/],
    ['answers another browser', { requestId: '_another' }, /another browser/],
  ])('refuses an assertion that %s', async (name, said, words) => {
    const { at, to } = await signOn(name.includes('another key') ? { ...said, key: another } : said)
    expect(to).toBe(FAILED)
    expect(reason()).toMatch(words)
    expect((await at.get('/people/session')).body).toMatchObject({ account: null })
  })

  it('refuses an answer that was changed, wrapped, or has a document type', async () => {
    for (const [change, words] of [
      [(xml: string) => xml.replace('ada@example.com', 'eve@example.com'), /signature/i],
      // The signed assertion is moved aside, and another one stands where it was.
      [
        (xml: string) => {
          const [signed = ''] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml) ?? []
          const forged = signed
            .replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '')
            .replace(/ID="[^"]+"/, 'ID="_forged"')
            .replaceAll('ada', 'eve')
          return xml.replace(signed, `${forged}<samlp:Extensions>${signed}</samlp:Extensions>`)
        },
        /.+/,
      ],
      [
        (xml: string) => {
          const [signed = ''] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml) ?? []
          const forged = signed
            .replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '')
            .replace(/ID="[^"]+"/, 'ID="_forged"')
            .replaceAll('ada', 'eve')
          return xml.replace(signed, forged + signed)
        },
        /.+/,
      ],
      // A comment divides the name; what is read must be the whole of it.
      [
        (xml: string) => xml.replace('ada@example.com', 'eve@example.com<!-- -->.ada@example.com'),
        /signature/i,
      ],
      [(xml: string) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}`, /document type/],
      [
        (xml: string) =>
          xml
            .replaceAll('xmldsig-more#rsa-sha256', 'xmldsig#rsa-sha1')
            .replaceAll('2001/04/xmldsig#', '2000/09/xmldsig#'),
        /SHA-1|signature/i,
      ],
      [() => 'no XML', /.+/],
    ] as const) {
      const at = visitor(server.url)
      const { id } = await begin(at)
      expect(await hand(at, changed(await idp.answer({ requestId: id }), change))).toBe(FAILED)
      expect(reason()).toMatch(words)
      expect((await at.get('/people/session')).body).toMatchObject({ account: null })
    }
    expect(await server.parley.db.query(sql`select 1 from accounts where email like 'eve%'`)).toEqual([])
  })

  it('goes on with everything else while it refuses an answer that takes minutes to read', async () => {
    const wide = (elements: number) =>
      Buffer.from(
        `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="r" Version="2.0">${'<a/>'.repeat(elements)}</samlp:Response>`,
      ).toString('base64')
    let longestMs = 0
    let last = performance.now()
    const look = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 5)
    const began = performance.now()
    expect(await hand(visitor(server.url), wide(60_000))).toBe(FAILED)
    expect(reason()).toBe('the answer has too many elements')
    expect(await hand(visitor(server.url), wide(3900))).toBe(FAILED)
    expect(reason()).toMatch(/^the answer takes too long to read$|assertion/)
    clearInterval(look)
    expect(longestMs).toBeLessThan((performance.now() - began) / 2)
    expect((await signOn()).to, reason()).toBe('/')
  })

  it('takes an assertion once, on whichever node', async () => {
    const node = await server.secondNode({ saml: settings })
    const at = visitor(server.url)
    const { id } = await begin(at)
    const answer = await idp.answer({ requestId: id })
    const body = new URLSearchParams({ SAMLResponse: answer }).toString()
    // The nodes have one address for people; the second hears of it from its settings.
    node.parley.config.baseUrl = server.parley.config.baseUrl
    const [one, other] = await Promise.all(
      [server, node].map(({ url }) => leads(visitor(url), 'post', '/people/sso/saml', body)),
    )
    const places = [one?.to ?? '', other?.to ?? '']
    expect(places.filter((to) => to === FAILED)).toHaveLength(1)
    const ticket = places.find((to) => to !== FAILED) ?? ''
    expect((await leads(at, 'get', ticket)).to).toBe('/')
    expect((await leads(at, 'get', ticket)).to).toBe(FAILED)
  })

  it('lets the provider begin where the operator allows it', async () => {
    settings.allowsUnasked = true
    const at = visitor(server.url)
    expect(await hand(at, await idp.answer({ requestId: undefined }))).toBe('/')
    expect((await at.get('/people/session')).body).toMatchObject({ account: { email: 'ada@example.com' } })
  })

  it('does not bring back who was archived', async () => {
    const { at } = await signOn({ nameId: 'ben-1', email: 'ben@example.com', name: 'Ben Ito' })
    const [account] = Object((await at.get('/people/session')).body).account.memberships
    await server.parley.db.query(sql`update profiles set status = 'Archived' where id = ${account.profileId}`)
    expect((await signOn({ nameId: 'ben-1', email: 'ben@example.com' })).to).toBe(FAILED)
    expect(reason()).toBe('the member was archived or deleted')
  })
})

describe('an organization with single sign-on alone', () => {
  let server: TestParley
  let here: TestOrganization
  beforeAll(async () => {
    server = await startTestParley()
    here = await newOrganization(server, 'Here')
  })
  afterAll(() => server.close())

  it('is switched on by an owner who came by it, and lets members in by nothing else', async () => {
    const path = `/people/organizations/${here.orgId}`
    const ask = async (who: TestPerson) => {
      const { status, body } = await who.get(`${path}/chat/start`)
      return status === 200 ? 200 : [status, body]
    }
    expect((await here.owner.patch(path, { requireSignOn: true })).body).toBe(
      'come by single sign-on yourself first',
    )
    expect((await here.admin.patch(path, { requireSignOn: true })).body).toBe(
      'only owners decide on single sign-on',
    )
    const [owner, member] = await Promise.all([
      signInToProfile(server, here.owner, 'sign-on'),
      signInToProfile(server, here.member, 'sign-on'),
    ])
    const [withCode, withPasskey, ownerWithCode] = await Promise.all([
      signInToProfile(server, here.member, 'code'),
      signInToProfile(server, here.member, 'passkey'),
      signInToProfile(server, here.owner, 'code'),
    ])
    const stream = await openStream(withPasskey, here.orgId)
    await stream.next(({ event }) => event === 'reset')
    expect((await owner.patch(path, { requireSignOn: true })).body).toMatchObject({ requireSignOn: true })
    await stream.ended()
    const refused = [403, 'come by single sign-on']
    for (const who of [here.member, here.admin, withCode, withPasskey])
      expect(await ask(who)).toEqual(refused)
    for (const who of [owner, member, ownerWithCode]) expect(await ask(who)).toBe(200)
    expect(await ask(here.owner)).toEqual([403, 'set up a second factor first'])
    expect((await withCode.get('/people/session')).body).toMatchObject({
      account: { memberships: [{ organizationId: here.orgId, needs: 'sign_on' }] },
    })
    // A person whom a provider adds needs no link.
    const scim = await newProvider(owner)
    const { userName } = await created(scim)
    expect(await mailsTo(server, userName)).toEqual([])
    expect((await ownerWithCode.patch(path, { requireSignOn: false })).status).toBe(200)
    expect(await ask(withPasskey)).toBe(200)
  })
})

describe.skipIf(!isInstalled('openssl'))('npx parley doctor', () => {
  it('tries the provider, and says what is wrong', async () => {
    const provider = readSamlMetadata(metadataOf(newKeyPair()))
    const config = readConfig({ DATA_DIR: '/tmp' })
    const saml = {
      provider,
      name: 'Login',
      organizationId: undefined,
      domains: [],
      allowsUnasked: false,
      certificate: undefined,
      privateKey: undefined,
    }
    const listening = createServer((_request, response) => response.end())
    await once(listening.listen(0, '127.0.0.1'), 'listening')
    const signInUrl = new URL(`http://127.0.0.1:${Object(listening.address()).port}/`)
    const tried = (now: number) =>
      checkSignOn({ ...config, saml: { ...saml, provider: { ...provider, signInUrl } } }, now)
    const yesterday = Date.now() - 13 * 86_400_000
    expect(await tried(yesterday)).toMatchObject([{ ok: true }])
    expect(await tried(Date.now())).toMatchObject([
      { ok: false, detail: expect.stringContaining(' ends on ') },
    ])
    expect(await tried(Date.now() + 3 * 86_400_000)).toMatchObject([
      { ok: false, detail: expect.stringContaining(' has ended on ') },
    ])
    listening.close()
    await once(listening, 'close')
    expect(await tried(yesterday)).toMatchObject([
      { ok: false, detail: expect.stringContaining('not reached') },
    ])
    const signOn = {
      issuer: signInUrl,
      clientId: 'a',
      clientSecret: 'b',
      name: 'Login',
      organizationId: undefined,
      domains: [],
    }
    expect(await checkSignOn({ ...config, signOn })).toMatchObject([
      { ok: false, fix: expect.stringContaining('OIDC_ISSUER') },
    ])
    expect(await checkSignOn(config)).toEqual([])
  })
})

describe('the settings of SAML', () => {
  it('name what is wrong, and the fix', () => {
    const mistakes = (environment: Record<string, string>): string => {
      try {
        readConfig({ DATA_DIR: '/tmp', ...environment })
        return ''
      } catch (error) {
        return String(error)
      }
    }
    const metadata = { SAML_METADATA: '/nonexistent/metadata.xml', SAML_DOMAINS: 'example.com' }
    expect(mistakes(metadata)).toContain(
      'SAML_METADATA is "/nonexistent/metadata.xml", which cannot be read.',
    )
    expect(mistakes({ ...metadata, SAML_METADATA: 'package.json' })).toContain('it is no XML')
    expect(mistakes({ SAML_METADATA: 'package.json' })).toContain('SAML_DOMAINS')
    expect(
      mistakes({ ...metadata, OIDC_ISSUER: 'https://a.test', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }),
    ).toContain('one provider')
    expect(mistakes({ ...metadata, SAML_CERTIFICATE: 'package.json' })).toContain('set both, or neither')
  })

  it.each([
    ['<a/>', 'describes no identity provider'],
    ['<!DOCTYPE a><a/>', 'document type'],
    [
      '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="a"><md:IDPSSODescriptor/></md:EntityDescriptor>',
      'SingleSignOnService',
    ],
  ])('read no metadata like %s', (xml, words) => {
    expect(() => readSamlMetadata(xml)).toThrow(words)
  })
})
