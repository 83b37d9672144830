import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import { inviteMember } from '../server/actions/members/invitations.ts'
import { hashPassword } from '../server/auth/passwords.ts'
import { readConfig } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { lastMail, mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'
import { send } from './support/wire.ts'

const MINUTE = 60_000
const PASSWORD = 'a long and private sentence'
const OTHER = 'another private sentence'
const FOREIGN = { status: 403, body: 'this must be sent from a page of this server' }
const NOBODY = { status: 401, body: 'sign in first' }

let server: TestParley
let orgId: string
beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server, 'Lighthouse Labs')
})
afterAll(() => server.close())

async function withPassword(name: string): Promise<TestPerson> {
  const somebody = await signInAs(server, { orgId, name })
  await givePassword(server, somebody, PASSWORD)
  return somebody
}
const signIn = (email: string, password = PASSWORD, at = visitor(server.url)) =>
  at.post('/people/sign-in', { email, password })
const tokenOf = ({ cookies }: TestPerson) => cookies.get('parley_session') ?? ''
const laterOn = () => {
  server.clock.ahead += 2 * MINUTE
}
const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('a request from another site', () => {
  const WAYS: [string, Record<string, string | undefined>][] = [
    ['a foreign origin', { origin: 'https://attacker.example' }],
    ['an origin that ends like ours', { origin: 'http://not127.0.0.1' }],
    ['our host as a name in theirs', { origin: 'http://127.0.0.1.attacker.example' }],
    ['the origin null', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['no origin', { origin: undefined }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a cross-site fetch without an origin', { origin: undefined, 'sec-fetch-site': 'cross-site' }],
    ['a neighbour under the same domain', { origin: undefined, 'sec-fetch-site': 'same-site' }],
    ['an address typed into the browser', { origin: undefined, 'sec-fetch-site': 'none' }],
  ]

  it.each(WAYS)('with %s changes nothing', async (_way, headers) => {
    const ada = await withPassword(`Ada ${WAYS.findIndex(([, one]) => one === headers)}`)
    const cookies = new Map(ada.cookies)
    expect(await ada.post('/people/sign-out', undefined, { headers })).toMatchObject(FOREIGN)
    expect(await ada.delete('/people/account/sessions', undefined, { headers })).toMatchObject(FOREIGN)
    const body = { currentPassword: PASSWORD, password: OTHER }
    expect(await ada.post('/people/password', body, { headers })).toMatchObject(FOREIGN)
    const credentials = { email: ada.email, password: PASSWORD }
    expect(await ada.post('/people/sign-in', credentials, { headers })).toMatchObject(FOREIGN)
    expect([...ada.cookies]).toEqual([...cookies])
    expect((await ada.get('/people/account')).status).toBe(200)
  })

  it('reads nothing either where the browser says so', async () => {
    const bo = await signInAs(server, { orgId, name: 'Bo' })
    for (const headers of [
      { origin: 'https://attacker.example' },
      { origin: 'null' },
      { origin: undefined, 'sec-fetch-site': 'cross-site' },
      { origin: undefined, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await bo.get('/people/session', { headers })
      expect(answer).toMatchObject(FOREIGN)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect((await bo.get('/people/session', { headers: { origin: undefined } })).status).toBe(200)
    expect(
      (await bo.get('/people/session', { headers: { origin: undefined, 'sec-fetch-site': 'same-origin' } }))
        .status,
    ).toBe(200)
  })

  it('gets no leave to ask again with more', async () => {
    const answer = await call(server.url, undefined, 'OPTIONS', '/people/sign-in', {
      headers: { origin: 'https://attacker.example', 'access-control-request-method': 'POST' },
    })
    expect(answer.status).toBe(404)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('cannot send a form instead of JSON', async () => {
    const cy = await withPassword('Cy')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const body = JSON.stringify({ email: cy.email, password: PASSWORD })
      const answer = await visitor(server.url).post('/people/sign-in', body, {
        headers: { 'content-type': type },
      })
      expect(answer).toMatchObject({ status: 400, body: 'content type must be application/json' })
    }
  })
})

describe('what is not a session', () => {
  const read = (cookie: string) => visitor(server.url).get('/people/account', { headers: { cookie } })

  it('is refused in every shape', async () => {
    const dee = await signInAs(server, { orgId, name: 'Dee' })
    const token = tokenOf(dee)
    expect((await read(`parley_session=${token}`)).status).toBe(200)
    expect((await read(`theme=dark; parley_session=${token}; other=1`)).status).toBe(200)
    const swapped = token === token.toUpperCase() ? token.toLowerCase() : token.toUpperCase()
    for (const cookie of [
      `parley_session=${token.slice(0, -1)}`,
      `parley_session=${token}x`,
      `parley_session=${swapped}`,
      `parley_session="${token}"`,
      `parley_session=${encodeURIComponent(`${token} `)}`,
      `PARLEY_SESSION=${token}`,
      `__Host-parley_session=${token}`,
      `xparley_session=${token}`,
      `parley_session=; parley_passkey=${token}`,
      'parley_session=',
      'parley_session',
      `parley_session=${"' or 1=1 --"}`,
      `parley_session=${'x'.repeat(5000)}`,
    ]) {
      expect([cookie, (await read(cookie)).status]).toEqual([cookie, 401])
    }
    const [row] = await server.parley.db.query<{ hash: string }>(sql`
      select encode(token_hash, 'hex') as hash from sessions where account_id = ${dee.accountId}`)
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await read(`parley_session=${row?.hash}`), 'what the database holds').toMatchObject(NOBODY)
  })

  it('is refused anywhere but in the cookie', async () => {
    const eve = await signInAs(server, { orgId, name: 'Eve' })
    const token = tokenOf(eve)
    const bare = visitor(server.url)
    expect(await bare.get(`/people/account?parley_session=${token}&token=${token}`)).toMatchObject(NOBODY)
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { authorization: `Basic ${token}` },
      { 'x-session': token },
    ]) {
      expect(await bare.get('/people/account', { headers })).toMatchObject(NOBODY)
    }
  })

  it('opens nothing of the API for bots, whose keys open nothing of this', async () => {
    const fay = await signInAs(server, { orgId, name: 'Fay', role: 'owner' })
    expect((await fay.get('/v2/members')).status).toBe(401)
    const headers = { authorization: `Bearer ${tokenOf(fay)}` }
    expect((await fay.get('/v2/members', { headers })).status).toBe(401)
  })

  it('is refused once it is over', async () => {
    const gus = await withPassword('Gus')
    const ended = visitor(server.url, new Map(gus.cookies))
    await gus.post('/people/sign-out')
    expect(await ended.get('/people/account')).toMatchObject(NOBODY)
    expect(await ended.post('/people/password', { password: OTHER })).toMatchObject(NOBODY)

    const [stolen, own] = [await signInToProfile(server, gus), await signInToProfile(server, gus)]
    await own.post('/people/password', { currentPassword: PASSWORD, password: OTHER })
    expect(await stolen.get('/people/account')).toMatchObject(NOBODY)
    expect((await own.get('/people/account')).status).toBe(200)
  })

  it('is refused by every operation that asks for one, before anything else is looked at', async () => {
    for (const { method, path, access } of PEOPLE_OPERATIONS) {
      if (access === 'anyone') continue
      const target = path.replace('{organizationId}', orgId).replace(/\{\w+\}/g, 'x')
      const headers = { origin: server.url, 'content-type': 'application/json' }
      const answer = await send(server.url, { method, target, headers, body: '{' })
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 401, 'sign in first'])
    }
  })
})

describe('the cookies', () => {
  const attributesOf = (cookie: string) => cookie.split('; ').slice(1).sort()

  it('are out of reach for scripts and other sites, and bound to the host over https', async () => {
    laterOn()
    const hal = await withPassword('Hal')
    const { baseUrl } = server.parley.config
    const kinds = async () => {
      const browser = visitor(server.url)
      return [
        await signIn(hal.email, PASSWORD, browser),
        await browser.post('/people/passkeys/options'),
        await browser.post('/people/sign-out'),
      ].map(({ headers }) => headers.getSetCookie())
    }
    for (const [session = [], passkey = [], over = []] of [await kinds()]) {
      expect(session).toHaveLength(2)
      expect(session[1]).toMatch(/^parley_known=[A-Za-z0-9]{22}\.[\w-]{43};/)
      expect(attributesOf(session[1] ?? '')).toEqual([
        'HttpOnly',
        'Max-Age=34560000',
        'Path=/',
        'SameSite=Lax',
      ])
      expect(session[0]).toMatch(/^parley_session=[A-Za-z0-9]{43};/)
      expect(attributesOf(session[0] ?? '')).toEqual([
        'HttpOnly',
        'Max-Age=2592000',
        'Path=/',
        'SameSite=Lax',
      ])
      expect(attributesOf(passkey[0] ?? '')).toEqual(['HttpOnly', 'Max-Age=300', 'Path=/', 'SameSite=Lax'])
      expect(over).toEqual(['parley_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    }
    server.parley.config.baseUrl = 'https://chat.example.com'
    try {
      for (const [cookie = ''] of await kinds()) {
        expect(cookie).toMatch(/^__Host-parley_(session|passkey)=/)
        expect(attributesOf(cookie)).toEqual(
          expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/']),
        )
        expect(cookie).not.toMatch(/Domain/i)
      }
    } finally {
      server.parley.config.baseUrl = baseUrl
    }
  })
})

describe('guessing', () => {
  it('a password is limited for each account, however fast it comes', async () => {
    laterOn()
    const ida = await withPassword('Ida')
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) => signIn(ida.email.toUpperCase(), `guess number ${index}`)),
    )
    expect([count(answers, 401), count(answers, 429)]).toEqual([10, 4])
    const right = await signIn(ida.email)
    expect(right).toMatchObject({ status: 429, body: 'too many attempts, please wait' })
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(50)
    const here = await signInToProfile(server, ida)
    const change = await here.post('/people/password', { currentPassword: PASSWORD, password: OTHER })
    expect(change.status).toBe(429)
    expect((await here.get('/people/account')).status, 'who is signed in stays so').toBe(200)
    server.clock.ahead += MINUTE
    expect((await signIn(ida.email)).status).toBe(200)
  })

  it('does not lock the owner out: not elsewhere until it is too much, and never in a browser of their own', async () => {
    const behindProxy = await startTestParley({ trustProxy: true })
    const una = await signInAs(behindProxy, { orgId: await organization(behindProxy), name: 'Una' })
    await givePassword(behindProxy, una, PASSWORD)
    const from = async (network: number, password: string, at = visitor(behindProxy.url)) => {
      const headers = { 'x-forwarded-for': `192.0.2.${network}` }
      const body = { email: una.email, password }
      return (await at.post('/people/sign-in', body, { headers })).status
    }
    const own = visitor(behindProxy.url)
    expect(await from(100, PASSWORD, own)).toBe(200)
    for (let network = 1; network <= 10; network++) {
      expect(await from(100, PASSWORD), 'the owner').toBe(200)
      const guesses = await Promise.all(Array.from({ length: 10 }, () => from(network, OTHER)))
      expect(guesses).toEqual(Array(10).fill(401))
      expect(await from(network, PASSWORD), 'the network of the guesses').toBe(429)
    }
    expect(await from(100, PASSWORD), 'after a hundred, in a new browser').toBe(429)
    expect(await from(100, PASSWORD, own), 'in their own').toBe(200)
    expect(await from(1, PASSWORD, own), 'also in the network of the guesses').toBe(200)
    const forged = visitor(
      behindProxy.url,
      new Map([['parley_known', `${'x'.repeat(22)}.${'y'.repeat(43)}`]]),
    )
    expect(await from(100, PASSWORD, forged), 'in one that only says so').toBe(429)
    const mistaken = await Promise.all(Array.from({ length: 10 }, () => from(100, OTHER, own)))
    expect(mistaken).toEqual(Array(10).fill(401))
    expect(await from(100, PASSWORD, own), 'which is limited by itself').toBe(429)
    behindProxy.clock.ahead += MINUTE
    expect(await from(100, PASSWORD)).toBe(200)
    await behindProxy.close()
  })

  it('is limited for each address, whosever passwords it tries', async () => {
    laterOn()
    const many = await Promise.all(['Jo', 'Joe', 'Jon', 'Joy'].map(withPassword))
    const guesses = many.flatMap(({ email }) => Array(8).fill(email))
    const answers = await Promise.all(guesses.map((email) => signIn(email, OTHER)))
    expect([count(answers, 401), count(answers, 429)]).toEqual([30, 2])
    const another = await withPassword('Another')
    expect((await signIn(another.email)).status).toBe(429)
  })

  it('counts the network half of an IPv6 address as one', async () => {
    const behindProxy = await startTestParley({ trustProxy: true })
    const guess = async (address: string) => {
      const headers = { 'x-forwarded-for': address }
      return (
        await visitor(behindProxy.url).post('/people/invitations/look', { token: 'guess' }, { headers })
      ).status
    }
    for (let host = 1; host <= 28; host++) expect(await guess(`2001:db8:0:7::${host}`)).toBe(403)
    expect(await guess('2001:db8:0:7:8000:1:2:3')).toBe(403)
    expect(await guess('2001:db8:0:7:0:0:0:1')).toBe(403)
    expect(await guess('2001:db8:0:7:ffff::')).toBe(429)
    expect(await guess('2001:db8:0:8::1')).toBe(403)
    expect(await guess('2001:db8::7:0:0:1')).toBe(403)
    expect(await guess('192.0.2.7')).toBe(403)
    await behindProxy.close()
  })

  it('does not count what was right, nor what was no attempt', async () => {
    laterOn()
    const kai = await withPassword('Kai')
    for (let time = 0; time < 12; time++) expect((await signIn(kai.email)).status).toBe(200)
    const here = await signInToProfile(server, kai)
    for (let time = 0; time < 12; time++) {
      const weak = await here.post('/people/password', { currentPassword: PASSWORD, password: 'qwertyuiop' })
      expect(weak.status).toBe(400)
    }
  })

  it('is refused for now when forty passwords wait, which is no failure; a known browser is not', async () => {
    laterOn()
    const vera = await withPassword('Vera')
    const own = visitor(server.url)
    expect((await signIn(vera.email, PASSWORD, own)).status).toBe(200)
    // Two are slow, and all others wait for them.
    const work = Array.from({ length: 42 }, (_, index) =>
      hashPassword(OTHER, index < 2 ? { N: 2 ** 15, r: 8, p: 6 } : { N: 2 ** 10, r: 8, p: 1 }),
    )
    for (const length of [6, 6]) {
      const refused = await Promise.all(Array.from({ length }, () => signIn(vera.email)))
      for (const { status, body, headers } of refused)
        expect([status, body, headers.get('retry-after')]).toEqual([
          429,
          'too many attempts, please wait',
          '5',
        ])
    }
    expect((await signIn(vera.email, PASSWORD, own)).status, 'her own browser').toBe(200)
    await Promise.all(work)
    expect((await signIn(vera.email)).status).toBe(200)
  })

  it('the current password is limited too, against stolen sessions', async () => {
    laterOn()
    const lea = await withPassword('Lea')
    const guess = () => lea.post('/people/password', { currentPassword: 'a guess', password: OTHER })
    const answers = await Promise.all(Array.from({ length: 13 }, guess))
    expect([count(answers, 403), count(answers, 429)]).toEqual([10, 3])
  })

  it('cannot fill a mailbox, nor keep its owner from a new password', async () => {
    const behindProxy = await startTestParley({ trustProxy: true })
    const max = await signInAs(behindProxy, { orgId: await organization(behindProxy), name: 'Max' })
    await givePassword(behindProxy, max, PASSWORD)
    const ask = (email: string, network = 1) =>
      visitor(behindProxy.url).post(
        '/people/password-reset',
        { email },
        { headers: { 'x-forwarded-for': `192.0.2.${network}` } },
      )
    for (const email of [max.email, 'nobody@example.com']) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(email)))
      expect([count(answers, 204), count(answers, 429)]).toEqual([5, 3])
    }
    expect(await mailsTo(behindProxy, max.email), 'one is on its way').toHaveLength(1)
    const first = /#(\w+)/.exec((await lastMail(behindProxy, max.email)).text)?.[1] ?? ''

    behindProxy.clock.ahead += MINUTE
    expect((await ask(max.email)).status, 'the stranger').toBe(429)
    expect((await ask(max.email, 2)).status, 'the owner, elsewhere').toBe(204)
    expect(await mailsTo(behindProxy, max.email)).toHaveLength(2)
    for (let network = 3; network < 60; network++) {
      behindProxy.clock.ahead += MINUTE / 2
      expect((await ask(max.email, network)).status).toBe(204)
    }
    expect((await mailsTo(behindProxy, max.email)).length, 'from many networks').toBe(20)
    const browser = visitor(behindProxy.url)
    const body = { token: first, password: OTHER }
    expect((await browser.post('/people/password-reset/finish', body)).status, 'all of them work').toBe(200)
    behindProxy.clock.ahead += 60 * MINUTE
    expect((await ask(max.email)).status).toBe(204)
    await behindProxy.close()
  })

  it('a password of before is hashed more strongly when its owner signs in', async () => {
    const strict = await startTestParley({ passwordCost: { N: 2 ** 11, r: 8, p: 2 } })
    const wes = await signInAs(strict, { orgId: await organization(strict), name: 'Wes' })
    const { db } = strict.parley
    const old = await hashPassword(PASSWORD, { N: 2 ** 10, r: 8, p: 1 })
    await db.query(sql`update accounts set password = ${old} where id = ${wes.accountId}`)
    const stored = async () => {
      const [row] = await db.query<{ password: string }>(
        sql`select password from accounts where id = ${wes.accountId}`,
      )
      return row?.password ?? ''
    }
    const enter = (password: string) =>
      visitor(strict.url).post('/people/sign-in', { email: wes.email, password })
    expect((await enter(OTHER)).status).toBe(401)
    expect(await stored(), 'a wrong password changes nothing').toBe(old)
    expect((await enter(PASSWORD)).status).toBe(200)
    const upgraded = await stored()
    expect(upgraded).toMatch(/^scrypt:2048:8:2:/)
    expect((await enter(PASSWORD)).status).toBe(200)
    expect(await stored()).toBe(upgraded)
    expect((await wes.get('/people/account')).status, 'nobody is signed out by it').toBe(200)
    await strict.close()
  })

  it('is as costly as OWASP asks for', () => {
    const { N, r, p } = readConfig({}).passwordCost
    expect(N * r * p * 128).toBeGreaterThanOrEqual(2 ** 15 * 8 * 3 * 128)
    expect(N * r * 128, 'memory of one').toBeLessThanOrEqual(32 * 2 ** 20)
  })
})

describe('whether an address has an account', () => {
  /** Each try needs a new member. */
  let tries = 0

  it('does not show in answers', async () => {
    laterOn()
    const ned = await withPassword('Ned')
    const shown = ({ status, text, headers }: Answer) => {
      const { 'x-request-id': _id, date: _date, ...others } = Object.fromEntries(headers)
      return { status, text, others }
    }
    const [known, unknown] = [await signIn(ned.email, OTHER), await signIn('unknown@example.com', OTHER)]
    expect(shown(known)).toEqual(shown(unknown))
    const ask = (email: string) => visitor(server.url).post('/people/password-reset', { email })
    expect(shown(await ask(ned.email))).toEqual(shown(await ask('unknown@example.com')))
  })

  // Time is noisy; a real difference shows every time.
  it('does not show in the time that a wrong password takes', { retry: 3 }, async () => {
    laterOn()
    tries += 1
    const oda = await signInAs(server, { orgId, name: `Oda ${tries}` })
    await oda.post('/people/password', { password: PASSWORD })
    const best = { known: Infinity, unknown: Infinity }
    const timed = async (email: string) => {
      const began = performance.now()
      expect((await signIn(email, OTHER)).status).toBe(401)
      return performance.now() - began
    }
    // The two alternate, so that a busy machine slows both.
    for (let time = 0; time < 4; time++) {
      best.known = Math.min(best.known, await timed(oda.email))
      best.unknown = Math.min(best.unknown, await timed('unknown@example.com'))
    }
    const ratio = best.known / best.unknown
    // The hash is nearly all of it: without one, an unknown address would be answered fifty times as fast.
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })
})

describe('the log', () => {
  it('holds no secret, whatever happens', async () => {
    laterOn()
    const pam = await withPassword('Pam')
    const secrets = [PASSWORD, OTHER, tokenOf(pam)]
    await visitor(server.url).post('/people/password-reset', { email: pam.email })
    const link = /#(\w+)/.exec((await lastMail(server, pam.email)).text)?.[1] ?? ''
    const invited = await person(server, orgId, 'Quin', { status: 'Pending' })
    const url = await server.parley.db.write(orgId, (tx) => inviteMember(tx, server.parley, invited))
    const invitation = url.split('#')[1] ?? ''
    secrets.push(link, invitation)
    const browser = visitor(server.url)
    await browser.post('/people/invitations/look', { token: invitation })
    await browser.post('/people/invitations/accept', { token: invitation, name: 'Quin', password: PASSWORD })
    await signIn(pam.email, OTHER, browser)
    await browser.post('/people/password-reset/finish', { token: link, password: OTHER })
    secrets.push(browser.cookies.get('parley_session') ?? '')

    // The server itself fails, with everything in the request.
    const { query } = server.parley.db
    server.parley.db.query = () => Promise.reject(new Error('the database is away'))
    try {
      const body = { email: pam.email, password: PASSWORD }
      expect((await pam.post('/people/sign-in', body)).status).toBe(500)
    } finally {
      server.parley.db.query = query
    }
    const log = server.logLines.join('')
    expect(log).toContain('the database is away')
    expect(secrets).toHaveLength(6)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20)
      expect(log.includes(secret)).toBe(false)
    }
  })
})
