import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteMember } from '../server/actions/members/invitations.ts'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { renewSetupToken } from '../server/actions/organization/installation.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { whileItWaits } from './support/locks.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, visitor } from './support/people.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const PASSWORD = 'a long and private sentence'
const OVER = { status: 403, body: 'this link does not work any more' }
const FORM = {
  organizationName: 'Lighthouse Labs',
  adminName: 'Ada Okafor',
  adminEmail: 'ada@example.com',
  password: PASSWORD,
  botName: 'Assistant',
}

let server: TestParley
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const auditOf = (orgId: string) =>
  server.parley.db.query(sql`
    select action, actor_kind as actor, actor_name as name, target_name as target from audit_log
    where org_id = ${orgId} and action <> 'member.signed_in' order by id`)

describe('the set-up link', () => {
  beforeAll(async () => {
    server = await startTestParley()
  })
  afterAll(() => server.close())

  const renew = async () => (await server.parley.db.transaction(renewSetupToken)) ?? ''
  const setUp = (body: unknown, at = visitor(server.url)) => at.post('/people/setup', body)

  it('is kept as a hash only', async () => {
    const token = await renew()
    expect(token).toMatch(/^[A-Za-z0-9]{33}$/)
    const rows = await server.parley.db.query<{ value: string }>(sql`select value from settings`)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it.each([
    ['organizationName', '', 'organizationName is required'],
    ['organizationName', 'x'.repeat(101), 'organizationName too long'],
    ['adminName', '  ', 'adminName is required'],
    ['adminEmail', 'ada', 'invalid e-mail address'],
    ['adminEmail', 'ada@example.com\r\nBcc: eve@example.com', 'invalid e-mail address'],
    ['botName', undefined, 'botName is required'],
    ['botName', 'a\0b', 'text must not contain NUL or lone surrogates'],
    ['password', 'short', 'password must have at least 10 characters'],
    ['password', 'LighthouseLabs', 'password is easy to guess'],
    ['password', undefined, 'password is required'],
  ])('refuses %s %j, and stays', async (field, value, body) => {
    const token = await renew()
    expect(await setUp({ token, ...FORM, [field]: value })).toMatchObject({ status: 400, body })
    const rows = await server.parley.db.query(
      sql`select 1 as one from settings where name = 'setup_link_hash'`,
    )
    expect(rows).toHaveLength(1)
  })

  it('is refused before anything was filled in', async () => {
    const look = (token: string) => visitor(server.url).post('/people/setup/look', { token })
    const [older, token] = [await renew(), await renew()]
    expect(await look(older)).toMatchObject(OVER)
    expect(await look('x'.repeat(33))).toMatchObject(OVER)
    expect((await look(token)).status).toBe(200)
    expect((await look(token)).status, 'looking does not use it').toBe(200)
  })

  it('works once, for one of many at once, and not for an older one', async () => {
    expect((await visitor(server.url).get('/people/session')).body).toMatchObject({
      isSetUp: false,
      hasOrganization: false,
    })
    const older = await renew()
    const token = await renew()
    expect(await setUp({ token: older, ...FORM })).toMatchObject(OVER)

    const browsers = Array.from({ length: 4 }, () => visitor(server.url))
    const answers = await Promise.all(browsers.map((browser) => setUp({ token, ...FORM }, browser)))
    expect(statusesOf(answers)).toEqual([201, 403, 403, 403])
    const won = answers.findIndex(({ status }) => status === 201)
    const made = Object(answers[won]?.body)
    expect(made).toMatchObject({
      session: {
        isSetUp: true,
        account: {
          email: 'ada@example.com',
          memberships: [{ organizationName: 'Lighthouse Labs', name: 'Ada Okafor', role: 'owner' }],
        },
      },
      topicName: 'General',
      bot: { name: 'Assistant' },
    })
    expect(browsers.map(({ cookies }) => cookies.size).sort()).toEqual([0, 0, 0, 2])
    expect((await browsers[won]?.get('/people/account'))?.body).toMatchObject({ hasPassword: true })

    const ada = made.session.account.memberships[0].profileId
    const topic = await call(server.url, made.bot, 'GET', `/v2/topics/${made.topicId}`)
    expect(topic.body).toMatchObject({
      name: 'General',
      memberIds: expect.arrayContaining([ada, made.bot.id]),
    })
    const start = await browsers[won]?.get(`/people/organizations/${made.organizationId}/chat/start`)
    expect(Object(start?.body).topics).toMatchObject([
      { id: made.topicId, createdBy: ada, open: true, joinedByDefault: true, maySet: true },
    ])
    expect(await auditOf(made.organizationId)).toEqual([
      { action: 'organization.created', actor: 'person', name: 'Ada Okafor', target: 'Lighthouse Labs' },
      { action: 'bot.created', actor: 'person', name: 'Ada Okafor', target: 'Assistant' },
      { action: 'member.added', actor: 'person', name: 'Ada Okafor', target: 'Ada Okafor' },
    ])
    const again = visitor(server.url)
    expect(
      (await again.post('/people/sign-in', { email: 'ada@example.com', password: PASSWORD })).status,
    ).toBe(200)
  })

  it('is gone once there is an organization', async () => {
    expect(await renew()).toBe('')
    expect(await setUp({ token: 'guess', ...FORM })).toMatchObject(OVER)
  })
})

describe('invitations', () => {
  let orgId: string
  beforeAll(async () => {
    server = await startTestParley()
    orgId = await organization(server, 'Mill & Sons')
  })
  afterAll(() => server.close())

  const inviteAgain = async (id: string, org = orgId): Promise<string> => {
    const url = await server.parley.db.write(org, (tx) => inviteMember(tx, server.parley, id))
    return url.split('#')[1] ?? ''
  }
  async function invite(name: string, org = orgId): Promise<{ token: string; id: string }> {
    const id = await person(server, org, name, { status: 'Pending' })
    return { id, token: await inviteAgain(id, org) }
  }
  const look = (token: string) => visitor(server.url).post('/people/invitations/look', { token })
  const accept = (token: string, more: object = { password: PASSWORD }, at = visitor(server.url)) =>
    at.post('/people/invitations/accept', { token, name: 'Bo Derrick', ...more })
  const stateOf = async (id: string) =>
    (await server.parley.db.query(sql`select name, status from profiles where id = ${id}`))[0]

  it('are shown, then accepted once, with a name and a password', async () => {
    const { token, id } = await invite('Bo')
    expect(await look(token)).toMatchObject({
      status: 200,
      body: { organizationName: 'Mill & Sons', name: 'Bo', email: 'bo@example.com', hasAccount: false },
    })
    expect(await accept(token, { name: ' ', password: PASSWORD })).toMatchObject({
      status: 400,
      body: 'name is required',
    })
    expect(await accept(token, {})).toMatchObject({ status: 400, body: 'password is required' })
    expect(await accept(token, { password: 'Mill&Sons 2026' })).toMatchObject({
      status: 400,
      body: 'password is easy to guess',
    })
    expect(await stateOf(id)).toEqual({ name: 'Bo', status: 'Pending' })
    const browser = visitor(server.url)
    const joined = await accept(token, { password: PASSWORD }, browser)
    expect(joined).toMatchObject({ status: 200, body: { account: { email: 'bo@example.com' } } })
    expect((await browser.get('/people/account')).body).toMatchObject({ hasPassword: true })
    expect(await stateOf(id)).toEqual({ name: 'Bo Derrick', status: 'Active' })
  })

  it('go to one of many at once', async () => {
    const { token, id } = await invite('Cy')
    const browsers = [visitor(server.url), visitor(server.url), visitor(server.url)]
    const answers = await Promise.all(browsers.map((at) => accept(token, { password: PASSWORD }, at)))
    const [status, ...others] = statusesOf(answers)
    expect(status).toBe(200)
    for (const other of others) expect([401, 403]).toContain(other)
    expect(browsers.map(({ cookies }) => cookies.size).sort()).toEqual([0, 0, 2])
    expect(await stateOf(id)).toEqual({ name: 'Bo Derrick', status: 'Active' })
    expect(await accept(token)).toMatchObject(OVER)
    const entries = (await auditOf(orgId)).filter(({ action }) => action === 'member.joined')
    expect(entries.at(-1)).toEqual({
      action: 'member.joined',
      actor: 'person',
      name: 'Bo Derrick',
      target: 'Bo Derrick',
    })
  })

  it('are refused in the same words when used, replaced, expired, archived or unknown', async () => {
    const used = await invite('Dee')
    await accept(used.token)
    const replaced = await invite('Eve')
    const archived = await invite('Fay')
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, archived.id, 'Archived'))
    const newest = await inviteAgain(replaced.id)
    const expired = await invite('Gus')
    for (const token of [used.token, replaced.token, archived.token, 'unknown']) {
      expect(await look(token)).toMatchObject(OVER)
      expect(await accept(token)).toMatchObject(OVER)
    }
    expect((await look(newest)).status).toBe(200)
    server.clock.ahead += 7 * DAY
    expect(await look(expired.token)).toMatchObject(OVER)
    expect(await accept(expired.token)).toMatchObject(OVER)
    expect(await stateOf(expired.id)).toEqual({ name: 'Gus', status: 'Pending' })
  })

  it('cannot be guessed for long', async () => {
    server.clock.ahead += 2 * MINUTE
    const { token } = await invite('Hal')
    for (let guess = 0; guess < 30; guess++) expect((await look(`guess${guess}`)).status).toBe(403)
    const late = await look(token)
    expect(late).toMatchObject({ status: 429, body: 'too many attempts, please wait' })
    server.clock.ahead += MINUTE + 1
    expect((await look(token)).status).toBe(200)
  })

  describe('of an address that can sign in already', () => {
    let elsewhere: string
    beforeAll(async () => {
      elsewhere = await organization(server, 'Harbour')
    })

    /** A member of one organization who is invited to another. */
    async function memberInvited(name: string) {
      const member = await signInAs(server, { orgId: elsewhere, name })
      await givePassword(server, member, PASSWORD)
      return { member, ...(await invite(name)) }
    }

    it('take the password it has, and change nothing about it', async () => {
      const { member, token, id } = await memberInvited('Ida')
      expect((await look(token)).body).toMatchObject({ hasAccount: true })
      const thief = visitor(server.url)
      for (const password of [undefined, 'another private sentence', 'Password123!', '']) {
        expect(await accept(token, { password }, thief)).toMatchObject({
          status: 401,
          body: 'wrong e-mail address or password',
        })
      }
      expect(thief.cookies.size).toBe(0)
      expect(await stateOf(id)).toEqual({ name: 'Ida', status: 'Pending' })

      const browser = visitor(server.url)
      const joined = await accept(token, { password: PASSWORD }, browser)
      expect(joined).toMatchObject({ status: 200, body: { account: { id: member.accountId } } })
      expect(Object(joined.body).account.memberships).toHaveLength(2)
      expect((await browser.get('/people/account')).status).toBe(200)
      expect((await member.get('/people/account')).status).toBe(200)
    })

    it('take a session of that account, and of no other', async () => {
      const { member, token, id } = await memberInvited('Jo')
      const other = await signInAs(server, { orgId: elsewhere, name: 'Kai' })
      expect((await accept(token, {}, other)).status).toBe(401)
      expect((await other.get('/people/session')).body).toMatchObject({ account: { email: other.email } })
      expect((await accept(token, {}, member)).status).toBe(200)
      expect(await stateOf(id)).toEqual({ name: 'Bo Derrick', status: 'Active' })
    })

    it('do not set a password where a passkey or single sign-on is the way in', async () => {
      const { token, member } = await memberInvited('Lea')
      await server.parley.db.query(sql`update accounts set password = null where id = ${member.accountId}`)
      await server.parley.db.query(sql`
        insert into external_accounts (issuer, subject, account_id, created_at)
        values ('https://login.example.com', 'lea', ${member.accountId}, 0)`)
      expect((await look(token)).body).toMatchObject({ hasAccount: true })
      expect((await accept(token, { password: PASSWORD })).status).toBe(401)
      expect((await accept(token, {}, member)).status).toBe(200)
      expect((await member.get('/people/account')).body).toMatchObject({ hasPassword: false })
    })

    it('take a new password where the account is active nowhere, as a reset does', async () => {
      server.clock.ahead += 2 * MINUTE
      const { token, member } = await memberInvited('Noa')
      const phone = await signInToProfile(server, member)
      await server.parley.db.write(elsewhere, (tx) => setMemberStatus(tx, member.profileId, 'Archived'))
      expect((await look(token)).body).toMatchObject({ hasAccount: false })
      expect(await accept(token, {})).toMatchObject({ status: 400, body: 'password is required' })
      const password = 'another private sentence'
      const browser = visitor(server.url)
      expect(await accept(token, { password }, browser)).toMatchObject({
        status: 200,
        body: { account: { id: member.accountId } },
      })
      expect((await browser.get('/people/account')).body).toMatchObject({ hasPassword: true })
      expect((await phone.get('/people/account')).status, 'signed in before').toBe(401)
      expect(await lastMail(server, member.email)).toMatchObject({
        subject: 'Your password on Parley was changed',
      })
      const signIn = (password: string) =>
        visitor(server.url).post('/people/sign-in', { email: member.email, password })
      expect([(await signIn(PASSWORD)).status, (await signIn(password)).status]).toEqual([401, 200])
    })

    it('take no new password for an account that became active in between', async () => {
      const { token, member, id } = await memberInvited('Ole')
      const set = (status: 'Active' | 'Archived') =>
        server.parley.db.write(elsewhere, (tx) => setMemberStatus(tx, member.profileId, status))
      await set('Archived')
      const answer = await whileItWaits(
        server,
        (open) => open.enter(orgId),
        () => accept(token, { password: 'another private sentence' }),
        () => set('Active'),
      )
      expect(answer).toMatchObject({ status: 401, body: 'wrong e-mail address or password' })
      expect(await stateOf(id)).toEqual({ name: 'Ole', status: 'Pending' })
    })

    it('count as attempts to guess the password', async () => {
      server.clock.ahead += 2 * MINUTE
      const { token, member } = await memberInvited('Max')
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => accept(token, { password: 'another private sentence' })),
      )
      expect(statusesOf(answers)).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
      const signIn = { email: member.email, password: PASSWORD }
      expect((await visitor(server.url).post('/people/sign-in', signIn)).status).toBe(429)
    })
  })
})
