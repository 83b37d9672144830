import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { setBot } from '../server/actions/bots/bots.ts'
import type { TextMessage } from '../server/actions/messages/message-drafts.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { createLabel } from '../server/actions/topics/labels.ts'
import { createTopic } from '../server/actions/topics/topics.ts'
import { Groups, type Perform, type Settled } from '../server/db/groups.ts'
import { sql } from '../server/db/sql.ts'
import type { Transaction } from '../server/db/transaction.ts'
import {
  at,
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
  type TestBot,
} from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { eventsIn, type LoggedEvent, lastSeq, logOf } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { sendBytes } from './support/wire.ts'

const UNKNOWN = '5e7c0a52-93a4-4c7e-8f43-0d7a9b1c2d3e'

let server: TestParley
/** Another node on the same database, which writes one thing at a time. */
let elsewhere: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot
let reporter: OAuthTestBot
let ada: string

beforeAll(async () => {
  server = await startTestParley({ groupLimit: 64 })
  elsewhere = await server.secondNode({ groupLimit: 1 })
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  reporter = await oauthBot(server, orgId, 'Reporter')
  ada = await person(server, orgId, 'Ada Okafor')
})
afterAll(() => server.close())

/** A topic with the deploy bot, the calendar bot and the others named. */
async function topic(...others: string[]): Promise<string> {
  const wanted = { createdBy: deploy.id, name: 'Releases', members: [calendar.id, ...others] }
  return (await server.parley.db.write(orgId, (tx) => createTopic(tx, wanted))).id
}

const send = (bot: TestBot, topicId: string, text = 'Hello', more: Partial<TextMessage> = {}) =>
  bot.post('/v2/messages', { topicId, text, ...more })
const times = <Result>(count: number, attempt: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => attempt(index)))
const outcome = ({ status, body }: Answer) => (status < 300 ? status : body)
const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })

async function sent(bot: TestBot, topicId: string, more: Partial<TextMessage> = {}): Promise<string> {
  const answer = await send(bot, topicId, 'Hello', more)
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body).id
}

/** The messages of a topic, the oldest first. */
async function messagesOf(topicId: string) {
  const { body } = await deploy.get(`/v2/topics/${topicId}/messages?order=asc&limit=100`)
  return Object(body).messages as { id: string; text: string; externalId?: string; mentions: string[] }[]
}
const textsOf = async (topicId: string) => (await messagesOf(topicId)).map(({ text }) => text)

/** The number of transactions that wrote the messages of these topics. */
async function transactionsOf(...topicIds: string[]): Promise<number> {
  const [row] = await server.parley.db.query<{ count: number }>(sql`
    select count(distinct xmin::text) from messages where org_id = ${orgId} and topic_id = any(${topicIds}::uuid[])`)
  return row?.count ?? 0
}

type MessageEvent = Extract<LoggedEvent, { type: 'message.created' }>
const isMessage = (event: LoggedEvent): event is MessageEvent => event.type === 'message.created'
const messageEvents = async (after: number) => (await eventsIn(server, orgId, after)).filter(isMessage)

/** The numbers have no gap and no repeat, and ids and times follow them, of events as of their messages. */
function expectInOrder(events: MessageEvent[], after: number): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => after + index + 1))
  for (const list of [events, events.map(({ data }) => data.message)]) {
    const ids = list.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
    const moments = list.map(({ createdAt }) => createdAt)
    expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  }
}

/** Sends by the calendar bot, without HTTP before it: the first goes alone, all others are one group. */
const sendTogether = (messages: TextMessage[]) =>
  Promise.allSettled(
    messages.map((message) => server.parley.messages.send({ orgId, profileId: calendar.id }, message)),
  )
const reasons = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.message))

/** Writes through one node at the same moment: the first goes alone, all others are one group. */
const writeTogether = (...works: ((tx: Transaction) => Promise<unknown>)[]) =>
  Promise.allSettled(works.map((work) => server.parley.db.write(orgId, work)))

async function transactionOf(tx: Transaction): Promise<string> {
  const [row] = await tx.query<{ id: string }>(sql`select pg_current_xact_id()::text as id`)
  return row?.id ?? ''
}

/** Holds the organization as its one writer does, in a transaction that the test ends. */
async function holdOrganization() {
  const client = await server.parley.db.pool.connect()
  onTestFinished(() => client.release())
  await client.query('begin')
  await client.query('select from organization_logs where org_id = $1 for update', [orgId])
  return client
}

/** The connection that waits for the organization, as soon as there is one besides these. A cluster's row is waited for on its own machine. */
async function waiting(...others: number[]): Promise<number> {
  const { db } = elsewhere.parley
  const activity = db.isSpread
    ? sql`(select a.*, a.global_pid as id from citus_stat_activity a) as a`
    : sql`(select a.*, a.pid as id from pg_stat_activity a) as a`
  let found: number | undefined
  const look = async () => {
    const rows = await db.query<{ id: number }>(sql`
      select id from ${activity}
      where datname = current_database() and wait_event_type = 'Lock' and id <> all(${others}::bigint[])`)
    found = rows[0]?.id
    return rows.length
  }
  await expect.poll(look, { interval: 10 }).toBe(1)
  return found ?? 0
}

/** Ends such a connection, on whatever machine it is. */
const terminate = (id: number) => {
  const { db } = elsewhere.parley
  return db.query(sql`select pg_terminate_backend(${id}::${db.isSpread ? sql`bigint` : sql`integer`})`)
}

describe('a hundred messages at once', () => {
  it('are all sent, each to the bots of its topic, in one order without a gap', async () => {
    const places = [
      { topicId: await topic(), bots: [deploy, calendar] },
      { topicId: await topic(reporter.id, ada), bots: [deploy, calendar, reporter] },
      { topicId: await topic(ada), bots: [deploy, calendar] },
    ]
    const before = await lastSeq(server, orgId)
    const requests = Array.from({ length: 100 }, (_, index) => {
      const place = places[index % places.length] ?? expect.fail()
      return {
        ...place,
        bot: place.bots[index % place.bots.length] ?? expect.fail(),
        text: `Number ${index}`,
      }
    })
    const answers = await Promise.all(requests.map(({ bot, topicId, text }) => send(bot, topicId, text)))
    expect(answers.map(outcome)).toEqual(answers.map(() => 201))

    const events = await messageEvents(before)
    expect(events).toHaveLength(100)
    expectInOrder(events, before)
    for (const [index, { topicId, bots, bot, text }] of requests.entries()) {
      const { id, createdAt } = Object(answers[index]?.body)
      const event = events.find(({ data }) => data.message.id === id)
      expect(event?.to).toEqual(bots.map((member) => member.id).sort())
      expect(event?.topicId).toBe(topicId)
      expect(event?.data.message).toMatchObject({ topicId, text, senderId: bot.id, createdAt })
    }
    for (const { topicId } of places) {
      const told = events.filter((event) => event.topicId === topicId)
      expect((await messagesOf(topicId)).map(({ id }) => id)).toEqual(told.map(({ data }) => data.message.id))
    }
    expect(await transactionsOf(...places.map(({ topicId }) => topicId))).toBeLessThan(100)
  })

  it('need three transactions when the first goes at once and 64 go together', async () => {
    const topicId = await topic()
    const texts = Array.from({ length: 100 }, (_, index) => `Number ${index}`)
    const results = await sendTogether(texts.map((text) => ({ topicId, text })))
    expect(reasons(results)).toEqual(texts.map(() => 'done'))
    expect(await textsOf(topicId)).toEqual(texts)
    expect(await transactionsOf(topicId)).toBe(3)
  })

  it('have a transaction each where the limit is one, and look the same', async () => {
    const topicId = await topic()
    const before = await lastSeq(server, orgId)
    const answers = await times(40, (n) => send(at(elsewhere.url, n % 2 ? deploy : calendar), topicId))
    expect(answers.map(outcome)).toEqual(answers.map(() => 201))
    const events = await messageEvents(before)
    expect(events).toHaveLength(40)
    expectInOrder(events, before)
    expect(await transactionsOf(topicId)).toBe(40)
  })

  it('of two nodes are all there, in one order', async () => {
    const topicId = await topic()
    const before = await lastSeq(server, orgId)
    const abroad = at(elsewhere.url, calendar)
    const answers = await times(100, (n) => send(n % 2 ? calendar : abroad, topicId, `Number ${n}`))
    expect(answers.map(outcome)).toEqual(answers.map(() => 201))
    const events = await messageEvents(before)
    expectInOrder(events, before)
    expect(events.map(({ data }) => data.message.id)).toEqual(
      answers.map(({ body }) => Object(body).id).sort(),
    )
  })
})

describe('what is sent together', () => {
  it('is the same, in the log and for readers, as what is sent by itself', async () => {
    const topicId = await topic(ada)
    const parentId = await sent(deploy, topicId)
    const before = await lastSeq(server, orgId)
    const body = {
      topicId: topicId.toUpperCase(),
      text: `Hello <@${ada}> and <@${deploy.id.toUpperCase()}>`,
      parentId: parentId.toUpperCase(),
      externalId: 'greeting-1',
    }
    const answers = [
      await calendar.post('/v2/messages', body),
      await calendar.post('/v2/messages', body, withKey('by itself')),
    ]
    const [together, single] = answers.map((answer) => Object(answer.body))
    const answer = { id: expect.any(String), topicId, createdAt: expect.any(Number) }
    expect([together, single]).toEqual([answer, answer])

    const own = { id: 'its own', createdAt: 0, updatedAt: 0 }
    const [one, two] = await messageEvents(before)
    if (!one || !two) throw new Error('there are two events')
    expect({ ...one.data, message: { ...one.data.message, ...own } }).toEqual({
      ...two.data,
      message: { ...two.data.message, ...own },
    })
    expect(one.to).toEqual(two.to)
    const [read, readSingle] = await Promise.all(
      [together.id, single.id].map(async (id) => (await deploy.get(`/v2/messages/${id}`)).body),
    )
    const ownRead = { ...own, messageId: own.id }
    expect({ ...Object(read), ...ownRead }).toEqual({ ...Object(readSingle), ...ownRead })
  })

  it('is kept as it was sent, whatever it holds', async () => {
    const topicId = await topic(ada)
    const odd = [
      'plain',
      'NULL',
      '{}',
      '{a,"b"}',
      `it's "quoted" \\ and \\"both\\"`,
      'line\nline\ttab\r\n',
      'separated \x1e \x1f \x01 by what separates',
      '\u2028 🎉 👩‍🚀 é e\u0301 \ufeff',
      ' ',
      `<@${ada}>,<@${deploy.id}>`,
      '$1 :: %s',
    ]
    const before = await lastSeq(server, orgId)
    const externalIds = odd.map((text) => text.slice(0, LIMITS.messageExternalId))
    const results = await sendTogether(
      odd.map((text, n) => ({ topicId, text, externalId: externalIds[n] ?? '' })),
    )
    expect(reasons(results)).toEqual(odd.map(() => 'done'))
    const messages = await messagesOf(topicId)
    expect(messages.map(({ text }) => text)).toEqual(odd)
    expect(messages.map(({ externalId }) => externalId)).toEqual(externalIds)
    expect(messages.map(({ mentions }) => mentions.length)).toEqual(
      odd.map((text) => (text.includes('<@') ? 2 : 0)),
    )
    const told = (await messageEvents(before)).map(({ data }) => data.message)
    expect(told.map(({ text }) => text)).toEqual(odd)
    expect(told.map(({ externalId }) => externalId)).toEqual(externalIds)
  })
})

describe('what is refused', () => {
  it('fails alone in the middle of a crowd', async () => {
    const [here, there, foreign] = [await topic(), await topic(), await topic(ada)]
    const parentId = await sent(deploy, there)
    const before = await lastSeq(server, orgId)
    const wrong = [
      { bot: deploy, fields: { topicId: UNKNOWN }, answer: [404, 'Topic not found'] },
      { bot: reporter, fields: { topicId: here }, answer: [404, 'Topic not found'] },
      { bot: deploy, fields: { text: `Dear <@${UNKNOWN}>` }, answer: [400, 'Invalid mention'] },
      { bot: deploy, fields: { text: `Dear <@${ada}>` }, answer: [400, 'Invalid mention'] },
      { bot: calendar, fields: { parentId: UNKNOWN }, answer: [400, 'Invalid parentId'] },
      { bot: calendar, fields: { parentId }, answer: [400, 'Invalid parentId'] },
    ]
    const right = { bot: calendar, fields: {}, answer: [201, undefined] }
    const requests = [...wrong, ...wrong].flatMap((item) => [right, item, right])
    const answers = await Promise.all(
      requests.map(({ bot, fields }) =>
        bot.post('/v2/messages', { topicId: here, text: 'Hello', ...fields }),
      ),
    )
    expect(answers.map(({ status, body }) => [status, status < 300 ? undefined : body])).toEqual(
      requests.map(({ answer }) => answer),
    )
    const events = await messageEvents(before)
    expect(events).toHaveLength(24)
    expectInOrder(events, before)
    expect(await textsOf(here)).toEqual(events.map(() => 'Hello'))
    expect(await textsOf(foreign)).toEqual([])
  })

  it('is answered when nothing else is there, and leaves no trace', async () => {
    const topicId = await topic()
    const before = await lastSeq(server, orgId)
    const answers = await times(20, (n) =>
      n % 2 ? send(reporter, topicId) : send(deploy, topicId, 'Hello', { parentId: UNKNOWN }),
    )
    expect(answers.map(outcome)).toEqual(
      answers.map((_, n) => (n % 2 ? 'Topic not found' : 'Invalid parentId')),
    )
    expect(await lastSeq(server, orgId)).toBe(before)
  })
})

describe('the order of arrival', () => {
  /** All requests in one piece on one connection, none waits for the answer to the one before. */
  async function pipeline(bodies: { body: object; key?: string }[]): Promise<string> {
    const requests = bodies.map(({ body, key }, index) => {
      const text = JSON.stringify(body)
      const head = [
        'POST /v2/messages HTTP/1.1',
        'Host: parley.test',
        `Authorization: Bearer ${calendar.credentials.token}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(text)}`,
        ...(key === undefined ? [] : [`Idempotency-Key: ${key}`]),
        ...(index === bodies.length - 1 ? ['Connection: close'] : []),
      ]
      return `${head.join('\r\n')}\r\n\r\n${text}`
    })
    return sendBytes(server.url, requests.join(''))
  }

  it('is the order in the topic', async () => {
    const topicId = await topic()
    await sent(calendar, topicId)
    const texts = Array.from({ length: 60 }, (_, index) => `Number ${index}`)
    const answers = await pipeline(texts.map((text) => ({ body: { topicId, text } })))
    expect(answers.match(/HTTP\/1\.1 201/g)).toHaveLength(60)
    const [, ...messages] = await messagesOf(topicId)
    expect(messages.map(({ text }) => text)).toEqual(texts)
    const ids = Array.from(answers.matchAll(/"id":"([^"]+)"/g), ([, id]) => id)
    expect(ids).toEqual(messages.map(({ id }) => id))
  })

  it('is the order in the topic also where some have an Idempotency-Key', async () => {
    const topicId = await topic()
    await sent(calendar, topicId)
    const texts = Array.from({ length: 20 }, (_, index) => `Number ${index}`)
    const answers = await pipeline(
      texts.map((text, n) => ({ body: { topicId, text }, ...(n % 4 === 2 && { key: `ordered ${n}` }) })),
    )
    expect(answers.match(/HTTP\/1\.1 201/g)).toHaveLength(20)
    expect((await textsOf(topicId)).slice(1)).toEqual(texts)
  })
})

describe('replies', () => {
  it('that come together are all counted, in either case of letters', async () => {
    const topicId = await topic()
    const parents = [await sent(deploy, topicId), await sent(deploy, topicId)]
    const before = await lastSeq(server, orgId)
    const answers = await times(40, (n) => {
      const parentId = parents[n % 4 === 0 ? 1 : 0] ?? ''
      return send(calendar, topicId, 'Reply', { parentId: n % 2 ? parentId.toUpperCase() : parentId })
    })
    expect(answers.map(outcome)).toEqual(answers.map(() => 201))
    const counts = await Promise.all(parents.map((id) => deploy.get(`/v2/messages/${id}`)))
    expect(counts.map(({ body }) => Object(body).replyCount)).toEqual([30, 10])
    const told = (await messageEvents(before)).map(({ data }) => data.message.parentId)
    expect(told.filter((id) => id === parents[0])).toHaveLength(30)
    expect(told.filter((id) => id === parents[1])).toHaveLength(10)
  })

  it('are refused as soon as another node has deleted what they reply to', async () => {
    const topicId = await topic()
    const parentId = await sent(deploy, topicId)
    await sent(calendar, topicId, { parentId })
    expect((await at(elsewhere.url, deploy).delete(`/v2/messages/${parentId}`)).status).toBe(204)
    const answers = await times(5, (n) => send(calendar, topicId, 'Reply', n === 2 ? {} : { parentId }))
    const gone = 'Invalid parentId'
    expect(answers.map(outcome)).toEqual([gone, gone, 201, gone, gone])
  })

  it('are taken as soon as another node has what they reply to', async () => {
    const topicId = await topic()
    await sent(calendar, topicId)
    const parentId = await sent(at(elsewhere.url, deploy), topicId)
    await sent(calendar, topicId, { parentId })
    expect((await deploy.get(`/v2/messages/${parentId}`)).body).toMatchObject({ replyCount: 1 })
  })
})

describe('what this node knows of a topic', () => {
  const members = (topicId: string) => `/v2/topics/${topicId}/members`
  const newest = async () => (await messageEvents((await lastSeq(server, orgId)) - 1))[0]

  it('is given up at once when another node removes a bot, and when it adds it again', async () => {
    const topicId = await topic()
    const abroad = at(elsewhere.url, deploy)
    await sent(calendar, topicId)
    await abroad.delete(members(topicId), { memberIds: [calendar.id] })
    expect(outcome(await send(calendar, topicId))).toBe('Topic not found')
    expect(outcome(await send(deploy, topicId))).toBe(201)
    expect((await newest())?.to).toEqual([deploy.id])
    await abroad.post(members(topicId), { memberIds: [calendar.id] })
    expect(outcome(await send(calendar, topicId))).toBe(201)
    expect((await newest())?.to).toEqual([deploy.id, calendar.id].sort())
  })

  it('is given up at once when its tables are changed by hand', async () => {
    const topicId = await topic()
    await sent(calendar, topicId)
    await elsewhere.parley.db.query(sql`
      delete from topic_members where org_id = ${orgId} and topic_id = ${topicId} and profile_id = ${calendar.id}`)
    expect(outcome(await send(calendar, topicId))).toBe('Topic not found')
  })

  it('is given up also by those who are just being written', async () => {
    const topicId = await topic()
    await sent(calendar, topicId)
    const writer = await holdOrganization()
    const sending = sendTogether([{ topicId, text: 'One' }])
    await waiting()
    await writer.query('delete from topic_members where topic_id = $1 and profile_id = $2', [
      topicId,
      calendar.id,
    ])
    await writer.query('commit')
    expect(reasons(await sending)).toEqual(['Topic not found'])
    expect(await textsOf(topicId)).toEqual(['Hello'])
  })

  it('has the new names of those who were renamed elsewhere', async () => {
    const someone = await person(server, orgId, 'Bea Lind')
    const topicId = await topic(someone)
    const greet = () => send(calendar, topicId, `Dear <@${someone}> and <@${deploy.id}>`)
    await greet()
    await elsewhere.parley.db.query(sql`
      update profiles set name = 'Bea Berg' where org_id = ${orgId} and id = ${someone}`)
    await elsewhere.parley.db.write(orgId, (tx) => setBot(tx, deploy.id, { name: 'Release bot' }))
    await elsewhere.parley.db.write(orgId, (tx) => setBot(tx, calendar.id, { name: 'Diary bot' }))
    await greet()
    expect((await newest())?.data.message).toMatchObject({
      senderName: 'Diary bot',
      mentions: [
        { id: someone, name: 'Bea Berg' },
        { id: deploy.id, name: 'Release bot' },
      ],
    })
  })

  it('has the people who were added elsewhere, who can be mentioned', async () => {
    const topicId = await topic()
    const greet = () => send(calendar, topicId, `Dear <@${ada}>`)
    expect(outcome(await greet())).toBe('Invalid mention')
    await at(elsewhere.url, deploy).post(members(topicId), { memberIds: [ada] })
    expect(outcome(await greet())).toBe(201)
    await at(elsewhere.url, deploy).delete(members(topicId), { memberIds: [ada] })
    expect(outcome(await greet())).toBe('Invalid mention')
  })

  it('knows the delivery mode of a bot that was changed elsewhere', async () => {
    const hooked = await staticBot(server, orgId, 'Hooked bot')
    const topicId = await topic(hooked.id)
    const change = (settings: Parameters<typeof setBot>[2]) =>
      elsewhere.parley.db.write(orgId, (tx) => setBot(tx, hooked.id, settings))
    const deliveriesOfNext = async () => {
      await sent(calendar, topicId)
      const event = await newest()
      return server.parley.db.query(sql`
        select bot_id as "botId", topic_id as "topicId", due_at as "dueAt" from deliveries
        where org_id = ${orgId} and seq = ${event?.seq}`)
    }
    expect(await deliveriesOfNext()).toEqual([])
    await change({ delivery: 'webhook', webhookUrl: 'https://hooks.example.com/parley' })
    expect(await deliveriesOfNext()).toEqual([
      { botId: hooked.id, topicId, dueAt: (await newest())?.createdAt },
    ])
    await change({ delivery: 'polling' })
    expect(await deliveriesOfNext()).toEqual([])
  })
})

describe('a group that cannot be written', () => {
  it('because its connections end is there as far as it was answered, and the next goes on where it was', async () => {
    const topicId = await topic()
    const before = await lastSeq(server, orgId)
    const writer = await holdOrganization()
    const texts = Array.from({ length: 5 }, (_, number) => `Message ${number}`)
    const sending = sendTogether(texts.map((text) => ({ topicId, text })))
    await terminate(await waiting())
    await writer.query('commit')
    const results = await sending
    expect(results.map(({ status }) => status)).toContain('rejected')
    const answered = texts.filter((_, number) => results[number]?.status === 'fulfilled')
    expect(await textsOf(topicId)).toEqual(answered)
    await sent(calendar, topicId)
    const events = await messageEvents(before)
    expect(events).toHaveLength(answered.length + 1)
    expectInOrder(events, before)
  })

  it('because memberships change faster than it can be planned is sent all the same', async () => {
    const topicId = await topic()
    const { pool } = server.parley.db
    // Memberships change after each read of them.
    let isChanging = true
    const changing = (async () => {
      while (isChanging) {
        await pool.query('update organization_logs set membership_version = membership_version + 1')
      }
    })()
    const before = await lastSeq(server, orgId)
    const results = await sendTogether([
      { topicId, text: 'One' },
      { topicId, text: 'Two' },
      { topicId: UNKNOWN, text: 'Nowhere' },
      { topicId, text: 'Three' },
      { topicId, text: 'To nobody', parentId: UNKNOWN },
      { topicId, text: 'Four' },
    ])
    isChanging = false
    await changing
    expect(reasons(results)).toEqual(['done', 'done', 'Topic not found', 'done', 'Invalid parentId', 'done'])
    expect((await textsOf(topicId)).toSorted()).toEqual(['Four', 'One', 'Three', 'Two'])
    expectInOrder(await messageEvents(before), before)
  })
})

describe('an organization that another writer holds', () => {
  it('does not keep the others waiting, and goes on where it was', async () => {
    const [held, free] = [await topic(), await organization(server)]
    const bot = await staticBot(server, free, 'Neighbour')
    const elsewhereTopic = await server.parley.db.write(free, (tx) =>
      createTopic(tx, { createdBy: bot.id, name: 'Next door', members: [] }),
    )
    const writer = await holdOrganization()
    const sending = sendTogether(['One', 'Two', 'Three'].map((text) => ({ topicId: held, text })))
    await waiting()
    const neighbours = await times(20, () => send(bot, elsewhereTopic.id))
    expect(neighbours.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await textsOf(held)).toEqual([])
    await writer.query('commit')
    expect(reasons(await sending)).toEqual(['done', 'done', 'done'])
    expect(await textsOf(held)).toEqual(['One', 'Two', 'Three'])
  })
})

describe('requests with an Idempotency-Key in a crowd', () => {
  it('are done once, and answer the same each time', async () => {
    const topicId = await topic()
    const options = (n: number) => (n % 4 === 0 ? withKey('crowd') : {})
    const answers = await times(32, (n) =>
      calendar.post('/v2/messages', { topicId, text: n % 4 ? 'Plain' : 'Once' }, options(n)),
    )
    expect(answers.map(outcome)).toEqual(answers.map(() => 201))
    const keyed = answers.filter((_, n) => n % 4 === 0)
    expect(new Set(keyed.map(({ text }) => text)).size).toBe(1)
    expect(keyed.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    const texts = await textsOf(topicId)
    expect(texts.filter((text) => text === 'Once')).toHaveLength(1)
    expect(texts.filter((text) => text === 'Plain')).toHaveLength(24)
  })

  it('keep their refusals, which undo no other write', async () => {
    const topicId = await topic()
    const wanted = (n: number) => ({ topicId: n % 3 ? topicId : UNKNOWN, text: `Number ${n}` })
    const ask = (n: number) => calendar.post('/v2/messages', wanted(n), withKey(`refused ${n}`))
    const answers = await times(12, ask)
    expect(answers.map(outcome)).toEqual(answers.map((_, n) => (n % 3 ? 201 : 'Topic not found')))
    const again = await times(12, ask)
    expect(again.map(({ text }) => text)).toEqual(answers.map(({ text }) => text))
    expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(Array(12).fill('true'))
    expect(await textsOf(topicId)).toHaveLength(8)
  })
})

describe('writers of all kinds at once', () => {
  it('each get the answer that they would get alone', async () => {
    const topicId = await topic(reporter.id)
    const bots = [deploy, calendar, reporter]
    const messageId = await sent(deploy, topicId)
    const poll = Object(
      (
        await deploy.post('/v2/polls', {
          topicId,
          question: 'When do we ship?',
          options: ['Today', 'Tomorrow'],
          selectionType: 'single',
        })
      ).body,
    )
    const optionId = poll.options[0].id
    const before = await lastSeq(server, orgId)
    const everybody = (attempt: (bot: TestBot) => Promise<Answer>) => Promise.all(bots.map(attempt))
    const [reactions, marks, votes, topics, messages, missing] = await Promise.all([
      everybody((bot) => bot.post(`/v2/messages/${messageId}/reactions`, { reaction: '🎉' })),
      everybody((bot) => bot.post(`/v2/messages/${messageId}/read`)),
      everybody((bot) => bot.post(`/v2/polls/${poll.id}/votes`, { optionId })),
      times(5, () => deploy.post('/v2/topics', { name: 'Incident', members: [], externalId: 'incident' })),
      everybody((bot) => send(bot, topicId)),
      everybody((bot) => bot.post(`/v2/messages/${UNKNOWN}/reactions`, { reaction: '🎉' })),
    ])
    expect(reactions.map(outcome)).toEqual([201, 201, 201])
    expect(marks.map(outcome)).toEqual([200, 200, 200])
    expect(votes.map(outcome)).toEqual([201, 201, 201])
    expect(messages.map(outcome)).toEqual([201, 201, 201])
    expect(missing.map(outcome)).toEqual(Array(3).fill('Message not found'))
    expect(topics.map(outcome).sort()).toEqual([201, ...Array(4).fill('externalId already exists')])
    expect((await deploy.get(`/v2/messages/${messageId}`)).body).toMatchObject({
      reactions: [{ emoji: '🎉', count: 3 }],
    })
    const events = await eventsIn(server, orgId, before)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => before + index + 1))
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(events.map(({ type }) => type).sort()).toEqual([
      ...Array(3).fill('message.created'),
      ...Array(3).fill('poll.updated'),
      ...Array(3).fill('poll_vote.created'),
      ...Array(3).fill('reaction.added'),
    ])
  })
})

describe('works that are written together', () => {
  let labels = 0
  /** Work that creates a label, and may fail afterwards. */
  function labelling(fail: (tx: Transaction) => Promise<unknown> = async () => {}) {
    const name = `Label ${++labels}`
    return {
      work: async (tx: Transaction) => {
        await createLabel(tx, name, OPERATOR)
        await fail(tx)
        return name
      },
      isThere: async () => {
        const rows = await server.parley.db.query(
          sql`select 1 from labels where org_id = ${orgId} and name = ${name}`,
        )
        return rows.length === 1
      },
    }
  }
  const isThere = (works: { isThere(): Promise<boolean> }[]) =>
    Promise.all(works.map((work) => work.isThere()))
  const failing = async () => {
    throw new Error('on purpose')
  }
  /** Fails as the database does when transactions conflict. */
  const SERIALIZATION_FAILURE = sql`do $$ begin raise exception using errcode = '40001'; end $$`

  it('share one transaction, up to the limit; where the limit is one, each has its own', async () => {
    const ids = (node: TestParley) => times(70, () => node.parley.db.write(orgId, transactionOf))
    expect(new Set(await ids(server)).size).toBe(3)
    expect(new Set(await ids(elsewhere)).size).toBe(70)
  })

  it('get their own results in their order, and one that throws undoes only itself', async () => {
    const works = [labelling(), labelling(), labelling(failing), labelling(), labelling(failing)]
    const results = await writeTogether(...works.map(({ work }) => work))
    expect(reasons(results)).toEqual(['done', 'done', 'on purpose', 'done', 'on purpose'])
    expect(await isThere(works)).toEqual([true, true, false, true, false])
  })

  it('survive an SQL error of one of them', async () => {
    const dividing = (tx: Transaction) => tx.query(sql`select 1 / 0`)
    const works = [labelling(), labelling(), labelling(dividing), labelling()]
    const results = await writeTogether(...works.map(({ work }) => work))
    expect(reasons(results)).toEqual(['done', 'done', 'division by zero', 'done'])
    expect(await isThere(works)).toEqual([true, true, false, true])
  })

  it('leave no gap in the log where one fails after it wrote events', async () => {
    const before = await lastSeq(server, orgId)
    const creating = (fail: () => Promise<unknown> = async () => {}) => ({
      work: async (tx: Transaction) => {
        await createTopic(tx, { createdBy: deploy.id, name: 'Plans', members: [calendar.id] })
        await fail()
      },
    })
    const works = [creating(), creating(), creating(failing), creating(), creating(failing)]
    await writeTogether(...works.map(({ work }) => work))
    const events = await eventsIn(server, orgId, before)
    expect(events.map(({ seq }) => seq - before)).toEqual([1, 2, 3])
    expect(await lastSeq(server, orgId)).toBe(before + 3)
  })

  it('are undone wholly when they fail after an attempt of theirs has failed', async () => {
    const trying = labelling(async (tx) => {
      await tx.attempt(failing).catch(() => {})
      await failing()
    })
    const works = [labelling(), labelling(), trying, labelling()]
    const results = await writeTogether(...works.map(({ work }) => work))
    expect(reasons(results)).toEqual(['done', 'done', 'on purpose', 'done'])
    expect(await isThere(works)).toEqual([true, true, false, true])
  })

  it('all run again after a serialization failure, and count once', async () => {
    let runs = 0
    const failOnce = async (tx: Transaction) => {
      runs += 1
      if (runs === 1) await tx.query(SERIALIZATION_FAILURE)
    }
    const works = [labelling(), labelling(), labelling(failOnce), labelling(failing), labelling()]
    const results = await writeTogether(...works.map(({ work }) => work))
    expect(runs).toBe(2)
    expect(reasons(results)).toEqual(['done', 'done', 'done', 'on purpose', 'done'])
    expect(await isThere(works)).toEqual([true, true, true, false, true])
  })

  it('do not fail with one that never gets through', async () => {
    const stuck = labelling((tx) => tx.query(SERIALIZATION_FAILURE))
    const works = [labelling(), labelling(), stuck, labelling()]
    const results = await writeTogether(...works.map(({ work }) => work))
    expect(reasons(results)).toEqual(['done', 'done', '40001', 'done'])
    expect(await isThere(works)).toEqual([true, true, false, true])
  })
})

describe('groups', () => {
  /** Groups of one kind of work. */
  function grouping(limit: number, perform: Perform<number, string>) {
    const groups = new Groups(limit)
    return { add: (name: string, item: number) => groups.add(name, perform, item) }
  }

  /** Groups whose work is done when the test says so, each with what it was given. */
  function watched(limit: number, outcomesOf: (items: number[]) => Settled<string>[] = inWords) {
    const performed: { name: string; items: number[]; finish(): void }[] = []
    const groups = grouping(limit, async (name, items) => {
      await new Promise<void>((finish) => performed.push({ name, items, finish }))
      return outcomesOf(items)
    })
    return { groups, performed, itemsOf: () => performed.map(({ items }) => items) }
  }
  const inWords = (items: number[]): Settled<string>[] => items.map((item) => ({ result: `item ${item}` }))

  it('do at once what comes alone, each time', async () => {
    const { groups, performed, itemsOf } = watched(3)
    const one = groups.add('here', 1)
    expect(itemsOf()).toEqual([[1]])
    performed[0]?.finish()
    expect(await one).toBe('item 1')
    void groups.add('here', 2)
    expect(itemsOf()).toEqual([[1], [2]])
  })

  it('batch what came in between, up to the limit, in the order of arrival', async () => {
    const performed: number[][] = []
    const groups = grouping(3, async (_name, items) => {
      performed.push(items)
      return inWords(items)
    })
    const items = [1, 2, 3, 4, 5, 6, 7, 8]
    const results = await Promise.all(items.map((item) => groups.add('here', item)))
    expect(performed).toEqual([[1], [2, 3, 4], [5, 6, 7], [8]])
    expect(results).toEqual(items.map((item) => `item ${item}`))
  })

  it('begin no second group of a name while the first is under way, and do not wait for other names', async () => {
    const { groups, performed, itemsOf } = watched(3)
    const results = [groups.add('here', 1), groups.add('here', 2), groups.add('there', 3)]
    expect(itemsOf()).toEqual([[1], [3]])
    performed[1]?.finish()
    expect(await results[2]).toBe('item 3')
    expect(itemsOf()).toEqual([[1], [3]])
    performed[0]?.finish()
    await results[0]
    expect(itemsOf()).toEqual([[1], [3], [2]])
  })

  it('hold only neighbours of one kind, so that none overtakes', async () => {
    const performed: string[] = []
    const groups = new Groups(10)
    const kind =
      (name: string): Perform<number, string> =>
      async (_, items) => {
        performed.push(`${name} ${items.join(' ')}`)
        return inWords(items)
      }
    const [even, odd] = [kind('even'), kind('odd')]
    const items = [1, 2, 4, 6, 7, 9, 8]
    await Promise.all(items.map((item) => groups.add('here', item % 2 === 0 ? even : odd, item)))
    expect(performed).toEqual(['odd 1', 'even 2 4 6', 'odd 7 9', 'even 8'])
  })

  it('fail together when their work fails as a whole, and the next goes on', async () => {
    const groups = grouping(2, async (_name, items) => {
      if (items.includes(2)) throw new Error('no luck')
      return inWords(items)
    })
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => groups.add('here', item)))
    expect(reasons(results)).toEqual(['done', 'no luck', 'no luck', 'done', 'done'])
  })

  it('tell each item its own outcome, also that it was forgotten', async () => {
    const groups = grouping(4, async (_name, items) =>
      inWords(items.slice(0, 3)).map((done, index) => (index === 1 ? { error: new Error('refused') } : done)),
    )
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => groups.add('here', item)))
    const forgotten = 'a group must answer each of its items'
    expect(reasons(results)).toEqual(['done', 'done', 'refused', 'done', forgotten])
  })
})

describe('afterwards', () => {
  it('the log has no gap and no repeat, and says what its organization has come to', async () => {
    const events = await logOf(server, orgId)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(await lastSeq(server, orgId)).toBe(events.length)
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('nothing went wrong behind the answers', () => {
    const lines = [...server.logLines, ...elsewhere.logLines]
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})
