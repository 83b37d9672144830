import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { addImportedPerson } from '../server/actions/members/imported-members.ts'
import { sendAskedInvitations } from '../server/background/asked-invitations.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { lastMail, mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { type TestPerson, visitor } from './support/people.ts'
import { watchPool } from './support/pool-rules.ts'

watchPool()

let server: TestParley
let here: TestOrganization

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const members = (path = '') => `/people/organizations/${here.orgId}/members${path}`
const MISSING = '/invitations/missing'
const ask = (body: object = {}, who: TestPerson = here.admin) => who.post(members(MISSING), body)
const counts = async (query = '') => (await here.admin.get(members(`${MISSING}${query}`))).body
const send = () => sendAskedInvitations(server.parley)
const person = async (email: string) =>
  Object((await here.admin.get(members(`?search=${email}`))).body).members[0]

/** Adds people as an import does: pending, without an invitation. */
async function imported(count: number, name = 'Person', isGuest = false): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, n) => `${name.toLowerCase()}${n}@${here.orgId}.test`)
  await server.parley.db.write(here.orgId, async (tx) => {
    for (const email of emails) await addImportedPerson(tx, { email, name, title: '', isGuest })
  })
  return emails
}
const mailsOf = async (emails: readonly string[]): Promise<number[]> =>
  Promise.all(emails.map(async (email) => (await mailsTo(server, email)).length))

beforeAll(async () => {
  server = await startTestParley()
})
beforeEach(async () => {
  here = await newOrganization(server, 'Here')
})
afterAll(() => server.close())

describe('invitations of all who miss one', () => {
  it('go out in the name of the admin who asked', async () => {
    const emails = await imported(3)
    expect(await person('person0@')).not.toHaveProperty('invitationExpiresAt')
    expect(await counts()).toEqual({ missing: 3, expired: 0, waiting: 0 })
    expect(await ask()).toMatchObject({
      status: 200,
      body: { missing: 0, expired: 0, waiting: 3, nextAt: expect.any(Number) },
    })
    expect(await person('person0@')).toHaveProperty('invitationDueAt')
    expect(await mailsOf(emails)).toEqual([0, 0, 0])
    await send()
    expect(await mailsOf(emails)).toEqual([1, 1, 1])
    expect(await counts()).toEqual({ missing: 0, expired: 0, waiting: 0 })
    const invited = await person('person0@')
    expect(invited).toHaveProperty('invitationExpiresAt')
    expect(invited).not.toHaveProperty('invitationDueAt')

    const { text } = await lastMail(server, String(emails[0]))
    const { name } = Object((await here.owner.get(members('?role=admin'))).body).members[0]
    expect(text).toContain(`${name} has invited you to join Here on Parley.`)
    const token = String(/#(\S+)/.exec(text)?.[1])
    const joining = { token, name: 'Person', password: 'four plain words here' }
    expect((await visitor(server.url).post('/people/invitations/accept', joining)).status).toBe(200)

    const { entries } = Object((await here.admin.get(members().replace('members', 'audit'))).body)
    const said = entries.map(({ action, actor }: Record<string, { id?: string }>) => [action, actor?.id])
    expect(said).toEqual(
      expect.arrayContaining([
        ['organization.invitations_asked', here.admin.profileId],
        ['member.invited', here.admin.profileId],
      ]),
    )
    await send()
    expect(await mailsOf(emails)).toEqual([1, 1, 1])
  })

  it('leave a share of the hour to others, and follow when it is over', async () => {
    const emails = await imported(LIMITS.askedInvitationsPerHour + 5)
    await ask()
    while ((await send()) === 0);
    expect(await counts()).toMatchObject({ missing: 0, waiting: 5 })
    const { nextAt } = Object(await counts())
    expect(nextAt - server.parley.clock()).toBeGreaterThan(HOUR_MS - 60_000)
    expect((await here.admin.post(members(), { email: `one@${here.orgId}.test` })).status).toBe(201)
    await send()
    expect(await counts()).toMatchObject({ waiting: 5 })
    server.clock.ahead += HOUR_MS
    while ((await send()) === 0);
    expect(await counts()).toEqual({ missing: 0, expired: 0, waiting: 0 })
    expect(new Set(await mailsOf(emails))).toEqual(new Set([1]))
  })

  it('go out once, on however many nodes', async () => {
    const emails = await imported(8)
    await ask()
    await Promise.all([send(), send(), send()])
    expect(new Set(await mailsOf(emails))).toEqual(new Set([1]))
  })

  it('go to those whom a filter names, and to those whose invitation has ended where that is asked', async () => {
    const [old] = await imported(1, 'Old')
    await ask()
    await send()
    server.clock.ahead += WEEK_MS
    const [guest] = await imported(1, 'Visitor', true)
    const [other] = await imported(1, 'Other')
    expect(await counts()).toEqual({ missing: 2, expired: 1, waiting: 0 })
    expect(await counts('?role=guest')).toEqual({ missing: 1, expired: 0, waiting: 0 })
    expect(await counts('?search=old')).toEqual({ missing: 0, expired: 1, waiting: 0 })
    await ask({ role: 'guest' })
    await send()
    expect(await mailsOf([String(old), String(guest), String(other)])).toEqual([1, 1, 0])
    await ask({ expired: true })
    await send()
    expect(await mailsOf([String(old), String(guest), String(other)])).toEqual([2, 1, 1])
  })

  it('stop when somebody says so', async () => {
    const emails = await imported(2)
    await ask()
    const stop = () => here.admin.delete(members(MISSING))
    expect((await stop()).status).toBe(204)
    await send()
    expect(await mailsOf(emails)).toEqual([0, 0])
    expect(await counts()).toEqual({ missing: 2, expired: 0, waiting: 0 })
    expect((await stop()).status).toBe(204)
  })

  it.each([
    ['is a member now', { role: 'member' }],
    ['was archived', { status: 'Archived' }],
  ])('are dropped when the admin who asked %s', async (_, change) => {
    const emails = await imported(2)
    await ask()
    expect((await here.owner.patch(members(`/${here.admin.profileId}`), change)).status).toBe(200)
    await send()
    expect(await mailsOf(emails)).toEqual([0, 0])
    const left = await here.owner.get(members(MISSING))
    expect(left.body).toEqual({ missing: 2, expired: 0, waiting: 0 })
  })

  it('do not go to who was archived, or invited alone, in the meantime', async () => {
    const [gone, alone, rest] = (await imported(3)).map(String)
    await ask()
    const idOf = async (email = '') => (await person(email)).id
    await here.admin.patch(members(`/${await idOf(gone)}`), { status: 'Archived' })
    expect((await here.admin.post(members(`/${await idOf(alone)}/invitation`))).status).toBe(200)
    await send()
    expect(await mailsOf([gone, alone, rest].map(String))).toEqual([0, 1, 1])
    // An archived person comes back as pending, and nothing waits for them.
    await here.admin.patch(members(`/${await idOf(gone)}`), { status: 'Active' })
    await send()
    expect(await mailsOf([String(gone)])).toEqual([0])
  })

  it('are for admins, of their own organization', async () => {
    const emails = await imported(1)
    const elsewhere = await newOrganization(server, 'Elsewhere')
    for (const [who, status] of [
      [here.member, 403],
      [elsewhere.owner, 404],
    ] as const) {
      expect((await who.get(members(MISSING))).status).toBe(status)
      expect((await ask({}, who)).status).toBe(status)
      expect((await who.delete(members(MISSING))).status).toBe(status)
    }
    await send()
    expect(await mailsOf(emails)).toEqual([0])
  })
})
