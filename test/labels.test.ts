import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { createLabel } from '../server/actions/topics/labels.ts'
import { createTopic, type NewTopic } from '../server/actions/topics/topics.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { during } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const UNKNOWN = '5e7c0a52-93a4-4c7e-8f43-0d7a9b1c2d3e'
const BALLOON = '🎈'

let server: TestParley
let lighthouse: string
let harbor: string
let deploy: StaticTestBot
let calendar: StaticTestBot
let stranger: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  lighthouse = await organization(server, 'Lighthouse Labs')
  harbor = await organization(server, 'Harbor Works')
  deploy = await staticBot(server, lighthouse, 'Deploy bot')
  calendar = await staticBot(server, lighthouse, 'Calendar bot')
  stranger = await staticBot(server, harbor, 'Harbor bot')
})
afterAll(() => server.close())

async function topic(fields: Partial<NewTopic> = {}): Promise<string> {
  const wanted = { createdBy: deploy.id, name: 'Releases', members: [], ...fields }
  return (await server.parley.db.write(lighthouse, (tx) => createTopic(tx, wanted))).id
}
async function label(name: string, orgId = lighthouse): Promise<string> {
  return (await server.parley.db.write(orgId, (tx) => createLabel(tx, name, OPERATOR))).id
}
const anyTime = expect.any(Number)
const listOf = async (bot: StaticTestBot): Promise<{ id: string; name: string }[]> =>
  Object((await bot.get('/v2/organization/labels')).body).labels
const namesOf = async (bot: StaticTestBot) => (await listOf(bot)).map(({ name }) => name)

describe('labels of the organization', () => {
  it('answers 201 with the label, without an event', async () => {
    await topic({ members: [calendar.id] })
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/organization/labels', { name: 'Urgent' }),
    )
    expect(result.status).toBe(201)
    expect(result.body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Urgent' })
    expect(events).toEqual([])
    expect(await listOf(calendar)).toContainEqual(result.body)
  })

  it('lists all of them, oldest first, also those of one millisecond', async () => {
    const org = await organization(server, 'Ordered')
    const bot = await staticBot(server, org)
    expect((await bot.get('/v2/organization/labels')).body).toEqual({ labels: [] })
    const names = Array.from({ length: 120 }, (_, n) => `Label ${n}`)
    await server.parley.db.write(org, async (tx) => {
      for (const name of names) await createLabel(tx, name, OPERATOR)
    })
    expect(await namesOf(bot)).toEqual(names)
  })

  it.each([
    ['the same name', 'Budget', 'Budget'],
    ['another case', 'Finance', 'fINANCE'],
    ['another case of another script', 'Проект', 'ПРОЕКТ'],
    ['a letter that becomes two in upper case', 'Straße', 'STRASSE'],
    ['a letter that comes apart in upper case', '\u0390', '\u03aa\u0301'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος'],
    ['the same letter in two code points', 'caf\u00e9', 'CAFE\u0301'],
  ])('refuses a name that exists: %s', async (_what, first, second) => {
    const before = await namesOf(deploy)
    expect((await deploy.post('/v2/organization/labels', { name: first })).status).toBe(201)
    for (const bot of [deploy, calendar]) {
      const { status, body } = await bot.post('/v2/organization/labels', { name: second })
      expect([status, body]).toEqual([400, 'Label name already exists'])
    }
    expect(await namesOf(deploy)).toEqual([...before, first])
  })

  it('keeps organizations apart: the same name may exist in both, and each sees its own', async () => {
    expect((await deploy.post('/v2/organization/labels', { name: 'Shared word' })).status).toBe(201)
    expect((await stranger.post('/v2/organization/labels', { name: 'shared WORD' })).status).toBe(201)
    expect(await namesOf(stranger)).toEqual(['shared WORD'])
    expect(await namesOf(deploy)).not.toContain('shared WORD')
  })

  it.each(['  spaced  ', 'e\u0301', 'שלום', 'one / two', BALLOON.repeat(64), 'a'.repeat(64)])(
    'keeps a name exactly as sent (%#)',
    async (name) => {
      const { status, body } = await deploy.post('/v2/organization/labels', { name })
      expect([status, Object(body).name]).toEqual([201, name])
      expect(await namesOf(deploy)).toContain(name)
    },
  )

  it.each([
    ['name is required', {}],
    ['name is required', { name: '' }],
    ['name must be a string', { name: null }],
    ['name too long', { name: BALLOON.repeat(65) }],
    ['name too long', { name: 'a'.repeat(65) }],
    ['text must not contain NUL or lone surrogates', { name: 'half \udc00' }],
  ])('refuses with "%s" (%#)', async (text, fields) => {
    const before = await namesOf(deploy)
    const { status, body } = await deploy.post('/v2/organization/labels', fields)
    expect([status, body]).toEqual([400, text])
    expect(await namesOf(deploy)).toEqual(before)
  })
})

describe('the label of a topic', () => {
  it('is set, shown in reads, and removed; people get an event, bots do not', async () => {
    const id = await topic({ members: [calendar.id] })
    const labelId = await label('On and off')
    server.clock.ahead += 1000
    const { result, events } = await during(server, lighthouse, async () => {
      const added = await deploy.post(`/v2/topics/${id}/labels`, { labelId })
      expect([added.status, added.body]).toEqual([200, { id, labels: [labelId], updatedAt: anyTime }])
      expect((await calendar.get(`/v2/topics/${id}`)).body).toMatchObject({
        labels: [labelId],
        updatedAt: Object(added.body).updatedAt,
      })
      expect((await calendar.get('/v2/topics?limit=1')).body).toMatchObject({
        topics: [{ id, labels: [labelId] }],
      })
      return deploy.delete(`/v2/topics/${id}/labels/${labelId}`)
    })
    expect([result.status, result.body]).toEqual([200, { id, labels: [], updatedAt: anyTime }])
    expect((await calendar.get(`/v2/topics/${id}`)).body).toMatchObject({ labels: [] })
    const told = (labelId: string | null) => ({
      type: 'topic.updated',
      to: [],
      data: { topicId: id, labelId, actorId: deploy.id, changes: { labelId } },
    })
    expect(events).toEqual([told(labelId), told(null)])
  })

  it('is returned in the case in which it was given out', async () => {
    const id = await topic()
    const labelId = await label('In capitals')
    const added = await deploy.post(`/v2/topics/${id}/labels`, { labelId: labelId.toUpperCase() })
    expect(added.body).toMatchObject({ labels: [labelId] })
    const again = await deploy.post(`/v2/topics/${id}/labels`, { labelId: labelId.toUpperCase() })
    expect(again.body).toMatchObject({ labels: [labelId] })
    const removed = await deploy.delete(`/v2/topics/${id}/labels/${labelId.toUpperCase()}`)
    expect(removed.body).toMatchObject({ labels: [] })
  })

  it('may be put on again: the current state comes back, with its time', async () => {
    const id = await topic()
    const labelId = await label('Again')
    const first = await deploy.post(`/v2/topics/${id}/labels`, { labelId })
    server.clock.ahead += 1000
    const second = await deploy.post(`/v2/topics/${id}/labels`, { labelId })
    expect([second.status, second.body]).toEqual([200, first.body])
  })

  it('is one at most', async () => {
    const id = await topic()
    const [one, two] = [await label('One'), await label('Two')]
    await deploy.post(`/v2/topics/${id}/labels`, { labelId: one })
    const { status, body } = await deploy.post(`/v2/topics/${id}/labels`, { labelId: two })
    expect([status, body]).toEqual([400, 'topic already has a label'])
    expect((await deploy.get(`/v2/topics/${id}`)).body).toMatchObject({ labels: [one] })
  })

  it.each([
    ['Invalid labelId', async () => ({ labelId: UNKNOWN })],
    ['Invalid labelId', async () => ({ labelId: await label('Foreign', harbor) })],
    ['Invalid labelId', async () => ({ labelId: 'urgent' })],
    ['labelId is required', async () => ({})],
    ['labelId must be a string', async () => ({ labelId: 5 })],
  ])('refuses with "%s" (%#)', async (text, fields) => {
    const id = await topic()
    const { status, body } = await deploy.post(`/v2/topics/${id}/labels`, await fields())
    expect([status, body]).toEqual([400, text])
    expect((await deploy.get(`/v2/topics/${id}`)).body).toMatchObject({ labels: [] })
  })

  it('may be taken off when it is not there: the current state comes back, with its time', async () => {
    const id = await topic()
    const [on, off] = [await label('Stays on'), await label('Never on')]
    const { body: state } = await deploy.post(`/v2/topics/${id}/labels`, { labelId: on })
    server.clock.ahead += 1000
    for (const absent of [off, UNKNOWN]) {
      const { status, body } = await deploy.delete(`/v2/topics/${id}/labels/${absent}`)
      expect([status, body]).toEqual([200, state])
    }
    const malformed = await deploy.delete(`/v2/topics/${id}/labels/urgent`)
    expect([malformed.status, malformed.body]).toEqual([400, 'Invalid labelId'])
  })
})
