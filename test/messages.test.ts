import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../server/actions/members/members.ts'
import type { TextMessage } from '../server/actions/messages/message-drafts.ts'
import { type NewMessage, postMessage } from '../server/actions/messages/messages.ts'
import { createTopic, type NewTopic } from '../server/actions/topics/topics.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { during } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const UNKNOWN = '5e7c0a52-93a4-4c7e-8f43-0d7a9b1c2d3e'
const BALLOON = '🎈'

let server: TestParley
let lighthouse: string
let harbor: string
let deploy: StaticTestBot
let calendar: StaticTestBot
let outsider: StaticTestBot
let stranger: StaticTestBot
let ada: string
let grace: string
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  lighthouse = await organization(server, 'Lighthouse Labs')
  harbor = await organization(server, 'Harbor Works')
  deploy = await staticBot(server, lighthouse, 'Deploy bot')
  calendar = await staticBot(server, lighthouse, 'Calendar bot')
  outsider = await staticBot(server, lighthouse, 'Outsider')
  stranger = await staticBot(server, harbor, 'Harbor bot')
  ada = await person(server, lighthouse, 'Ada Okafor')
  grace = await person(server, lighthouse, 'Grace Lindqvist')
  topicId = await topic()
})
afterAll(() => server.close())

async function topic(fields: Partial<NewTopic> = {}): Promise<string> {
  const wanted = { createdBy: deploy.id, name: 'Releases', members: [calendar.id, ada], ...fields }
  return (await server.parley.db.write(lighthouse, (tx) => createTopic(tx, wanted))).id
}
/** Says something without asking the endpoint: as a person, or to set the scene. */
async function says(profileId: string, message: Partial<TextMessage> = {}): Promise<string> {
  const caller = { orgId: lighthouse, profileId }
  const sent = await server.parley.messages.sendNow(caller, { topicId, text: 'Hello', ...message })
  return sent.id
}
async function post(message: Partial<NewMessage>): Promise<string> {
  const wanted = { topicId, senderId: deploy.id, type: 'text' as const, ...message }
  return (await server.parley.db.write(lighthouse, (tx) => postMessage(tx, wanted))).id
}
const read = async (messageId: string, bot = deploy) =>
  Object((await bot.get(`/v2/messages/${messageId}`)).body)
const countMessages = async () => {
  const [row] = await server.parley.db.query<{ count: number }>(sql`select count(*) from messages`)
  return row?.count
}
const bots = () => [deploy.id, calendar.id].sort()
const anyTime = expect.any(Number)

/** Texts that some part on the way might change. */
const DELICATE_TEXTS = [
  'caf\u00e9 in one code point',
  'cafe\u0301 in two',
  'lines\r\nof\nall\rkinds\u2028',
  '   spaces and\ttabs   ',
  'right \u202eto left\u202c שלום עולם',
  '👩🏽‍🚀🇳🇬❤️❤',
  '"quotes" \\ back / slash <b>&amp;</b>',
  '\u0001 controls \u001f \u007f',
  'Z\u0324\u0348\u0353a\u0300l\u0301go',
  '\ufeffmarked\u200b',
]

describe('sending a message', () => {
  it('answers 201, and the message can be read', async () => {
    const sent = await deploy.post('/v2/messages', { topicId, text: 'The release is out.' })
    expect(sent.status).toBe(201)
    expect(sent.body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), topicId, createdAt: anyTime })
    const { id, createdAt } = Object(sent.body)
    const answer = await calendar.get(`/v2/messages/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id,
      topicId,
      senderId: deploy.id,
      senderName: 'Deploy bot',
      senderType: 'bot',
      type: 'text',
      text: 'The release is out.',
      createdAt,
      updatedAt: createdAt,
      isEdited: false,
      isSystem: false,
      truncated: false,
      attachments: [],
      mentions: [],
      mentionDetails: [],
      reactions: [],
      replyCount: 0,
      messageId: id,
      channelId: topicId,
    })
    expect((await calendar.get(`/v2/messages/${id.toUpperCase()}`)).body).toEqual(answer.body)
  })

  it('tells every bot of the topic, the sending one included, and no other', async () => {
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/messages', {
        topicId: topicId.toUpperCase(),
        text: 'The release is out.',
        externalId: 'r1',
      }),
    )
    const { id, createdAt } = Object(result.body)
    expect(events).toEqual([
      {
        type: 'message.created',
        to: bots(),
        data: {
          message: {
            id,
            topicId,
            senderId: deploy.id,
            senderName: 'Deploy bot',
            senderType: 'bot',
            type: 'text',
            text: 'The release is out.',
            createdAt,
            updatedAt: createdAt,
            isEdited: false,
            isSystem: false,
            truncated: false,
            externalId: 'r1',
            attachments: [],
            mentions: [],
            mentionedProfiles: [],
            reactions: [],
          },
          truncated: false,
        },
      },
    ])
  })

  it('shows who a person is', async () => {
    const { result: id, events } = await during(server, lighthouse, () => says(ada))
    const sender = { senderId: ada, senderName: 'Ada Okafor', senderType: 'user' }
    expect(events).toMatchObject([{ to: bots(), data: { message: sender } }])
    expect(await read(id)).toMatchObject(sender)
  })

  it.each(DELICATE_TEXTS)('keeps the text exactly as sent (%#)', async (text) => {
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/messages', { topicId, text }),
    )
    const { id } = Object(result.body)
    expect((await read(id)).text).toBe(text)
    expect(events).toMatchObject([{ data: { message: { text } } }])
    const edited = await deploy.patch(`/v2/messages/${id}`, { text: `${text}${text}` })
    expect(edited.status).toBe(200)
    expect((await read(id)).text).toBe(`${text}${text}`)
  })

  it('counts lengths in code points: 10000 of text and 61 of external id are accepted', async () => {
    const [text, externalId] = [BALLOON.repeat(10_000), BALLOON.repeat(61)]
    const { status, body } = await deploy.post('/v2/messages', { topicId, text, externalId })
    expect(status).toBe(201)
    expect(await read(Object(body).id)).toMatchObject({ text, externalId, truncated: false })
  })

  it.each([
    ['text is required', { text: undefined }],
    ['text is required', { text: '' }],
    ['text must be a string', { text: null }],
    ['text must be a string', { text: 5 }],
    ['text too long', { text: 'a'.repeat(10_001) }],
    ['text too long', { text: BALLOON.repeat(10_001) }],
    ['text must not contain NUL or lone surrogates', { text: 'NUL \u0000' }],
    ['text must not contain NUL or lone surrogates', { text: 'half \ud83c of it' }],
    ['topicId is required', { topicId: undefined }],
    ['Invalid topicId', { topicId: 'releases' }],
    ['externalId too long', { externalId: BALLOON.repeat(62) }],
    ['Invalid externalId', { externalId: '' }],
    ['externalId must be a string', { externalId: 5 }],
    ['Invalid parentId', { parentId: 'above' }],
    ['parentId must be a string', { parentId: null }],
  ])('refuses with "%s" (%#)', async (text, fields) => {
    const before = await countMessages()
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/messages', { topicId, text: 'Hello', ...fields }),
    )
    expect([result.status, result.body]).toEqual([400, text])
    expect(events).toEqual([])
    expect(await countMessages()).toBe(before)
  })

  it('ignores fields that it does not know, whatever they mean elsewhere', async () => {
    const { body } = await deploy.post('/v2/messages', {
      topicId,
      text: 'Hello',
      isSystem: true,
      type: 'poll',
      senderId: ada,
      mentions: [ada],
      details: { call: { id: 'forged' } },
    })
    expect(await read(Object(body).id)).toMatchObject({
      type: 'text',
      isSystem: false,
      senderId: deploy.id,
      mentions: [],
    })
    expect(await read(Object(body).id)).not.toHaveProperty('call')
  })

  it('takes the same external id again: it is the sender’s own affair', async () => {
    for (let n = 0; n < 2; n++) {
      expect(
        (await deploy.post('/v2/messages', { topicId, text: 'Hello', externalId: 'twice' })).status,
      ).toBe(201)
    }
  })
})

describe('replies', () => {
  it('carry their parent, in reads and in the event, and are counted there', async () => {
    const parentId = await says(ada)
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/messages', { topicId, text: 'Yes', parentId: parentId.toUpperCase() }),
    )
    expect(result.status).toBe(201)
    expect(events).toMatchObject([{ type: 'message.created', data: { message: { parentId } } }])
    expect(await read(Object(result.body).id)).toMatchObject({ parentId, replyCount: 0 })
    await says(ada, { parentId })
    expect(await read(parentId)).toMatchObject({ replyCount: 2, isEdited: false })
    expect(await read(parentId)).not.toHaveProperty('parentId')
  })

  it('may be replied to', async () => {
    const parentId = await says(ada)
    const reply = await says(deploy.id, { parentId })
    const { status } = await calendar.post('/v2/messages', { topicId, text: 'Both', parentId: reply })
    expect(status).toBe(201)
    expect(await read(parentId)).toMatchObject({ replyCount: 1 })
    expect(await read(reply)).toMatchObject({ parentId, replyCount: 1 })
  })

  it.each([
    ['a message of another topic', async () => says(deploy.id, { topicId: await topic() })],
    ['a message of a topic that the bot is not in', () => outOfReach()],
    ['a message of another organization', () => abroad()],
    ['a message that never was', async () => UNKNOWN],
    ['a deleted message', () => deleted()],
  ])('refuse %s', async (_what, find) => {
    const parentId = await find()
    const before = await countMessages()
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/messages', { topicId, text: 'Hello', parentId }),
    )
    expect([result.status, result.body]).toEqual([400, 'Invalid parentId'])
    expect(events).toEqual([])
    expect(await countMessages()).toBe(before)
  })
})

async function outOfReach(): Promise<string> {
  const elsewhere = await topic({ createdBy: outsider.id, members: [ada] })
  return says(outsider.id, { topicId: elsewhere })
}
async function abroad(): Promise<string> {
  const { id } = await server.parley.db.write(harbor, (tx) =>
    createTopic(tx, { createdBy: stranger.id, name: 'Secret', members: [] }),
  )
  const caller = { orgId: harbor, profileId: stranger.id }
  return (await server.parley.messages.sendNow(caller, { topicId: id, text: 'Hello' })).id
}
async function deleted(): Promise<string> {
  const id = await says(deploy.id)
  await deploy.delete(`/v2/messages/${id}`)
  return id
}

describe('mentions', () => {
  it('are listed once each, in the order of the text, with names beside them', async () => {
    const text = `<@${calendar.id}> and <@${ada}>: ask <@${calendar.id}>, <@${deploy.id}>`
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/messages', { topicId, text }),
    )
    expect(result.status).toBe(201)
    const mentions = [calendar.id, ada, deploy.id]
    const mentionDetails = [
      { id: calendar.id, name: 'Calendar bot' },
      { id: ada, name: 'Ada Okafor' },
      { id: deploy.id, name: 'Deploy bot' },
    ]
    expect(await read(Object(result.body).id)).toMatchObject({ text, mentions, mentionDetails })
    expect(events).toMatchObject([
      { data: { message: { text, mentions: mentionDetails, mentionedProfiles: mentions } } },
    ])
  })

  it('may be written in capitals; the text stays as it is', async () => {
    const text = `<@${ada.toUpperCase()}> hello`
    const { body } = await deploy.post('/v2/messages', { topicId, text })
    expect(await read(Object(body).id)).toMatchObject({ text, mentions: [ada] })
  })

  it.each(['<@ada>', '<@>', '@Ada', `<@ ${UNKNOWN}>`, `<@${UNKNOWN}`, `<${UNKNOWN}>`])(
    'are no mentions when written as %s',
    async (text) => {
      const { status, body } = await deploy.post('/v2/messages', { topicId, text })
      expect(status).toBe(201)
      expect(await read(Object(body).id)).toMatchObject({ text, mentions: [], mentionDetails: [] })
    },
  )

  it('are refused for everybody who is not in the topic, when sending and when editing', async () => {
    const own = await says(deploy.id)
    const foreigner = await person(server, harbor, 'Hari Rao')
    for (const profileId of [grace, outsider.id, foreigner, stranger.id, UNKNOWN, `b@${UNKNOWN}`]) {
      const before = await countMessages()
      const text = `<@${ada}> meet <@${profileId}>`
      const { result, events } = await during(server, lighthouse, async () => [
        await deploy.post('/v2/messages', { topicId, text }),
        await deploy.patch(`/v2/messages/${own}`, { text }),
      ])
      for (const { status, body } of result) expect([status, body]).toEqual([400, 'Invalid mention'])
      expect(events).toEqual([])
      expect(await countMessages()).toBe(before)
    }
    expect(await read(own)).toMatchObject({ text: 'Hello', isEdited: false })
  })

  it('follow an edit', async () => {
    const own = await says(deploy.id, { text: `<@${ada}>` })
    const { events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/messages/${own}`, { text: `<@${calendar.id}>` }),
    )
    expect(await read(own)).toMatchObject({ mentions: [calendar.id] })
    expect(events).toMatchObject([
      {
        data: {
          message: {
            mentions: [{ id: calendar.id, name: 'Calendar bot' }],
            mentionedProfiles: [calendar.id],
          },
        },
      },
    ])
  })
})

describe('an announcement topic', () => {
  it('is written by bots and admins alone', async () => {
    const admin = await server.parley.db.write(lighthouse, (tx) =>
      addPerson(tx, { email: 'admin@example.com', role: 'admin', status: 'Active' }),
    )
    const announcements = await topic({ announcement: true, members: [ada, admin] })
    expect((await deploy.post('/v2/messages', { topicId: announcements, text: 'Hello' })).status).toBe(201)
    await says(admin, { topicId: announcements })
    const { events } = await during(server, lighthouse, () =>
      expect(says(ada, { topicId: announcements })).rejects.toMatchObject({
        status: 403,
        message: 'forbidden',
      }),
    )
    expect(events).toEqual([])
    const { body } = await deploy.get(`/v2/topics/${announcements}/messages`)
    expect(Object(body).messages).toHaveLength(2)
  })
})

describe('editing a message', () => {
  it('answers 200, marks it edited, and tells every bot what it was before', async () => {
    const parentId = await says(ada)
    const id = await says(deploy.id, { text: 'The release is our.', parentId, externalId: 'r2' })
    await calendar.post(`/v2/messages/${id}/reactions`, { reaction: '🎉' })
    const before = await read(id)
    server.clock.ahead += 1000
    const { result, events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/messages/${id.toUpperCase()}`, { text: 'The release is out.' }),
    )
    expect(result.status).toBe(200)
    expect(result.body).toEqual({ id, updatedAt: anyTime })
    const { updatedAt } = Object(result.body)
    expect(updatedAt).toBeGreaterThanOrEqual(before.createdAt + 1000)
    const after = { ...before, text: 'The release is out.', isEdited: true, updatedAt }
    expect(await read(id)).toEqual(after)

    const {
      mentionDetails: _details,
      replyCount: _replies,
      messageId: _id,
      channelId: _topic,
      ...message
    } = after
    expect(events).toEqual([
      {
        type: 'message.updated',
        to: bots(),
        data: {
          message: { ...message, mentionedProfiles: [], previousText: 'The release is our.' },
          truncated: false,
          updatedFields: ['text'],
          threadOnly: true, // for pages; bots get the event without it (threads.test.ts)
        },
      },
    ])
  })

  it('changes nothing and emits no event when the text is the same', async () => {
    const id = await says(deploy.id)
    const before = await read(id)
    server.clock.ahead += 1000
    const { result, events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/messages/${id}`, { text: 'Hello' }),
    )
    expect([result.status, result.body]).toEqual([200, { id, updatedAt: before.updatedAt }])
    expect(await read(id)).toEqual(before)
    expect(events).toEqual([])
  })

  it('takes 10000 code points', async () => {
    const id = await says(deploy.id)
    const text = BALLOON.repeat(10_000)
    expect((await deploy.patch(`/v2/messages/${id}`, { text })).status).toBe(200)
    expect((await read(id)).text).toBe(text)
  })

  it.each([
    ['text is required', {}],
    ['text is required', { text: '' }],
    ['text must be a string', { text: null }],
    ['text too long', { text: BALLOON.repeat(10_001) }],
    ['text must not contain NUL or lone surrogates', { text: '\udc00' }],
  ])('refuses with "%s" (%#)', async (text, fields) => {
    const id = await says(deploy.id)
    const { result, events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/messages/${id}`, fields),
    )
    expect([result.status, result.body]).toEqual([400, text])
    expect(events).toEqual([])
    expect(await read(id)).toMatchObject({ text: 'Hello', isEdited: false })
    const nowhere = await deploy.patch(`/v2/messages/${UNKNOWN}`, fields)
    expect([nowhere.status, nowhere.body]).toEqual([400, text])
  })

  it("refuses another's message, of a bot and of a person", async () => {
    for (const sender of [calendar.id, ada]) {
      const id = await says(sender)
      const { result, events } = await during(server, lighthouse, () =>
        deploy.patch(`/v2/messages/${id}`, { text: 'Mine now' }),
      )
      expect([result.status, result.body]).toEqual([403, 'forbidden'])
      expect(events).toEqual([])
      expect((await read(id)).text).toBe('Hello')
    }
  })

  it('is for text messages and captions only', async () => {
    for (const type of ['image', 'file', 'video', 'audio'] as const) {
      const id = await post({ type, text: 'A caption' })
      expect((await deploy.patch(`/v2/messages/${id}`, { text: 'A better caption' })).status).toBe(200)
    }
    const others = [
      await post({ type: 'poll' }),
      await post({ type: 'task', isSystem: true }),
      await post({ type: 'location' }),
      await post({ type: 'contact' }),
      await post({ type: 'call' }),
      await post({ type: 'text', text: 'Deploy bot joined', isSystem: true }),
    ]
    for (const id of others) {
      const { result, events } = await during(server, lighthouse, () =>
        deploy.patch(`/v2/messages/${id}`, { text: 'Other' }),
      )
      expect([result.status, result.body]).toEqual([400, 'message cannot be edited'])
      expect(events).toEqual([])
    }
  })
})

describe('deleting a message', () => {
  it('answers 204, tells every bot, and the message is gone from reads', async () => {
    const id = await says(deploy.id)
    await calendar.post(`/v2/messages/${id}/reactions`, { reaction: '🎉' })
    await calendar.post(`/v2/messages/${id}/read`)
    const { result, events } = await during(server, lighthouse, () =>
      deploy.delete(`/v2/messages/${id.toUpperCase()}`),
    )
    expect([result.status, result.text]).toEqual([204, ''])
    expect(events).toEqual([
      {
        type: 'message.deleted',
        to: bots(),
        data: {
          messageId: id,
          topicId,
          deletedAt: anyTime,
          deletedBy: deploy.id,
          message: { id, topicId, senderId: deploy.id },
        },
      },
    ])
    for (const bot of [deploy, calendar]) {
      const { status, body } = await bot.get(`/v2/messages/${id}`)
      expect([status, body]).toEqual([404, 'Message not found'])
    }
    const { body } = await deploy.get(`/v2/topics/${topicId}/messages?limit=100`)
    expect(Object(body).messages.map((message: { id: string }) => message.id)).not.toContain(id)
    const left = await server.parley.db.query(sql`
      select 1 from reactions where message_id = ${id} union all select 1 from message_marks where message_id = ${id}`)
    expect(left).toEqual([])
  })

  it('leaves replies where they are, and is no longer counted as one', async () => {
    const parentId = await says(deploy.id)
    const [first, second] = [await says(deploy.id, { parentId }), await says(ada, { parentId })]
    await deploy.delete(`/v2/messages/${first}`)
    expect(await read(parentId)).toMatchObject({ replyCount: 1 })
    await deploy.delete(`/v2/messages/${parentId}`)
    expect(await read(second)).toMatchObject({ parentId, text: 'Hello' })
    const { body } = await deploy.get(`/v2/topics/${topicId}/messages?threadId=${parentId}`)
    expect(body).toMatchObject({ messages: [{ id: second }], hasMore: false })
  })

  it('works once', async () => {
    const id = await says(deploy.id)
    expect((await deploy.delete(`/v2/messages/${id}`, {})).status).toBe(204)
    const { result, events } = await during(server, lighthouse, () => deploy.delete(`/v2/messages/${id}`))
    expect([result.status, result.body]).toEqual([404, 'Message not found'])
    expect(events).toEqual([])
  })

  it("refuses another's message, of a bot and of a person", async () => {
    for (const sender of [calendar.id, ada]) {
      const id = await says(sender)
      const { result, events } = await during(server, lighthouse, () => deploy.delete(`/v2/messages/${id}`))
      expect([result.status, result.body]).toEqual([403, 'forbidden'])
      expect(events).toEqual([])
      expect((await read(id)).text).toBe('Hello')
    }
  })
})

describe('marks', () => {
  const marksOf = (messageId: string) =>
    server.parley.db.query<{ profile_id: string; delivered_at: number; read_at: number | null }>(sql`
      select profile_id, delivered_at, read_at from message_marks where message_id = ${messageId} order by delivered_at`)

  it('say when a message was delivered; the first time stands, without an event', async () => {
    const id = await says(ada)
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post(`/v2/messages/${id.toUpperCase()}/delivered`),
    )
    expect(result.status).toBe(200)
    expect(result.body).toEqual({ messageId: id, deliveredAt: anyTime })
    server.clock.ahead += 1000
    const again = await deploy.post(`/v2/messages/${id}/delivered`, {})
    expect([again.status, again.body]).toEqual([200, result.body])
    expect(events).toEqual([])
  })

  it('say when a message was read; the first time stands, without an event', async () => {
    const id = await says(ada)
    const { body: delivered } = await deploy.post(`/v2/messages/${id}/delivered`)
    server.clock.ahead += 1000
    const { result, events } = await during(server, lighthouse, () => deploy.post(`/v2/messages/${id}/read`))
    expect(result.status).toBe(200)
    expect(result.body).toEqual({ messageId: id, readAt: anyTime })
    expect(Object(result.body).readAt).toBeGreaterThanOrEqual(Object(delivered).deliveredAt + 1000)
    server.clock.ahead += 1000
    expect((await deploy.post(`/v2/messages/${id}/read`, {})).body).toEqual(result.body)
    expect((await deploy.post(`/v2/messages/${id}/delivered`)).body).toEqual(delivered)
    expect(events).toEqual([])
  })

  it('count what is read as delivered', async () => {
    const id = await says(ada)
    const { readAt } = Object((await deploy.post(`/v2/messages/${id}/read`)).body)
    server.clock.ahead += 1000
    expect((await deploy.post(`/v2/messages/${id}/delivered`)).body).toEqual({
      messageId: id,
      deliveredAt: readAt,
    })
    expect(await marksOf(id)).toEqual([{ profile_id: deploy.id, delivered_at: readAt, read_at: readAt }])
  })

  it('belong to each bot by itself', async () => {
    const id = await says(ada)
    const { deliveredAt } = Object((await deploy.post(`/v2/messages/${id}/delivered`)).body)
    server.clock.ahead += 1000
    const { readAt } = Object((await calendar.post(`/v2/messages/${id}/read`)).body)
    expect(readAt).toBeGreaterThan(deliveredAt)
    expect(await marksOf(id)).toEqual([
      { profile_id: deploy.id, delivered_at: deliveredAt, read_at: null },
      { profile_id: calendar.id, delivered_at: readAt, read_at: readAt },
    ])
  })

  it('may be set by a bot that may only read, which may write nothing', async () => {
    const reader = await staticBot(server, lighthouse, 'Reader', { permission: 'read' })
    const own = await topic({ members: [reader.id] })
    const id = await says(deploy.id, { topicId: own })
    expect((await reader.post(`/v2/messages/${id}/delivered`)).status).toBe(200)
    expect((await reader.post(`/v2/messages/${id}/read`)).status).toBe(200)
    const refused = await reader.post('/v2/messages', { topicId: own, text: 'Hello' })
    expect([refused.status, refused.body]).toEqual([403, 'forbidden'])
  })

  it('leave the message itself as it was', async () => {
    const id = await says(ada)
    const before = await read(id)
    server.clock.ahead += 1000
    await deploy.post(`/v2/messages/${id}/read`)
    expect(await read(id)).toEqual(before)
  })
})

describe('a message that is foreign, out of reach, left behind, or not there at all', () => {
  it.each([
    ['read', (bot: StaticTestBot, id: string) => bot.get(`/v2/messages/${id}`)],
    ['edited', (bot: StaticTestBot, id: string) => bot.patch(`/v2/messages/${id}`, { text: 'Mine' })],
    ['deleted', (bot: StaticTestBot, id: string) => bot.delete(`/v2/messages/${id}`)],
    ['marked delivered', (bot: StaticTestBot, id: string) => bot.post(`/v2/messages/${id}/delivered`)],
    ['marked read', (bot: StaticTestBot, id: string) => bot.post(`/v2/messages/${id}/read`)],
  ])('cannot be %s, and looks the same', async (_what, attempt) => {
    const leftBehind = await topic()
    const own = await says(deploy.id, { topicId: leftBehind })
    await deploy.delete(`/v2/topics/${leftBehind}/members`, { memberIds: [deploy.id] })
    const ids = [await abroad(), await outOfReach(), own, await deleted(), UNKNOWN]
    const { result, events } = await during(server, lighthouse, async () => {
      const answers = []
      for (const id of ids) answers.push(await attempt(deploy, id))
      return answers
    })
    for (const { status, body, headers } of result) {
      expect([status, body]).toEqual([404, 'Message not found'])
      expect([...headers.keys()]).toEqual([...(result[0]?.headers.keys() ?? [])])
    }
    expect(events).toEqual([])
    expect(await read(own, calendar)).toMatchObject({ text: 'Hello', isEdited: false })
    const malformed = await attempt(deploy, 'latest')
    expect([malformed.status, malformed.body]).toEqual([400, 'Invalid messageId'])
  })
})
