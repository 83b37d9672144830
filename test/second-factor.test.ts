import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../contract/people/organization.ts'
import { totpCode } from '../server/auth/totp.ts'
import { sql } from '../server/db/sql.ts'
import { connectFor } from './support/assistants.ts'
import { AuthenticatorApp } from './support/authenticator-app.ts'
import { organization, person } from './support/cast.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  givePassword,
  signInAs,
  signInToProfile,
  type TestPerson,
  type Visitor,
  visitor,
} from './support/people.ts'
import { openStream } from './support/stream.ts'

const MINUTE = 60_000
const PASSWORD = 'a long and private sentence'
const OTHER = 'another private sentence'
const WRONG_CODE = { status: 401, body: 'wrong code' }
const TOO_LATE = { status: 401, body: 'enter your password again' }
const AGAIN = { status: 403, body: 'sign in again first' }
const NEEDS_ONE = { status: 403, body: 'set up a second factor first' }

let server: TestParley
let orgId: string
beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
})
afterAll(() => server.close())

/** Each in a time of its own: a mistake of one test is not another's attempt, and no code was used before. */
const laterOn = () => {
  server.clock.ahead += 61 * MINUTE
}

/** An authenticator app that follows the server's clock. */
class App {
  #app: AuthenticatorApp
  constructor(secret: string) {
    this.#app = new AuthenticatorApp(secret)
  }
  code(offset = 0): string {
    return this.#app.code(server.parley.clock(), offset)
  }
  /** The next code, because the current one may have been used. */
  next(): string {
    server.clock.ahead += 30_000
    return this.code()
  }
}

async function withPassword(name: string, role: 'member' | 'admin' | 'owner' = 'member', org = orgId) {
  laterOn()
  const somebody = await signInAs(server, { orgId: org, name, role })
  await givePassword(server, somebody, PASSWORD)
  return somebody
}

/** Whether an assistant is still let in. */
async function isOn(client: Awaited<ReturnType<typeof connectFor>>['client']): Promise<boolean> {
  try {
    const { isError } = await client.callTool({ name: 'list_topics', arguments: {} })
    return isError !== true
  } catch {
    return false
  }
}

type Protected = { owner: TestPerson; app: App; codes: string[] }

async function withSecondFactor(
  name: string,
  role?: 'member' | 'admin' | 'owner',
  org = orgId,
): Promise<Protected> {
  const owner = await withPassword(name, role, org)
  const { body: begun } = await owner.post('/people/second-factor/start', {})
  const app = new App(Object(begun).secret)
  const { status, body } = await owner.post('/people/second-factor', { code: app.code() })
  expect(status).toBe(200)
  return { owner, app, codes: Object(body).recoveryCodes }
}

const signIn = (email: string, password = PASSWORD, at = visitor(server.url)) =>
  at.post('/people/sign-in', { email, password })
const give = (at: Visitor, code: string) => at.post('/people/sign-in/code', { code })

/** A browser after the right password. */
async function atSecondStep({ owner }: Protected): Promise<Visitor> {
  const browser = visitor(server.url)
  const answer = await signIn(owner.email, PASSWORD, browser)
  expect(answer).toMatchObject({ status: 200, body: { account: null, codeRequired: true } })
  return browser
}

/** Audit entries without sign-ins. */
async function audited(personId: string): Promise<AuditEntry[]> {
  await server.parley.attemptNotes.settle()
  const admin = await adminOf(orgId)
  const { body } = await admin.get(`/people/organizations/${orgId}/audit?targetId=${personId}`)
  const entries: AuditEntry[] = Object(body).entries
  return entries.filter(({ action }) => action !== 'member.signed_in')
}
const admins = new Map<string, TestPerson>()
async function adminOf(org: string): Promise<TestPerson> {
  const known =
    admins.get(org) ?? (await signInAs(server, { orgId: org, role: 'admin', email: `admin@${org}.test` }))
  admins.set(org, known)
  return signInToProfile(server, known)
}

describe('codes', () => {
  it('are those of RFC 6238', () => {
    const secret = Buffer.from('12345678901234567890')
    const vectors: [number, string][] = [
      [59, '287082'],
      [1111111109, '081804'],
      [1234567890, '005924'],
      [20000000000, '353130'],
    ]
    for (const [seconds, code] of vectors) expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code)
  })
})

describe('setting one up', () => {
  it('takes a right code, gives ten recovery codes once, and tells owner and organization', async () => {
    const ada = await withPassword('Ada')
    const elsewhere = await signInToProfile(server, ada)
    expect((await ada.get('/people/account')).body).toMatchObject({ secondFactor: null })
    const { status, body } = await ada.post('/people/second-factor/start', {})
    expect(status).toBe(200)
    const { secret, address } = Object(body)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(address)
    expect([url.protocol, url.host, url.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret])
    expect(decodeURIComponent(url.pathname)).toBe(`/Parley (${new URL(server.url).host}):${ada.email}`)

    const app = new App(secret)
    expect(await ada.post('/people/second-factor', { code: '000000' })).toMatchObject({
      status: 403,
      body: 'wrong code',
    })
    expect((await signIn(ada.email)).body, 'not yet asked for').toMatchObject({
      account: { email: ada.email },
    })
    const enabled = await ada.post('/people/second-factor', { code: app.code() })
    expect(enabled.status).toBe(200)
    const { recoveryCodes } = Object(enabled.body)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)

    expect((await ada.get('/people/account')).body).toMatchObject({
      secondFactor: { enabledAt: expect.any(Number), recoveryCodesLeft: 10 },
    })
    expect((await elsewhere.get('/people/account')).status, 'signed out elsewhere').toBe(401)
    expect(await lastMail(server, ada.email)).toMatchObject({
      subject: 'Your account on Parley has a second factor',
    })
    const [entry] = await audited(ada.profileId)
    expect(entry).toMatchObject({
      action: 'member.second_factor_enabled',
      actor: { kind: 'person', id: ada.profileId },
      client: { address: '127.0.0.1' },
    })
    const again = await ada.post('/people/second-factor/start', {})
    expect(again).toMatchObject({ status: 400, body: 'a second factor is set up already' })
  })

  it('keeps neither the secret nor the codes as they are', async () => {
    const { owner, codes } = await withSecondFactor('Bea')
    const rows = await server.parley.db.query(sql`
      select f.secret, array_agg(encode(c.code_hash, 'escape')) as hashes from second_factors f
      join recovery_codes c using (account_id) where account_id = ${owner.accountId} group by f.secret`)
    const kept = JSON.stringify(rows)
    for (const code of codes) expect(kept).not.toContain(code)
    expect(server.logLines.join('')).not.toContain(codes[0])
  })

  it('takes a session that has just begun, or the password', async () => {
    const cem = await withPassword('Cem')
    server.clock.ahead += 16 * MINUTE
    expect(await cem.post('/people/second-factor/start', {})).toMatchObject(AGAIN)
    expect(await cem.post('/people/second-factor/start', { password: OTHER })).toMatchObject({
      status: 403,
      body: 'wrong password',
    })
    expect((await cem.post('/people/second-factor/start', { password: PASSWORD })).status).toBe(200)
    expect((await visitor(server.url).post('/people/second-factor/start', {})).status).toBe(401)
  })

  it('is to be finished in time, and by the newest secret', async () => {
    const dee = await withPassword('Dee')
    const begin = async () => new App(Object((await dee.post('/people/second-factor/start', {})).body).secret)
    expect(await dee.post('/people/second-factor', { code: '123456' })).toMatchObject({
      status: 400,
      body: 'begin again',
    })
    const first = await begin()
    const second = await begin()
    expect(await dee.post('/people/second-factor', { code: first.code() })).toMatchObject({ status: 403 })
    server.clock.ahead += 16 * MINUTE
    expect(await dee.post('/people/second-factor', { code: second.code() })).toMatchObject({
      status: 400,
      body: 'begin again',
    })
    expect((await signIn(dee.email)).body).toMatchObject({ account: { email: dee.email } })
  })
})

describe('signing in', () => {
  it('takes two steps: the password opens nothing by itself', async () => {
    const eve = await withSecondFactor('Eve')
    const browser = await atSecondStep(eve)
    expect([...browser.cookies.keys()]).toEqual(['parley_second_factor'])
    expect((await browser.get('/people/account')).status).toBe(401)
    expect((await browser.get('/people/session')).body).toMatchObject({ account: null })
    const entered = await give(browser, eve.app.next())
    expect(entered).toMatchObject({ status: 200, body: { account: { email: eve.owner.email } } })
    expect([...browser.cookies.keys()].sort()).toEqual(['parley_known', 'parley_session'])
    expect((await browser.get('/people/account')).status).toBe(200)
  })

  it('is refused without the password, in another browser, too late, and twice with one token', async () => {
    const fay = await withSecondFactor('Fay')
    expect(await give(visitor(server.url), fay.app.next())).toMatchObject(TOO_LATE)
    const browser = await atSecondStep(fay)
    expect(await give(visitor(server.url), fay.app.next()), 'another browser').toMatchObject(TOO_LATE)
    const copy = visitor(server.url, new Map(browser.cookies))
    expect((await give(browser, fay.app.next())).status).toBe(200)
    expect(await give(copy, fay.app.next()), 'the same token').toMatchObject(TOO_LATE)
    const late = await atSecondStep(fay)
    server.clock.ahead += 5 * MINUTE
    expect(await give(late, fay.app.code())).toMatchObject(TOO_LATE)
    expect((await signIn(fay.owner.email, OTHER)).body, 'a wrong password says nothing of it').toBe(
      'wrong e-mail address or password',
    )
  })

  it('takes codes of half a minute before and after, each once, on any node', async () => {
    const gus = await withSecondFactor('Gus')
    const beside = await server.secondNode()
    beside.clock.ahead = server.clock.ahead += 5 * MINUTE
    for (const [offset, isRight] of [
      [-2, false],
      [2, false],
      [-1, true],
      [1, true],
    ] as const) {
      const answer = await give(await atSecondStep(gus), gus.app.code(offset))
      expect([offset, answer.status]).toEqual([offset, isRight ? 200 : 401])
    }
    expect(await give(await atSecondStep(gus), gus.app.code()), 'older than one that was used').toMatchObject(
      WRONG_CODE,
    )

    server.clock.ahead = beside.clock.ahead += 5 * MINUTE
    const code = gus.app.code()
    const browsers = await Promise.all(Array.from({ length: 6 }, () => atSecondStep(gus)))
    const answers = await Promise.all(
      browsers.map(({ cookies }, index) =>
        give(visitor(index % 2 === 0 ? server.url : beside.url, cookies), code),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
  })

  it('takes a recovery code once, however it is written, and says how many are left', async () => {
    const hal = await withSecondFactor('Hal')
    const [code = ''] = hal.codes
    const browsers = await Promise.all([atSecondStep(hal), atSecondStep(hal), atSecondStep(hal)])
    const answers = await Promise.all(
      browsers.map((browser) => give(browser, ` ${code.toUpperCase().replaceAll('-', ' ')}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const mail = await lastMail(server, hal.owner.email)
    expect(mail).toMatchObject({ subject: 'A recovery code of your account on Parley was used' })
    expect(mail.text).toContain('left: 9')
    expect((await audited(hal.owner.profileId)).map(({ action }) => action)).toContain(
      'member.recovery_code_used',
    )
    const stranger = await withSecondFactor('Hans')
    expect(await give(await atSecondStep(stranger), hal.codes[1] ?? ''), "another's code").toMatchObject(
      WRONG_CODE,
    )
  })

  it('is limited, for each account and network, whatever the number of first steps', async () => {
    const ida = await withSecondFactor('Ida')
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess++) {
      const browser = await atSecondStep(ida)
      statuses.push((await give(browser, '000000')).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    expect((await give(await atSecondStep(ida), ida.app.next())).status).toBe(429)
    laterOn()
    expect((await give(await atSecondStep(ida), ida.app.code())).status).toBe(200)
    const failed = (await audited(ida.owner.profileId)).filter(
      ({ action }) => action === 'member.sign_in_failed',
    )
    expect(failed[0]).toMatchObject({ changes: [{ field: 'step', to: 'code' }], actor: { kind: 'server' } })
  })

  it('asks for the code after a new password too, and after an invitation', async () => {
    const jo = await withSecondFactor('Jo')
    await visitor(server.url).post('/people/password-reset', { email: jo.owner.email })
    const token = /#(\w+)/.exec((await lastMail(server, jo.owner.email)).text)?.[1] ?? ''
    const browser = visitor(server.url)
    const reset = await browser.post('/people/password-reset/finish', { token, password: OTHER })
    expect(reset).toMatchObject({ status: 200, body: { account: null, codeRequired: true } })
    expect((await browser.get('/people/account')).status).toBe(401)
    expect((await give(browser, jo.app.next())).status).toBe(200)

    const elsewhere = await organization(server, 'Elsewhere')
    const admin = await adminOf(elsewhere)
    await admin.post(`/people/organizations/${elsewhere}/members`, { email: jo.owner.email })
    const invitation = /#(\w+)/.exec((await lastMail(server, jo.owner.email)).text)?.[1] ?? ''
    const joining = visitor(server.url)
    const joined = await joining.post('/people/invitations/accept', {
      token: invitation,
      name: 'Jo',
      password: OTHER,
    })
    expect(joined).toMatchObject({ status: 200, body: { account: null, codeRequired: true } })
    expect((await joining.get('/people/account')).status).toBe(401)
    expect((await give(joining, jo.app.next())).body).toMatchObject({
      account: { memberships: [{ organizationId: orgId }, { organizationId: elsewhere }] },
    })
  })
})

describe('removing it', () => {
  it('takes a session that has just begun, or a code; the password signs in from then on', async () => {
    const kai = await withSecondFactor('Kai')
    const { owner, app } = kai
    server.clock.ahead += 16 * MINUTE
    expect(await owner.delete('/people/second-factor', {})).toMatchObject(AGAIN)
    expect(await owner.delete('/people/second-factor', { code: '000000' })).toMatchObject({
      status: 403,
      body: 'wrong code',
    })
    expect((await owner.delete('/people/second-factor', { code: app.next() })).status).toBe(204)
    expect(await owner.delete('/people/second-factor', {}), 'again').toMatchObject(AGAIN)
    expect((await signIn(owner.email)).body).toMatchObject({ account: { email: owner.email } })
    expect(await lastMail(server, owner.email)).toMatchObject({
      subject: 'The second factor of your account on Parley was removed',
    })
    const [entry] = await audited(owner.profileId)
    expect(entry).toMatchObject({ action: 'member.second_factor_disabled', actor: { id: owner.profileId } })
    const fresh = await signInToProfile(server, owner)
    expect(await fresh.delete('/people/second-factor', {})).toMatchObject({
      status: 400,
      body: 'no second factor is set up',
    })
    const left = await server.parley.db.query(
      sql`select 1 as one from recovery_codes where account_id = ${owner.accountId}`,
    )
    expect(left).toEqual([])
  })

  it('new recovery codes replace those before', async () => {
    const lea = await withSecondFactor('Lea')
    const { status, body } = await lea.owner.post('/people/second-factor/recovery-codes', {})
    expect(status).toBe(200)
    const { recoveryCodes } = Object(body)
    expect(recoveryCodes).toHaveLength(10)
    expect(await give(await atSecondStep(lea), lea.codes[0] ?? '')).toMatchObject(WRONG_CODE)
    expect((await give(await atSecondStep(lea), recoveryCodes[0])).status).toBe(200)
    server.clock.ahead += 16 * MINUTE
    expect(await lea.owner.post('/people/second-factor/recovery-codes', {})).toMatchObject(AGAIN)
  })
})

describe('an admin', () => {
  const path = (memberId: string, org = orgId) =>
    `/people/organizations/${org}/members/${memberId}/second-factor`

  it('resets it for a member, who is signed out and gets a mail, and not for an owner', async () => {
    const max = await withSecondFactor('Max')
    const admin = await adminOf(orgId)
    const { client } = await connectFor(await signInToProfile(server, max.owner, 'code'))
    expect(await isOn(client)).toBe(true)
    const list = await admin.get(`/people/organizations/${orgId}/members?search=${max.owner.email}`)
    expect(list.body).toMatchObject({ members: [{ secondFactor: 'code' }] })
    expect((await admin.delete(path(max.owner.profileId))).status).toBe(204)
    expect((await max.owner.get('/people/account')).status).toBe(401)
    expect(await isOn(client), 'an assistant').toBe(false)
    expect((await signIn(max.owner.email)).body).toMatchObject({ account: { email: max.owner.email } })
    expect((await lastMail(server, max.owner.email)).text).toContain(
      'An admin or the operator of the server did this',
    )
    const [entry] = await audited(max.owner.profileId)
    expect(entry).toMatchObject({ action: 'member.second_factor_reset', actor: { id: admin.profileId } })
    expect(await admin.delete(path(max.owner.profileId))).toMatchObject({
      status: 400,
      body: 'no second factor is set up',
    })

    const boss = await withSecondFactor('Boss', 'owner')
    const refusal = { status: 403, body: 'only owners decide on owners' }
    expect(await (await adminOf(orgId)).delete(path(boss.owner.profileId))).toMatchObject(refusal)
    const other = await signInAs(server, { orgId, role: 'owner', name: 'Other owner' })
    expect((await other.delete(path(boss.owner.profileId))).status).toBe(204)
  })

  it('of one organization does not weaken another', async () => {
    const ned = await withSecondFactor('Ned')
    const elsewhere = await organization(server, 'Elsewhere')
    const there = await person(server, elsewhere, 'Ned', { email: ned.owner.email })
    const refused = {
      status: 400,
      body: 'this person belongs to other organizations too; ask whoever runs the server',
    }
    expect(await (await adminOf(elsewhere)).delete(path(there, elsewhere))).toMatchObject(refused)
    await atSecondStep(ned)
  })
})

describe('an organization in which everybody needs one', () => {
  it('is switched on by an owner who has one, and leads the others to it', async () => {
    const org = await organization(server, 'Strict')
    const at = `/people/organizations/${org}`
    const boss = await withPassword('Boss of strict', 'owner', org)
    const rule = (who: Visitor, requireSecondFactor: boolean) => who.patch(at, { requireSecondFactor })
    expect(await rule(await adminOf(org), true)).toMatchObject({
      status: 403,
      body: 'only owners decide on the second factor',
    })
    expect(await rule(boss, true)).toMatchObject({
      status: 400,
      body: 'sign in with a second factor yourself first',
    })
    expect((await boss.get(at)).body).toMatchObject({ requireSecondFactor: false })

    const secret = Object((await boss.post('/people/second-factor/start', {})).body).secret
    await boss.post('/people/second-factor', { code: new App(secret).code() })
    const ben = await withPassword('Ben of strict', 'admin', org)
    expect((await ben.get(at)).status).toBe(200)
    expect((await rule(boss, true)).body).toMatchObject({ requireSecondFactor: true })

    expect(await ben.get(at)).toMatchObject(NEEDS_ONE)
    const browser = visitor(server.url)
    const entered = await signIn(ben.email, PASSWORD, browser)
    expect(entered.body).toMatchObject({
      account: { memberships: [{ organizationId: org, needs: 'second_factor' }] },
    })
    expect(await browser.get(at)).toMatchObject(NEEDS_ONE)
    const begun = await browser.post('/people/second-factor/start', {})
    const enabled = await browser.post('/people/second-factor', {
      code: new App(Object(begun.body).secret).code(),
    })
    expect(enabled.status).toBe(200)
    expect((await browser.get(at)).status, 'from then on').toBe(200)
    expect(Object((await browser.get('/people/session')).body).account.memberships[0]).not.toHaveProperty(
      'needs',
    )

    expect((await browser.delete('/people/second-factor', {})).status).toBe(204)
    expect(await browser.get(at), 'without it again').toMatchObject(NEEDS_ONE)
    expect((await rule(boss, false)).status).toBe(200)
    expect((await browser.get(at)).status).toBe(200)
  })

  it('can ask admins and owners alone, also one who becomes an admin', async () => {
    const org = await organization(server, 'Strict with admins')
    const at = `/people/organizations/${org}`
    const owner = await signInAs(server, { orgId: org, role: 'owner', email: 'boss@admins.test' })
    const strong = await signInToProfile(server, owner, 'code')
    const weak = await signInToProfile(server, owner, 'password')
    const rule = (who: Visitor, adminsNeedSecondFactor: boolean) => who.patch(at, { adminsNeedSecondFactor })
    const ben = await withPassword('Ben with admins', 'admin', org)
    const cy = await withPassword('Cy with admins', 'member', org)
    expect(await rule(ben, true)).toMatchObject({
      status: 403,
      body: 'only owners decide on the second factor',
    })
    expect(await rule(weak, true)).toMatchObject({
      status: 400,
      body: 'sign in with a second factor yourself first',
    })
    expect((await rule(strong, true)).body).toMatchObject({ adminsNeedSecondFactor: true })
    for (const who of [ben, weak]) expect(await who.get(at)).toMatchObject(NEEDS_ONE)
    expect((await cy.get(`${at}/chat/start`)).status).toBe(200)
    const stream = await openStream(cy, org)
    await stream.next(({ event }) => event === 'reset')
    expect((await strong.patch(`${at}/members/${cy.profileId}`, { role: 'admin' })).status).toBe(200)
    await stream.ended()
    expect(await cy.get(`${at}/chat/start`)).toMatchObject(NEEDS_ONE)
    expect((await strong.patch(`${at}/members/${cy.profileId}`, { role: 'member' })).status).toBe(200)
    expect((await cy.get(`${at}/chat/start`)).status).toBe(200)
    expect((await rule(strong, false)).status).toBe(200)
    for (const who of [ben, weak]) expect((await who.get(at)).status).toBe(200)
  })

  it('holds for assistants, which lose with their person what a code had opened', async () => {
    const [strict, lax] = [
      await organization(server, 'Strict three'),
      await organization(server, 'Lax three'),
    ]
    const { owner: boss } = await withSecondFactor('Boss three', 'owner', strict)
    const there = await signInAs(server, { orgId: lax, name: 'Boss three', email: boss.email })
    const rule = { requireSecondFactor: true }
    expect((await boss.patch(`/people/organizations/${strict}`, rule)).status).toBe(200)
    const strong = await signInToProfile(server, boss, 'code')
    const elsewhere = await signInToProfile(server, there, 'code')
    const [here, other] = [await connectFor(strong), await connectFor(elsewhere)]
    const keyed = await connectFor(await signInToProfile(server, boss, 'passkey'))
    const all = () => Promise.all([here, other, keyed].map(({ client }) => isOn(client)))
    expect(await all()).toEqual([true, true, true])
    expect((await strong.delete('/people/second-factor', {})).status).toBe(204)
    expect(await all()).toEqual([false, true, true])
  })

  it('takes passkeys and single sign-on for two factors, and a password for one', async () => {
    const org = await organization(server, 'Strict too')
    const at = `/people/organizations/${org}`
    const boss = await signInAs(server, { orgId: org, role: 'owner', email: 'boss@strict.test' })
    const by = (how: 'password' | 'code' | 'passkey' | 'sign-on') => signInToProfile(server, boss, how)
    expect((await (await by('code')).patch(at, { requireSecondFactor: true })).status).toBe(200)
    for (const how of ['code', 'passkey', 'sign-on'] as const)
      expect((await (await by(how)).get(at)).status).toBe(200)
    expect(await (await by('password')).get(at)).toMatchObject(NEEDS_ONE)
  })
})
