import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleOrgUnit } from '../contract/people/org-units.ts'
import { setOrganization } from '../server/actions/organization/organization-settings.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let admin: TestPerson
let bot: StaticTestBot
let grace: string

beforeAll(async () => {
  server = await startTestParley({ orgUnitChangesPerMinute: 1 })
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'admin' })
  bot = await staticBot(server, orgId)
  grace = await person(server, orgId, 'Grace Lind')
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const below = (path: string) => `/people/organizations/${orgId}/${path}`
const UNKNOWN = '4c5d6e7f-8091-4a2b-93c4-d5e6f7081920'

describe('labels', () => {
  const newLabel = async (name: string) =>
    Object((await admin.post(below('labels'), { name })).body).id as string
  const listed = async (id: string) => {
    const { labels }: { labels: { id: string; name: string; topics: number }[] } = Object(
      (await admin.get(below('labels'))).body,
    )
    return labels.find((label) => label.id === id)
  }

  it('are created, listed with their use, renamed and deleted', async () => {
    const id = await newLabel('Urgent')
    expect(await listed(id)).toEqual({ id, name: 'Urgent', topics: 0 })
    const topics = await Promise.all(
      ['One', 'Two'].map(
        async (name) => Object((await bot.post('/v2/topics', { name, members: [] })).body).id as string,
      ),
    )
    for (const topic of topics) await bot.post(`/v2/topics/${topic}/labels`, { labelId: id })
    expect(await listed(id)).toMatchObject({ topics: 2 })

    expect((await admin.patch(below(`labels/${id}`), { name: 'URGENT' })).body).toEqual({
      id,
      name: 'URGENT',
    })
    server.clock.ahead += 1000
    const deletedAt = server.parley.clock()
    expect((await admin.delete(below(`labels/${id}`))).status).toBe(204)
    expect(await listed(id)).toBeUndefined()
    for (const topic of topics) {
      const { labels, updatedAt } = Object((await bot.get(`/v2/topics/${topic}`)).body)
      expect(labels).toEqual([])
      expect(updatedAt).toBeGreaterThanOrEqual(deletedAt)
    }
    expect(refusal(await admin.delete(below(`labels/${id}`)))).toEqual({
      status: 404,
      body: 'Label not found',
    })
  })

  it('have names of their own, in any case', async () => {
    const taken = { status: 400, body: 'Label name already exists' }
    const id = await newLabel('Later')
    await newLabel('Sooner')
    expect(refusal(await admin.post(below('labels'), { name: 'LATER' }))).toEqual(taken)
    expect(refusal(await admin.patch(below(`labels/${id}`), { name: 'sooner' }))).toEqual(taken)
    expect(await listed(id)).toMatchObject({ name: 'Later' })
    expect(refusal(await admin.patch(below(`labels/${UNKNOWN}`), { name: 'X' }))).toEqual({
      status: 404,
      body: 'Label not found',
    })
  })
})

describe('org units', () => {
  let tags = 0
  async function newUnit(): Promise<ConsoleOrgUnit> {
    const answer = await admin.post(below('org-units'), {
      name: 'Field engineering',
      tag: `unit-${tags++}`,
      type: 'Team',
    })
    expect(answer.status, answer.text).toBe(201)
    return Object(answer.body)
  }
  const members = (id: string) => below(`org-units/${id}/members`)
  const listed = async (id: string) => {
    const { orgUnits }: { orgUnits: ConsoleOrgUnit[] } = Object((await admin.get(below('org-units'))).body)
    return orgUnits.find((unit) => unit.id === id)
  }

  it('are created, listed with the names of their members, changed and deleted', async () => {
    const unit = await newUnit()
    expect(unit).toMatchObject({ name: 'Field engineering', type: 'Team', memberIds: [], members: [] })
    const added = await admin.post(members(unit.id), { memberIds: [grace, bot.id, grace] })
    expect(added.status, added.text).toBe(200)
    expect(Object(added.body).memberIds.slice().sort()).toEqual([grace, bot.id].sort())
    expect(Object(added.body).members).toEqual(
      expect.arrayContaining([
        { id: grace, name: 'Grace Lind', type: 'user' },
        { id: bot.id, name: 'Deploy bot', type: 'bot' },
      ]),
    )
    expect(await listed(unit.id)).toEqual(added.body)

    const changed = await admin.patch(below(`org-units/${unit.id}`), { name: 'Field', type: 'Location' })
    expect(changed.body).toMatchObject({ name: 'Field', type: 'Location', tag: unit.tag })
    const removed = await admin.delete(members(unit.id), { memberIds: [grace] })
    expect(removed.body).toMatchObject({ memberIds: [bot.id] })
    expect((await admin.delete(below(`org-units/${unit.id}`))).status).toBe(204)
    expect(await listed(unit.id)).toBeUndefined()
    expect((await bot.get(`/v2/org-units/${unit.id}`)).status).toBe(404)
    expect((await bot.get(`/v2/members/${grace}`)).body).toMatchObject({ status: 'Active' })
  })

  it('have tags of their own, in any case, of one word', async () => {
    const taken = { status: 400, body: 'tag already exists' }
    const [one, other] = [await newUnit(), await newUnit()]
    const again = { name: 'X', tag: one.tag.toUpperCase(), type: 'Team' }
    expect(refusal(await admin.post(below('org-units'), again))).toEqual(taken)
    expect(refusal(await admin.patch(below(`org-units/${other.id}`), { tag: one.tag }))).toEqual(taken)
    expect(refusal(await admin.post(below('org-units'), { ...again, tag: 'two words' }))).toEqual({
      status: 400,
      body: 'tag must be one word without @',
    })
  })

  it('take no unknown member, and say so of an unknown unit', async () => {
    const unit = await newUnit()
    expect(refusal(await admin.post(members(unit.id), { memberIds: [grace, UNKNOWN] }))).toEqual({
      status: 400,
      body: 'Invalid member',
    })
    expect(await listed(unit.id)).toMatchObject({ memberIds: [] })
    const none = { status: 404, body: 'Org unit not found' }
    expect(refusal(await admin.post(members(UNKNOWN), { memberIds: [grace] }))).toEqual(none)
    expect(refusal(await admin.delete(members(UNKNOWN), { memberIds: [grace] }))).toEqual(none)
    expect(refusal(await admin.patch(below(`org-units/${UNKNOWN}`), { name: 'X' }))).toEqual(none)
    expect(refusal(await admin.delete(below(`org-units/${UNKNOWN}`)))).toEqual(none)
  })

  it('are all there for admins, whatever bots are restricted to', async () => {
    const unit = await newUnit()
    await server.parley.db.write(orgId, (tx) => setOrganization(tx, { restrictToOrgUnits: true }))
    expect((await bot.get(`/v2/org-units/${unit.id}`)).status).toBe(404)
    expect(await listed(unit.id)).toMatchObject({ id: unit.id })
    expect((await admin.post(members(unit.id), { memberIds: [bot.id] })).status).toBe(200)
    expect((await bot.get(`/v2/org-units/${unit.id}`)).status).toBe(200)
    await server.parley.db.write(orgId, (tx) => setOrganization(tx, { restrictToOrgUnits: false }))
  })
})
