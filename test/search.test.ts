import emoji from 'emojibase-data/en/compact.json' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf, textOfKey } from '../contract/refusals/index.ts'
import { ALL_SCOPES } from '../contract/scopes.ts'
import type { SearchResult } from '../contract/search.ts'
import { sql } from '../server/db/sql.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { awaitIndexing } from '../server/search/file-texts.ts'
import { EVENTS_PER_STEP, indexEverything, indexRound } from '../server/search/indexer.ts'
import { RANGE_DOCUMENTS } from '../server/search/ranges.ts'
import { plainEmoji, wordsOf } from '../server/search/words.ts'
import { startWorkers } from '../server/workers.ts'
import { type OAuthTestBot, oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventually } from './support/eventually.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { marked, queryOf, searchesOf } from './support/searching.ts'
import { appeared, sendFiles } from './support/uploads.ts'
import { silence } from './support/wav.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let stranger: TestPerson
let bot: StaticTestBot
let calendar: OAuthTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben Müller' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  stranger = await signInAs(server, { orgId: await organization(server, 'Elsewhere'), name: 'Stranger' })
  bot = await staticBot(server, orgId)
  calendar = await oauthBot(server, orgId)
})
afterAll(() => server.close())

const { ready, ask, found, texts, ids, excerpts } = searchesOf(() => server)

async function newTopic(name: string, ...members: TestPerson[]): Promise<string> {
  const memberIds = members.map(({ profileId }) => profileId)
  return Object((await bot.post('/v2/topics', { name, members: memberIds })).body).id
}
async function say(who: TestPerson, topicId: string, text: string): Promise<string> {
  const answer = await chatOf(who).post('messages', { topicId, text })
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body).id
}

describe('words', () => {
  it('are emoji, each by itself and with its skin tones', () => {
    const alone = emoji.filter(({ label }) => !/^(regional indicator|.* skin tone$)/.test(label))
    expect(alone.length).toBeGreaterThan(1800)
    for (const { unicode, skins = [] } of alone)
      for (const one of [unicode, ...skins.map((skin) => skin.unicode)])
        expect(wordsOf(`so ${one}${one} so`), one).toEqual(['so', plainEmoji(one), plainEmoji(one), 'so'])
  })

  it('are found in any order, case and accent, and all of them must be there', async () => {
    const topicId = await newTopic('Cafés', ada)
    await say(ada, topicId, 'Das Café an der Größenstraße hat Crème brûlée')
    await say(ada, topicId, 'Nur ein Cafe')
    expect(await texts(ada, 'CREME cafe')).toEqual(['Das Café an der Größenstraße hat Crème brûlée'])
    // PostgreSQL before 18 does not treat `oe` as another way to write `ö`.
    const [german] = await server.parley.db.query<{ knows: boolean }>(sql`
      select ts_lexize('german_stem', 'groessenstrasse') = ts_lexize('german_stem', 'grossenstrasse') as knows`)
    expect(await texts(ada, 'groessenstrasse ')).toHaveLength(german?.knows ? 1 : 0)
    expect(await texts(ada, 'cafe tea')).toEqual([])
    expect(await texts(ada, 'GRÖSSENSTRASSE')).toHaveLength(1)
    expect(await texts(ada, 'café ')).toHaveLength(2)
  })

  it('are found in other forms, in English and in German', async () => {
    const topicId = await newTopic('Forms', ada)
    await say(ada, topicId, 'She was running the migrations')
    await say(ada, topicId, 'Die Rechnungen wurden verschickt')
    expect(await excerpts(ada, 'migration runs ')).toEqual(['text: She was [running] the [migrations]'])
    expect(await excerpts(ada, 'rechnung ')).toEqual(['text: Die [Rechnungen] wurden verschickt'])
  })

  it('are shown without the signs of Markdown around them', async () => {
    const topicId = await newTopic('Signs', ada)
    await say(ada, topicId, '> On **Whitsun**\nsee `notes.md` and [the plan](https://example.com/whitsun)')
    expect(await excerpts(ada, 'whitsun ')).toEqual([
      'text: On [Whitsun]\nsee notes.md and the plan (https://example.com/[whitsun])',
    ])
  })

  it('are found by their beginning where they are last, and only there', async () => {
    const topicId = await newTopic('Beginnings', ada)
    await say(ada, topicId, 'Zanzibar is far')
    expect(await excerpts(ada, 'far zan')).toEqual(['text: [Zanzibar] is [far]'])
    expect(await texts(ada, 'zan far')).toEqual([])
    expect(await texts(ada, 'zan ')).toEqual([])
    expect(await texts(ada, 'nzibar')).toEqual([])
  })

  it('in quotes are found as they stand', async () => {
    const topicId = await newTopic('Phrases', ada)
    await say(ada, topicId, 'The quick violet fox')
    await say(ada, topicId, 'The violet fox is quick')
    expect(await excerpts(ada, '"quick violet" fox')).toEqual(['text: The [quick violet] [fox]'])
    expect(await texts(ada, '"quick violets"')).toEqual([])
    expect(await texts(ada, '"violet fox')).toHaveLength(2)
  })

  it('of scripts without spaces are found anywhere', async () => {
    const topicId = await newTopic('Kaigi', ada)
    await say(ada, topicId, '明日の会議は中止です')
    expect(await excerpts(ada, '会議')).toEqual(['text: 明日の[会議]は中止です'])
    expect(await texts(ada, '議会')).toEqual([])
  })

  it('are marked in plain pieces: what looks like HTML stays text', async () => {
    const topicId = await newTopic('Markup', ada)
    const text = `<b>wombat</b><script>alert(1)</script> ${'padding '.repeat(60)}`
    await say(ada, topicId, text.trim())
    const { results } = await found(ada, 'wombat')
    const [excerpt] = results[0]?.excerpts ?? []
    expect(marked(excerpt?.parts ?? [])).toMatch(
      /^<b>\[wombat\]<\/b><script>alert\(1\)<\/script> (padding )+padding…$/,
    )
    expect(excerpt?.parts.map((part) => part.text).join('').length).toBeLessThan(250)
  })
})

describe('what is searched', () => {
  it('are file names, transcriptions, polls, tasks, locations and contacts as well', async () => {
    const topicId = await newTopic('Things', ada)
    const jobs = startJobs(server, { name: 'a test', transcribe: async () => 'the walrus sings' })
    const sent = { content: silence(1), name: 'Quarterly_report.wav' }
    const fileId = await sendFiles(bot, { topicId, caption: 'Listen' }, sent)
    await appeared(bot, fileId)
    await eventually(async () => excerpts(ada, 'walrus')).toEqual(['transcription: the [walrus] sings'])
    await jobs.stop()
    expect(await excerpts(ada, 'quarterly')).toEqual(['file: [Quarterly]_report.wav'])
    const asked = await bot.post('/v2/polls', {
      topicId,
      question: 'Which narwhal?',
      options: ['Grey', 'Spotted'],
      selectionType: 'single',
      anonymous: false,
    })
    expect(asked.status, asked.text).toBe(201)
    expect(await excerpts(ada, 'spotted narwhal')).toEqual(['poll: Which [narwhal]?\nGrey\n[Spotted]'])
    const placed = await chatOf(ada).post('locations', {
      topicId,
      latitude: 1,
      longitude: 2,
      name: 'Harbour',
    })
    expect(placed.status, placed.text).toBe(201)
    expect(await excerpts(ada, 'harbour')).toEqual(['location: [Harbour]'])
  })

  it('is a task as it is now, once, whatever is said about it', async () => {
    const topicId = await newTopic('Tasks', ada)
    const created = await bot.post('/v2/tasks', { topicId, title: 'Feed the ocelot', description: 'twice' })
    const taskId = Object(created.body).id
    expect(await excerpts(ada, 'ocelot twice')).toEqual(['task: Feed the [ocelot]\n[twice]'])
    await bot.patch(`/v2/tasks/${taskId}`, { title: 'Feed the caracal' })
    await bot.patch(`/v2/tasks/${taskId}`, { topicId, status: 'Done' })
    expect(await excerpts(ada, 'ocelot')).toEqual([])
    expect(await excerpts(ada, 'caracal')).toEqual(['task: Feed the [caracal]\ntwice'])
    await bot.delete(`/v2/tasks/${taskId}`)
    expect(await excerpts(ada, 'caracal')).toEqual([])
  })

  it('are names of topics and members, beside the messages, on the first page', async () => {
    const topicId = await newTopic('Pelican plans', ada)
    await bot.patch(`/v2/topics/${topicId}`, { description: 'All about the müller account' })
    await say(ada, topicId, 'A pelican')
    const pelicans = await found(ada, 'pelican')
    expect(pelicans.topics.map(({ id, name }) => [id, marked(name)])).toEqual([[topicId, '[Pelican] plans']])
    expect(pelicans.results.map(({ topic }) => topic)).toEqual([
      { id: topicId, type: 'topic', name: 'Pelican plans' },
    ])
    const muller = await found(ada, 'muller')
    expect(muller.members.map(({ id, name }) => [id, marked(name)])).toEqual([
      [ben.profileId, 'Ben [Müller]'],
    ])
    expect(muller.topics.map(({ description }) => marked(description))).toEqual([
      'All about the [müller] account',
    ])
    expect((await found(cy, 'pelican')).topics).toEqual([])
    expect((await found(ada, 'deploy')).members.map(({ type }) => type)).toEqual(['bot'])
    expect((await found(ada, 'pelican from:me')).topics).toEqual([])
  })

  it('follows edits and deletions', async () => {
    const topicId = await newTopic('Edits', ada)
    const id = await say(ada, topicId, 'The first gazelle')
    expect(await ids(ada, 'gazelle')).toEqual([id])
    await chatOf(ada).patch(`messages/${id}`, { text: 'The second antelope' })
    expect(await ids(ada, 'gazelle')).toEqual([])
    expect(await ids(ada, 'antelope')).toEqual([id])
    await chatOf(ada).delete(`messages/${id}`)
    // The search finds nothing even before the worker has heard of it.
    expect(Object((await ask(ada, 'antelope')).body).results).toEqual([])
    expect(await ids(ada, 'antelope')).toEqual([])
  })

  it('leaves nothing behind when messages are deleted without an event', async () => {
    const topicId = await newTopic('Retention', ada)
    const id = await say(ada, topicId, 'Forget the okapi')
    expect(await ids(ada, 'okapi')).toEqual([id])
    const { db } = server.parley
    await db.query(sql`delete from messages where org_id = ${orgId} and id = ${id}`)
    expect(await db.query(sql`select from search_documents where org_id = ${orgId} and id = ${id}`)).toEqual(
      [],
    )
  })
})

describe('filters', () => {
  let plans: string
  let secrets: string

  beforeAll(async () => {
    plans = await newTopic('Plans for spring', ada, ben)
    secrets = await newTopic('Secrets', ada, ben)
    await say(ada, plans, 'tapir one')
    await say(ben, plans, `tapir two <@${ada.profileId}>`)
    await say(ben, secrets, 'tapir three https://example.com/x')
  })

  it.each([
    ['tapir', ['three', 'two', 'one']],
    ['tapir from:me', ['one']],
    ['tapir from:ben', ['three', 'two']],
    ['tapir from:"Ben Müller"', ['three', 'two']],
    ['from:muller tapir', ['three', 'two']],
    ['tapir from:nobody', []],
    ['tapir in:secrets', ['three']],
    ['tapir in:"plans for spring"', ['two', 'one']],
    ['tapir in:plans in:secrets', ['three', 'two', 'one']],
    ['tapir in:elsewhere', []],
    ['tapir mentions:me', ['two']],
    ['tapir to:me from:ben', ['two']],
    ['tapir has:link', ['three']],
    ['tapir has:file', []],
    ['tapir after:2020-01-01', ['three', 'two', 'one']],
    ['tapir before:2020-01-01', []],
    ['tapir from: has:', ['three', 'two', 'one']],
  ])('%s', async (q, expected) => {
    const numbers = (await texts(ada, q)).map((text) => text.split(' ')[1])
    expect(numbers).toEqual(expected)
  })

  it('work without words, by ids, and with files', async () => {
    const jobs = startJobs(server)
    const id = await sendFiles(bot, { topicId: secrets }, { content: 'text', name: 'notes.txt' })
    await appeared(bot, id)
    await jobs.stop()
    expect(await ids(ada, `from:${bot.id} has:file in:${secrets}`)).toEqual([id])
    expect((await found(ada, `from:${bot.id} has:file in:${secrets}`)).results[0]?.excerpts).toEqual([
      { source: 'file', parts: [{ text: 'notes.txt', hit: false }] },
    ])
  })

  it('count days where the seeker is', async () => {
    const topicId = await newTopic('Days', ada)
    const id = await say(ada, topicId, 'dugong')
    const day = (timeZone: string) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(sentAt)
    const sentAt = Object((await chatOf(ada).get(`messages/${id}`)).body).createdAt
    for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
      const today = day(timeZone)
      expect(await ids(ada, `dugong on:${today}`, { timeZone })).toEqual([id])
      expect(await ids(ada, `dugong after:${today}`, { timeZone })).toEqual([])
      expect(await ids(ada, `dugong before:${today}`, { timeZone })).toEqual([])
    }
    const elsewhere = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(day)
    expect(new Set(elsewhere).size).toBe(2)
  })

  it.each([
    ['has:everything', {}, textOf('search_kind_unknown')],
    ['before:someday', {}, textOf('search_day_invalid')],
    ['during:2026-13', {}, textOf('search_day_invalid')],
    ['is:nothing', {}, textOf('search_state_unknown')],
    ['-on:today', {}, textOf('search_period_combined')],
    ['release OR on:today', {}, textOf('search_period_combined')],
    ['on:today OR release', {}, textOf('search_period_combined')],
    ['form:ada', {}, textOf('search_operator_unknown', { nearest: 'from' })],
    ['BEFOR:2024', {}, textOf('search_operator_unknown', { nearest: 'before' })],
    ['status:open', {}, textOf('search_operator_unknown', { nearest: 'has' })],
    ['on:2026-02-30', {}, textOf('search_day_invalid')],
    ['on:2026-02-20', { timeZone: 'Nowhere' }, textOfKey('field_invalid.timeZone')],
    ['a '.repeat(21), {}, textOf('search_too_long')],
    ['', {}, 'q is required'],
    ['x'.repeat(501), {}, 'q too long'],
    ['x', { limit: 101 }, 'limit must be between 1 and 100'],
    ['x', { order: 'worst' }, 'order must be "newest" or "best"'],
    ['x', { cursor: 'forged' }, 'invalid cursor'],
  ])('are refused: %s %o', async (q, more, text) => {
    const answer = await ask(ada, q, more)
    expect(answer.status).toBe(400)
    expect(answer.body).toBe(text)
  })
})

describe('who searches', () => {
  it('finds only what they may see, also after joining and leaving', async () => {
    const topicId = await newTopic('Private', ada)
    const before = await say(ada, topicId, 'An echidna')
    expect(await ids(ben, 'echidna')).toEqual([])
    expect(await ids(stranger, 'echidna')).toEqual([])
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [ben.profileId] })
    expect(await ids(ben, 'echidna')).toEqual([before])
    await bot.delete(`/v2/topics/${topicId}/members`, { memberIds: [ben.profileId] })
    const after = await say(ada, topicId, 'Another echidna')
    expect(await ids(ben, 'echidna')).toEqual([])
    expect(await ids(ben, `echidna in:${topicId}`)).toEqual([])
    expect(await ids(ada, 'echidna')).toEqual([after, before])
  })

  it('finds messages in open topics, if a person, and nothing of direct messages of others', async () => {
    const open = await chatOf(ada).post('topics', { name: 'Open house', open: true })
    const topicId = Object(open.body).id
    const id = await say(ada, topicId, 'A quokka')
    expect(await ids(cy, 'quokka')).toEqual([id])
    const asBot = Object((await bot.get(`/v2/search?${queryOf('quokka')}`)).body)
    expect(asBot.results).toEqual([])
    const opened = await chatOf(ada).post('direct-messages', { memberIds: [ben.profileId] })
    const direct = await say(ada, Object(opened.body).id, 'A secret quokka')
    expect(await ids(ben, 'quokka')).toEqual([direct, id])
    expect((await found(ben, 'quokka')).results[0]?.topic).toMatchObject({ type: 'dm', name: 'Ada Okafor' })
    expect(await ids(ben, 'quokka in:ada')).toEqual([direct])
    expect(await ids(cy, 'quokka')).toEqual([id])
  })

  it('may be a bot with the scope, and no other', async () => {
    const topicId = await newTopic('Bots', ada)
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [calendar.id] })
    const id = await say(ada, topicId, 'For the numbat')
    await ready()
    for (const searcher of [bot, calendar]) {
      const { status, body } = await searcher.get(`/v2/search?${queryOf('numbat')}`)
      expect(status).toBe(200)
      expect(Object(body).results.map(({ message }: SearchResult) => message.id)).toEqual([id])
    }
    const others = ALL_SCOPES.filter((scope) => scope !== 'search:read')
    const without = await oauthBot(server, orgId, 'Other bot', others)
    expect((await without.get(`/v2/search?${queryOf('numbat')}`)).status).toBe(403)
    expect(refusal(await ask(stranger, 'numbat'))).toMatchObject({ status: 200 })
  })
})

describe('pages', () => {
  it('go through everything once, the newest first or the best first, even while messages come', async () => {
    const topicId = await newTopic('Pages', ada)
    const said: string[] = []
    for (let number = 0; number < 7; number++) {
      said.push(await say(ada, topicId, `${'margay '.repeat((number % 3) + 1)}and ${number} more words`))
    }
    const walk = async (order: string) => {
      const seen: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await found(ada, 'margay', { limit: 3, order, ...(cursor && { cursor }) })
        seen.push(...page.results.map(({ message }) => message.id))
        expect(page.hasMore).toBe(page.nextCursor !== undefined)
        if (!page.nextCursor) return seen
        cursor = page.nextCursor
        await say(ada, topicId, 'margay margay margay margay')
      }
    }
    const first = await found(ada, 'margay', { order: 'best', limit: 1 })
    expect(first.results[0]?.message.text).toMatch(/^(margay ){3}/)
    expect(await walk('newest')).toEqual([...said].reverse())
    const best = await walk('best')
    expect(new Set(best).size).toBe(best.length)
    expect(said.every((id) => best.includes(id))).toBe(true)
    const cursor = (await found(ada, 'margay', { limit: 3 })).nextCursor ?? ''
    expect(refusal(await ask(ben, 'margay', { cursor }))).toMatchObject({
      status: 400,
      body: 'invalid cursor',
    })
  })
})

describe('hostile searches', () => {
  const HOSTILE = [
    "'",
    '"',
    '"""',
    "''''",
    '\\',
    '& | ! ( )',
    ':*',
    'a:*b',
    "a' | 'b",
    '<->',
    '!!a',
    '(((',
    '*',
    '%',
    '_',
    'from:',
    'from:"',
    'in:""',
    'from:\\m(',
    'from:[',
    'in:.*',
    "from:' or true --",
    ':::',
    'has',
    'to:to:to:',
    '‮evil',
    '\u{1F600}',
    '½ ﬁ',
    'ı̇',
    'a\u0300'.repeat(200),
    '\uFDFA'.repeat(100),
    'ก็็็็็็็็',
    '会'.repeat(20),
    'x'.repeat(500),
    `"${'y'.repeat(400)}`,
    'null',
    'undefined',
    '{{}}',
    '$1',
    '\t\n\r',
    'q=q&q=q',
  ]

  it.each(HOSTILE)('%s is answered', async (q) => {
    expect([200, 400]).toContain((await ask(ada, q)).status)
    const unsaid = await ask(ada, `${q} unsaidword `)
    expect([200, 400]).toContain(unsaid.status)
    if (unsaid.status === 200 && !q.includes(':') && !q.includes('"'))
      expect(Object(unsaid.body).results).toEqual([])
  })

  it('with a null byte or 10,000 characters are refused', async () => {
    for (const q of ['a%00b', 'x'.repeat(10_000)]) {
      const answer = await chatOf(ada).get(`search?q=${q}`)
      expect(answer.status, q.slice(0, 20)).toBe(400)
    }
  })

  it('and hostile texts are prepared like all others', async () => {
    const topicId = await newTopic('Hostile', ada)
    const words = Array.from({ length: 3000 }, (_, number) => number.toString(36))
      .join(' ')
      .slice(0, 9900)
    for (const text of [...HOSTILE, 'z'.repeat(10_000), 'k '.repeat(4900), words]) {
      const answer = await chatOf(ada).post('messages', { topicId, text })
      expect([201, 400]).toContain(answer.status)
    }
    const last = await say(ada, topicId, 'a bilby after all of them')
    expect(await ids(ada, 'bilby')).toEqual([last])
    expect((await found(ada, `in:${topicId}`)).isComplete).toBe(true)
  })
})

describe('the worker', () => {
  const rows = async (of: string) => {
    const [row] = await server.parley.db.query<{ documents: number; ranges: number }>(sql`
      select (select count(*) from search_documents where org_id = ${of}) as documents,
        (select count(*) from search_ranges where org_id = ${of}) as ranges`)
    return row
  }

  async function crowd(size: number): Promise<{ person: TestPerson; topicId: string }> {
    const of = await organization(server, 'Crowd')
    const person = await signInAs(server, { orgId: of, name: 'Dot', role: 'owner' })
    const topicId = Object((await chatOf(person).post('topics', { name: 'Crowded' })).body).id
    await server.parley.db.query(sql`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select ${of}, (lpad(to_hex(at), 12, '0') || '70008000000000000000')::uuid, ${topicId}, ${person.profileId}, 'text',
        'said ' || case when at % 1000 = 7 then 'seldom ' else '' end || (at % 100), at, at
      from generate_series(1767225600000, 1767225600000 + ${size}::bigint - 1) at`)
    return { person, topicId }
  }

  /** Messages from long ago, as an import brings them. */
  async function oldMessages({ orgId: of, profileId }: TestPerson, topicId: string, size: number) {
    const { db } = server.parley
    const added = await db.query<{ id: string }>(sql`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select ${of}, (lpad(to_hex(at), 12, '0') || '70008000000000000000')::uuid, ${topicId}, ${profileId}, 'text', 'ancient', at, at
      from generate_series(1500000000000, 1500000000000 + ${size}::bigint - 1) at returning id`)
    const messageIds = added.map(({ id }) => id)
    await awaitIndexing(db, of, messageIds)
    return messageIds
  }

  it('makes new messages searchable in a server by itself, one round for each 500 events', async () => {
    await ready()
    const topicId = await newTopic('Delay', ada)
    const count = EVENTS_PER_STEP + 100
    for (let sent = 0; sent < count; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => say(ada, topicId, 'kinkajou')))
    const seen = async () =>
      (await server.parley.db.query(sql`select from search_documents where topic_id = ${topicId}`)).length
    await indexRound(server.parley.db)
    expect(await seen()).toBeLessThanOrEqual(EVENTS_PER_STEP)
    await indexRound(server.parley.db)
    expect(await seen()).toBe(count)
    const workers = await startWorkers(server.parley)
    try {
      await say(ada, topicId, 'hutia')
      await eventually(async () => Object((await ask(ada, 'hutia')).body).results.length).toBe(1)
    } finally {
      await workers.stop()
    }
  })

  it('indexes older messages in bounded steps from the newest on, and says how far it is', async () => {
    await ready()
    const { person, topicId } = await crowd(RANGE_DOCUMENTS * 2 + 500)
    await indexRound(server.parley.db)
    const answer = await ask(person, 'seldom')
    expect(answer.status, answer.text).toBe(200)
    const first = Object(answer.body)
    expect(first.isComplete).toBe(false)
    expect(first.results.length).toBe(4)
    const rest = await found(person, 'seldom')
    expect(rest.isComplete).toBe(true)
    expect(rest.results.length).toBe(9)
    expect(await rows(person.orgId)).toEqual({ documents: RANGE_DOCUMENTS * 2 + 500, ranges: 3 })

    // Searches beyond the newest messages, in every order and with a range.
    const seldom = await ids(person, 'seldom')
    expect(seldom).toEqual([...seldom].sort().reverse())
    const pages: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await found(person, `seldom in:${topicId}`, { limit: 2, ...(cursor && { cursor }) })
      pages.push(...page.results.map(({ message }) => message.id))
      if (!page.nextCursor) break
      cursor = page.nextCursor
    }
    expect(pages).toEqual(seldom)
    expect(await ids(person, 'seldom before:2026-01-01')).toEqual([])
    expect(await ids(person, 'seldom on:2026-01-01')).toEqual(seldom)
    expect((await found(person, 'said', { order: 'best' })).results).toHaveLength(50)
    expect(await ids(stranger, 'seldom')).toEqual([])
  })

  it('indexes what came without an event, and nothing else again', async () => {
    await ready()
    const { person, topicId } = await crowd(10)
    await ready()
    const old = await oldMessages(person, topicId, 2)
    await indexRound(server.parley.db)
    expect((await ids(person, 'ancient')).toSorted()).toEqual(old.toSorted())
    const [progress] = await server.parley.db.query<{ older: string | null; waiting: number }>(sql`
      select older_than as older, (select count(*) from search_waiting where org_id = ${person.orgId}) as waiting
      from search_progress where org_id = ${person.orgId}`)
    expect(progress).toEqual({ older: null, waiting: 0 })
  })

  it('divides a range that an import makes too large', async () => {
    const { person, topicId } = await crowd(RANGE_DOCUMENTS)
    await ready()
    const old = await oldMessages(person, topicId, 2 * RANGE_DOCUMENTS + 100)
    await ready()
    const { ranges = 0, documents } = (await rows(person.orgId)) ?? {}
    expect([ranges >= 3, documents]).toEqual([true, 3 * RANGE_DOCUMENTS + 100])
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await found(person, 'ancient', { limit: 100, ...(cursor && { cursor }) })
      seen.push(...page.results.map(({ message }) => message.id))
      if (!page.nextCursor) break
      cursor = page.nextCursor
    }
    expect(seen).toEqual(old.toSorted().reverse())
  })

  it('begins a new range for new messages once the newest is full', async () => {
    const { person, topicId } = await crowd(10)
    await ready()
    await server.parley.db.query(sql`
      update search_ranges set documents = ${RANGE_DOCUMENTS} where org_id = ${person.orgId}`)
    const id = await say(person, topicId, 'seldom and new')
    expect((await ids(person, 'new seldom'))[0]).toBe(id)
    expect(await rows(person.orgId)).toEqual({ documents: 11, ranges: 2 })
  })

  it('goes through everything once more where the log no longer reaches back, and after a crash', async () => {
    const { person, topicId } = await crowd(5)
    await ready()
    const id = await say(person, topicId, 'an agouti')
    await removeOldEvents(server.parley.db, Date.now() + 1000 * 86_400_000, 1)
    expect(await ids(person, 'agouti')).toEqual([id])
    // A crash of the database empties these tables.
    await server.parley.db.query(sql`truncate search_documents, search_ranges, search_progress`)
    expect(Object((await ask(person, 'agouti')).body)).toMatchObject({ results: [], isComplete: false })
    expect(await ids(person, 'agouti')).toEqual([id])
  })

  it('is done by one of several nodes at a time', async () => {
    const { person, topicId } = await crowd(3)
    await ready()
    const second = await server.secondNode()
    const said = await Promise.all(Array.from({ length: 40 }, () => say(person, topicId, 'a jerboa')))
    const nodes = [server.parley.db, second.parley.db]
    await Promise.all(nodes.flatMap((db) => [indexEverything(db), indexEverything(db)]))
    expect((await ids(person, 'jerboa')).sort()).toEqual([...said].sort())
  })
})
