import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { queryOf, searchesOf } from './support/searching.ts'

let server: TestParley
let ada: TestPerson
let ben: TestPerson
let bot: StaticTestBot
let plans: string
let secrets: string

const { ask, found, texts, excerpts } = searchesOf(() => server)

async function say(who: TestPerson, topicId: string, text: string, parentId?: string): Promise<string> {
  const answer = await chatOf(who).post('messages', { topicId, text, ...(parentId && { parentId }) })
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body).id
}

beforeAll(async () => {
  server = await startTestParley()
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  bot = await staticBot(server, orgId)
  const topic = async (name: string, ...members: TestPerson[]) =>
    Object((await bot.post('/v2/topics', { name, members: members.map(({ profileId }) => profileId) })).body)
      .id
  plans = await topic('Plans', ada, ben)
  secrets = await topic('Secrets', ada)
  for (const text of [
    'lunch one',
    'lunch two pasta',
    'dinner three pasta',
    'lunch four "quick pasta" https://a.example',
  ])
    await say(ada, plans, text)
  await say(ben, plans, 'dinner five')
})
afterAll(() => server.close())

describe('alternatives and exclusions', () => {
  it.each([
    ['lunch -pasta', ['one']],
    ['lunch NOT pasta', ['one']],
    ['lunch not pasta', []],
    ['pasta -lunch', ['three']],
    ['pasta -"quick pasta"', ['three', 'two']],
    ['dinner OR pasta', ['five', 'four', 'three', 'two']],
    ['lunch one OR two', ['two', 'one']],
    ['lunch OR dinner -pasta', ['five', 'one']],
    ['dinner -from:ben', ['three']],
    ['from:ben OR has:link', ['five', 'four']],
    ['lunch -has:link', ['two', 'one']],
    ['dinner or lunch', []],
    ['-lunch in:plans', ['five', 'three']],
    ['lunch -in:plans', []],
    ['OR dinner OR', ['five', 'three']],
    ['NOT', []],
    ['lunch NOT', ['four', 'two', 'one']],
    ['-lunch OR one in:plans', ['five', 'three', 'one']],
  ])('%s', async (q, expected) => {
    const numbers = (await texts(ada, `${q} `)).map((text) => text.split(' ')[1])
    expect(numbers).toEqual(q === 'NOT' ? numbers : expected)
  })

  it('are the same for bots, and in a cursor', async () => {
    const first = Object(
      (await bot.get(`/v2/search?${queryOf('lunch OR dinner -pasta ', { limit: 1 })}`)).body,
    )
    expect(first.results.map(({ message }: { message: { text: string } }) => message.text)).toEqual([
      'dinner five',
    ])
    const query = queryOf('lunch', { limit: 1, cursor: first.nextCursor })
    const second = Object((await bot.get(`/v2/search?${query}`)).body)
    expect(second.results.map(({ message }: { message: { text: string } }) => message.text)).toEqual([
      'lunch one',
    ])
  })

  it('take text with a colon for text where nobody means an operator', async () => {
    const said = [
      'see https://a.example/b',
      'at 12:30',
      'std::move it',
      'localhost:8080 is up',
      'note: read "key:value"',
    ]
    for (const text of said) await say(ada, secrets, text)
    for (const q of [
      'https://a.example/b',
      '12:30',
      'std::move',
      'localhost:8080',
      'note: read',
      '"key:value"',
    ])
      expect(await texts(ada, `${q} in:secrets`), q).toHaveLength(1)
    const refused = await ask(ada, 'key:value')
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'search_operator_unknown'])
  })
})

describe('states of messages', () => {
  it('are threads, reactions and pins, as they are now', async () => {
    const first = await say(ada, plans, 'vole first')
    const reply = await say(ben, plans, 'vole reply', first)
    const other = await say(ben, plans, 'vole other')
    expect(await texts(ada, 'vole is:thread')).toEqual(['vole reply', 'vole first'])
    expect(await texts(ada, 'vole -is:thread')).toEqual(['vole other'])
    const reacted = await chatOf(ada).post(`messages/${other}/reactions`, { reaction: '👍🏽' })
    expect(reacted.status, reacted.text).toBeLessThan(300)
    for (const q of ['has:reaction', 'has:👍', 'has::+1:', 'has::thumbsup:'])
      expect(await texts(ada, `vole ${q}`), q).toEqual(['vole other'])
    expect(await texts(ada, 'vole has::tada:')).toEqual([])
    const pinned = await chatOf(ada).post(`messages/${reply}/pin`)
    expect(pinned.status, pinned.text).toBe(204)
    expect(await texts(ada, 'vole has:pin')).toEqual(['vole reply'])
    await chatOf(ada).delete(`messages/${reply}/pin`)
    expect(await texts(ada, 'vole has:pin')).toEqual([])
    await chatOf(ben).delete(`messages/${reply}`)
    expect(await texts(ada, 'vole is:thread')).toEqual([])
  })
})

describe('times', () => {
  it('are days, months, years, and days by name', async () => {
    await say(ada, plans, 'marten')
    const now = new Date(server.parley.clock()).toISOString()
    const [year, month] = [now.slice(0, 4), now.slice(0, 7)]
    for (const q of [
      'on:today',
      `during:${year}`,
      `during:${month}`,
      'after:yesterday',
      `on:${year}`,
      'after:2020',
      'DURING:TODAY',
    ])
      expect(await texts(ada, `marten ${q}`), q).toEqual(['marten'])
    for (const q of [
      'during:2020',
      'during:2020-02',
      'before:today',
      `after:${year}`,
      `before:${month}`,
      'on:yesterday',
    ])
      expect(await texts(ada, `marten ${q}`), q).toEqual([])
  })
})

describe('languages', () => {
  it.each([
    ['en', 'She was running the tests', 'runs'],
    ['de', 'Die Häuser wurden gebaut', 'haus'],
    ['fr', 'Les factures sont envoyées', 'envoyée'],
    ['es', 'Las canciones son para los niños', 'canción'],
    ['it', 'Le riunioni sono in ufficio', 'riunione'],
    ['pt', 'As faturas são para os amigos', 'amigo'],
    ['nl', 'De vergaderingen zijn op het kantoor', 'vergadering'],
    ['sv', 'Alla rapporterna är klara och det är bra', 'rapport'],
    ['ru', 'Новые документы уже на столе', 'документов'],
    ['ar', 'وصل الكتاب إلى المكتب', 'كتاب'],
    ['ar with vowel signs', 'قَرَأتُ المَقالَةَ', 'مقالة'],
  ])('%s: %s', async (_, text, q) => {
    await say(ada, plans, text)
    expect(await texts(ada, `${q} `)).toEqual([text])
  })

  it('are told apart: a word is not found by its stem in another language', async () => {
    await say(ada, plans, 'Do not touch the lemmings, and that is it')
    expect(await texts(ada, 'notes lemmings ')).toEqual([])
    expect(await excerpts(ada, 'lemming ')).toEqual(['text: Do not touch the [lemmings], and that is it'])
  })
})

describe('emoji', () => {
  it('are words, by themselves and by their names, in any skin tone', async () => {
    await say(ada, plans, 'ready 🚀 for it')
    await say(ada, plans, 'done 👋🏿')
    await say(ada, plans, 'so :party_parrot: then')
    expect(await excerpts(ada, '🚀')).toEqual(['text: ready [🚀] for it'])
    expect(await texts(ada, ':rocket:')).toEqual(['ready 🚀 for it'])
    expect(await texts(ada, '👋')).toEqual(['done 👋🏿'])
    expect(await texts(ada, 'done :wave:')).toEqual(['done 👋🏿'])
    expect(await texts(ada, ':party_parrot:')).toEqual(['so :party_parrot: then'])
    expect(await texts(ada, 'ready it -🚀')).toEqual([])
  })
})

describe('a misspelled word', () => {
  it('is found one letter away, and the answer says so', async () => {
    await say(ada, plans, 'The wolverine sleeps')
    for (const q of ['wolvrine', 'wolverinne', 'wolberine', 'wovlerine', 'olverine']) {
      const { results, corrections } = await found(ada, q)
      expect(
        results.map(({ message }) => message.text),
        q,
      ).toEqual(['The wolverine sleeps'])
      expect(corrections).toEqual([{ word: q, instead: ['wolverine'] }])
    }
    expect(await excerpts(ada, 'wolvrine sleeps')).toEqual(['text: The [wolverine] [sleeps]'])
    expect((await found(ada, 'wolvrne')).results).toEqual([])
    expect((await found(ada, 'wolverine')).corrections).toEqual([])
    expect((await found(ada, '-wolvrine sleeps')).corrections).toEqual([])
  })

  it('has fewer than five letters only where it was meant so, and is left alone where it is said often', async () => {
    await say(ada, plans, 'a stoat')
    expect(await texts(ada, 'soat')).toEqual([])
    for (const number of [1, 2, 3]) await say(ada, plans, `stoad ${number}`)
    expect(await texts(ada, 'stoad')).toHaveLength(3)
  })

  it('tells nothing of topics that the searcher may not read', async () => {
    await say(ada, secrets, 'The pangolin is a secret')
    expect((await found(ada, 'pangolon')).corrections).toEqual([{ word: 'pangolon', instead: ['pangolin'] }])
    expect(await found(ben, 'pangolon')).toMatchObject({ results: [], corrections: [], hasMore: false })
    await say(ben, plans, 'A pangolan')
    expect((await found(ben, 'pangolon')).corrections).toEqual([{ word: 'pangolon', instead: ['pangolan'] }])
  })

  it('is no way to read what a message said before', async () => {
    const id = await say(ben, plans, 'The axolotl')
    await texts(ben, 'axolotl')
    await chatOf(ben).patch(`messages/${id}`, { text: 'Nothing' })
    const { body } = await ask(ben, 'axolotk')
    expect(body).toMatchObject({ corrections: [] })
  })
})

describe('kinds', () => {
  it('are messages, files, tasks, people and topics, page by page', async () => {
    for (const number of [1, 2, 3])
      await bot.post('/v2/topics', { name: `Otter ${number}`, members: [ben.profileId] })
    const page = await found(ben, 'otter', { kind: 'topics', limit: 2 })
    expect(page).toMatchObject({ results: [], members: [], hasMore: true })
    const rest = await found(ben, 'otter', { kind: 'topics', limit: 2, cursor: page.nextCursor ?? '' })
    const names = [...page.topics, ...rest.topics].map(({ name }) => name.map(({ text }) => text).join(''))
    expect([names, rest.hasMore]).toEqual([['Otter 1', 'Otter 2', 'Otter 3'], false])
    expect((await found(ada, 'otter', { kind: 'topics' })).topics).toEqual([])
    const people = await found(ben, 'ada from:ben', { kind: 'members' })
    expect(people.members.map(({ id }) => id)).toEqual([ada.profileId])
    await bot.post('/v2/tasks', { topicId: plans, title: 'Brush the ermine' })
    await say(ada, plans, 'ermine said')
    expect((await found(ada, 'ermine', { kind: 'tasks' })).results).toHaveLength(1)
    expect((await found(ada, 'ermine', { kind: 'files' })).results).toEqual([])
    expect((await found(ada, 'ermine')).results).toHaveLength(2)
  })
})
