import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, type Visitor, visitor } from './support/people.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const PASSWORD = 'a long and private sentence'

let server: TestParley
let organizations: TestOrganization[]
let address: string

beforeAll(async () => {
  server = await startTestParley({ trustProxy: ['127.0.0.1'] })
  const names = ['Lighthouse Labs', 'Quiet Harbour', 'Strangers Ltd']
  organizations = await Promise.all(names.map((name) => newOrganization(server, name)))
})
afterAll(() => server.close())
beforeEach(() => {
  address = `${newUuid()}@example.com`
})

const members = ({ orgId }: TestOrganization) => `/people/organizations/${orgId}/members`
const mails = async (to = address) => (await mailsTo(server, to)).length

/** Invites the address again and again, each organization in turn; returns the last answer. */
async function inviteUntilRefused() {
  for (let round = 0; round <= 2 * LIMITS.mailsToAddressPerDay; round++) {
    const here = organizations[round % organizations.length]
    if (!here) throw new Error('there are organizations')
    const { body } = await here.admin.get(`${members(here)}?search=${address}`)
    const [known] = Object(body).members
    const answer = known
      ? await here.admin.post(`${members(here)}/${known.id}/invitation`)
      : await here.admin.post(members(here), { email: address })
    if (answer.status >= 400) return answer
    server.clock.ahead += MINUTE
  }
  throw new Error('the address can be written to without end')
}

let networks = 0
const askForReset = (by: Visitor = visitor(server.url), email = address) => {
  networks += 1
  const headers = { 'X-Forwarded-For': `198.51.${networks >> 8}.${networks & 255}` }
  return by.post('/people/password-reset', { email }, { headers })
}

describe('mails to one address', () => {
  it('have a ceiling a day over all organizations', async () => {
    const refused = await inviteUntilRefused()
    expect(refused).toMatchObject({ status: 429, body: 'too many invitations, please wait' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
    expect(await mails()).toBe(LIMITS.mailsToAddressPerDay)

    const another = await newOrganization(server, 'Late Ltd')
    expect((await another.admin.post(members(another), { email: address.toUpperCase() })).status).toBe(429)
    const { body } = await another.admin.get(`${members(another)}?search=${address}`)
    expect(Object(body).members, 'nobody is added without a mail').toEqual([])
    server.clock.ahead += DAY
    expect((await another.admin.post(members(another), { email: address })).status).toBe(201)
  })

  it('are refused line by line where many are invited, and counted only where they go out', async () => {
    await inviteUntilRefused()
    const another = await newOrganization(server, 'Bulk Ltd')
    const people = [{ email: `zoe@${another.orgId}.test` }, { email: address }, { email: 'no address' }]
    const { body } = await another.admin.post(`${members(another)}/invitations`, { people })
    expect(Object(body).results).toMatchObject([
      { email: people[0]?.email, memberId: expect.any(String) },
      { email: address, refusal: 'too many invitations, please wait' },
      { email: 'no address', refusal: 'invalid e-mail address' },
    ])
    expect(await mails()).toBe(LIMITS.mailsToAddressPerDay)
  })

  it('are written in the order of addresses, so that two lists never wait for each other in a circle', async () => {
    const another = await newOrganization(server, 'Order Ltd')
    const emails = ['c', 'a', 'd', 'b'].map((name) => `${name}@${another.orgId}.test`)
    const { body } = await another.admin.post(`${members(another)}/invitations`, {
      people: emails.map((email) => ({ email })),
    })
    expect(Object(body).results.map(({ email }: { email: string }) => email)).toEqual(emails)
    const written = await server.parley.db.query<{ email: string }>(sql`
      select p.email from audit_log a join profiles p on p.org_id = a.org_id and p.id = a.target_id
      where a.org_id = ${another.orgId} and a.action = 'member.invited' order by a.id`)
    expect(written.map(({ email }) => email)).toEqual([...emails].sort())
  })

  it('of a join link stop without a word, with an account and without one', async () => {
    const another = await newOrganization(server, 'Joinable Ltd')
    await inviteUntilRefused()
    const made = await another.admin.post(`/people/organizations/${another.orgId}/join-links`, {
      domains: ['example.com'],
    })
    const token = new URL(Object(made.body).url).hash.slice(1)
    const ask = async (email: string) =>
      (await visitor(server.url).post('/people/join-links/ask', { token, email })).status
    expect(await ask(address)).toBe(204)
    expect(await mails()).toBe(LIMITS.mailsToAddressPerDay)
    const nobody = `${newUuid()}@example.com`
    expect(await ask(nobody)).toBe(204)
    expect(await mails(nobody)).toBe(1)
  })

  it('for a new password are counted apart from invitations', async () => {
    const [home, stranger] = organizations
    if (!home || !stranger) throw new Error('there are organizations')
    await signInAs(server, { orgId: home.orgId, name: 'Vera Voss', email: address })
    for (let count = 0; count < LIMITS.mailsToAddressPerDay; count++) {
      const another = await newOrganization(server, `Stranger ${count}`)
      expect((await another.admin.post(members(another), { email: address })).status).toBe(201)
    }
    expect((await stranger.admin.post(members(stranger), { email: address })).status).toBe(429)
    expect((await askForReset()).status).toBe(204)
    const [last] = (await mailsTo(server, address)).slice(-1)
    expect(last?.subject).toBe('Set a new password on Parley')
  })

  it('for a new password that strangers ask for leave some to the owner, in a browser of their own', async () => {
    const vera = await signInAs(server, { orgId: String(organizations[0]?.orgId), email: address })
    await givePassword(server, vera, PASSWORD)
    const browser = visitor(server.url)
    expect((await browser.post('/people/sign-in', { email: address, password: PASSWORD })).status).toBe(200)
    for (let count = 0; count <= LIMITS.resetMailsPerDay; count++) {
      expect((await askForReset()).status).toBe(204)
      server.clock.ahead += 4 * MINUTE // fewer than 20 of them work at a time
    }
    expect(await mails()).toBe(LIMITS.resetMailsPerDay)
    const nobody = `${newUuid()}@example.com`
    expect((await askForReset(visitor(server.url), nobody)).status, 'as for nobody').toBe(204)
    expect((await askForReset(browser)).status).toBe(204)
    expect(await mails()).toBe(LIMITS.resetMailsPerDay + 1)
  })

  it('leave no address in the table of budgets', async () => {
    await inviteUntilRefused()
    const rows = await server.parley.db.query<{ name: string }>(sql`
      select name from budgets where name like 'mails:%'`)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ name }) => /@|example/.test(name))).toEqual([])
  })
})
