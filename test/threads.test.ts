import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { startNotifying } from '../server/notify/start.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { openStream, type TestStream } from './support/stream.ts'
import { appeared, sendFiles } from './support/uploads.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let stranger: TestPerson
let bot: StaticTestBot
let topicId: string
let notifying: { stop(): Promise<void> }
const streams: TestStream[] = []

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  stranger = await signInAs(server, { orgId: await organization(server, 'Elsewhere'), name: 'Stranger' })
  bot = await staticBot(server, orgId)
  notifying = startNotifying(server.parley, { pollMs: 60 })
})
afterAll(async () => {
  for (const stream of streams) stream.close()
  await notifying?.stop()
  await server.close()
})
beforeEach(async () => {
  const members = [ada, ben, cy].map(({ profileId }) => profileId)
  topicId = Object((await bot.post('/v2/topics', { name: 'Topic', members })).body).id
})

type Reply = { parentId?: string; alsoInTopic?: boolean }
const say = async (who: TestPerson, text: string, reply: Reply = {}): Promise<string> => {
  const { status, body, text: answer } = await chatOf(who).post('messages', { topicId, text, ...reply })
  expect(status, answer).toBe(201)
  return Object(body).id
}
const mention = ({ profileId }: TestPerson) => `<@${profileId}>`

type Shown = { id: string; text: string; threadOnly?: true }
const historyOf = async (who: TestPerson, query = '') =>
  Object((await chatOf(who).get(`topics/${topicId}/history?limit=100${query}`)).body)
const shownTo = async (who: TestPerson, query = ''): Promise<string[]> =>
  (await historyOf(who, query)).messages.map(({ text }: Shown) => text)

const stateOf = async (who: TestPerson) => {
  const { topics } = Object((await chatOf(who).get('start')).body)
  return topics.find(({ id }: { id: string }) => id === topicId)
}
const threadsOf = async (who: TestPerson) => {
  const { threads } = Object((await chatOf(who).get('threads')).body)
  return threads
    .filter(({ parent }: { parent: { topicId: string } }) => parent.topicId === topicId)
    .map(({ parent, lastReply, unread, mentions }: Record<string, Shown & number>) => ({
      parent: parent?.id,
      lastReply: lastReply?.id,
      unread,
      mentions,
    }))
}
/** Events for a person from now on. */
async function pageOf(who: TestPerson): Promise<TestStream> {
  const stream = await openStream(who, orgId)
  streams.push(stream)
  await stream.next(({ event }) => event === 'reset')
  return stream
}
const thread = (who: TestPerson, parentId: string, change: object) =>
  chatOf(who).patch(`messages/${parentId}/thread`, change)

describe('a reply', () => {
  it('stays in its thread, unless its sender sends it to the topic too', async () => {
    const parent = await say(ada, 'Root')
    const reply = await say(ben, 'Aside', { parentId: parent })
    const loud = await say(cy, 'Aloud', { parentId: parent, alsoInTopic: true })
    expect(await shownTo(ada)).toEqual(['Root', 'Aloud'])
    expect(await shownTo(ada, `&threadId=${parent}`)).toEqual(['Aside', 'Aloud'])
    const { messages } = await historyOf(ada, `&threadId=${parent}`)
    expect(messages.map(({ id, threadOnly }: Shown) => [id, threadOnly])).toEqual([
      [reply, true],
      [loud, undefined],
    ])
    const { lastMessage, unread } = await stateOf(ada)
    expect([lastMessage.id, unread]).toEqual([loud, 1])
  })

  it('shows in the topic as one line: who replied last, how many there are, and when', async () => {
    const parent = await say(ada, 'Root')
    await say(ada, 'Quiet')
    for (const who of [ben, cy, ben, ada]) await say(who, 'Reply', { parentId: parent })
    await bot.post('/v2/messages', { topicId, text: 'Beep', parentId: parent })
    const { threads, messages } = await historyOf(cy)
    const [last] = await bot
      .get(`/v2/topics/${topicId}/messages?threadId=${parent}&limit=1`)
      .then(({ body }) => Object(body).messages)
    const line = {
      parentId: parent,
      lastReplyId: last.id,
      lastReplyAt: last.createdAt,
      replierIds: [bot.id, ada.profileId, ben.profileId],
    }
    expect(threads).toEqual([line])
    expect(messages[0].replyCount).toBe(5)
  })

  it('of any kind can do both: files, places, forwards, what is sent later and what a bot writes bit by bit', async () => {
    const parent = await say(ada, 'Root')
    const place = { topicId, parentId: parent }
    const jobs = startJobs(server)
    const file = await sendFiles(bot, { ...place, caption: 'file' }, 'x')
    const loudFile = await sendFiles(bot, { ...place, caption: 'loud file', alsoInTopic: true }, 'x')
    for (const id of [file, loudFile]) await appeared(bot, id)
    await jobs.stop()
    for (const alsoInTopic of [true, false]) {
      const name = alsoInTopic ? 'loud' : 'quiet'
      const both = { ...place, alsoInTopic }
      await chatOf(ada).post('locations', { ...both, latitude: 1, longitude: 1, name })
      await chatOf(ada).post('contacts', { ...both, name })
      await chatOf(ada).post('messages', { ...both, forwardMessageId: parent, text: `${name} forward` })
      const later = await chatOf(ada).post('messages', {
        ...both,
        text: `${name} later`,
        sendAt: Date.now() + 60_000,
      })
      await chatOf(ada).post(`scheduled-messages/${Object(later.body).id}/send`)
      const stream = Object((await bot.post('/v2/messages', { ...both, streaming: true })).body)
      await bot.post(`/v2/messages/${stream.id}/append`, { text: `${name} stream` })
      const { streaming } = Object((await chatOf(ada).get('start')).body)
      const begun = streaming.find(({ message }: { message: Shown }) => message.id === stream.id)
      expect(begun.message.threadOnly).toBe(alsoInTopic ? undefined : true)
      await bot.post(`/v2/messages/${stream.id}/finish`)
    }
    const { messages } = await historyOf(ben)
    const named = messages.map(
      (message: { text: string; location?: { name: string }; contact?: { name: string } }) =>
        message.location?.name ?? message.contact?.name ?? message.text,
    )
    expect(named).toEqual(['Root', 'loud file', 'loud', 'loud', 'loud forward', 'loud later', 'loud stream'])
  })

  it('is heard and read by bots as it always was', async () => {
    const { body } = await bot.get('/v2/updates?limit=1')
    const offset = Object(body).nextOffset
    const parent = await say(ada, 'Root')
    const reply = await say(ben, 'Aside', { parentId: parent })
    await chatOf(ben).patch(`messages/${reply}`, { text: 'An aside' })
    await chatOf(ben).delete(`messages/${reply}`)
    const { updates } = Object(
      (await bot.get(`/v2/updates?offset=${encodeURIComponent(offset)}&limit=100`)).body,
    )
    const heard = updates.filter(({ data }: { data: object }) => JSON.stringify(data).includes(reply))
    expect(heard.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
      'message.created',
      'message.updated',
      'message.deleted',
    ])
    expect(JSON.stringify(heard)).not.toContain('threadOnly')
    expect(Object.keys(heard[0].data)).toEqual(['message', 'truncated'])
    expect(Object.keys(heard[2].data)).toEqual(['messageId', 'topicId', 'deletedAt', 'deletedBy', 'message'])
    const kept = await say(ben, 'Still here', { parentId: parent })
    const read = Object((await bot.get(`/v2/topics/${topicId}/messages`)).body).messages
    expect(read.map(({ id }: Shown) => id)).toEqual([kept, parent])
    expect(JSON.stringify([read, (await bot.get(`/v2/messages/${kept}`)).body])).not.toContain('threadOnly')
  })

  it('is told to pages with its place', async () => {
    const page = await pageOf(ben)
    const parent = await say(ada, 'Root')
    const reply = await say(ada, 'Aside', { parentId: parent })
    const loud = await say(ada, 'Aloud', { parentId: parent, alsoInTopic: true })
    const about = (type: string, id: string) =>
      page.next(({ event, data }) => event === type && JSON.stringify(data).includes(id))
    expect((await about('message.created', reply)).data).toMatchObject({ threadOnly: true })
    expect((await about('message.created', loud)).data).not.toHaveProperty('threadOnly')
    await chatOf(ada).patch(`messages/${reply}`, { text: 'An aside' })
    expect((await about('message.updated', reply)).data).toMatchObject({ threadOnly: true })
    await chatOf(ada).delete(`messages/${reply}`)
    expect((await about('message.deleted', reply)).data).toMatchObject({
      threadOnly: { [reply]: parent },
    })
  })

  it('stands in the topic where the organization wants that', async () => {
    const settings = `/people/organizations/${orgId}`
    expect((await ben.patch(settings, { repliesInTopics: true })).status).toBe(403)
    expect((await ada.patch(settings, { repliesInTopics: true })).body).toMatchObject({
      repliesInTopics: true,
    })
    const parent = await say(ada, 'Root')
    await say(ben, 'Shown', { parentId: parent })
    expect(Object((await chatOf(ben).get('start')).body).organization.repliesInTopics).toBe(true)
    await ada.patch(settings, { repliesInTopics: false })
    await say(ben, 'Hidden', { parentId: parent })
    expect(await shownTo(ada)).toEqual(['Root', 'Shown'])
  })

  it('leads to its thread when the message that it replies to is deleted', async () => {
    const page = await pageOf(ben)
    const parent = await say(ada, 'Root')
    const first = await say(ben, `First, ${mention(cy)}`, { parentId: parent })
    await say(cy, 'Second', { parentId: parent })
    await chatOf(ada).delete(`messages/${parent}`)
    expect(await shownTo(cy)).toEqual([`First, ${mention(cy)}`])
    expect(await shownTo(cy, `&threadId=${parent}`)).toHaveLength(2)
    const { data } = await page.next(({ event }) => event === 'reply.shown')
    expect(data).toEqual({ topicId, messageId: first })
    expect((await stateOf(cy)).mentions).toBe(1)
  })

  it('is found by links and around itself in its thread, by those who may see it', async () => {
    const parent = await say(ada, 'Root')
    const reply = await say(ben, 'Aside', { parentId: parent })
    expect((await cy.get(`/people/locate?messageId=${reply}`)).body).toMatchObject({
      parentId: parent,
      threadOnly: true,
    })
    expect(await shownTo(cy, `&around=${reply}`)).toEqual(['Aside'])
    expect((await stranger.get(`/people/locate?messageId=${reply}`)).status).toBe(404)
  })
})

describe('a thread', () => {
  it('is followed by who began it, is mentioned in it, writes in it or asks to; the newest reply comes first', async () => {
    const first = await say(ada, 'First')
    const second = await say(ben, `Second, ${mention(cy)}`)
    const reply = await say(ben, 'To the first', { parentId: first })
    expect(await threadsOf(ada)).toEqual([{ parent: first, lastReply: reply, unread: 1, mentions: 0 }])
    expect(await threadsOf(cy)).toEqual([])
    const other = await say(ada, 'To the second', { parentId: second })
    expect(await threadsOf(ben)).toEqual([
      { parent: second, lastReply: other, unread: 1, mentions: 0 },
      { parent: first, lastReply: reply, unread: 0, mentions: 0 },
    ])
    // Mentioned in the first message, and answered.
    expect(await threadsOf(cy)).toEqual([{ parent: second, lastReply: other, unread: 1, mentions: 0 }])
    // Mentioned in a reply: it begins with that one.
    const called = await say(ben, mention(cy), { parentId: first })
    expect((await threadsOf(cy))[0]).toEqual({ parent: first, lastReply: called, unread: 1, mentions: 1 })
  })

  it('has a position of its own: reading the topic reads none of it', async () => {
    const parent = await say(ada, 'Root')
    const [one, two] = [
      await say(ben, `One, ${mention(ada)}`, { parentId: parent }),
      await say(cy, 'Two', { parentId: parent }),
    ]
    const above = await say(ben, 'In the topic')
    await chatOf(ada).patch(`topics/${topicId}/state`, { readTo: above })
    expect(await stateOf(ada)).toMatchObject({ unread: 0, mentions: 0 })
    expect(await threadsOf(ada)).toMatchObject([{ unread: 2, mentions: 1 }])
    expect((await thread(ada, parent, { readTo: one })).body).toMatchObject({
      readTo: one,
      unread: 1,
      mentions: 0,
    })
    expect((await thread(ada, parent, { readTo: two })).body).toMatchObject({ readTo: two, unread: 0 })
    expect((await thread(ada, parent, { readTo: one })).body).toMatchObject({ readTo: two, unread: 0 })
    expect((await thread(ada, parent, { unreadFrom: two })).body).toMatchObject({ readTo: one, unread: 1 })
    await say(ada, 'Mine', { parentId: parent })
    expect(await threadsOf(ada)).toMatchObject([{ unread: 0 }])
    const third = await say(cy, 'Three', { parentId: parent })
    const { threads } = Object((await chatOf(ada).get('start')).body)
    const known = threads.find(({ parentId }: { parentId: string }) => parentId === parent)
    expect(known).toMatchObject({ topicId, lastReplyId: third, unread: 1, unreadInTopic: 0, mentions: 0 })
    await chatOf(ada).post('read-all')
    expect(await threadsOf(ada)).toMatchObject([{ unread: 0 }])
  })

  it('counts a reply that the topic shows until it was read in either', async () => {
    const parent = await say(ada, 'Root')
    const reply = await say(ben, 'Both', { parentId: parent, alsoInTopic: true })
    expect(await threadsOf(ada)).toMatchObject([{ unread: 1 }])
    await chatOf(ada).patch(`topics/${topicId}/state`, { readTo: reply })
    expect(await threadsOf(ada)).toMatchObject([{ unread: 0 }])
  })

  it('is left and followed by its bell; who writes in it follows it again', async () => {
    const parent = await say(ada, 'Root')
    await say(ben, 'Reply', { parentId: parent })
    expect((await chatOf(cy).get(`messages/${parent}/thread`)).body).toMatchObject({
      following: false,
      readTo: null,
    })
    expect((await thread(cy, parent, { following: true })).body).toMatchObject({ following: true, unread: 0 })
    await say(ben, 'Another', { parentId: parent })
    expect(await threadsOf(cy)).toMatchObject([{ parent, unread: 1 }])
    expect((await chatOf(cy).get(`messages/${parent}/thread`)).body).toMatchObject({
      following: true,
      unread: 1,
    })
    expect((await thread(ada, parent, { following: false })).body).toMatchObject({ following: false })
    await say(ben, `Still, ${mention(ada)}?`, { parentId: parent })
    expect(await threadsOf(ada)).toEqual([])
    await say(ada, 'Yes', { parentId: parent })
    expect(await threadsOf(ada)).toMatchObject([{ parent, unread: 0 }])
  })

  it('refuses strangers, unknown replies and two positions at once', async () => {
    const [parent, other] = [await say(ada, 'Root'), await say(ada, 'Other')]
    const reply = await say(ben, 'Reply', { parentId: other })
    const missing = { status: 404, body: 'Message not found', code: 'message_not_found' }
    expect(refusal(await thread(stranger, parent, { following: true })).status).toBe(404)
    expect(refusal(await thread(ada, parent, { unreadFrom: reply }))).toEqual(missing)
    expect(refusal(await thread(ada, other, { readTo: reply, unreadFrom: reply })).status).toBe(400)
    await chatOf(cy).post(`topics/${topicId}/leave`)
    expect(refusal(await thread(cy, parent, { following: true }))).toEqual(missing)
    expect(refusal(await chatOf(cy).get(`messages/${parent}/thread`))).toEqual(missing)
    await chatOf(ada).delete(`messages/${parent}`)
    expect(refusal(await thread(ada, parent, { following: true }))).toEqual(missing)
  })

  it('tells its followers of replies, also where their page does not know it, and nobody else', async () => {
    const parent = await say(ada, 'Root')
    const [adasPage, cysPage] = [await pageOf(ada), await pageOf(cy)]
    await eventuallyHolds(async () => expect(server.parley.presence.online(orgId)).toContain(cy.profileId))
    const reply = await say(ben, 'Hello', { parentId: parent })
    const told = await adasPage.next(
      ({ event, data }) => event === 'state' && Object(data).thread?.parentId === parent,
    )
    expect(Object(told.data).thread).toMatchObject({
      lastReplyId: reply,
      unread: 1,
      following: true,
      isTold: true,
    })
    // Notifications of an earlier test may still come.
    const isHere = ({ event, data }: { event: string; data: unknown }) =>
      event === 'notification' && Object(data).topicId === topicId
    const notice = await adasPage.next(isHere)
    expect(notice.data).toMatchObject({ messageId: reply, topicId })
    const marker = await say(ben, mention(cy))
    const first = await cysPage.next(isHere)
    expect(first.data).toMatchObject({ messageId: marker })
  })

  it('says who has read a reply by the positions in the thread', async () => {
    const parent = await say(ada, 'Root')
    const reply = await say(ada, 'Reply', { parentId: parent })
    const above = await say(ada, 'In the topic')
    await chatOf(ben).patch(`topics/${topicId}/state`, { readTo: above })
    const readBy = async () => Object((await chatOf(ada).get(`messages/${reply}/receipts`)).body).readBy
    expect(await readBy()).toEqual([])
    await thread(ben, parent, { following: true, readTo: reply })
    expect(await readBy()).toEqual([ben.profileId])
  })

  it('keeps one row for each follower, however many replies there are', async () => {
    const parent = await say(ada, 'Root')
    for (let count = 0; count < 5; count++) await say(ben, `${count} ${mention(cy)}`, { parentId: parent })
    const rows = await server.parley.db.query<{ profileId: string }>(sql`
      select profile_id as "profileId" from thread_follows where org_id = ${orgId} and parent_id = ${parent}`)
    expect(rows.map(({ profileId }) => profileId).sort()).toEqual(
      [ada, ben, cy].map((who) => who.profileId).sort(),
    )
  })
})
