import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { forgetOldTokens } from '../server/auth/one-time-tokens.ts'
import { createSession, forgetOldSessions, isOpenSession } from '../server/auth/sessions.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person } from './support/cast.ts'
import { whileItWaits } from './support/locks.ts'
import { lastMail, mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const PASSWORD = 'a long and private sentence'
const OTHER = 'another private sentence'
const WRONG = { status: 401, body: 'wrong e-mail address or password' }

let server: TestParley
let orgId: string
beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server, 'Lighthouse Labs')
})
afterAll(() => server.close())

/** A person with an account and a password, signed in nowhere. */
async function someone(name: string): Promise<TestPerson> {
  const somebody = await signInAs(server, { orgId, name })
  await somebody.post('/people/sign-out')
  await givePassword(server, somebody, PASSWORD)
  return somebody
}

const signIn = (email: string, password = PASSWORD, at = visitor(server.url)) =>
  at.post('/people/sign-in', { email, password })

describe('who is signed in', () => {
  it('is nobody at first', async () => {
    const { status, body, headers } = await visitor(server.url).get('/people/session')
    expect({ status, body }).toEqual({
      status: 200,
      body: { isSetUp: true, hasOrganization: true, singleSignOn: null, mail: 'outbox', account: null },
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('is told with the organizations where they are active, and no others', async () => {
    const ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
    const mill = await organization(server, 'Mill & Sons')
    const harbour = await organization(server, 'Harbour')
    const atMill = await person(server, mill, 'Ada O.', { email: 'ADA.okafor@example.com' })
    await person(server, harbour, 'Ada', { email: ada.email, status: 'Pending' })
    const { body } = await ada.get('/people/session')
    expect(body).toEqual({
      isSetUp: true,
      hasOrganization: true,
      singleSignOn: null,
      mail: 'outbox',
      account: {
        id: ada.accountId,
        email: 'ada.okafor@example.com',
        memberships: [
          {
            organizationId: orgId,
            organizationName: 'Lighthouse Labs',
            profileId: ada.profileId,
            name: 'Ada Okafor',
            role: 'owner',
          },
          {
            organizationId: mill,
            organizationName: 'Mill & Sons',
            profileId: atMill,
            name: 'Ada O.',
            role: 'member',
          },
        ],
      },
    })
    await server.parley.db.write(mill, (tx) => setMemberStatus(tx, atMill, 'Archived'))
    const later = await ada.get('/people/session')
    expect(Object(later.body).account.memberships).toHaveLength(1)
  })

  it('is nobody while they are active nowhere', async () => {
    const bo = await signInAs(server, { orgId, name: 'Bo' })
    const set = (status: 'Active' | 'Archived' | 'Deleted') =>
      server.parley.db.write(orgId, (tx) => setMemberStatus(tx, bo.profileId, status))
    for (const status of ['Archived', 'Deleted'] as const) {
      await set(status)
      expect((await bo.get('/people/session')).body).toMatchObject({ account: null })
      expect(await bo.get('/people/account')).toMatchObject({ status: 401, body: 'sign in first' })
    }
    await set('Active')
    expect(await bo.get('/people/account'), 'what was open stays over').toMatchObject({ status: 401 })
    expect((await (await signInToProfile(server, bo)).get('/people/account')).status).toBe(200)
  })
})

describe('signing in', () => {
  it('takes the address in any case, and gives a session of its own', async () => {
    const cy = await someone('Cy')
    const laptop = visitor(server.url)
    const answer = await signIn('CY@Example.com', PASSWORD, laptop)
    expect(answer).toMatchObject({ status: 200, body: { account: { id: cy.accountId, email: cy.email } } })
    const phone = visitor(server.url)
    await signIn(cy.email, PASSWORD, phone)
    expect([...laptop.cookies]).not.toEqual([...phone.cookies])
    expect((await laptop.get('/people/account')).status).toBe(200)
    expect((await phone.get('/people/account')).status).toBe(200)
  })

  it.each([
    ['victim@gmail.com', 'victim@gmaıl.com'],
    ['victim@strasse.de', 'victim@straße.de'],
    ['straße@example.com', 'strasse@example.com'],
    ['élan@example.com', 'Élan@example.com'],
    ['victim@mail.example.com', 'victim@m%61il.example.com'],
    ['victim@example.net', 'victim@example.net/a.b'],
  ])('does not take %s for %s', async (email, other) => {
    const victim = await signInAs(server, { orgId, name: 'Victim', email })
    const attacker = await signInAs(server, { orgId, name: 'Attacker', email: other })
    expect(attacker.accountId).not.toBe(victim.accountId)
  })

  it('takes a domain in every spelling that is the same to DNS', async () => {
    const { accountId } = await signInAs(server, { orgId, name: 'Zoe', email: 'zoe@bücher.example' })
    await givePassword(server, { accountId }, PASSWORD)
    for (const email of ['Zoe@BÜCHER.example', 'zoe@bu\u0308cher.example', 'zoe@xn--bcher-kva.example']) {
      expect([email, (await signIn(email)).body]).toMatchObject([email, { account: { id: accountId } }])
    }
  })

  it('ends the session that the browser had before', async () => {
    const dee = await someone('Dee')
    const browser = visitor(server.url)
    await signIn(dee.email, PASSWORD, browser)
    const before = visitor(server.url, new Map(browser.cookies))
    await signIn(dee.email, PASSWORD, browser)
    expect((await before.get('/people/account')).status).toBe(401)
    expect((await browser.get('/people/account')).status).toBe(200)
  })

  it('is refused in the same words for every reason', async () => {
    const eve = await someone('Eve')
    const fay = await someone('Fay')
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, fay.profileId, 'Archived'))
    await signInAs(server, { orgId, name: 'Without Password' })
    for (const [email, password] of [
      [eve.email, `${PASSWORD}.`],
      [eve.email, ''],
      [eve.email, PASSWORD.toUpperCase()],
      ['nobody@example.com', PASSWORD],
      ['without.password@example.com', PASSWORD],
      ['without.password@example.com', ''],
      [fay.email, PASSWORD],
    ] as const) {
      const browser = visitor(server.url)
      expect(await signIn(email, password, browser)).toMatchObject(WRONG)
      expect(browser.cookies.size).toBe(0)
    }
  })

  it('lasts for thirty days without a visit, and as long as there are visits', async () => {
    const gus = await signInAs(server, { orgId, name: 'Gus' })
    const hal = await signInAs(server, { orgId, name: 'Hal' })
    const before = server.clock.ahead
    server.clock.ahead += 29 * DAY
    expect((await gus.get('/people/account')).status).toBe(200)
    server.clock.ahead += 2 * DAY
    expect((await gus.get('/people/account')).status).toBe(200)
    expect((await hal.get('/people/account')).status).toBe(401)
    const count = () =>
      server.parley.db.query(sql`select account_id as id from sessions where account_id = ${hal.accountId}`)
    expect(await count()).toHaveLength(1)
    await forgetOldSessions(server.parley.db, server.parley.clock(), 1000)
    expect(await count()).toEqual([])
    expect((await gus.get('/people/account')).status).toBe(200)
    server.clock.ahead = before
  })

  it('ends after half a year, however often it is used', async () => {
    const uma = await signInAs(server, { orgId, name: 'Uma' })
    const before = server.clock.ahead
    for (let day = 20; day < 180; day += 20) {
      server.clock.ahead = before + day * DAY
      expect([day, (await uma.get('/people/account')).status]).toEqual([day, 200])
    }
    server.clock.ahead = before + 180 * DAY + MINUTE
    expect((await uma.get('/people/account')).status).toBe(401)
    server.clock.ahead = before
  })

  it('gives the cookie again to who asks who is signed in', async () => {
    const vic = await signInAs(server, { orgId, name: 'Vic' })
    const token = vic.cookies.get('parley_session')
    const { headers } = await vic.get('/people/session')
    expect(headers.getSetCookie()).toEqual([
      `parley_session=${token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    ])
    await vic.post('/people/sign-out')
    const nobody = visitor(server.url, new Map([['parley_session', token ?? '']]))
    expect((await nobody.get('/people/session')).headers.getSetCookie()).toEqual([])
  })

  it('keeps the newest hundred sessions', async () => {
    const wes = await signInAs(server, { orgId, name: 'Wes' })
    const { db, clock } = server.parley
    for (let time = 1; time < 100; time++) await createSession(db, clock() + time, wes.accountId)
    expect((await wes.get('/people/account')).status).toBe(200)
    const newest = await signInToProfile(server, wes)
    expect((await newest.get('/people/account')).status).toBe(200)
    expect((await wes.get('/people/account')).status).toBe(401)
    expect(Object((await newest.get('/people/account')).body).sessions).toHaveLength(100)
  })
})

describe('signing out', () => {
  it('ends the session, and says nothing where there is none', async () => {
    const ida = await signInAs(server, { orgId, name: 'Ida' })
    const copy = visitor(server.url, new Map(ida.cookies))
    expect((await ida.post('/people/sign-out')).status).toBe(204)
    expect(ida.cookies.size).toBe(0)
    expect((await copy.get('/people/account')).status).toBe(401)
    expect((await visitor(server.url).post('/people/sign-out')).status).toBe(204)
  })
})

describe('the own account', () => {
  it('shows where one is signed in, and ends single sessions or all others', async () => {
    const jo = await signInAs(server, { orgId, name: 'Jo' })
    const [phone, tablet] = [await signInToProfile(server, jo), await signInToProfile(server, jo)]
    const stranger = await signInAs(server, { orgId, name: 'Stranger' })
    const { body } = await jo.get('/people/account')
    expect(body).toMatchObject({ email: 'jo@example.com', hasPassword: false, passkeys: [] })
    const sessions: { id: string; isThis: boolean; userAgent: string }[] = Object(body).sessions
    expect(sessions.map(({ isThis }) => isThis).sort()).toEqual([false, false, true])
    expect(sessions.every(({ userAgent }) => userAgent === 'Test browser')).toBe(true)

    const idOf = async (who: TestPerson) =>
      Object((await who.get('/people/account')).body).sessions.find(
        (session: { isThis: boolean }) => session.isThis,
      ).id
    const path = `/people/account/sessions/${await idOf(phone)}`
    expect(await stranger.delete(path)).toMatchObject({ status: 404, body: 'Session not found' })
    expect((await phone.get('/people/account')).status).toBe(200)
    expect((await jo.delete(path)).status).toBe(204)
    expect((await phone.get('/people/account')).status).toBe(401)
    expect(await jo.delete(path)).toMatchObject({ status: 404, body: 'Session not found' })
    expect(await jo.delete('/people/account/sessions/me')).toMatchObject({
      status: 400,
      body: 'Invalid sessionId',
    })

    expect((await jo.delete('/people/account/sessions')).status).toBe(204)
    expect((await tablet.get('/people/account')).status).toBe(401)
    expect((await jo.get('/people/account')).status).toBe(200)
    expect((await stranger.get('/people/account')).status).toBe(200)
  })

  const own = async (who: TestPerson): Promise<string> =>
    Object((await who.get('/people/account')).body).sessions.find(({ isThis }: { isThis: boolean }) => isThis)
      .id
  it.each<[string, (who: TestPerson, former: TestPerson) => Promise<{ status: number }>]>([
    ['signs out', (_, former) => former.post('/people/sign-out')],
    [
      'ends this session',
      async (_, former) => former.delete(`/people/account/sessions/${await own(former)}`),
    ],
    ['ends another', async (who, former) => who.delete(`/people/account/sessions/${await own(former)}`)],
    ['ends all others', (who) => who.delete('/people/account/sessions')],
    ['signs in anew', (_, former) => signIn(former.email, PASSWORD, former)],
  ])('%s while a writer of the organization looks at the session', async (way, end) => {
    const who = await signInAs(server, {
      orgId,
      name: `Ines ${way}`,
      email: `${way.replaceAll(' ', '-')}@example.com`,
    })
    await givePassword(server, who, PASSWORD)
    const former = await signInToProfile(server, who)
    const session = { accountId: who.accountId, sessionId: await own(former) }
    const ended = await whileItWaits(
      server,
      (writer) => writer.enter(orgId),
      () => end(who, former),
      async (writer) => expect(await isOpenSession(writer, session)).toBe(true),
    )
    expect(ended.status).toBeLessThan(300)
    expect(await isOpenSession(server.parley.db, session)).toBe(false)
  })

  it('goes by another name in each organization', async () => {
    const kai = await signInAs(server, { orgId, name: 'Kai' })
    const path = `/people/organizations/${orgId}/me`
    expect(await kai.patch(path, { name: 'Kai Moreau' })).toMatchObject({
      status: 200,
      body: { name: 'Kai Moreau', role: 'member', profileId: kai.profileId },
    })
    expect(await kai.patch(path, { name: '  ' })).toMatchObject({ status: 400, body: 'name is required' })
    const elsewhere = await organization(server, 'Elsewhere')
    expect(await kai.patch(`/people/organizations/${elsewhere}/me`, { name: 'Kai' })).toMatchObject({
      status: 404,
      body: 'Organization not found',
    })
    const entries = await server.parley.db.query(sql`
      select action, actor_id as actor, changes from audit_log where org_id = ${orgId} and target_id = ${kai.profileId}`)
    expect(entries).toEqual([
      {
        action: 'member.renamed',
        actor: kai.profileId,
        changes: [{ field: 'name', from: 'Kai', to: 'Kai Moreau' }],
      },
    ])
  })
})

describe('changing the password', () => {
  it('takes the one before, signs out everywhere else, and tells by mail', async () => {
    const lea = await signInAs(server, { orgId, name: 'Lea' })
    await givePassword(server, lea, PASSWORD)
    const elsewhere = await signInToProfile(server, lea)
    for (const currentPassword of [undefined, '', OTHER]) {
      const answer = await lea.post('/people/password', { currentPassword, password: OTHER })
      expect(answer).toMatchObject({ status: 403, body: 'wrong password' })
    }
    expect((await elsewhere.get('/people/account')).status).toBe(200)
    const changed = await lea.post('/people/password', { currentPassword: PASSWORD, password: OTHER })
    expect(changed.status).toBe(204)
    expect((await lea.get('/people/account')).body).toMatchObject({ hasPassword: true })
    expect((await elsewhere.get('/people/account')).status).toBe(401)
    expect(await signIn(lea.email, PASSWORD)).toMatchObject(WRONG)
    expect((await signIn(lea.email, OTHER)).status).toBe(200)
    expect(await lastMail(server, lea.email)).toMatchObject({
      subject: 'Your password on Parley was changed',
    })
  })

  it('needs none before where there is none', async () => {
    const max = await signInAs(server, { orgId, name: 'Max' })
    expect((await max.post('/people/password', { password: PASSWORD })).status).toBe(204)
    expect((await signIn(max.email)).status).toBe(200)
  })

  it('needs a session that has just begun where there is none before', async () => {
    const [xia, yul] = [
      await signInAs(server, { orgId, name: 'Xia' }),
      await signInAs(server, { orgId, name: 'Yul' }),
    ]
    await givePassword(server, yul, PASSWORD)
    const set = (who: TestPerson, body: object) => who.post('/people/password', { password: OTHER, ...body })
    server.clock.ahead += 15 * MINUTE + 1000
    for (const body of [{}, { currentPassword: PASSWORD }]) {
      expect(await set(xia, body)).toMatchObject({ status: 403, body: 'sign in again first' })
    }
    expect((await set(yul, { currentPassword: PASSWORD })).status).toBe(204)
    expect((await set(await signInToProfile(server, xia), {})).status).toBe(204)
  })

  it.each([
    ['short one', 'password must have at least 10 characters'],
    ['🙂'.repeat(9), 'password must have at least 10 characters'],
    ['x'.repeat(1001), 'password too long'],
    ['Password123!', 'password is easy to guess'],
    ['P4ssw0rd2024', 'password is easy to guess'],
    ['passwordpassword', 'password is easy to guess'],
    ['1234567890', 'password is easy to guess'],
    ['+49 170 1234567', 'password is easy to guess'],
    ['qwertyuiop', 'password is easy to guess'],
    ['QWERTY123456', 'password is easy to guess'],
    ['1qaz2wsx3edc', 'password is easy to guess'],
    ['poiuytrewq1', 'password is easy to guess'],
    ['aaaaaaaaaaaa', 'password is easy to guess'],
    ['abababababab', 'password is easy to guess'],
    ['ned.olsen@example.com', 'password is easy to guess'],
    ['Ned.Olsen2024', 'password is easy to guess'],
    ['nedolsen1234', 'password is easy to guess'],
    ['LighthouseLabs1', 'password is easy to guess'],
    ['parleyparley', 'password is easy to guess'],
    ['iloveyou123456', 'password is easy to guess'],
  ])('refuses %s', async (password, body) => {
    const email = 'ned.olsen@example.com'
    const [known] = await server.parley.db.query<{ id: string }>(
      sql`select id from profiles where org_id = ${orgId} and email = ${email}`,
    )
    const ned = known
      ? await signInToProfile(server, { orgId, profileId: known.id })
      : await signInAs(server, { orgId, name: 'Ned Olsen', email })
    expect(await ned.post('/people/password', { password })).toMatchObject({ status: 400, body })
  })

  it.each(['lighthouse keeper soup', '🙂🙃😀😎🤖👻🎃🐸🐙🐳', '83a1947b20'])('takes %s', async (password) => {
    const taker = await signInAs(server, { orgId, name: `Taker ${password.codePointAt(0)}` })
    expect(await taker.post('/people/password', { password })).toMatchObject({ status: 204 })
    expect((await signIn(taker.email, password)).status).toBe(200)
  })

  it('takes the same characters however they are composed', async () => {
    const oda = await signInAs(server, { orgId, name: 'Oda' })
    await oda.post('/people/password', { password: 'caf\u00e9 im Regen' })
    expect((await signIn(oda.email, 'cafe\u0301 im Regen')).status).toBe(200)
  })
})

describe('a new password by mail', () => {
  const ask = (email: string) => visitor(server.url).post('/people/password-reset', { email })
  const finish = (token: string, password = OTHER, at = visitor(server.url)) =>
    at.post('/people/password-reset/finish', { token, password })
  const tokenFor = async (email: string): Promise<string> => {
    await ask(email)
    const { text } = await lastMail(server, email)
    return /\/reset#(\w+)/.exec(text)?.[1] ?? ''
  }
  const OVER = { status: 403, body: 'this link does not work any more' }

  it('comes behind a link that works once, signs out everywhere and in here', async () => {
    const pam = await someone('Pam')
    const before = await signInToProfile(server, pam)
    expect(await ask('PAM@example.com')).toMatchObject({ status: 204, text: '' })
    const mail = await lastMail(server, pam.email)
    expect(mail.subject).toBe('Set a new password on Parley')
    expect(mail.text).toContain(`${server.url}/reset#`)
    const token = /\/reset#(\w+)/.exec(mail.text)?.[1] ?? ''
    const kept = await server.parley.db.query(sql`select token_hash::text, data::text from one_time_tokens`)
    expect(JSON.stringify(kept)).not.toContain(token)

    expect(await finish(token, 'qwertyuiop')).toMatchObject({
      status: 400,
      body: 'password is easy to guess',
    })
    const browser = visitor(server.url)
    const answers = await Promise.all([finish(token, OTHER, browser), finish(token), finish(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      account: { id: pam.accountId },
    })
    expect(await finish(token)).toMatchObject(OVER)
    expect((await before.get('/people/account')).status).toBe(401)
    expect(await signIn(pam.email)).toMatchObject(WRONG)
    expect((await signIn(pam.email, OTHER)).status).toBe(200)
    expect(await lastMail(server, pam.email)).toMatchObject({
      subject: 'Your password on Parley was changed',
    })
  })

  it('is not for an hour later, nor after a change', async () => {
    const quin = await someone('Quin')
    const first = await tokenFor(quin.email)
    server.clock.ahead += HOUR
    expect(await finish(first)).toMatchObject(OVER)
    const third = await tokenFor(quin.email)
    const here = await signInToProfile(server, quin)
    await here.post('/people/password', { currentPassword: PASSWORD, password: OTHER })
    expect(await finish(third)).toMatchObject(OVER)
    expect(await finish('unknown')).toMatchObject(OVER)
    await forgetOldTokens(server.parley.db, server.parley.clock() + HOUR, 1000)
    expect(await server.parley.db.query(sql`select 1 as one from one_time_tokens`)).toEqual([])
  })

  it('has one link, also when several are asked for at once', async () => {
    const zed = await someone('Zed')
    await Promise.all([ask(zed.email), ask(zed.email), ask(zed.email)])
    const tokens = await server.parley.db.query(
      sql`select 1 as one from one_time_tokens where account_id = ${zed.accountId}`,
    )
    expect(tokens).toHaveLength(1)
  })

  it('is for active members only, and the answer does not say who is one', async () => {
    const rae = await someone('Rae')
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, rae.profileId, 'Archived'))
    await person(server, orgId, 'Sol', { status: 'Pending' })
    for (const email of [rae.email, 'sol@example.com', 'nobody@example.com']) {
      expect(await ask(email)).toMatchObject({ status: 204, text: '' })
      expect(await mailsTo(server, email)).toEqual([])
    }
    expect(await ask('no address')).toMatchObject({ status: 400, body: 'invalid e-mail address' })
  })

  it('works no longer for a person who was archived since', async () => {
    const tia = await someone('Tia')
    const token = await tokenFor(tia.email)
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, tia.profileId, 'Archived'))
    const browser = visitor(server.url)
    expect(await finish(token, OTHER, browser)).toMatchObject(OVER)
    expect(browser.cookies.size).toBe(0)
  })
})
