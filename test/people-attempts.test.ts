import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../contract/people/organization.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person } from './support/cast.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PASSWORD = 'a long and private sentence'
const OTHER = 'another private sentence'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'

let server: TestParley
let orgId: string
let boss: TestPerson
beforeAll(async () => {
  server = await startTestParley({ trustProxy: true })
  orgId = await organization(server)
  boss = await signInAs(server, { orgId, role: 'owner', name: 'Boss' })
})
afterAll(() => server.close())

async function withPassword(name: string): Promise<TestPerson> {
  const somebody = await signInAs(server, { orgId, name })
  await givePassword(server, somebody, PASSWORD)
  return somebody
}

/** Audit entries about a person, the newest first. */
async function about({ profileId }: { profileId: string }, org = orgId, who = boss): Promise<AuditEntry[]> {
  await server.parley.attemptNotes.settle()
  const reader = await signInToProfile(server, who)
  const { body } = await reader.get(`/people/organizations/${org}/audit?targetId=${profileId}&limit=100`)
  return Object(body).entries
}

const from = (network: number, userAgent = FIREFOX) => ({
  headers: { 'x-forwarded-for': `203.0.113.${network}`, 'user-agent': userAgent },
})
const signIn = (email: string, password: string, network = 1, userAgent?: string) =>
  visitor(server.url).post('/people/sign-in', { email, password }, from(network, userAgent))

describe('the audit log tells', () => {
  it('of a sign-in that failed and of one that did not, from where and with what', async () => {
    const ada = await withPassword('Ada')
    expect((await signIn(ada.email, OTHER, 7)).status).toBe(401)
    expect((await signIn(ada.email, PASSWORD, 8)).status).toBe(200)
    expect(await about(ada)).toEqual([
      {
        id: expect.any(String),
        at: expect.any(Number),
        action: 'member.signed_in',
        actor: { kind: 'person', id: ada.profileId, name: 'Ada' },
        target: { type: 'member', id: ada.profileId, name: 'Ada' },
        changes: [{ field: 'signedInWith', to: 'password' }],
        client: { address: '203.0.113.8', userAgent: FIREFOX },
      },
      {
        id: expect.any(String),
        at: expect.any(Number),
        action: 'member.sign_in_failed',
        actor: { kind: 'server' },
        target: { type: 'member', id: ada.profileId, name: 'Ada' },
        changes: [],
        client: { address: '203.0.113.7', userAgent: FIREFOX },
      },
    ])
  })

  it('nothing of an address without an account, nor of one that is active nowhere', async () => {
    const count = async () =>
      (await server.parley.db.query<{ count: number }>(sql`select count(*) from audit_log`))[0]?.count
    const bea = await withPassword('Bea')
    await boss.patch(`/people/organizations/${orgId}/members/${bea.profileId}`, { status: 'Archived' })
    const before = await count()
    expect((await signIn('nobody@example.com', OTHER, 8)).status).toBe(401)
    expect((await signIn(bea.email, OTHER, 8)).status).toBe(401)
    expect((await visitor(server.url).post('/people/password-reset', { email: bea.email })).status).toBe(204)
    await server.parley.attemptNotes.settle()
    expect(await count()).toBe(before)
  })

  it('every organization of the account', async () => {
    const cem = await withPassword('Cem')
    const mill = await organization(server, 'Mill & Sons')
    const miller = await signInAs(server, { orgId: mill, role: 'owner', name: 'Miller' })
    const there = await person(server, mill, 'Cem of the mill', { email: cem.email })
    await signIn(cem.email, OTHER, 9)
    expect((await about(cem)).map(({ action }) => action)).toEqual(['member.sign_in_failed'])
    expect(await about({ profileId: there }, mill, miller)).toMatchObject([
      { action: 'member.sign_in_failed', target: { name: 'Cem of the mill' } },
    ])
  })

  it('of ten an hour, and then how many more there were', async () => {
    const dee = await withPassword('Dee')
    for (let guess = 0; guess < 25; guess++) {
      expect((await signIn(dee.email, OTHER, 20 + guess)).status).toBe(401)
    }
    expect(await about(dee)).toHaveLength(10)
    server.clock.ahead += HOUR
    const [rest, ...others] = await about(dee)
    expect(others).toHaveLength(10)
    expect(rest).toMatchObject({
      action: 'member.sign_in_failed',
      changes: [{ field: 'more', to: '15' }],
      client: { address: '203.0.113.44' },
    })
    await signIn(dee.email, OTHER, 60)
    expect(await about(dee), 'the next hour').toHaveLength(12)
  })

  it('of a hundred sign-ins an hour, and then how many more there were', async () => {
    const ira = await withPassword('Ira')
    const { attemptNotes } = server.parley
    const client = { address: '203.0.113.61', userAgent: FIREFOX }
    for (let time = 0; time < 103; time++) attemptNotes.note('member.signed_in', ira.accountId, client)
    expect(await about(ira)).toHaveLength(100)
    server.clock.ahead += HOUR
    await server.parley.attemptNotes.settle()
    expect((await about(ira))[0]).toMatchObject({
      action: 'member.signed_in',
      changes: [{ field: 'more', to: '3' }],
    })
  })

  it('of browsers that say too much no more than their beginning', async () => {
    const eve = await withPassword('Eve')
    await signIn(eve.email, OTHER, 10, 'x'.repeat(5000))
    expect((await about(eve))[0]?.client?.userAgent).toBe('x'.repeat(300))
  })

  it('of passwords that were asked for, replaced and changed', async () => {
    const fay = await withPassword('Fay')
    await visitor(server.url).post('/people/password-reset', { email: fay.email }, from(11))
    const token = /#(\w+)/.exec((await lastMail(server, fay.email)).text)?.[1] ?? ''
    const browser = visitor(server.url)
    await browser.post('/people/password-reset/finish', { token, password: OTHER }, from(12))
    await browser.post('/people/password', { currentPassword: OTHER, password: PASSWORD }, from(13))
    const told = await about(fay)
    expect(told.filter(({ action }) => action === 'member.signed_in')).toHaveLength(1)
    const entries = told.filter(({ action }) => action !== 'member.signed_in')
    expect(entries.map(({ action, actor, client }) => [action, actor.kind, client?.address])).toEqual([
      ['member.password_changed', 'person', '203.0.113.13'],
      ['member.password_reset', 'person', '203.0.113.12'],
      ['member.password_reset_requested', 'server', '203.0.113.11'],
    ])
    for (const secret of [token, PASSWORD, OTHER]) expect(JSON.stringify(entries)).not.toContain(secret)
  })

  it('what is left when the server stops', async () => {
    const brief = await startTestParley({ trustProxy: true })
    const org = await organization(brief)
    const gus = await signInAs(brief, { orgId: org, name: 'Gus' })
    const { attemptNotes, db } = brief.parley
    for (let time = 0; time < 13; time++) {
      attemptNotes.note('member.sign_in_failed', gus.accountId, { address: '203.0.113.1', userAgent: '' })
    }
    await attemptNotes.settle(true)
    const rows = await db.query(
      sql`select changes from audit_log where action = 'member.sign_in_failed' order by id`,
    )
    expect(rows).toHaveLength(11)
    expect(rows.at(-1)).toEqual({ changes: [{ field: 'more', to: '3' }] })
    await brief.close()
  })
})

describe('an admin who ends the sessions of a person', () => {
  const end = (who: TestPerson, memberId: string, org = orgId) =>
    who.delete(`/people/organizations/${org}/members/${memberId}/sessions`)

  it('signs them out everywhere, and is written down', async () => {
    const hal = await withPassword('Hal')
    const phone = await signInToProfile(server, hal)
    const admin = await signInAs(server, { orgId, role: 'admin', name: 'Admin' })
    const sessions = async () => {
      const { body } = await admin.get(`/people/organizations/${orgId}/members?search=${hal.email}`)
      return Object(body).members[0].sessions
    }
    expect(await sessions(), 'those that are open').toBe(2)
    expect((await end(admin, hal.profileId)).status).toBe(204)
    for (const browser of [hal, phone]) expect((await browser.get('/people/account')).status).toBe(401)
    expect(await sessions()).toBe(0)
    expect((await about(hal))[0]).toMatchObject({
      action: 'member.sessions_ended',
      actor: { id: admin.profileId },
      client: { address: '127.0.0.1' },
    })
    expect((await signIn(hal.email, PASSWORD, 14)).status, 'who comes back with the password').toBe(200)
  })

  it('leaves owners to owners', async () => {
    const admin = await signInAs(server, { orgId, role: 'admin', name: 'Another admin' })
    expect(await end(admin, boss.profileId)).toMatchObject({
      status: 403,
      body: 'only owners decide on owners',
    })
    expect((await boss.get('/people/account')).status).toBe(200)
    const owner = await signInAs(server, { orgId, role: 'owner', name: 'Another owner' })
    expect((await end(owner, owner.profileId)).status).toBe(204)
    expect((await owner.get('/people/account')).status).toBe(401)
  })

  it('leaves them signed in to their other organizations, which they can come back from', async () => {
    const ida = await withPassword('Ida')
    const mill = await organization(server, 'Mill')
    const there = await person(server, mill, 'Ida', { email: ida.email })
    await end(boss, ida.profileId)
    const counted = async (org: string, by: TestPerson) =>
      Object((await by.get(`/people/organizations/${org}/members?search=${ida.email}`)).body).members[0]
        .sessions
    const miller = await signInAs(server, { orgId: mill, role: 'owner', name: 'Miller' })
    expect([await counted(orgId, boss), await counted(mill, miller)], 'what opens it').toEqual([0, 1])
    const { body } = await ida.get('/people/session')
    expect(Object(body).account.memberships).toMatchObject([
      { organizationId: orgId, needs: 'sign_in' },
      { organizationId: mill, profileId: there },
    ])
    expect(Object(body).account.memberships[1]).not.toHaveProperty('needs')
    const mine = (org: string, who: TestPerson) =>
      who.patch(`/people/organizations/${org}/me`, { name: 'Ida' })
    expect(await mine(orgId, ida)).toMatchObject({ status: 403, body: 'sign in again first' })
    expect((await mine(mill, ida)).status).toBe(200)
    server.clock.ahead += 10
    expect((await mine(orgId, await signInToProfile(server, ida))).status).toBe(200)
  })
})

describe('who is archived', () => {
  const archive = (profileId: string, status: 'Archived' | 'Active') =>
    boss.patch(`/people/organizations/${orgId}/members/${profileId}`, { status })

  it('does not come back with what was open before: sessions, links, invitations', async () => {
    const jo = await withPassword('Jo')
    await visitor(server.url).post('/people/password-reset', { email: jo.email }, from(15))
    const token = /#(\w+)/.exec((await lastMail(server, jo.email)).text)?.[1] ?? ''
    await archive(jo.profileId, 'Archived')
    const left = await server.parley.db.query(sql`
      select 1 as one from sessions where account_id = ${jo.accountId}
      union all select 1 from one_time_tokens where account_id = ${jo.accountId}`)
    expect(left).toEqual([])
    await archive(jo.profileId, 'Active')
    expect((await jo.get('/people/account')).status).toBe(401)
    const finish = await visitor(server.url).post('/people/password-reset/finish', { token, password: OTHER })
    expect(finish).toMatchObject({ status: 403, body: 'this link does not work any more' })
    expect((await signIn(jo.email, PASSWORD, 16)).status, 'the password is theirs').toBe(200)
  })

  it('and is active elsewhere stays signed in there, and signs in again to come back', async () => {
    const kai = await withPassword('Kai')
    const mill = await organization(server, 'Mill')
    await person(server, mill, 'Kai', { email: kai.email })
    const mine = (who: TestPerson) => who.patch(`/people/organizations/${orgId}/me`, { name: 'Kai' })
    await archive(kai.profileId, 'Archived')
    expect((await kai.get('/people/account')).status).toBe(200)
    expect(await mine(kai)).toMatchObject({ status: 404, body: 'Organization not found' })
    await archive(kai.profileId, 'Active')
    expect(await mine(kai)).toMatchObject({ status: 403, body: 'sign in again first' })
    server.clock.ahead += 10
    expect((await mine(await signInToProfile(server, kai))).status).toBe(200)
  })
})
