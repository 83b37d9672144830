import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { SidebarSection, TopicState } from '../contract/people/chat-records.ts'
import { newUuid } from '../server/ids.ts'
import { chatOf, refusal } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import type { TestPerson } from './support/people.ts'

let server: TestParley
let cast: ChatCast
/** Topics of Ada and Ben by name, and a direct message of the two. */
let topics: Record<'Alpha' | 'Beta' | 'Gamma', string>
let direct: string

beforeAll(async () => {
  server = await startTestParley()
  cast = await chatCast(server)
  const { ada, ben } = cast
  const made = async (name: string): Promise<string> =>
    Object((await chatOf(ada).post('topics', { name, members: [ben.profileId] })).body).id
  topics = { Alpha: await made('Alpha'), Beta: await made('Beta'), Gamma: await made('Gamma') }
  direct = Object((await chatOf(ada).post('direct-messages', { memberIds: [ben.profileId] })).body).id
})
afterAll(async () => {
  cast.close()
  await server.close()
})

type Start = { sections: SidebarSection[]; topics: (TopicState & { id: string })[] }
const start = async (who: TestPerson): Promise<Start> => Object((await chatOf(who).get('start')).body)
const own = async (who: TestPerson): Promise<SidebarSection[]> =>
  (await start(who)).sections.filter(({ name }) => name !== undefined)
const ownNames = async (who: TestPerson) => (await own(who)).map(({ name }) => name)
const make = (who: TestPerson, name: string) => chatOf(who).post('sections', { name })
const made = async (who: TestPerson, name: string): Promise<string> => Object((await make(who, name)).body).id
const state = async (who: TestPerson, topicId: string) => {
  const { favourite, sectionId, place } =
    (await start(who)).topics.find(({ id }) => id === topicId) ?? Object(undefined)
  return { favourite, sectionId, place }
}
const move = (who: TestPerson, topicId: string, body: object) =>
  chatOf(who).patch(`topics/${topicId}/state`, body)
const arrange = (who: TestPerson, section: string, topicIds: unknown) =>
  chatOf(who).patch(`sections/${section}/topics`, { topicIds })
const NOT_FOUND = { status: 404, body: 'Section not found', code: 'section_not_found' }

describe('sections of the list of conversations', () => {
  it('are made, renamed, moved and deleted by one person, who alone sees them', async () => {
    const { ada, ben } = cast
    const [one, two, three] = [await made(ada, 'One'), await made(ada, 'Two'), await made(ada, 'Three')]
    expect(await ownNames(ada)).toEqual(['One', 'Two', 'Three'])
    expect(await ownNames(ben)).toEqual([])
    expect((await start(ben)).sections.map(({ id, order }) => [id, order])).toEqual([
      ['unread', 'recent'],
      ['favourites', 'name'],
      ['topics', 'name'],
      ['direct', 'recent'],
    ])
    expect((await chatOf(ada).patch(`sections/${three}`, { after: null })).status).toBe(200)
    expect(await ownNames(ada)).toEqual(['Three', 'One', 'Two'])
    expect(
      (await chatOf(ada).patch(`sections/${one.toUpperCase()}`, { after: two, name: 'Last' })).body,
    ).toEqual({
      id: one,
      name: 'Last',
      folded: false,
      order: 'name',
    })
    expect(await ownNames(ada)).toEqual(['Three', 'Two', 'Last'])
    for (const request of [
      () => chatOf(ben).patch(`sections/${one}`, { name: 'Mine' }),
      () => chatOf(ben).delete(`sections/${one}`),
      () => arrange(ben, one, [topics.Alpha]),
      () => move(ben, topics.Alpha, { sectionId: one }),
      () => chatOf(ada).patch(`sections/${one}`, { after: newUuid() }),
      () => chatOf(ada).patch(`sections/${one}`, { after: one }),
    ])
      expect(refusal(await request())).toEqual(NOT_FOUND)
    for (const id of [one, two, three]) expect((await chatOf(ada).delete(`sections/${id}`)).status).toBe(204)
    expect(refusal(await chatOf(ada).delete(`sections/${one}`))).toEqual(NOT_FOUND)
    expect(await ownNames(ada)).toEqual([])
  })

  it('that everybody has are folded and sorted, and nothing else', async () => {
    const { ben } = cast
    expect((await chatOf(ben).patch('sections/unread', { folded: true })).status).toBe(200)
    expect((await chatOf(ben).patch('sections/direct', { order: 'name' })).status).toBe(200)
    expect((await start(ben)).sections).toMatchObject([
      { id: 'unread', folded: true, order: 'recent' },
      { id: 'favourites' },
      { id: 'topics' },
      { id: 'direct', folded: false, order: 'name' },
    ])
    await chatOf(ben).patch('sections/unread', { folded: false })
    await chatOf(ben).patch('sections/direct', { order: 'recent' })
    for (const change of [{ name: 'Mine' }, { after: null }])
      expect(refusal(await chatOf(ben).patch('sections/topics', change))).toMatchObject({
        status: 400,
        code: 'section_built_in',
      })
    expect((await chatOf(ben).delete('sections/topics')).status).toBe(400)
    expect((await chatOf(ben).patch('sections/other', { folded: true })).status).toBe(400)
  })

  it('have a name of one line, and are as many as the limit says, in two requests at once too', async () => {
    const { cy } = cast
    for (const name of ['', ' ', 'x'.repeat(LIMITS.sectionName + 1), 'a\nb', 7])
      expect((await chatOf(cy).post('sections', { name })).status, String(name)).toBe(400)
    expect((await make(cy, '🦊'.repeat(LIMITS.sectionName))).status).toBe(201)
    for (let count = 2; count < LIMITS.sections; count += 1) await made(cy, `Section ${count}`)
    const answers = await Promise.all([make(cy, 'Last'), make(cy, 'One more'), make(cy, 'And one')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect(await own(cy)).toHaveLength(LIMITS.sections)
    // All sections fit into one piece of news between nodes, whatever they are called.
    const longest = (await own(cy)).map((section) => ({ ...section, name: '🦊'.repeat(LIMITS.sectionName) }))
    expect(Buffer.byteLength(JSON.stringify({ sections: longest }))).toBeLessThan(6500)
  })

  it('hold each conversation once: a favourite leaves its section, and a section takes it out of favourites', async () => {
    const { ada } = cast
    const id = await made(ada, 'Work')
    await move(ada, topics.Alpha, { favourite: true })
    expect((await move(ada, topics.Alpha, { sectionId: id.toUpperCase() })).body).toMatchObject({
      sectionId: id,
      favourite: false,
    })
    expect(await state(ada, topics.Alpha)).toEqual({ favourite: false, sectionId: id, place: undefined })
    await move(ada, topics.Alpha, { muted: true })
    expect(await state(ada, topics.Alpha)).toMatchObject({ sectionId: id })
    expect((await move(ada, topics.Alpha, { favourite: true })).body).not.toHaveProperty('sectionId')
    await move(ada, topics.Alpha, { sectionId: id })
    await move(ada, direct, { sectionId: id })
    expect(refusal(await move(ada, direct, { sectionId: id, favourite: true }))).toMatchObject({
      status: 400,
      code: 'fields_conflict',
    })
    await move(ada, topics.Alpha, { sectionId: null })
    expect(await state(ada, topics.Alpha)).toEqual({
      favourite: false,
      sectionId: undefined,
      place: undefined,
    })
    expect((await chatOf(ada).delete(`sections/${id}`)).status).toBe(204)
    expect(await state(ada, direct)).toEqual({ favourite: false, sectionId: undefined, place: undefined })
    for (const sectionId of [id, newUuid()])
      expect(refusal(await move(ada, topics.Alpha, { sectionId }))).toEqual(NOT_FOUND)
    for (const sectionId of ['topics', '', 1])
      expect((await move(ada, topics.Alpha, { sectionId })).status).toBe(400)
    await move(ada, topics.Alpha, { muted: false })
  })

  it('are arranged by hand, which moves conversations in, and forgets places of those left out', async () => {
    const { ada, ben, cy } = cast
    const { Alpha, Beta, Gamma } = topics
    const id = await made(ada, 'Arranged')
    expect((await arrange(ada, id, [Gamma, Alpha, Gamma.toUpperCase()])).status).toBe(200)
    expect(await state(ada, Gamma)).toMatchObject({ sectionId: id, place: 0 })
    expect(await state(ada, Alpha)).toMatchObject({ sectionId: id, place: 1 })
    expect((await own(ada)).find((section) => section.id === id)).toMatchObject({ order: 'hand' })
    const { states } = Object((await arrange(ada, id, [Alpha, direct])).body)
    expect(states.map(({ topicId, place }: TopicState) => [topicId, place])).toEqual(
      expect.arrayContaining([
        [Alpha, 0],
        [direct, 1],
        [Gamma, undefined],
      ]),
    )
    // A place is one in a section: elsewhere it counts no longer.
    await move(ada, Alpha, { sectionId: null })
    expect(await state(ada, Alpha)).toMatchObject({ sectionId: undefined, place: undefined })
    await arrange(ada, 'topics', [Beta, Alpha, Gamma])
    expect(await state(ada, Gamma)).toMatchObject({ sectionId: undefined, place: 2 })
    await arrange(ada, 'favourites', [Beta])
    expect(await state(ada, Beta)).toMatchObject({ favourite: true, place: 0 })
    expect(await state(ada, Alpha)).toMatchObject({ favourite: false, place: 1 })
    await arrange(ada, 'direct', [direct])
    expect(await state(ada, direct)).toMatchObject({ favourite: false, sectionId: undefined, place: 0 })
    expect(await state(ben, Beta)).toEqual({ favourite: false, sectionId: undefined, place: undefined })

    for (const [section, ids] of [
      ['topics', [Alpha, direct]],
      ['direct', [Alpha]],
    ] as const)
      expect(refusal(await arrange(ada, section, ids))).toMatchObject({ code: 'section_topic_misplaced' })
    const many = Array.from({ length: LIMITS.arrangedTopics + 1 }, newUuid)
    for (const ids of [[], ['x'], many, Alpha]) expect((await arrange(ada, id, ids)).status).toBe(400)
    for (const section of ['unread', 'other']) expect((await arrange(ada, section, [Alpha])).status).toBe(400)
    expect((await arrange(ada, id, many.slice(1))).status).toBe(404)
    expect(refusal(await arrange(cy, 'topics', [Alpha]))).toMatchObject({
      status: 404,
      code: 'topic_not_found',
    })
    expect((await arrange(ada, newUuid(), [Alpha])).status).toBe(404)
    await chatOf(ada).delete(`sections/${id}`)
  })

  it('reach the other browsers of the person, and nobody else', async () => {
    const { ada, ben } = cast
    const [other, bens] = [await cast.stream(ada), await cast.stream(ben)]
    const id = await made(ada, 'Everywhere')
    const isOf = (name: string) => (section: SidebarSection) => section.name === name
    await other.next(
      ({ event, data }) => event === 'state' && Object(data).sections?.some(isOf('Everywhere')),
    )
    await move(ada, topics.Alpha, { sectionId: id })
    await other.next(({ event, data }) => event === 'state' && Object(data).states?.[0]?.sectionId === id)
    await arrange(ada, id, [topics.Beta, topics.Alpha])
    await other.next(({ event, data }) => event === 'state' && Object(data).states?.[0]?.place !== undefined)
    await chatOf(ada).delete(`sections/${id}`)
    await other.next(
      ({ event, data }) =>
        event === 'state' && Object(data).states?.some((one: TopicState) => !one.sectionId),
    )
    await other.next(
      ({ event, data }) =>
        event === 'state' && Object(data).sections?.every((one: SidebarSection) => one.id !== id),
    )
    await chatOf(ada).post('messages', { topicId: topics.Alpha, text: 'Told to both' })
    await bens.next(({ event }) => event === 'message.created')
    expect(bens.seen.filter(({ event }) => event === 'state')).toEqual([])
  })

  it('are deleted whole, while a conversation is moved into them', async () => {
    const { ada } = cast
    for (let round = 0; round < 8; round += 1) {
      const id = await made(ada, `Round ${round}`)
      const answers = await Promise.all([
        chatOf(ada).delete(`sections/${id}`),
        move(ada, topics.Gamma, { sectionId: id }),
        arrange(ada, id, [topics.Beta]),
      ])
      expect(answers[0].status).toBe(204)
      for (const { status } of answers.slice(1)) expect([200, 404]).toContain(status)
      expect(await state(ada, topics.Gamma)).toMatchObject({ sectionId: undefined })
      expect(await state(ada, topics.Beta)).toMatchObject({ sectionId: undefined })
    }
  })
})
