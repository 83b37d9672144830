import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { createOrgUnit } from '../server/actions/members/org-units.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { setOrganization } from '../server/actions/organization/organization-settings.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let stranger: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  stranger = await signInAs(server, { orgId: await organization(server, 'Elsewhere'), name: 'Stranger' })
  bot = await staticBot(server, orgId)
})
afterAll(() => server?.close())

let tags = 0
const make = (who: TestPerson, body: object = {}) =>
  chatOf(who).post('groups', { name: 'Design', tag: `tag-${tags++}`, ...body })
async function made(who: TestPerson, body: object = {}): Promise<{ id: string; tag: string }> {
  const { status, body: group, text } = await make(who, body)
  expect(status, text).toBe(201)
  return Object(group)
}
async function membersOf(who: TestPerson, id: string): Promise<string[]> {
  const { members } = Object((await chatOf(who).get(`groups/${id}/members?limit=100`)).body)
  return members.map((member: { id: string }) => member.id)
}
const NOT_FOUND = { status: 404, body: 'Group not found', code: 'group_not_found' }
const FORBIDDEN = { status: 403, body: 'forbidden', code: 'forbidden' }
const INVALID = { status: 400, body: 'Invalid member', code: 'member_invalid' }

describe('a group', () => {
  it('belongs to the member who makes it, and who is in it', async () => {
    const { status, body } = await make(ben, { tag: 'Design', memberIds: [cy.profileId, cy.profileId] })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      kind: 'group',
      name: 'Design',
      tag: 'Design',
      description: '',
      ownerId: ben.profileId,
      memberCount: 2,
      isMember: true,
    })
    expect(await membersOf(cy, Object(body).id)).toEqual([ben.profileId, cy.profileId].sort())
  })

  it('has a tag of its own, in any case, which no org unit has and no word that is taken', async () => {
    const unit = { name: 'Field', tag: 'Field', type: 'Team' as const }
    await server.parley.db.write(orgId, (tx) => createOrgUnit(tx, unit, OPERATOR))
    const { tag } = await made(ben)
    const other = await made(ben)
    for (const taken of [tag.toUpperCase(), 'field']) {
      expect(refusal(await make(cy, { tag: taken }))).toMatchObject({ status: 400, code: 'group_tag_taken' })
      const changed = await chatOf(ben).patch(`groups/${other.id}`, { tag: taken })
      expect(refusal(changed)).toMatchObject({ status: 400, code: 'group_tag_taken' })
    }
    for (const word of ['everyone', 'Here'])
      expect(refusal(await make(cy, { tag: word }))).toMatchObject({
        status: 400,
        code: 'group_tag_reserved',
      })
    for (const odd of ['a b', '<x>', '@x', '-x', 'x-', ''])
      expect((await make(cy, { tag: odd })).status, odd).toBe(400)
    await made(cy, { tag: 'Größe_1.b' })
  })

  it('has people only, who are here', async () => {
    for (const memberIds of [[bot.id], [stranger.profileId], ['someone']])
      expect(refusal(await make(ben, { memberIds }))).toEqual(INVALID)
    const gone = await person(server, orgId, 'Gone')
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, gone, 'Archived'))
    expect(refusal(await make(ben, { memberIds: [gone] }))).toEqual(INVALID)
    const { id } = await made(ben)
    expect(refusal(await chatOf(ben).post(`groups/${id}/members`, { memberIds: [bot.id] }))).toEqual(INVALID)
  })

  it('is changed by its owner and admins, and by nobody else', async () => {
    const { id } = await made(ben, { memberIds: [cy.profileId] })
    const changes = (who: TestPerson) => [
      chatOf(who).patch(`groups/${id}`, { name: 'Other' }),
      chatOf(who).post(`groups/${id}/members`, { memberIds: [ada.profileId] }),
      chatOf(who).delete(`groups/${id}/members`, { memberIds: [ada.profileId] }),
      chatOf(who).delete(`groups/${id}`),
    ]
    for (const tried of changes(cy)) expect(refusal(await tried)).toEqual(FORBIDDEN)
    for (const tried of changes(stranger)) expect((await tried).status).toBe(404)
    expect(
      (await chatOf(ben).patch(`groups/${id}`, { name: 'Art', description: 'Pixels' })).body,
    ).toMatchObject({
      name: 'Art',
      description: 'Pixels',
    })
    expect(
      (await chatOf(ada).post(`groups/${id}/members`, { memberIds: [ada.profileId] })).body,
    ).toMatchObject({
      memberCount: 3,
    })
    expect((await chatOf(ada).delete(`groups/${id}`)).status).toBe(204)
    expect(refusal(await chatOf(ben).get(`groups/${id}`))).toEqual(NOT_FOUND)
  })

  it('goes to another of its members, and whoever owned it may leave then', async () => {
    const { id } = await made(ben, { memberIds: [cy.profileId] })
    const leave = () => chatOf(ben).delete(`groups/${id}/members`, { memberIds: [ben.profileId] })
    expect(refusal(await leave())).toMatchObject({ status: 400, code: 'group_owner_not_member' })
    const toAda = await chatOf(ben).patch(`groups/${id}`, { ownerId: ada.profileId })
    expect(refusal(toAda)).toMatchObject({ status: 400, code: 'group_owner_not_member' })
    expect((await chatOf(ben).patch(`groups/${id}`, { ownerId: cy.profileId })).body).toMatchObject({
      ownerId: cy.profileId,
    })
    expect(refusal(await chatOf(ben).patch(`groups/${id}`, { name: 'Mine' }))).toEqual(FORBIDDEN)
    expect((await leave()).body).toMatchObject({ memberCount: 1, isMember: false })
  })

  it('is left by anybody who is in it', async () => {
    const { id } = await made(ben, { memberIds: [cy.profileId] })
    expect((await chatOf(cy).delete(`groups/${id}/members`, { memberIds: [cy.profileId] })).status).toBe(200)
    expect(await membersOf(ben, id)).toEqual([ben.profileId])
  })

  it('takes no more than a thousand people', async () => {
    const { id } = await made(ben)
    await server.parley.db.query(sql`
      with added as (
        insert into profiles (org_id, id, kind, name, email, status, role, created_at, updated_at)
        select ${orgId}, gen_random_uuid()::text, 'user', 'Guest', '', 'Active', 'member', 0, 0 from generate_series(1, 999)
        returning id
      )
      insert into member_group_members (org_id, group_id, profile_id, joined_at) select ${orgId}, ${id}, id, 0 from added`)
    expect(
      refusal(await chatOf(ben).post(`groups/${id}/members`, { memberIds: [cy.profileId] })),
    ).toMatchObject({
      status: 400,
      code: 'group_full',
    })
    expect((await chatOf(ben).get(`groups/${id}`)).body).toMatchObject({ memberCount: 1000 })
  })

  it('stands in the audit log', async () => {
    const { id } = await made(ben, { name: 'Audited' })
    await chatOf(ben).patch(`groups/${id}`, { tag: `tag-${tags++}` })
    await chatOf(ben).post(`groups/${id}/members`, { memberIds: [cy.profileId] })
    await chatOf(ben).delete(`groups/${id}`)
    const { entries } = Object((await ada.get(`/people/organizations/${orgId}/audit?limit=10`)).body)
    const ofGroup = entries.filter(({ target }: { target: { id: string } }) => target.id === id)
    expect(ofGroup.map(({ action }: { action: string }) => action)).toEqual([
      'group.deleted',
      'group.members_changed',
      'group.changed',
      'group.created',
    ])
  })
})

describe('the list', () => {
  it('is by tag, page by page, with org units', async () => {
    for (const tag of ['zeta-b', 'zeta-a', 'zeta-c']) await made(ben, { tag })
    const read = async (query: string) => Object((await chatOf(cy).get(`groups?${query}`)).body)
    const first = await read('search=zeta&limit=2')
    expect(first.groups.map(({ tag }: { tag: string }) => tag)).toEqual(['zeta-a', 'zeta-b'])
    const second = await read(`limit=2&cursor=${first.nextCursor}`)
    expect(second.groups.map(({ tag }: { tag: string }) => tag)).toEqual(['zeta-c'])
    expect(second.hasMore).toBe(false)
    const unit = { name: 'Harbour crew', tag: 'zeta-unit', type: 'Team' as const, members: [cy.profileId] }
    await server.parley.db.write(orgId, (tx) => createOrgUnit(tx, unit, OPERATOR))
    expect((await read('search=crew')).groups).toMatchObject([
      { kind: 'unit', tag: 'zeta-unit', memberCount: 1, isMember: true },
    ])
    expect((await read('search=%25')).groups).toEqual([])
  })

  it('has no org unit that could be changed as a group', async () => {
    const unit = { name: 'Unit', tag: `tag-${tags++}`, type: 'Team' as const }
    const { id } = await server.parley.db.write(orgId, (tx) => createOrgUnit(tx, unit, OPERATOR))
    expect(refusal(await chatOf(ada).patch(`groups/${id}`, { name: 'Mine' }))).toEqual(NOT_FOUND)
    expect(refusal(await chatOf(ada).delete(`groups/${id}`))).toEqual(NOT_FOUND)
  })

  it('leaves out what others are in, where communication stays within org units', async () => {
    const { id, tag } = await made(ben)
    const restrict = (restrictToOrgUnits: boolean) =>
      server.parley.db.write(orgId, (tx) => setOrganization(tx, { restrictToOrgUnits }))
    await restrict(true)
    const topic = Object(
      (await bot.post('/v2/topics', { name: 'T', members: [ben.profileId, cy.profileId] })).body,
    )
    expect(refusal(await chatOf(cy).get(`groups/${id}`))).toEqual(NOT_FOUND)
    expect(refusal(await chatOf(cy).get(`groups/${id}/members`))).toEqual(NOT_FOUND)
    expect(refusal(await bot.get(`/v2/groups/${id}`))).toEqual(NOT_FOUND)
    const sent = await chatOf(cy).post('messages', { topicId: topic.id, text: `<@${tag}>` })
    const { groupMentions } = Object((await chatOf(cy).get(`messages/${Object(sent.body).id}`)).body)
    expect(groupMentions).toBeUndefined()
    for (const who of [ada, ben]) expect((await chatOf(who).get(`groups/${id}`)).status).toBe(200)
    await restrict(false)
    expect((await chatOf(cy).get(`groups/${id}`)).status).toBe(200)
  })
})
