import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../contract/message.ts'
import { textOf } from '../contract/refusals/index.ts'
import { postMessage } from '../server/actions/messages/messages.ts'
import { indexEverything } from '../server/search/indexer.ts'
import { oauthBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import type { TestPerson } from './support/people.ts'
import { PNG } from './support/samples.ts'
import { silence } from './support/wav.ts'

let server: TestParley
let jobs: { stop(): Promise<void> }
let cast: ChatCast
/** A topic of Ada and Cy, without Ben and the bot. */
let elsewhere: string

beforeAll(async () => {
  server = await startTestParley()
  jobs = startJobs(server)
  cast = await chatCast(server)
  const topic = { name: 'Board', members: [cast.cy.profileId] }
  elsewhere = Object((await chatOf(cast.ada).post('topics', topic)).body).id
})
afterAll(async () => {
  cast.close()
  await jobs.stop()
  await server.close()
})

const say = async (who: TestPerson, topicId: string, text: string): Promise<string> =>
  Object((await chatOf(who).post('messages', { topicId, text })).body).id
const forward = (who: TestPerson, forwardMessageId: string, topicId: string, more: object = {}) =>
  chatOf(who).post('messages', { topicId, forwardMessageId, ...more })
const forwarded = async (
  who: TestPerson,
  id: string,
  topicId: string,
  more: object = {},
): Promise<string> => {
  const answer = await forward(who, id, topicId, more)
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body).id
}
const read = async (who: TestPerson, id: string): Promise<Message> =>
  Object((await chatOf(who).get(`messages/${id}`)).body)
async function upload(content: Buffer, name: string): Promise<string> {
  const made = form({ topicId: elsewhere, caption: 'Look' }, [{ content, name }])
  const headers = { 'content-type': made.contentType }
  const { id } = Object((await chatOf(cast.ada).post('messages', made.body, { headers })).body)
  await eventually(async () => (await chatOf(cast.ada).get(`messages/${id}`)).status).toBe(200)
  return id
}

describe('a forward', () => {
  it('shows text, sender and time, with a comment, and no name of the topic', async () => {
    const heard = await cast.stream(cast.ben)
    const id = await say(cast.cy, elsewhere, `Well done, <@${cast.ada.profileId}>`)
    const there = await forwarded(cast.ada, id, cast.topicId, { text: `<@${cast.ben.profileId}> see` })
    const { createdAt } = await read(cast.ada, id)
    const told = {
      text: `<@${cast.ben.profileId}> see`,
      senderId: cast.ada.profileId,
      type: 'text',
      mentions: [cast.ben.profileId],
      forwarded: {
        messageId: id,
        topicId: elsewhere,
        senderId: cast.cy.profileId,
        senderName: 'Cy',
        senderType: 'user',
        type: 'text',
        text: 'Well done, @Ada',
        createdAt,
      },
    }
    expect(await read(cast.ben, there)).toMatchObject(told)
    const history = await chatOf(cast.ben).get(`topics/${cast.topicId}/history`)
    expect(Object(history.body).messages.at(-1)).toMatchObject(told)
    const { data } = await heard.next(({ event }) => event === 'message.created')
    expect(Object(data).message).toMatchObject({ id: there, forwarded: told.forwarded })
    const { body: updates } = await cast.bot.get('/v2/updates')
    expect(Object(updates).updates.at(-1).data.message).toMatchObject({ forwarded: told.forwarded })
    for (const seen of [history.text, JSON.stringify(data), JSON.stringify(updates)])
      expect(seen).not.toContain('Board')
    // Members of the original topic alone can follow the way back.
    expect(refusal(await chatOf(cast.ben).get(`messages/${id}`))).toMatchObject({ status: 404 })
  })

  it('stays as it was, keeps who said it first, and its comment can be edited', async () => {
    const id = await say(cast.cy, elsewhere, 'The first word')
    const once = await forwarded(cast.ada, id, cast.topicId)
    await chatOf(cast.cy).delete(`messages/${id}`)
    const twice = await forwarded(cast.ben, once, cast.topicId, { text: 'Again' })
    const { forwarded: passed, text } = await read(cast.ben, twice)
    expect([passed?.messageId, passed?.senderName, passed?.text, text]).toEqual([
      id,
      'Cy',
      'The first word',
      'Again',
    ])
    expect((await chatOf(cast.ben).patch(`messages/${twice}`, { text: 'And again' })).status).toBe(200)
    expect(await read(cast.ada, twice)).toMatchObject({ text: 'And again', forwarded: passed })
  })

  it('is found by the words that it passes on', async () => {
    const id = await say(cast.cy, elsewhere, 'Quicksilver')
    const there = await forwarded(cast.ada, id, cast.topicId)
    await indexEverything(server.parley.db)
    const { results } = Object((await chatOf(cast.ben).get('search?q=quicksilver')).body)
    expect(results.map(({ message }: { message: Message }) => message.id)).toEqual([there])
    expect(results[0].excerpts[0].parts).toContainEqual({ text: 'Quicksilver', hit: true })
  })

  it('takes places and contacts along, and leaves polls and tasks where they are', async () => {
    const chat = chatOf(cast.ada)
    const place = { topicId: elsewhere, latitude: 52.5, longitude: 13.4, name: 'Harbour' }
    const location = Object((await chat.post('locations', place)).body).id
    const contact = Object((await chat.post('contacts', { topicId: elsewhere, name: 'Dee' })).body).id
    const poll = { topicId: elsewhere, question: 'Tea?', options: ['Yes', 'No'], selectionType: 'single' }
    await chat.post('polls', poll)
    await chat.post('tasks', { topicId: elsewhere, title: 'Paint' })
    const history = Object((await chat.get(`topics/${elsewhere}/history`)).body).messages as Message[]
    const idOf = (type: string) => history.find((message) => message.type === type)?.id ?? ''
    const shown = async (id: string) => read(cast.ben, await forwarded(cast.ada, id, cast.topicId))
    expect(await shown(location)).toMatchObject({ type: 'location', location: { name: 'Harbour' } })
    expect(await shown(contact)).toMatchObject({ type: 'contact', contact: { name: 'Dee' } })
    const asked = await shown(idOf('poll'))
    expect(asked).toMatchObject({ type: 'text', text: '', forwarded: { type: 'poll', text: 'Tea?' } })
    expect(asked.poll).toBeUndefined()
    expect(await shown(idOf('task'))).toMatchObject({
      type: 'text',
      isSystem: false,
      forwarded: { type: 'task', text: 'Paint' },
    })
  })

  it('refers to files, which stay for as long as one message has them', async () => {
    const id = await upload(PNG, 'logo.png')
    const there = await forwarded(cast.ada, id, cast.topicId)
    const [file] = (await read(cast.ben, there)).attachmentDetails ?? []
    expect(file).toMatchObject({ id: (await read(cast.ada, id)).attachments[0], name: 'logo.png' })
    expect((await read(cast.ben, there)).forwarded?.text).toBe('Look')
    const statusOf = async () => {
      await server.parley.files.sweep()
      return (await fetch(file?.url ?? '')).status
    }
    await chatOf(cast.ada).delete(`messages/${id}`)
    expect(await statusOf()).toBe(200)
    const next = await forwarded(cast.ben, there, cast.topicId)
    await chatOf(cast.ada).delete(`messages/${there}`)
    expect(await statusOf()).toBe(200)
    await chatOf(cast.ben).delete(`messages/${next}`)
    expect(await statusOf()).toBe(404)
  })

  it('of a voice message gets its text too, however early it was forwarded', async () => {
    await jobs.stop()
    jobs = startJobs(server)
    const id = await upload(silence(2), 'voice.wav')
    const there = await forwarded(cast.ada, id, cast.topicId)
    const stateOf = async () => (await read(cast.ben, there)).attachmentDetails?.[0]?.transcription?.status
    await eventually(stateOf).toBe('Failed') // there is no engine
  })

  it('goes out once for a key', async () => {
    const id = await say(cast.cy, elsewhere, 'Once')
    const body = { topicId: cast.topicId, forwardMessageId: id }
    const first = await chatOf(cast.ada).post('messages', body, withKey('forward-1'))
    const again = await chatOf(cast.ada).post('messages', body, withKey('forward-1'))
    expect(again.body).toEqual(first.body)
  })

  it('takes a token that may read what it passes on', async () => {
    const id = await say(cast.ada, cast.topicId, 'For readers')
    const answers = []
    for (const scopes of [['message:send'], ['message:send', 'message:read']] as const) {
      const bot = await oauthBot(server, cast.orgId, `Bot of ${scopes.length}`, scopes)
      await cast.bot.post(`/v2/topics/${cast.topicId}/members`, { memberIds: [bot.id] })
      answers.push(await bot.post('/v2/messages', { topicId: cast.topicId, forwardMessageId: id }))
    }
    expect(answers.map(({ status }) => status)).toEqual([403, 201])
    expect(answers[0]?.headers.get('www-authenticate')).toContain('scope="message:read"')
  })

  it('is refused where one may not read, not write, or not forward it', async () => {
    const id = await say(cast.cy, elsewhere, 'For few')
    const no = async (who: TestPerson, message: string, topicId: string, more?: object) => {
      const { status, body } = await forward(who, message, topicId, more)
      return [status, body]
    }
    expect(await no(cast.ben, id, cast.topicId)).toEqual([404, 'Message not found'])
    expect(await no(cast.cy, id, cast.topicId)).toEqual([404, 'Topic not found'])
    const own = await say(cast.ben, cast.topicId, 'Mine')
    expect(await no(cast.ben, own, elsewhere)).toEqual([404, 'Topic not found'])
    expect(await no(cast.ben, 'nothing', cast.topicId)).toEqual([400, 'Invalid forwardMessageId'])
    const later = { sendAt: server.parley.clock() + 60_000 }
    expect(await no(cast.ben, own, cast.topicId, later)).toEqual([400, textOf('forward_not_combinable')])
    expect(await no(cast.ben, own, cast.topicId, { text: `<@${cast.cy.profileId}>` })).toEqual([
      400,
      'Invalid mention',
    ])
    const { status, body } = await cast.bot.post('/v2/messages', {
      topicId: cast.topicId,
      forwardMessageId: id,
    })
    expect([status, body]).toEqual([404, 'Message not found'])
    const byBot = { topicId: cast.topicId, forwardMessageId: own }
    expect((await cast.bot.post('/v2/messages', byBot)).status).toBe(201)
    const ended = await server.parley.db.write(cast.orgId, (tx) =>
      postMessage(tx, { topicId: cast.topicId, senderId: cast.ben.profileId, type: 'call', isSystem: true }),
    )
    expect(await no(cast.ben, ended.id, cast.topicId)).toEqual([400, textOf('message_not_forwardable')])
  })
})
