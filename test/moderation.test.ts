import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { Report } from '../contract/people/reports.ts'
import { textOf } from '../contract/refusals/index.ts'
import { sql } from '../server/db/sql.ts'
import { blockedWordsOf, growsBlockedWord, hasBlockedWord } from '../server/limits/blocked-words.ts'
import { at } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import type { Answer } from './support/client.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { workOf } from './support/processor-time.ts'

let server: TestParley
let beside: TestParley
let cast: ChatCast

beforeAll(async () => {
  server = await startTestParley()
  beside = await server.secondNode()
  cast = await chatCast(server)
})
afterAll(async () => {
  cast.close()
  await server.close()
})

const organization = () => `/people/organizations/${cast.orgId}`
const say = async (text: string, who: TestPerson = cast.ada, topicId = cast.topicId): Promise<string> =>
  Object((await chatOf(who).post('messages', { topicId, text })).body).id
const messageCount = async () =>
  (await server.parley.db.query(sql`select 1 from messages where org_id = ${cast.orgId}`)).length

describe('blocked words', () => {
  const block = (blockedWords: string[], who = cast.ada) => who.patch(organization(), { blockedWords })
  const refused = (answer: Answer) => {
    expect(refusal(answer)).toEqual({ status: 400, body: textOf('word_blocked'), code: 'word_blocked' })
  }

  it('are none until an admin lists some, each once and by the alphabet, told in the audit log', async () => {
    expect(Object((await cast.ada.get(organization())).body).blockedWords).toEqual([])
    expect(refusal(await block(['grog'], cast.ben))).toMatchObject({ status: 403 })
    expect(refusal(await block(['c++']))).toMatchObject({
      status: 400,
      body: textOf('blocked_words_invalid'),
    })
    expect(refusal(await block([' - ']))).toMatchObject({
      status: 400,
      body: textOf('blocked_words_invalid'),
    })
    const many = Array.from({ length: LIMITS.blockedWords + 1 }, (_, index) => `word ${index}`)
    expect((await block(many)).status).toBe(400)
    expect((await block(many.slice(1))).status).toBe(200)
    const saved = await block(['Grog', ' grog ', 'bilge rat', 'Ärger'])
    expect(Object(saved.body).blockedWords).toEqual(['Ärger', 'bilge rat', 'grog'])
    const { entries } = Object((await cast.ada.get(`${organization()}/audit?limit=1`)).body)
    expect(entries[0]).toMatchObject({
      action: 'organization.changed',
      changes: [{ field: 'blockedWords', to: 'Ärger, bilge rat, grog' }],
    })
  })

  it('refuse whatever people and bots write, and change nothing', async () => {
    const { ada, bot, topicId } = cast
    const own = await say('All is well')
    const ofBot: string = Object((await bot.post('/v2/messages', { topicId, text: 'Fine' })).body).id
    const later = { topicId, text: 'Later', sendAt: server.parley.clock() + 86_400_000 }
    const scheduled: string = Object((await chatOf(ada).post('messages', later)).body).id
    const before = await messageCount()
    const question = { topicId, question: 'Tea?', options: ['yes', 'no'], selectionType: 'single' }
    const picture = form({ topicId, caption: 'Our grog' }, [{ content: Buffer.from('x'), name: 'x.txt' }])
    const type = { headers: { 'content-type': picture.contentType } }
    const actions = { elements: [{ id: 'yes', text: 'Yes' }] }
    for (const answer of [
      await chatOf(ada).post('messages', { topicId, text: 'More GROG!' }),
      await chatOf(ada).post('messages', { topicId, text: '/grog for all' }),
      await bot.post('/v2/messages', { topicId, text: 'You bilge-rat.' }),
      await bot.post('/v2/messages', { topicId, text: 'grog?', actions }),
      await bot.post('/v2/messages', { topicId, text: 'Tea?', actions: { ...actions, title: 'Or grog?' } }),
      await bot.post('/v2/messages', {
        ...{ topicId, text: 'Tea?' },
        actions: { ...actions, facts: [{ label: 'Instead', text: 'grog' }] },
      }),
      await bot.post('/v2/questions', { topicId, text: 'Tea?', elements: [{ id: 'no', text: 'Grog' }] }),
      await bot.patch(`/v2/messages/${ofBot}`, { actions: { elements: [{ id: 'no', text: 'Grog' }] } }),
      await bot.post('/v2/messages', { topicId, text: 'grog', streaming: true }),
      await chatOf(ada).post('messages', { ...later, text: 'grog' }),
      await chatOf(ada).patch(`scheduled-messages/${scheduled}`, { text: 'grog' }),
      await chatOf(ada).patch(`messages/${own}`, { text: 'a\u0308rger' }),
      await bot.patch(`/v2/messages/${ofBot}`, { text: 'grog' }),
      await chatOf(ada).post('messages', picture.body, type),
      await bot.post('/v2/polls', { ...question, options: ['yes', 'grog'] }),
      await bot.post('/v2/tasks', { topicId, title: 'Buy grog' }),
    ])
      refused(answer)
    expect(await messageCount()).toBe(before)
    for (const text of ['Groggy?', 'bilge, and a rat', 'fine'])
      expect((await bot.post('/v2/messages', { topicId, text })).status, text).toBe(201)
  })

  it('are found in a text as it is streamed, once a word is whole', async () => {
    const { bot, topicId } = cast
    const { id } = Object(
      (await bot.post('/v2/messages', { topicId, text: 'We are gro', streaming: true })).body,
    )
    const append = (text: string) => bot.post(`/v2/messages/${id}/append`, { text })
    expect((await append('g')).status).toBe(200)
    refused(await append(', all of us'))
    expect((await append('gy')).status).toBe(200)
    refused(await bot.post(`/v2/messages/${id}/finish`, { text: 'grog' }))
    const grog = { elements: [{ id: 'yes', text: 'grog' }] }
    refused(await bot.post(`/v2/messages/${id}/finish`, { actions: grog }))
    expect((await bot.post(`/v2/messages/${id}/finish`, {})).status).toBe(200)
  })

  it('count at once on every node, and no longer once they are taken off', async () => {
    const { topicId, bot } = cast
    const other = at(beside.url, bot)
    expect((await other.post('/v2/messages', { topicId, text: 'gull' })).status).toBe(201)
    await block(['gull'])
    refused(await other.post('/v2/messages', { topicId, text: 'gull' }))
    await block([])
    expect((await other.post('/v2/messages', { topicId, text: 'gull' })).status).toBe(201)
    expect((await bot.post('/v2/messages', { topicId, text: 'grog' })).status).toBe(201)
  })

  it('are found as people see them, whatever is between their letters', () => {
    const has = (text: string, ...entries: string[]) => hasBlockedWord(blockedWordsOf(entries), text)
    for (const text of [
      'gr\u200bog',
      'g\u00adr\u200do\u2060g',
      '\u2066gr\u2069og',
      '**gr**og',
      'g*r*~~o~~`g`',
      'gr[o](https://x.example)g',
      '[gr**o**g](https://x.example)',
      '[gr](https://x.example "a title")og',
      '[gr](https://x.example/(a)/b)og',
      'gr[](<https://x.example/a b>)og',
      'gróg',
      'g̈r̈ög',
      'GRÖG',
      'ｇｒｏｇ',
      '𝐠𝐫𝐨𝐠',
    ])
      expect([text, has(text, 'grog')]).toEqual([text, true])
    for (const text of ['groggy', 'gr og', 'g r o g', 'progrog'])
      expect([text, has(text, 'grog')]).toEqual([text, false])
    for (const text of ['Scheisse', 'SCHEIẞE', 'scheiße']) expect(has(text, 'Scheiße')).toBe(true)
    expect(has('Scheiße', 'scheisse')).toBe(true)
    // An accent of an entry counts: these are different words.
    expect(has('schon', 'schön')).toBe(false)
    expect(has('scho\u0308\u0308n', 'schön')).toBe(true)
    for (const text of ['这是禁止的', '禁\u200b止', '禁**止**'])
      expect([text, has(text, '禁止')]).toEqual([text, true])
    expect(has('禁煙は止める', '禁止')).toBe(false)
    expect(has('นี่คือคำหยาบนะ', 'คำหยาบ')).toBe(true)
    expect(has('snake_case', 'case')).toBe(true)
  })

  it('are found in a text that grows, whatever is between its pieces', () => {
    const words = blockedWordsOf(['grog'])
    for (const between of ['\u200b', '**', '\u200b'.repeat(1000), '`'.repeat(500)]) {
      const before = `${'x '.repeat(200)}gr${between}`
      expect(growsBlockedWord(words, `${before}og`, before.length)).toBe(false)
      expect(growsBlockedWord(words, `${before}og `, before.length)).toBe(true)
    }
  })

  it('are compared as words, in time that grows with the text alone', () => {
    const words = blockedWordsOf(Array.from({ length: 200 }, (_, index) => `rat nest ${index}`))
    expect(hasBlockedWord(words, 'a RAT-nest, 7')).toBe(true)
    expect(hasBlockedWord(words, 'a rat nest')).toBe(false)
    expect(blockedWordsOf([])).toBe(undefined)
    const text = `${'rat nest '.repeat(1000)}`
    expect(workOf(() => expect(hasBlockedWord(words, text)).toBe(false))).toBeLessThan(500)
    const grown = `${text}rat nest 1`
    expect(growsBlockedWord(words, grown, text.length)).toBe(false)
    expect(growsBlockedWord(words, `${grown} `, grown.length)).toBe(true)
  })
})

describe('a report', () => {
  const report = (who: TestPerson, messageId: string, reason = 'Rude') =>
    chatOf(who).post(`messages/${messageId}/report`, { reason })
  type List = { reports: Report[]; total: number; nextCursor?: string }
  const list = async (query = ''): Promise<List> =>
    Object((await cast.ada.get(`${organization()}/reports${query}`)).body)
  const open = (id: string) => cast.ada.post(`${organization()}/reports/${id}/content`, undefined)
  const decide = (id: string, outcome: string) =>
    cast.ada.post(`${organization()}/reports/${id}/decision`, { outcome })
  const actions = async (limit: number) =>
    Object((await cast.ada.get(`${organization()}/audit?limit=${limit}`)).body).entries.map(
      ({ action }: { action: string }) => action,
    )

  it('reaches admins alone, with its reporter and reason, and shows the message only when it is opened', async () => {
    const { ada, ben, topicId } = cast
    for (const text of ['One', 'Two', 'Three']) await say(text)
    const id = await say('You are a fool')
    await say('Five', ben)
    expect((await report(ben, id)).status).toBe(204)
    expect((await report(ben, id, 'An insult')).status).toBe(204)
    const { reports, total } = await list()
    expect(total).toBe(1)
    const [made] = reports
    expect(made).toMatchObject({
      messageId: id,
      topic: { id: topicId, name: 'Releases' },
      sender: { id: ada.profileId },
      reporter: { id: ben.profileId },
      reason: 'An insult',
    })
    expect(JSON.stringify(made)).not.toContain('fool')
    expect((await ben.get(`${organization()}/reports`)).status).toBe(403)
    await chatOf(ada).patch(`messages/${id}`, { text: 'You are wise' })
    const opened = await open(made?.id ?? '')
    expect(opened.body).toMatchObject({
      reportedText: 'You are a fool',
      message: { id, text: 'You are wise' },
    })
    expect(opened.text, 'nothing around it').not.toMatch(/Two|Three|Five/)
    expect(await actions(2)).toEqual(['report.read', 'report.made'])
    expect((await decide(made?.id ?? '', 'dismissed')).status).toBe(200)
    expect(refusal(await decide(made?.id ?? '', 'deleted'))).toMatchObject({
      status: 409,
      body: textOf('report_decided'),
    })
    expect((await list()).total).toBe(0)
    const [decided] = (await list('?state=decided')).reports
    expect(decided).toMatchObject({ outcome: 'dismissed', decidedBy: { id: ada.profileId } })
  })

  it('of several people is decided once, and deletes the message where an admin says so, in a direct message too', async () => {
    const { ada, ben, cy } = cast
    const direct = Object((await chatOf(ben).post('direct-messages', { memberIds: [cy.profileId] })).body).id
    const id = await say('Between us', ben, direct)
    expect((await chatOf(ada).get(`messages/${id}`)).status).toBe(404)
    expect(refusal(await report(ada, id))).toMatchObject({ status: 404, body: 'Message not found' })
    expect((await report(cy, id)).status).toBe(204)
    const [made] = (await list()).reports
    expect(made?.topic.name).toBe('')
    const stream = await cast.stream(cy)
    const decided = await decide(made?.id ?? '', 'deleted')
    expect(Object(decided.body)).toMatchObject({ outcome: 'deleted' })
    await stream.next(({ event, data }) => event === 'message.deleted' && Object(data).messageId === id)
    expect((await chatOf(cy).get(`messages/${id}`)).status).toBe(404)
    expect(Object((await open(made?.id ?? '')).body)).toMatchObject({
      reportedText: 'Between us',
    })
    expect((await actions(2))[1]).toBe('report.message_deleted')
  })

  it("is none of what is one's own, said by Parley, elsewhere or too much", async () => {
    const { ada, ben, bot, topicId, orgId } = cast
    expect(refusal(await report(ada, await say('Mine')))).toMatchObject({
      status: 400,
      body: textOf('message_not_reportable'),
    })
    await bot.post('/v2/tasks', { topicId, title: 'Sweep the deck' })
    const [told] = await server.parley.db.query<{ id: string }>(sql`
      select id from messages where org_id = ${orgId} and is_system order by id desc limit 1`)
    expect(refusal(await report(ben, told?.id ?? ''))).toMatchObject({
      status: 400,
      body: textOf('message_not_reportable'),
    })
    expect((await report(ben, await say('Rude'), ' ')).status).toBe(400)
    const dora = await signInAs(server, { orgId, role: 'member', name: 'Dora', email: 'dora@example.test' })
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [dora.profileId] })
    for (let count = 0; count < LIMITS.reportsPerHour; count++)
      expect((await report(dora, await say(`Rude ${count}`))).status).toBe(204)
    const last = await say('One too many')
    expect(refusal(await report(dora, last))).toMatchObject({ status: 429, body: textOf('reports_limited') })
    server.clock.ahead += 3_600_000
    expect((await report(dora, last)).status).toBe(204)
    const page = await list('?limit=5')
    expect(page).toMatchObject({ total: LIMITS.reportsPerHour + 1 })
    expect((await list(`?limit=5&cursor=${page.nextCursor}`)).reports).toHaveLength(5)
  })
})
