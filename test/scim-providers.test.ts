import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { foundIn, GROUP, newProvider, refused, type TestProvider, USER } from './support/scim.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

let server: TestParley
let here: TestOrganization

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
})
afterAll(() => server.close())

const filtered = (filter: string) => `filter=${encodeURIComponent(filter)}`

describe('Entra, by the requests of its public description', () => {
  let entra: TestProvider
  let id: string
  let groupId: string
  beforeAll(async () => {
    entra = await newProvider(here.owner)
  })

  it('tests the connection with a person and a group that nobody is', async () => {
    const nobody = crypto.randomUUID()
    const people = await entra.get(`/Users?${filtered(`userName eq "${nobody}"`)}`)
    expect(people.body).toMatchObject({ totalResults: 0, Resources: [], itemsPerPage: 0 })
    const groups = await entra.get(
      `/Groups?excludedAttributes=members&${filtered(`displayName eq "${nobody}"`)}`,
    )
    expect(foundIn(groups)).toEqual([])
    expect((await entra.get('/Schemas')).status).toBe(200)
  })

  it('creates a person with what its mapping has by default', async () => {
    const made = await entra.post('/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_ab6490ee@testuser.com',
      active: true,
      addresses: [{ primary: false, type: 'work', country: 'US', formatted: '1 Main Street' }],
      displayName: 'lennay',
      emails: [{ type: 'work', value: 'testing@testuser.com', primary: true }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      phoneNumbers: [
        { primary: false, type: 'mobile', value: '111 1111' },
        { primary: false, type: 'work', value: '222 2222' },
      ],
      preferredLanguage: 'en',
      roles: [],
      title: 'Tester',
      userType: 'Member',
      [ENTERPRISE]: { department: 'IT', employeeNumber: '42', manager: { value: 'nobody' } },
    })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({
      userName: 'Test_User_ab6490ee@testuser.com',
      displayName: 'lennay',
      emails: [{ value: 'testing@testuser.com' }],
      phoneNumbers: [{ value: '222 2222', type: 'work' }],
      active: true,
    })
    id = Object(made.body).id
    const [found] = foundIn(
      await entra.get(`/Users?${filtered('userName eq "test_user_ab6490ee@testuser.com"')}`),
    )
    expect(found).toEqual(made.body)
    const byMail = await entra.get(
      `/Users?${filtered('emails[type eq "work"].value eq "testing@testuser.com"')}`,
    )
    expect(foundIn(byMail).map((one) => one.id)).toEqual([id])
    expect((await entra.get(`/Users/${id}`)).body).toEqual(made.body)
  })

  it('changes several attributes in one request, in capitals and with texts for truth', async () => {
    const changed = await entra.patch(`/Users/${id}`, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@testuser.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '333 3333' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'DE' },
      { op: 'Replace', path: 'displayName', value: 'Lennay Updated' },
    ])
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body).toMatchObject({
      emails: [{ value: 'updatedEmail@testuser.com' }],
      name: { familyName: 'updatedFamilyName' },
      displayName: 'Lennay Updated',
      phoneNumbers: [{ value: '333 3333' }],
    })
    const renamed = await entra.patch(`/Users/${id}`, [
      { op: 'Replace', path: 'userName', value: '5b50642d-79fc-4410@testuser.com' },
    ])
    expect(renamed.body).toMatchObject({
      userName: '5b50642d-79fc-4410@testuser.com',
      emails: [{ value: 'updatedEmail@testuser.com' }],
    })
  })

  it('takes a person away and brings them back', async () => {
    for (const [value, active] of [
      ['False', false],
      ['True', true],
      [false, false],
      [true, true],
    ] as const) {
      const answer = await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value }])
      expect(answer.body, answer.text).toMatchObject({ active })
    }
  })

  it('makes a group, and moves members one by one or many at once', async () => {
    const made = await entra.post('/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'TestGroup',
      meta: { resourceType: 'Group' },
    })
    expect(made.status, made.text).toBe(201)
    groupId = Object(made.body).id
    const slim = await entra.get(`/Groups/${groupId}?excludedAttributes=members`)
    expect(slim.body).not.toHaveProperty('members')
    const found = await entra.get(
      `/Groups?excludedAttributes=members&${filtered('displayName eq "TestGroup"')}`,
    )
    expect(foundIn(found)).toEqual([slim.body])
    const add = [
      {
        op: 'Add',
        path: 'members',
        value: [
          { $ref: null, value: id },
          { $ref: null, value: here.member.profileId },
        ],
      },
    ]
    expect((await entra.patch(`/Groups/${groupId}`, add)).status).toBe(204)
    const isMember = (person: string) =>
      entra.get(
        `/Groups?excludedAttributes=members&${filtered(`id eq "${groupId}" and members eq "${person}"`)}`,
      )
    expect(foundIn(await isMember(id))).toHaveLength(1)
    const remove = [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }]
    expect((await entra.patch(`/Groups/${groupId}`, remove)).status).toBe(204)
    expect(foundIn(await isMember(id))).toEqual([])
    expect(foundIn(await isMember(here.member.profileId))).toHaveLength(1)
    const rename = [
      { op: 'Replace', path: 'displayName', value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName' },
    ]
    expect((await entra.patch(`/Groups/${groupId}`, rename)).status).toBe(204)
    expect((await entra.delete(`/Groups/${groupId}`)).status).toBe(204)
  })

  it('deletes a person who is gone for good', async () => {
    expect((await entra.delete(`/Users/${id}`)).status).toBe(204)
    expect(refused(await entra.get(`/Users/${id}`))).toMatchObject({ status: 404 })
  })
})

describe('Okta, by the requests of its public description', () => {
  let okta: TestProvider
  let id: string
  const user = {
    schemas: [USER],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  beforeAll(async () => {
    okta = await newProvider(here.owner)
  })

  it('looks for a person, creates them, and reads them', async () => {
    const looked = await okta.get(
      `/Users?${filtered('userName eq "test.user@okta.local"')}&startIndex=1&count=100`,
    )
    expect(looked.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] })
    const made = await okta.post('/Users', user)
    expect(made.status, made.text).toBe(201)
    expect(made.text).not.toContain(user.password)
    id = Object(made.body).id
    expect((await okta.get(`/Users/${id}`)).body).toEqual(made.body)
    const listed = await okta.get('/Users?startIndex=1&count=2')
    expect(foundIn(listed)).toHaveLength(2)
  })

  it('replaces the whole person, also to take them away', async () => {
    const named = await okta.put(`/Users/${id}`, {
      ...user,
      id,
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      displayName: 'Another User',
    })
    expect(named.body, named.text).toMatchObject({
      displayName: 'Another User',
      name: { givenName: 'Another' },
    })
    expect((await okta.put(`/Users/${id}`, { ...user, id, active: false })).body).toMatchObject({
      active: false,
    })
    expect((await okta.put(`/Users/${id}`, { ...user, id, active: true })).body).toMatchObject({
      active: true,
    })
    const off = await okta.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }])
    expect(off.body, off.text).toMatchObject({ active: false })
    const on = await okta.patch(`/Users/${id}`, [{ op: 'replace', value: { active: true } }])
    expect(on.body).toMatchObject({ active: true })
  })

  it('pushes a group with members, renames it, and takes members out by a filter', async () => {
    expect(
      foundIn(await okta.get(`/Groups?${filtered('displayName eq "Test SCIMv2"')}&startIndex=1&count=100`)),
    ).toEqual([])
    const made = await okta.post('/Groups', {
      schemas: [GROUP],
      displayName: 'Test SCIMv2',
      members: [{ value: id, display: 'test.user@okta.local' }],
    })
    expect(made.status, made.text).toBe(201)
    const groupId = Object(made.body).id
    const renamed = await okta.patch(`/Groups/${groupId}`, [
      { op: 'replace', value: { id: groupId, displayName: 'Test SCIMv2 renamed' } },
    ])
    expect(renamed.status, renamed.text).toBe(204)
    const moved = await okta.patch(`/Groups/${groupId}`, [
      { op: 'remove', path: `members[value eq "${id}"]` },
      { op: 'add', path: 'members', value: [{ value: here.member.profileId, display: 'member' }] },
    ])
    expect(moved.status, moved.text).toBe(204)
    expect((await okta.get(`/Groups/${groupId}`)).body).toMatchObject({
      displayName: 'Test SCIMv2 renamed',
      members: [{ value: here.member.profileId }],
    })
    const whole = await okta.put(`/Groups/${groupId}`, {
      schemas: [GROUP],
      id: groupId,
      displayName: 'Test SCIMv2',
      members: [],
    })
    expect(whole.body, whole.text).toMatchObject({ displayName: 'Test SCIMv2', members: [] })
    expect((await okta.delete(`/Groups/${groupId}`)).status).toBe(204)
  })
})
