import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../server/actions/members/members.ts'
import { sql } from '../server/db/sql.ts'
import {
  accept,
  handLink,
  invite,
  listed,
  mailedToken,
  opens,
  resetByMail,
  setStatus,
  signInWith,
} from './support/claims.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { visitor } from './support/people.ts'

const MINUTE = 60_000
const OWN = 'a long and private sentence'
const STRANGE = 'words that a stranger has chosen'
const WRONG = { status: 401, body: 'wrong e-mail address or password' }
const UNPROVEN = { status: 403, body: 'prove your e-mail address first' }

let server: TestParley
/** Belongs to a stranger, who may invite any address and sees the links that are made by hand. */
let theirs: TestOrganization
let ours: TestOrganization

beforeAll(async () => {
  server = await startTestParley()
  theirs = await newOrganization(server, 'Anybody')
  ours = await newOrganization(server, 'Lighthouse Labs')
})
afterAll(() => server.close())

const start = ({ orgId }: TestOrganization) => `/people/organizations/${orgId}/chat/start`
const addActive = ({ orgId }: TestOrganization, email: string) =>
  server.parley.db.write(orgId, (tx) => addPerson(tx, { email, role: 'owner', status: 'Active' }))

/** A person who has joined by a mail. */
async function joinByMail(org: TestOrganization, email: string, role = 'member') {
  const { id } = await invite(org, email, role)
  const by = visitor(server.url)
  expect((await accept(by, await mailedToken(server, email), OWN)).status).toBe(200)
  return { id, by }
}

/** A stranger who took the address by a link of their own organization, before its reader did. */
async function claim(email: string) {
  const stranger = visitor(server.url)
  const link = await handLink(theirs, await invite(theirs, email))
  expect((await accept(stranger, link, STRANGE)).status).toBe(200)
  return stranger
}

describe('an account that is active nowhere', () => {
  it('gets no password by a link that was made by hand', async () => {
    const email = 'dora@example.com'
    const { id } = await joinByMail(ours, email, 'admin')
    expect((await setStatus(ours, id, 'Archived')).status).toBe(200)
    server.clock.ahead += MINUTE

    const link = await handLink(theirs, await invite(theirs, email))
    const stranger = visitor(server.url)
    const looked = await stranger.post('/people/invitations/look', { token: link })
    expect(looked.body).toMatchObject({ hasAccount: true })
    expect(await accept(stranger, link, STRANGE)).toMatchObject(WRONG)
    expect((await setStatus(ours, id, 'Active')).status).toBe(200)
    expect(await opens(stranger, ours.orgId)).toBe(false)
    expect(await opens(await signInWith(server, email, STRANGE), ours.orgId)).toBe(false)
    expect(await opens(await signInWith(server, email, OWN), ours.orgId), 'her own password').toBe(true)
  })

  it('waits for a proof where its first password came by a link that was made by hand', async () => {
    const email = 'fay@example.com'
    await addActive(ours, email)
    await server.parley.db.query(sql`update accounts set email_proven = true where email_key = ${email}`)
    await server.parley.db.query(
      sql`update profiles set needs_proof = false where org_id = ${ours.orgId} and email_key = ${email}`,
    )
    const stranger = await claim(email)
    expect([await opens(stranger, theirs.orgId), await opens(stranger, ours.orgId)]).toEqual([true, false])
    expect(await stranger.get(start(ours))).toMatchObject(UNPROVEN)
  })

  it('accepts one with the password that it has', async () => {
    const email = 'ed@example.com'
    const { id } = await joinByMail(ours, email)
    await setStatus(ours, id, 'Archived')
    server.clock.ahead += MINUTE
    const by = visitor(server.url)
    expect((await accept(by, await handLink(theirs, await invite(theirs, email)), OWN)).status).toBe(200)
    expect([await opens(by, theirs.orgId), await opens(by, ours.orgId)]).toEqual([true, false])
    await setStatus(ours, id, 'Active')
    expect(await opens(await signInWith(server, email, OWN), ours.orgId), 'the proof of before').toBe(true)
  })
})

describe('an address that was claimed before a membership came', () => {
  it('lists the organization, and opens nothing of it until it is proven', async () => {
    const email = 'carla@example.com'
    const stranger = await claim(email)
    await addActive(ours, email)
    expect(await listed(stranger)).toEqual({ [theirs.orgId]: undefined, [ours.orgId]: 'address_proof' })
    expect(await stranger.get(start(ours))).toMatchObject(UNPROVEN)
    expect((await stranger.get(start(ours))).headers.get('x-error-code')).toBe('address_proof_required')
    expect(await opens(stranger, theirs.orgId), 'what its own link gave').toBe(true)
    expect(await opens(await signInWith(server, email, STRANGE), ours.orgId)).toBe(false)

    const carla = visitor(server.url)
    expect((await resetByMail(server, carla, email, OWN)).status).toBe(200)
    expect(await listed(carla)).toEqual({ [theirs.orgId]: undefined, [ours.orgId]: undefined })
    expect(await opens(carla, ours.orgId)).toBe(true)
    expect(await stranger.get(start(ours))).toMatchObject({ status: 401 })
    expect(await listed(await signInWith(server, email, STRANGE))).toEqual({})
  })

  it('is no different where the membership came first', async () => {
    const email = 'finn@example.com'
    await addActive(ours, email)
    const stranger = await claim(email)
    expect(await listed(stranger)).toEqual({ [theirs.orgId]: undefined, [ours.orgId]: 'address_proof' })
    expect(await opens(stranger, ours.orgId)).toBe(false)
  })

  it('goes to the reader of the mail who is invited, without the password of the stranger', async () => {
    const email = 'gil@example.com'
    const stranger = await claim(email)
    server.clock.ahead += MINUTE
    await invite(ours, email)
    const token = await mailedToken(server, email)
    const gil = visitor(server.url)
    expect((await gil.post('/people/invitations/look', { token })).body).toMatchObject({ hasAccount: false })
    expect((await accept(gil, token, OWN)).status).toBe(200)
    expect(await opens(gil, ours.orgId)).toBe(true)
    expect(await listed(stranger)).toEqual({})
    expect(await listed(await signInWith(server, email, STRANGE))).toEqual({})
  })

  it('stays with its holder who accepts a mailed link in their own session', async () => {
    const email = 'hana@example.com'
    const hana = await claim(email)
    server.clock.ahead += MINUTE
    await invite(ours, email)
    expect((await accept(hana, await mailedToken(server, email))).status).toBe(200)
    expect([await opens(hana, ours.orgId), await opens(hana, theirs.orgId)]).toEqual([true, true])
    const third = await newOrganization(server, 'Harbour')
    await addActive(third, email)
    expect(await opens(hana, third.orgId), 'proven by now').toBe(true)
  })
})

describe('a link made by hand for a new address', () => {
  it('makes an account with a password, and opens the organization that made it', async () => {
    const email = 'ivo@example.com'
    const ivo = await claim(email)
    expect(await opens(ivo, theirs.orgId)).toBe(true)
    expect(await opens(await signInWith(server, email, STRANGE), theirs.orgId)).toBe(true)
    const { id } = Object(
      (await theirs.owner.get(`/people/organizations/${theirs.orgId}/members?search=${email}`)).body,
    ).members[0]
    await setStatus(theirs, id, 'Archived')
    await setStatus(theirs, id, 'Active')
    server.clock.ahead += MINUTE
    expect(await opens(await signInWith(server, email, STRANGE), theirs.orgId), 'brought back').toBe(true)
    server.clock.ahead += MINUTE
    expect(
      (await accept(visitor(server.url), await handLink(ours, await invite(ours, email)), OWN)).status,
    ).toBe(401)
    expect(
      (await accept(visitor(server.url), await handLink(ours, { id: await pendingId(email) }), STRANGE))
        .status,
    ).toBe(200)
    expect(await opens(await signInWith(server, email, STRANGE), ours.orgId), 'its own link').toBe(true)
  })

  const pendingId = async (email: string): Promise<string> =>
    Object((await ours.owner.get(`/people/organizations/${ours.orgId}/members?search=${email}`)).body)
      .members[0].id
})
