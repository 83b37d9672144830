import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { sql } from '../server/db/sql.ts'
import { staticBot } from './support/cast.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile } from './support/people.ts'
import {
  created,
  foundIn,
  GROUP,
  newProvider,
  newUser,
  providerWith,
  refused,
  type TestProvider,
  USER,
} from './support/scim.ts'
import { openStream } from './support/stream.ts'

let server: TestParley
let here: TestOrganization
let there: TestOrganization
let scim: TestProvider
let foreign: TestProvider

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
  there = await newOrganization(server, 'There')
  scim = await newProvider(here.owner)
  foreign = await newProvider(there.owner)
})
afterEach(() => {
  server.clock.ahead = 0
})
afterAll(() => server.close())

const at = (path: string) => `/people/organizations/${here.orgId}/${path}`

/** The newest entries of the audit log, as `actor action target`. */
async function audited(limit: number): Promise<string[]> {
  const { body } = await here.owner.get(at(`audit?limit=${limit}`))
  return Object(body).entries.map(
    (entry: { actor: { kind: string; name?: string }; action: string; target: { name: string } }) =>
      `${entry.actor.kind} ${entry.action} ${entry.target.name}`,
  )
}

const statusOf = async (memberId: string): Promise<string> => {
  const [row] = await server.parley.db.query<{ status: string }>(
    sql`select status from profiles where org_id = ${here.orgId} and id = ${memberId}`,
  )
  return row?.status ?? 'none'
}

const search = (filter: string) => scim.get(`/Users?filter=${encodeURIComponent(filter)}`)
const namesFound = async (filter: string) => foundIn(await search(filter)).map(({ userName }) => userName)

describe('what a provider asks first', () => {
  it('says what the server can do, and what its resources are', async () => {
    const { status, body, headers } = await scim.get('/ServiceProviderConfig')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/scim+json')
    expect(body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: true },
    })
    expect(foundIn(await scim.get('/ResourceTypes')).map(({ endpoint }) => endpoint)).toEqual([
      '/Users',
      '/Groups',
    ])
    expect(foundIn(await scim.get('/Schemas')).map(({ id }) => id)).toEqual([USER, GROUP])
    expect((await scim.get(`/Schemas/${USER}`)).body).toMatchObject({ id: USER, name: 'User' })
    expect((await scim.get('/ResourceTypes/Group')).body).toMatchObject({ schema: GROUP })
  })

  it('answers what it does not know in the form of SCIM', async () => {
    for (const path of [
      '/Schemas/urn:none',
      '/ResourceTypes/None',
      '/Me',
      '/Users/none',
      `/Users/${crypto.randomUUID()}`,
    ])
      expect(refused(await scim.get(path)), path).toMatchObject({ status: 404 })
    expect(refused(await scim.post('/Bulk', {}))).toMatchObject({ status: 404 })
  })
})

describe('a token', () => {
  it('is for owners, shown once, and kept as a hash', async () => {
    const { body } = await here.owner.get(at('scim'))
    expect(body).toEqual({
      url: `${server.parley.config.baseUrl}/scim/v2`,
      tokens: [
        {
          id: expect.any(String),
          createdByName: 'The owner',
          createdAt: expect.any(Number),
          lastUsedAt: expect.any(Number),
        },
      ],
    })
    expect((await here.admin.get(at('scim'))).status).toBe(200)
    expect((await here.admin.post(at('scim/tokens'), {})).status).toBe(403)
    expect((await here.member.get(at('scim'))).status).toBe(403)
    const rows = await server.parley.db.query(sql`select * from scim_tokens`)
    expect(JSON.stringify(rows)).not.toContain(scim.token)
    expect(server.logLines.join('')).not.toContain(scim.token)
  })

  it('goes on for a while beside the one that replaces it, and no longer', async () => {
    const { owner } = await newOrganization(server, 'Rotating')
    const first = await newProvider(owner)
    const second = await newProvider(owner, 2)
    expect((await first.get('/Users')).status).toBe(200)
    const third = await newProvider(owner, 2)
    expect((await first.get('/Users')).status).toBe(401)
    expect((await second.get('/Users')).status).toBe(200)
    server.clock.ahead = 2 * 3_600_000
    expect((await second.get('/Users')).status).toBe(401)
    expect((await third.get('/Users')).status).toBe(200)
  })

  it('ends when it is revoked, also for a request that is under way', async () => {
    const { owner, orgId } = await newOrganization(server, 'Revoking')
    const provider = await newProvider(owner)
    const tokens = `/people/organizations/${orgId}/scim/tokens`
    const [{ id }] = Object((await owner.get(`/people/organizations/${orgId}/scim`)).body).tokens
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    // The organization's only writer: the request was let in, and waits for its turn.
    const writing = server.parley.db.write(orgId, async (tx) => {
      await held
      await tx.query(sql`delete from scim_tokens where org_id = ${orgId} and id = ${id}`)
    })
    const asked = provider.post('/Users', newUser())
    await expect
      .poll(
        async () =>
          (
            await server.parley.db.query(
              sql`select 1 from scim_tokens where id = ${id} and last_used_at is not null`,
            )
          ).length,
      )
      .toBe(1)
    release()
    await writing
    expect(refused(await asked)).toMatchObject({ status: 401 })
    expect((await owner.delete(`${tokens}/${id}`)).status).toBe(404)
    const other = await newProvider(owner)
    const [now] = Object((await owner.get(`/people/organizations/${orgId}/scim`)).body).tokens
    expect((await other.get('/Users')).status).toBe(200)
    expect((await owner.delete(`${tokens}/${now.id}`)).status).toBe(204)
    expect((await other.get('/Users')).status).toBe(401)
  })

  it('opens SCIM alone, and nothing else opens SCIM', async () => {
    const bearer = { headers: { authorization: `Bearer ${scim.token}` } }
    expect((await here.owner.get(at('scim'), bearer)).status).toBe(200) // by the cookie
    const stranger = providerWith(server.url, scim.token)
    for (const path of [at('members'), '/v2/members', '/mcp']) {
      const answer = await fetch(`${server.url}${path}`, bearer)
      expect([401, 405], path).toContain(answer.status)
    }
    expect((await stranger.get('/Users')).status).toBe(200)
    const bot = await staticBot(server, here.orgId)
    for (const token of ['', 'none', bot.credentials.apiKey, `${scim.token}x`])
      expect(refused(await providerWith(server.url, token).get('/Users')), token).toMatchObject({
        status: 401,
      })
    const bare = await fetch(`${server.url}/scim/v2/Users`, {
      headers: { cookie: [...here.owner.cookies].map((c) => c.join('=')).join('; ') },
    })
    expect(bare.status).toBe(401)
    expect(bare.headers.get('www-authenticate')).toBe('Bearer realm="scim"')
  })

  it('reaches its own organization alone', async () => {
    const { id, userName } = await created(scim)
    const { body: group } = await scim.post('/Groups', {
      schemas: [GROUP],
      displayName: 'Ours',
      members: [{ value: id }],
    })
    const groupId = Object(group).id
    for (const path of [`/Users/${id}`, `/Groups/${groupId}`]) {
      expect((await foreign.get(path)).status).toBe(404)
      expect((await foreign.put(path, newUser({ displayName: 'Theirs' }))).status).toBe(404)
      expect(
        (await foreign.patch(path, [{ op: 'replace', path: 'displayName', value: 'Theirs' }])).status,
      ).toBe(404)
      expect((await foreign.delete(path)).status).toBe(404)
    }
    expect(
      foundIn(await foreign.get(`/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)),
    ).toEqual([])
    expect(
      refused(await foreign.post('/Groups', { displayName: 'Theirs', members: [{ value: id }] })),
    ).toMatchObject({
      status: 400,
      scimType: 'invalidValue',
    })
    expect((await scim.get(`/Groups/${groupId}`)).body).toMatchObject({
      displayName: 'Ours',
      members: [{ value: id }],
    })
  })
})

describe('a person', () => {
  it('is made, invited by mail, read, and found by what the provider calls them', async () => {
    const user = newUser({
      externalId: 'okta-1',
      displayName: 'Ada Okafor',
      title: 'Engineer',
      timezone: 'Europe/Berlin',
      phoneNumbers: [{ value: '+49 30 1234', type: 'work' }],
      password: 'never kept anywhere',
      [`${'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'}`]: { department: 'Sales' },
    })
    const answer = await scim.post('/Users', user)
    expect(answer.status, answer.text).toBe(201)
    const { id, meta } = Object(answer.body)
    expect(answer.headers.get('location')).toBe(`${server.parley.config.baseUrl}/scim/v2/Users/${id}`)
    expect(answer.headers.get('etag')).toBe(meta.version)
    expect(answer.body).toEqual({
      schemas: [USER],
      id,
      externalId: 'okta-1',
      userName: user.userName,
      name: { formatted: 'Ada Okafor', ...user.name },
      displayName: 'Ada Okafor',
      title: 'Engineer',
      timezone: 'Europe/Berlin',
      active: true,
      emails: [{ value: user.userName, type: 'work', primary: true }],
      phoneNumbers: [{ value: '+49 30 1234', type: 'work', primary: true }],
      groups: [],
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        lastModified: expect.any(String),
        location: `${server.parley.config.baseUrl}/scim/v2/Users/${id}`,
        version: expect.stringMatching(/^W\/".+"$/),
      },
    })
    expect((await scim.get(`/Users/${id}`)).body).toEqual(answer.body)
    expect(await namesFound(`userName eq "${user.userName.toUpperCase()}"`)).toEqual([user.userName])
    expect(await namesFound('externalId eq "okta-1"')).toEqual([user.userName])
    expect(await namesFound('externalId eq "OKTA-1"')).toEqual([])
    expect(await statusOf(id)).toBe('Pending')
    expect(await mailsTo(server, user.userName)).toHaveLength(1)
    expect(await audited(1)).toEqual(['scim member.invited Ada Okafor'])
  })

  it('waits for a proof of the address, whoever holds an account of it by now', async () => {
    const claimed = await signInAs(server, {
      orgId: there.orgId,
      name: 'Claimant',
      email: 'claimed@example.com',
    })
    await server.parley.db.query(
      sql`update accounts set email_proven = false where id = ${claimed.accountId}`,
    )
    const { id } = await created(scim, { userName: 'claimed@example.com', emails: undefined })
    expect(await statusOf(id)).toBe('Pending')
    expect((await claimed.get(at('chat/start'))).status).toBe(404)
    // Restored members come back as invited ones, until they accepted.
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }])
    expect(await statusOf(id)).toBe('Pending')
  })

  it('is made archived, without a mail, where the provider says so', async () => {
    const { id, active, userName } = await created(scim, { active: 'False' })
    expect(active).toBe(false)
    expect(await statusOf(id)).toBe('Archived')
    expect(await mailsTo(server, userName)).toEqual([])
  })

  it('is refused where another one has the name or the address, or where there is none', async () => {
    const { userName } = await created(scim)
    const taken = { status: 409, scimType: 'uniqueness' }
    expect(refused(await scim.post('/Users', newUser({ userName })))).toMatchObject(taken)
    expect(refused(await scim.post('/Users', newUser({ userName: userName.toUpperCase() })))).toMatchObject(
      taken,
    )
    expect(
      refused(await scim.post('/Users', newUser({ emails: [{ value: here.member.email }] }))),
    ).toMatchObject(taken)
    expect(
      refused(await scim.post('/Users', newUser({ userName: here.member.email, emails: undefined }))),
    ).toMatchObject(taken)
    const wrong = { status: 400, scimType: 'invalidValue' }
    for (const rest of [
      { userName: undefined },
      { userName: 7 },
      { userName: 'no address', emails: undefined },
      { emails: [{ value: 'nobody' }] },
      { emails: 'ada@example.com' },
      { active: 'perhaps' },
      { timezone: 'Europe/Atlantis' },
      { externalId: 'x'.repeat(256) },
      { displayName: ['Ada'] },
      { userName: 'ada\u202e@example.com' },
    ])
      expect(refused(await scim.post('/Users', newUser(rest))), JSON.stringify(rest)).toMatchObject(wrong)
    expect(refused(await scim.post('/Users', '{'))).toMatchObject({ status: 400, scimType: 'invalidSyntax' })
    expect(refused(await scim.post('/Users', '[]'))).toMatchObject({ status: 400, scimType: 'invalidSyntax' })
    expect(refused(await scim.post('/Users', '{"userName":"\\u0000"}'))).toMatchObject({ status: 400 })
    const large = JSON.stringify(newUser({ title: 'x'.repeat(LIMITS.scimBodyBytes) }))
    expect(refused(await scim.post('/Users', large))).toMatchObject({ status: 413 })
  })

  it('has a name of its own at the provider, beside the address', async () => {
    const { id, userName, emails } = await created(scim, {
      userName: 'CORP\\grace',
      emails: [{ value: 'grace@example.com' }],
    })
    expect([userName, emails[0].value]).toEqual(['CORP\\grace', 'grace@example.com'])
    expect(await namesFound('userName eq "corp\\\\GRACE"')).toEqual(['CORP\\grace'])
    expect(await namesFound('emails[type eq "work"].value eq "Grace@example.com"')).toEqual(['CORP\\grace'])
    expect(await namesFound('userName eq "grace@example.com" and active eq false')).toEqual([])
    await scim.delete(`/Users/${id}`)
    expect((await scim.post('/Users', newUser({ userName: 'corp\\grace' }))).status).toBe(201)
  })

  it('is replaced by PUT, which leaves what it does not name', async () => {
    const { id, userName } = await created(scim, { title: 'Engineer', externalId: 'e-1' })
    const put = await scim.put(
      `/Users/${id}`,
      newUser({ userName, emails: undefined, displayName: 'Grace Hopper' }),
    )
    expect(put.body).toMatchObject({
      displayName: 'Grace Hopper',
      title: 'Engineer',
      externalId: 'e-1',
      active: true,
    })
    const cleared = await scim.put(
      `/Users/${id}`,
      newUser({ userName, emails: undefined, title: null, externalId: null }),
    )
    expect(cleared.body).not.toHaveProperty('title')
    expect(cleared.body).not.toHaveProperty('externalId')
    expect(refused(await scim.put(`/Users/${id}`, newUser({ userName: here.member.email })))).toMatchObject({
      status: 409,
    })
  })

  it('is changed by PATCH in each of its forms', async () => {
    const { id } = await created(scim, { externalId: 'p-1', title: 'Clerk' })
    const change = async (...operations: unknown[]) => {
      const answer = await scim.patch(`/Users/${id}`, operations)
      expect(answer.status, answer.text).toBe(200)
      return Object(answer.body)
    }
    expect(await change({ op: 'replace', path: 'name.givenName', value: 'Gracie' })).toMatchObject({
      displayName: expect.stringMatching(/^Gracie Number/),
    })
    expect(
      await change({ op: 'replace', value: { displayName: 'Grace', 'name.familyName': 'Hopper' } }),
    ).toMatchObject({
      displayName: 'Grace',
      name: { formatted: 'Grace', familyName: 'Hopper' },
    })
    expect(await change({ op: 'add', path: `${USER}:title`, value: 'Admiral' })).toMatchObject({
      title: 'Admiral',
    })
    expect(
      await change(
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
        { op: 'remove', path: 'title' },
      ),
    ).toMatchObject({ phoneNumbers: [{ value: '1', type: 'work', primary: true }] })
    const bare = await change({ op: 'remove', path: 'phoneNumbers' }, { op: 'remove', path: 'externalId' })
    for (const gone of ['phoneNumbers', 'externalId', 'title']) expect(bare).not.toHaveProperty(gone)
    expect(await change({ op: 'replace', path: 'locale', value: 'de' })).toMatchObject({
      displayName: 'Grace',
    })
    for (const [operation, scimType] of [
      [{ op: 'replace', path: 'shoeSize', value: 7 }, 'invalidPath'],
      [{ op: 'replace', path: 'constructor', value: 7 }, 'invalidPath'],
      [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'move', path: 'title', value: '' }, 'invalidSyntax'],
      [{ op: 'replace', path: 'emails[type eq', value: '' }, 'invalidPath'],
      [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
      [{ op: 'replace', path: 'active' }, 'invalidValue'],
    ] as const)
      expect(refused(await scim.patch(`/Users/${id}`, [operation])), JSON.stringify(operation)).toMatchObject(
        {
          status: 400,
          scimType,
        },
      )
    expect(refused(await scim.patch(`/Users/${id}`, []))).toMatchObject({ scimType: 'invalidSyntax' })
    const many = Array.from({ length: LIMITS.scimOperations + 1 }, () => ({ op: 'remove', path: 'title' }))
    expect(refused(await scim.patch(`/Users/${id}`, many))).toMatchObject({ scimType: 'tooMany' })
  })

  it('changes altogether or not at all', async () => {
    const { id, displayName } = await created(scim)
    const answer = await scim.patch(`/Users/${id}`, [
      { op: 'replace', path: 'displayName', value: 'Half' },
      { op: 'replace', path: 'timezone', value: 'Europe/Atlantis' },
    ])
    expect(refused(answer)).toMatchObject({ status: 400 })
    expect((await scim.get(`/Users/${id}`)).body).toMatchObject({ displayName })
  })
})

describe('a version', () => {
  it('is refused with more attributes than any person has, before they are looked at', async () => {
    const { id } = await created(scim)
    const attributes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`title${index}`, 'Keeper']))
    const tooMany = { status: 400, scimType: 'tooMany', detail: 'an object can have 200 attributes at most' }
    const one = LIMITS.scimAttributes + 1
    for (const answer of [
      await scim.post('/Users', { ...newUser(), ...attributes(one) }),
      await scim.put(`/Users/${id}`, newUser({ name: attributes(one) })),
      await scim.patch(`/Users/${id}`, [{ op: 'replace', value: attributes(one) }]),
      await scim.post('/Groups', { displayName: 'Sales', ...attributes(one) }),
    ])
      expect(refused(answer)).toEqual(tooMany)
    const most = attributes(LIMITS.scimAttributes - Object.keys(newUser()).length)
    expect((await scim.post('/Users', { ...newUser(), ...most })).status).toBe(201)
  })

  it('keeps two changes from overwriting each other', async () => {
    const { id, meta } = await created(scim)
    const ifMatch = { headers: { 'if-match': meta.version } }
    const race = await Promise.all(
      ['One', 'Other'].map((value) =>
        scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'displayName', value }], ifMatch),
      ),
    )
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 412])
    const won = race.find(({ status }) => status === 200)
    expect((await scim.get(`/Users/${id}`)).body).toEqual(won?.body)
    const lost = race.find(({ status }) => status === 412)
    if (lost) expect(refused(lost)).toMatchObject({ detail: 'the resource has changed: read it again' })
    expect((await scim.put(`/Users/${id}`, newUser(), ifMatch)).status).toBe(412)
    expect((await scim.delete(`/Users/${id}`, ifMatch)).status).toBe(412)
    expect((await scim.delete(`/Users/${id}`, { headers: { 'if-match': '*' } })).status).toBe(204)
  })

  it('of two changes without one, both count', async () => {
    const { id } = await created(scim)
    await Promise.all([
      scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'title', value: 'Admiral' }]),
      scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'displayName', value: 'Grace' }]),
    ])
    expect((await scim.get(`/Users/${id}`)).body).toMatchObject({ title: 'Admiral', displayName: 'Grace' })
  })

  it('spares the answer where nothing changed', async () => {
    const { id, meta } = await created(scim)
    const seen = { headers: { 'if-none-match': meta.version } }
    expect((await scim.get(`/Users/${id}`, seen)).status).toBe(304)
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'title', value: 'Admiral' }])
    expect((await scim.get(`/Users/${id}`, seen)).status).toBe(200)
  })
})

describe('a person who is set inactive', () => {
  it('is out of an open page within a second, with assistants and sessions, and comes back', async () => {
    const person = await signInAs(server, { orgId: here.orgId, name: 'Leaving Soon' })
    const stream = await openStream(person, here.orgId)
    await stream.next(({ event }) => event === 'reset')
    const began = performance.now()
    const answer = await scim.patch(`/Users/${person.profileId}`, [
      { op: 'Replace', path: 'active', value: 'False' },
    ])
    expect(answer.body, answer.text).toMatchObject({ active: false })
    await stream.ended()
    expect(performance.now() - began).toBeLessThan(1000)
    expect((await person.get(at('chat/start'))).status).toBe(401)
    expect(await audited(1)).toEqual(['scim member.archived Leaving Soon'])
    const back = await scim.patch(`/Users/${person.profileId}`, [{ op: 'replace', value: { active: true } }])
    expect(back.body).toMatchObject({ active: true })
    expect(await statusOf(person.profileId)).toBe('Active')
    expect((await person.get(at('chat/start'))).status).toBe(401) // the session does not come back
    const again = await signInToProfile(server, person)
    expect((await again.get(at('chat/start'))).status).toBe(200)
  })

  it('is gone after DELETE, and comes back as the same member', async () => {
    const { id, userName } = await created(scim, { externalId: 'gone' })
    expect((await scim.delete(`/Users/${id}`)).status).toBe(204)
    expect((await scim.get(`/Users/${id}`)).status).toBe(404)
    expect((await scim.delete(`/Users/${id}`)).status).toBe(404)
    expect(await namesFound(`userName eq "${userName}"`)).toEqual([])
    expect(await created(scim, { userName, emails: undefined })).toMatchObject({ id, active: true })
  })

  it('is not the last owner, by whatever way', async () => {
    const { owner, admin, orgId } = await newOrganization(server, 'Owned')
    const provider = await newProvider(owner)
    const path = `/Users/${owner.profileId}`
    for (const attempt of [
      () => provider.patch(path, [{ op: 'replace', path: 'active', value: false }]),
      () => provider.put(path, newUser({ userName: owner.email, emails: undefined, active: false })),
      () => provider.delete(path),
    ])
      expect(refused(await attempt())).toMatchObject({
        status: 403,
        detail: 'an organization needs an owner',
      })
    const elsewhere = await provider.patch(path, [
      { op: 'replace', path: 'userName', value: `other@${orgId}.test` },
    ])
    expect(refused(elsewhere)).toMatchObject({
      status: 403,
      detail: 'SCIM cannot change the address of people with the role owner',
    })
    const ofAdmin = [{ op: 'replace', path: 'userName', value: `alias@${admin.email.split('@')[1]}` }]
    expect(refused(await provider.patch(`/Users/${admin.profileId}`, ofAdmin))).toMatchObject({
      status: 403,
      detail: 'SCIM cannot change the address of people with the role admin',
    })
    expect((await admin.get(`/people/organizations/${orgId}/chat/start`)).status).toBe(200)
    expect((await provider.get(path)).body).toMatchObject({ active: true, userName: owner.email })
    await owner.patch(`/people/organizations/${orgId}/members/${admin.profileId}`, { role: 'owner' })
    const both = await Promise.all(
      [owner, admin].map((one) =>
        provider.patch(`/Users/${one.profileId}`, [{ op: 'replace', path: 'active', value: false }]),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
  })

  it('is no owner at all while four eyes are set', async () => {
    const { owner, admin, orgId } = await newOrganization(server, 'Watched')
    const provider = await newProvider(owner)
    await owner.patch(`/people/organizations/${orgId}/members/${admin.profileId}`, { role: 'owner' })
    expect((await owner.patch(`/people/organizations/${orgId}`, { fourEyes: true })).status).toBe(200)
    const answer = await provider.patch(`/Users/${admin.profileId}`, [
      { op: 'replace', path: 'active', value: false },
    ])
    expect(refused(answer)).toMatchObject({ status: 403 })
  })
})

describe('another address', () => {
  it('signs out who had the former one, and waits for a proof', async () => {
    const person = await signInAs(server, {
      orgId: here.orgId,
      name: 'Ada Maiden',
      email: 'ada.maiden@example.com',
    })
    const path = `/Users/${person.profileId}`
    const answer = await scim.patch(path, [
      { op: 'replace', path: 'userName', value: 'ada.married@example.com' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'ada.married@example.com' },
    ])
    expect(answer.body, answer.text).toMatchObject({ emails: [{ value: 'ada.married@example.com' }] })
    expect((await person.get(at('chat/start'))).status).toBe(401)
    const [row] = await server.parley.db.query<{ waits: boolean }>(
      sql`select needs_proof as waits from profiles where org_id = ${here.orgId} and id = ${person.profileId}`,
    )
    expect(row).toEqual({ waits: true })
    expect((await audited(3)).some((entry) => entry.startsWith('scim member.address_changed'))).toBe(true)
  })

  it('does not give a membership away: not beyond the domain, not to a member, not to a stranger with an account', async () => {
    const { id, userName } = await created(scim)
    const to = (value: string) =>
      scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'emails[type eq "work"].value', value }])
    expect(refused(await to('thief@elsewhere.test'))).toMatchObject({ status: 403 })
    const other = await created(scim)
    expect(refused(await to(other.userName))).toMatchObject({ status: 409, scimType: 'uniqueness' })
    const proven = await signInAs(server, { orgId: there.orgId, name: 'Proven', email: 'proven@example.com' })
    await server.parley.db.query(
      sql`update profiles set status = 'Active' where org_id = ${here.orgId} and id = ${id}`,
    )
    expect((await to('proven@example.com')).status).toBe(200)
    expect((await proven.get(at('chat/start'))).body).toBe('prove your e-mail address first')
    expect(userName).not.toBe('proven@example.com')
  })
})

describe('a list', () => {
  it('is paged from number 1, sorted, and says how many there are', async () => {
    const { owner } = await newOrganization(server, 'Listed')
    const provider = await newProvider(owner)
    for (const displayName of ['Cleo', 'Ada', 'Ben']) await created(provider, { displayName })
    const page = async (query: string) => Object((await provider.get(`/Users?${query}`)).body)
    expect(await page('startIndex=2&count=2&sortBy=displayName')).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 6,
      startIndex: 2,
      itemsPerPage: 2,
      Resources: [{ displayName: 'Ben' }, { displayName: 'Cleo' }],
    })
    expect(await page('count=0')).toMatchObject({ totalResults: 6, itemsPerPage: 0, Resources: [] })
    expect(await page('startIndex=-3&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 })
    expect(await page('startIndex=99')).toMatchObject({ totalResults: 6, Resources: [] })
    const down = await page('sortBy=displayName&sortOrder=descending&count=1&attributes=displayName')
    expect(down.Resources).toEqual([{ schemas: [USER], id: expect.any(String), displayName: 'The owner' }])
    const filtered = await page(
      `filter=${encodeURIComponent('displayName sw "The"')}&sortBy=displayName&count=2`,
    )
    expect(filtered).toMatchObject({
      totalResults: 3,
      itemsPerPage: 2,
      Resources: [{ displayName: 'The admin' }, { displayName: 'The member' }],
    })
    const [one] = (await page('count=1&excludedAttributes=emails,groups')).Resources
    expect(one).not.toHaveProperty('emails')
    expect(one).toHaveProperty('displayName')
    const searched = await provider.post('/Users/.search', {
      filter: 'displayName eq "ada"',
      attributes: ['userName'],
    })
    expect(foundIn(searched)).toHaveLength(1)
    for (const query of ['count=many', 'startIndex=1.5', 'sortBy=shoeSize', 'sortBy=constructor'])
      expect(refused(await provider.get(`/Users?${query}`)), query).toMatchObject({
        status: 400,
        scimType: 'invalidValue',
      })
  })

  it('passes what each operator asks for', async () => {
    const marker = 'zz'
    for (const [displayName, title] of [
      [`${marker} Ada`, 'Engineer'],
      [`${marker} Ben`, 'Clerk'],
      [`${marker} Cleo`, undefined],
    ])
      await created(scim, { displayName, title })
    const found = async (filter: string) =>
      foundIn(await search(`displayName sw "${marker}" and (${filter})`)).map(({ displayName }) =>
        String(displayName).slice(3),
      )
    for (const [filter, wanted] of [
      ['title eq "engineer"', ['Ada']],
      ['title ne "engineer"', ['Ben', 'Cleo']],
      ['title pr', ['Ada', 'Ben']],
      ['not (title pr)', ['Cleo']],
      ['title eq null', ['Cleo']],
      ['displayName co "e"', ['Ben', 'Cleo']],
      ['displayName ew "O"', ['Cleo']],
      ['displayName gt "zz b"', ['Ben', 'Cleo']],
      ['displayName le "zz Ben"', ['Ada', 'Ben']],
      ['active eq true and title pr or displayName ew "cleo"', ['Ada', 'Ben', 'Cleo']],
      ['emails[type eq "work" and value co "@example.com"]', ['Ada', 'Ben', 'Cleo']],
      ['emails[type eq "home"]', []],
      ['meta.created gt "2020-01-01T00:00:00Z"', ['Ada', 'Ben', 'Cleo']],
      ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
      [`${USER}:title EQ "Clerk"`, ['Ben']],
    ] as const)
      expect((await found(filter)).toSorted(), filter).toEqual(wanted)
  })

  it('refuses a filter that it does not understand, or that costs too much', async () => {
    const deep = `${'('.repeat(LIMITS.scimFilterDepth + 2)}title pr${')'.repeat(LIMITS.scimFilterDepth + 2)}`
    const wide = Array.from({ length: LIMITS.scimFilterComparisons + 1 }, () => 'title pr').join(' or ')
    for (const filter of [
      'title',
      'title eq',
      'title is "x"',
      'title eq x',
      'title eq "x',
      'title eq "x" and',
      '(title pr',
      'title pr)',
      'emails[type eq "work"',
      'shoeSize eq "7"',
      'emails.shoeSize eq "7"',
      'active gt true',
      'meta.created gt "yesterday"',
      'title eq "\\u0000"',
      deep,
      wide,
      `title eq "${'x'.repeat(LIMITS.scimFilter)}"`,
    ])
      expect(refused(await search(filter)), filter).toMatchObject({ status: 400, scimType: 'invalidFilter' })
    expect(refused(await scim.get('/Users?filter=title%20pr&filter=active%20pr'))).toMatchObject({
      scimType: 'invalidFilter',
    })
  })

  it('looks through all people so many times a minute, and finds by names all the time', async () => {
    const { owner } = await newOrganization(server, 'Scanned')
    const provider = await newProvider(owner)
    const scans = await Promise.all(
      Array.from({ length: LIMITS.scimScansPerMinute + 1 }, () => provider.get('/Users?filter=title%20pr')),
    )
    const limited = scans.find(({ status }) => status === 429)
    if (!limited) throw new Error('none was refused')
    expect(refused(limited)).toMatchObject({ status: 429, detail: 'rate limit exceeded' })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await provider.get('/Users?filter=userName%20eq%20%22ada%22')).status).toBe(200)
  })
})

describe('a group', () => {
  it('is an org unit with a tag, whose bots stay out of sight', async () => {
    const [ada, ben] = [await created(scim), await created(scim)]
    const answer = await scim.post('/Groups', {
      schemas: [GROUP],
      displayName: 'Field Engineering',
      externalId: 'g-1',
      members: [{ value: ada.id }],
    })
    expect(answer.status, answer.text).toBe(201)
    const { id, meta } = Object(answer.body)
    expect(answer.body).toEqual({
      schemas: [GROUP],
      id,
      externalId: 'g-1',
      displayName: 'Field Engineering',
      members: [
        {
          value: ada.id,
          $ref: `${server.parley.config.baseUrl}/scim/v2/Users/${ada.id}`,
          display: ada.displayName,
          type: 'User',
        },
      ],
      meta: {
        ...meta,
        resourceType: 'Group',
        location: `${server.parley.config.baseUrl}/scim/v2/Groups/${id}`,
      },
    })
    const bot = await staticBot(server, here.orgId)
    await bot.post(`/v2/org-units/${id}/members`, { memberIds: [bot.id] })
    const [unit] = Object((await here.owner.get(at('org-units'))).body).orgUnits.filter(
      (one: { id: string }) => one.id === id,
    )
    expect(unit).toMatchObject({ tag: 'field-engineering', type: 'Team' })
    expect(unit.memberIds).toContain(bot.id)
    const put = await scim.put(`/Groups/${id}`, { displayName: 'Field', members: [{ value: ben.id }] })
    expect(put.body).toMatchObject({ displayName: 'Field', externalId: 'g-1', members: [{ value: ben.id }] })
    const [after] = Object((await here.owner.get(at('org-units'))).body).orgUnits.filter(
      (one: { id: string }) => one.id === id,
    )
    expect(after.memberIds.toSorted()).toEqual([bot.id, ben.id].toSorted())
    expect((await scim.get(`/Users/${ben.id}`)).body).toMatchObject({
      groups: [{ value: id, display: 'Field', type: 'direct' }],
    })
    const twin = Object((await scim.post('/Groups', { displayName: 'Field Engineering' })).body)
    expect(twin.id).not.toBe(id)
    expect((await scim.delete(`/Groups/${id}`)).status).toBe(204)
    expect((await scim.get(`/Groups/${id}`)).status).toBe(404)
    expect(await audited(1)).toEqual(['scim org_unit.deleted Field'])
  })

  it('is changed a part at a time, by whom has seen it as it is', async () => {
    const people = [await created(scim), await created(scim), await created(scim)]
    const ids = people.map(({ id }) => id)
    const made = Object(
      (await scim.post('/Groups', { displayName: 'Changing', members: [{ value: ids[0] }] })).body,
    )
    const path = `/Groups/${made.id}`
    const membersNow = async () =>
      Object((await scim.get(path)).body)
        .members.map(({ value }: { value: string }) => value)
        .toSorted()
    const change = async (...operations: unknown[]) => {
      const answer = await scim.patch(path, operations)
      expect(answer.status, answer.text).toBe(204)
      return answer
    }
    await change({ op: 'add', path: 'members', value: [{ value: ids[1] }, { value: ids[2] }] })
    expect(await membersNow()).toEqual(ids.toSorted())
    await change({ op: 'remove', path: `members[value eq "${ids[0]}"]` })
    expect(await membersNow()).toEqual([ids[1], ids[2]].toSorted())
    await change(
      { op: 'replace', path: 'members', value: [{ value: ids[0] }] },
      { op: 'add', path: 'members', value: { value: ids[1] } },
    )
    expect(await membersNow()).toEqual([ids[0], ids[1]].toSorted())
    await change({ op: 'remove', path: 'members' })
    expect(await membersNow()).toEqual([])
    const race = await Promise.all(
      ids.map((value) => scim.patch(path, [{ op: 'add', path: 'members', value: [{ value }] }])),
    )
    expect(race.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await membersNow()).toEqual(ids.toSorted())
    const stale = { headers: { 'if-match': made.meta.version } }
    expect(
      (await scim.patch(path, [{ op: 'replace', path: 'displayName', value: 'Late' }], stale)).status,
    ).toBe(412)
    for (const [operation, scimType] of [
      [{ op: 'add', path: 'members', value: [{ value: crypto.randomUUID() }] }, 'invalidValue'],
      [{ op: 'add', path: 'members', value: [{ value: made.id, type: 'Group' }] }, 'invalidValue'],
      [{ op: 'add', path: 'members', value: [{}] }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: 'x'.repeat(LIMITS.orgUnitName + 1) }, 'invalidValue'],
      [{ op: 'replace', path: 'shoeSize', value: 7 }, 'invalidPath'],
      [{ op: 'add', path: 'members[display eq "Ada"]', value: {} }, 'invalidPath'],
    ] as const)
      expect(refused(await scim.patch(path, [operation])), JSON.stringify(operation)).toMatchObject({
        status: 400,
        scimType,
      })
    expect(await membersNow()).toEqual(ids.toSorted())
  })

  it('is found by name, by the provider’s id and by a member', async () => {
    const { id: memberId } = await created(scim)
    const { id } = Object(
      (
        await scim.post('/Groups', {
          displayName: 'Findable',
          externalId: 'find-me',
          members: [{ value: memberId }],
        })
      ).body,
    )
    const find = async (filter: string, rest = '') =>
      foundIn(await scim.get(`/Groups?filter=${encodeURIComponent(filter)}${rest}`))
    for (const filter of [
      'displayName eq "findable"',
      'externalId eq "find-me"',
      `id eq "${id}"`,
      `members.value eq "${memberId}"`,
      `id eq "${id}" and members eq "${memberId}"`,
      'displayName sw "Findab"',
    ])
      expect(
        (await find(filter)).map((one) => one.id),
        filter,
      ).toEqual([id])
    const [slim] = await find('displayName eq "Findable"', '&excludedAttributes=members')
    expect(slim).not.toHaveProperty('members')
    expect(await find(`members.value eq "${crypto.randomUUID()}"`)).toEqual([])
    for (const filter of ['members.value ne "x"', 'members.display eq "Ada"', 'userName eq "ada"'])
      expect(refused(await scim.get(`/Groups?filter=${encodeURIComponent(filter)}`)), filter).toMatchObject({
        scimType: 'invalidFilter',
      })
    const sorted = Object((await scim.get('/Groups?sortBy=displayName&count=2&startIndex=1')).body)
    expect(sorted.itemsPerPage).toBe(2)
    expect(sorted.totalResults).toBeGreaterThan(2)
  })
})
