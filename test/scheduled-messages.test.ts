import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { textOf } from '../contract/refusals/index.ts'
import { forgetOldFailures } from '../server/actions/messages/scheduled-messages.ts'
import { LOOK_MS, sendDueMessages } from '../server/background/due-messages.ts'
import { sql } from '../server/db/sql.ts'
import { Worker } from '../server/worker.ts'
import { at, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

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

type Scheduled = { id: string; topicId: string; text: string; sendAt: number; state: string; reason?: string }
const now = () => server.parley.clock()
const nodes = () => [server.parley, beside.parley]
/** Moves the clock of both nodes, which look at the same time. */
async function pass(milliseconds: number): Promise<void> {
  server.clock.ahead += milliseconds
  beside.clock.ahead += milliseconds
  await Promise.all(nodes().map((parley) => sendDueMessages(parley)))
}
const textsIn = async (topicId: string) =>
  (
    await server.parley.db.query<{ text: string }>(sql`
      select text from messages where topic_id = ${topicId} and not is_system order by id`)
  ).map(({ text }) => text)

/** A bot whose requests are signed at the server's time, which these tests move. */
function timely(bot: StaticTestBot) {
  const options = (more: object = {}) => ({ timestamp: String(now()), ...more })
  return {
    get: (path: string) => bot.get(path, options()),
    post: (path: string, body?: unknown, more: object = {}) => bot.post(path, body, options(more)),
    put: (path: string, body: unknown) => bot.put(path, body, options()),
    patch: (path: string, body: unknown) => bot.patch(path, body, options()),
    delete: (path: string) => bot.delete(path, undefined, options()),
  }
}

/** Senders of both kinds, on the same routes. */
function botSender(given: StaticTestBot) {
  const bot = timely(given)
  return {
    send: (body: object, key?: string) => bot.post('/v2/messages', body, key ? withKey(key) : {}),
    list: async (query = '') =>
      Object((await bot.get(`/v2/scheduled-messages${query}`)).body) as {
        scheduledMessages: Scheduled[]
        nextCursor?: string
      },
    change: (id: string, body: object) => bot.patch(`/v2/scheduled-messages/${id}`, body),
    cancel: (id: string) => bot.delete(`/v2/scheduled-messages/${id}`),
    sendNow: (id: string) => bot.post(`/v2/scheduled-messages/${id}/send`),
  }
}
function personSender(who: ChatCast['ada']) {
  const chat = chatOf(who)
  return {
    send: (body: object, key?: string) => chat.post('messages', body, key ? withKey(key) : {}),
    list: async (query = '') =>
      Object((await chat.get(`scheduled-messages${query}`)).body) as {
        scheduledMessages: Scheduled[]
        nextCursor?: string
      },
    change: (id: string, body: object) => chat.patch(`scheduled-messages/${id}`, body),
    cancel: (id: string) => chat.delete(`scheduled-messages/${id}`),
    sendNow: (id: string) => chat.post(`scheduled-messages/${id}/send`),
  }
}
const senders = () => [botSender(cast.bot), personSender(cast.ada)]
const newTopic = async (name: string, members = [cast.ada.profileId, cast.ben.profileId]): Promise<string> =>
  Object((await timely(cast.bot).post('/v2/topics', { name, members })).body).id
const NOT_FOUND = { status: 404, body: 'Scheduled message not found' }

describe('a message with sendAt', () => {
  it('is sent then, once, by one of two nodes that look at the same moment', async () => {
    const topicId = await newTopic('Later')
    const stream = await cast.stream(cast.ben)
    for (const [index, { send, list }] of senders().entries()) {
      const sendAt = now() + MINUTE
      const parentId = Object(
        (await timely(cast.bot).post('/v2/messages', { topicId, text: 'Head' })).body,
      ).id
      const body = { topicId, text: `Good morning ${index}`, sendAt, parentId, externalId: `later-${index}` }
      const scheduled = await send(body, `key-${index}`)
      expect(scheduled).toMatchObject({ status: 201, body: { topicId, sendAt } })
      expect((await send(body, `key-${index}`)).body).toEqual(scheduled.body)
      const { id } = Object(scheduled.body)
      expect((await list()).scheduledMessages).toEqual([
        expect.objectContaining({ id, ...body, state: 'scheduled' }),
      ])
      await pass(MINUTE - 30_000)
      expect(await textsIn(topicId)).not.toContain(body.text)
      await pass(30_000)
      expect((await textsIn(topicId)).filter((text) => text === body.text)).toHaveLength(1)
      expect((await list()).scheduledMessages).toEqual([])
      const told = await stream.next(
        ({ event, data }) => event === 'message.created' && Object(data).message.text === body.text,
      )
      expect(Object(told.data).message).toMatchObject({ parentId, externalId: body.externalId })
      await pass(MINUTE)
      expect((await textsIn(topicId)).filter((text) => text === body.text)).toHaveLength(1)
    }
  })

  it('comes within moments where nodes run on, also the one that did not take it', async () => {
    const topicId = await newTopic('Running')
    const first = new Worker('first', server.parley, LOOK_MS, () => sendDueMessages(server.parley))
    const sendAt = now() + 1200
    await botSender(cast.bot).send({ topicId, text: 'Soon', sendAt })
    await first.stop() // the node that was there when it was taken goes away
    const second = new Worker('second', beside.parley, LOOK_MS, () => sendDueMessages(beside.parley))
    await eventually(() => textsIn(topicId)).toEqual(['Soon'])
    const [sent] = Object((await timely(cast.bot).get(`/v2/topics/${topicId}/messages`)).body).messages
    expect(sent.createdAt - sendAt).toBeGreaterThanOrEqual(0)
    expect(sent.createdAt - sendAt).toBeLessThan(3000)
    await second.stop()
  })

  it('may have buttons of a bot, and may be a command of a person', async () => {
    const topicId = await newTopic('Special')
    const actions = { elements: [{ id: 'yes', text: 'Yes' }] }
    const asked = await timely(cast.bot).post('/v2/messages', {
      topicId,
      text: 'Shall I?',
      actions,
      sendAt: now() + MINUTE,
    })
    expect(asked.status).toBe(201)
    expect(
      refusal(
        await chatOf(cast.ada).post('messages', { topicId, text: 'May I?', actions, sendAt: now() + MINUTE }),
      ),
    ).toMatchObject({ status: 403 })
    await timely(cast.bot).put('/v2/commands', { commands: [{ name: 'deploy', description: 'Deploy' }] })
    await personSender(cast.ada).send({ topicId, text: '/deploy now', sendAt: now() + MINUTE })
    await pass(MINUTE)
    const { messages } = Object((await timely(cast.bot).get(`/v2/topics/${topicId}/messages?order=asc`)).body)
    expect(messages[0]).toMatchObject({ text: 'Shall I?', actions: { elements: [{ id: 'yes' }] } })
    const heard = await timely(cast.bot).get('/v2/updates?offset=oldest&limit=100')
    const commands = Object(heard.body).updates.filter(
      ({ eventType }: { eventType: string }) => eventType === 'message.command',
    )
    expect(commands).toHaveLength(1)
  })

  it('is refused in the past, too far ahead, while streaming, and where a plain one would be', async () => {
    const topicId = await newTopic('Refused')
    for (const { send, list } of senders()) {
      const far = now() + LIMITS.scheduledDays * DAY
      const wrong: [object, number, string][] = [
        [{ sendAt: now() - 1 }, 400, textOf('send_time_invalid')],
        [{ sendAt: far + 60_000 }, 400, textOf('send_time_invalid')],
        [{ sendAt: 'tomorrow' }, 400, 'sendAt must be between 0 and 8640000000000000'],
        [{ sendAt: far, streaming: true }, 400, 'streaming and sendAt cannot be used together'],
        [{ sendAt: far - 60_000, text: undefined }, 400, 'text is required'],
        [{ sendAt: far - 60_000, text: `<@${cast.cy.profileId}> hi` }, 400, 'Invalid mention'],
        [{ sendAt: far - 60_000, parentId: topicId }, 400, 'Invalid parentId'],
        [{ sendAt: far - 60_000, topicId: cast.orgId }, 404, 'Topic not found'],
      ]
      for (const [body, status, text] of wrong)
        expect(refusal(await send({ topicId, text: 'No', ...body })), text).toMatchObject({
          status,
          body: text,
        })
      expect((await list()).scheduledMessages).toEqual([])
    }
    expect(
      refusal(await personSender(cast.cy).send({ topicId, text: 'No', sendAt: now() + MINUTE })),
    ).toMatchObject({
      status: 404,
      body: 'Topic not found',
    })
  })

  it('is one of at most a hundred of a sender', async () => {
    const bot = await staticBot(server, cast.orgId, 'Planner')
    const topicId = Object((await timely(bot).post('/v2/topics', { name: 'Many', members: [] })).body).id
    const { send, list, cancel } = botSender(bot)
    const begin = now() + MINUTE
    for (let number = 0; number < LIMITS.scheduledMessages; number++)
      expect((await send({ topicId, text: `${number}`, sendAt: begin + (number % 50) })).status).toBe(201)
    const full = { status: 409, body: 'too many messages are scheduled' }
    expect(refusal(await send({ topicId, text: 'One more', sendAt: begin }))).toMatchObject(full)
    const seen: Scheduled[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await list(`?limit=30${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.scheduledMessages)
      cursor = page.nextCursor
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(LIMITS.scheduledMessages)
    expect(seen.map(({ sendAt }) => sendAt)).toEqual(seen.map(({ sendAt }) => sendAt).sort())
    await cancel(seen[0]?.id ?? '')
    expect((await send({ topicId, text: 'One more', sendAt: begin })).status).toBe(201)
    await pass(MINUTE + 1000)
    expect((await textsIn(topicId)).length).toBe(LIMITS.scheduledMessages)
  })
})

describe('a scheduled message', () => {
  it('is changed, cancelled and sent now by its sender alone', async () => {
    const topicId = await newTopic('Changed')
    const [bot, ada] = senders()
    const ben = personSender(cast.ben)
    for (const sender of [bot, ada]) {
      if (!sender) continue
      const sendAt = now() + MINUTE
      const idOf = async (text: string): Promise<string> =>
        Object((await sender.send({ topicId, text, sendAt })).body).id
      const [changed, cancelled, hurried] = [await idOf('First'), await idOf('Gone'), await idOf('Hurry')]
      for (const stranger of [ben, sender === bot ? ada : bot]) {
        expect(refusal(Object(await stranger?.change(changed, { text: 'Mine' })))).toMatchObject(NOT_FOUND)
        expect(refusal(Object(await stranger?.cancel(changed)))).toMatchObject(NOT_FOUND)
        expect(refusal(Object(await stranger?.sendNow(changed)))).toMatchObject(NOT_FOUND)
      }
      expect(refusal(await sender.change(changed, {}))).toMatchObject({
        status: 400,
        body: 'text or sendAt is required',
      })
      expect(refusal(await sender.change(changed, { sendAt: 0 }))).toMatchObject({
        status: 400,
        body: textOf('send_time_invalid'),
      })
      expect(await sender.change(changed, { text: 'Second', sendAt: sendAt + MINUTE })).toMatchObject({
        status: 200,
        body: { id: changed, text: 'Second', sendAt: sendAt + MINUTE, state: 'scheduled' },
      })
      expect((await sender.cancel(cancelled)).status).toBe(204)
      expect(refusal(await sender.cancel(cancelled))).toMatchObject(NOT_FOUND)
      const sent = await sender.sendNow(hurried)
      expect(sent).toMatchObject({ status: 201, body: { topicId } })
      expect(Object(sent.body).id).not.toBe(hurried)
      await pass(MINUTE)
      expect(await textsIn(topicId)).toEqual(['Hurry'])
      await pass(MINUTE)
      expect(await textsIn(topicId)).toEqual(['Hurry', 'Second'])
      await server.parley.db.query(sql`delete from messages where topic_id = ${topicId}`)
    }
  })

  it('fails with the reason if it may no longer be sent, and can be scheduled again', async () => {
    const bot = await staticBot(server, cast.orgId, 'Herald')
    const members = [cast.ada.profileId, cast.ben.profileId]
    const topicId = Object((await timely(bot).post('/v2/topics', { name: 'Failing', members })).body).id
    const topic = `/people/organizations/${cast.orgId}/chat/topics/${topicId}`
    const ben = personSender(cast.ben)
    const herald = botSender(bot)
    const schedule = async (sender: typeof ben, text: string): Promise<string> =>
      Object((await sender.send({ topicId, text, sendAt: now() + MINUTE, externalId: text })).body).id

    const paused = await schedule(herald, 'While paused')
    await cast.ada.patch(`/people/organizations/${cast.orgId}/bots/${bot.id}`, { paused: true })
    await pass(MINUTE)
    await cast.ada.patch(`/people/organizations/${cast.orgId}/bots/${bot.id}`, { paused: false })
    await eventually(async () => (await herald.list()).scheduledMessages).toEqual([
      expect.objectContaining({ id: paused, state: 'failed', reason: 'the bot is paused' }),
    ])

    const archived = await schedule(herald, 'While archived')
    const own = await schedule(ben, 'Of a person')
    const stream = await cast.stream(cast.ben)
    await cast.ada.patch(topic, { archived: true })
    await pass(MINUTE)
    const reason = 'topic is archived'
    const told = await stream.next(({ event, data }) => event === 'later' && Object(data).failed > 0)
    expect(told.data).toEqual({
      failed: 1,
      failure: { topicId, reason, reasonCode: 'topic_archived' },
    })
    expect((await chatOf(cast.ben).get('start')).body).toMatchObject({ failedLater: 1 })
    expect((await ben.list()).scheduledMessages).toEqual([
      expect.objectContaining({ id: own, state: 'failed', reason }),
    ])
    expect(refusal(await ben.sendNow(own))).toMatchObject({ status: 403, body: reason })
    expect(refusal(await ben.change(own, { sendAt: now() + MINUTE }))).toMatchObject({
      status: 403,
      body: reason,
    })
    await cast.ada.patch(topic, { archived: false })

    const left = await schedule(herald, 'After leaving')
    await cast.ada.delete(`${topic}/members`, { memberIds: [bot.id] })
    await pass(MINUTE)
    expect(await textsIn(topicId)).toEqual([])
    type Update = { eventType: string; data: { scheduledMessageId: string } }
    const { updates }: { updates: Update[] } = Object(
      (await timely(bot).get('/v2/updates?offset=oldest&limit=100')).body,
    )
    const failures = updates.flatMap(({ eventType, data }) =>
      eventType === 'scheduled_message.failed' ? [data] : [],
    )
    expect(failures).toEqual([
      expect.objectContaining({ scheduledMessageId: paused, topicId, externalId: 'While paused' }),
      expect.objectContaining({ scheduledMessageId: archived, reason }),
      expect.objectContaining({ scheduledMessageId: left, reason: 'Topic not found' }),
    ])
    expect(stream.seen.some(({ event }) => event === 'scheduled_message.failed')).toBe(false)

    // A new text alone does not send it; a new time does.
    expect((await ben.change(own, { text: 'At last' })).body).toMatchObject({ state: 'failed', reason })
    await pass(MINUTE)
    expect(await textsIn(topicId)).toEqual([])
    const anew = await ben.change(own, { sendAt: now() + MINUTE })
    expect(Object(anew.body)).toMatchObject({ state: 'scheduled' })
    expect(anew.body).not.toHaveProperty('reason')
    await pass(MINUTE)
    expect(await textsIn(topicId)).toEqual(['At last'])
    expect((await chatOf(cast.ben).get('start')).body).toMatchObject({ failedLater: 0 })

    await forgetOldFailures(server.parley.db, now() + 31 * DAY, 1000)
    expect((await herald.list()).scheduledMessages).toEqual([])
  })

  it('is not sent for a person who is no longer in the organization', async () => {
    const dee = await signInAs(server, { orgId: cast.orgId, name: 'Dee' })
    const { id: topicId } = Object(
      (await chatOf(cast.ada).post('direct-messages', { memberIds: [dee.profileId] })).body,
    )
    await personSender(dee).send({ topicId, text: 'Goodbye', sendAt: now() + MINUTE })
    const path = `/people/organizations/${cast.orgId}/members/${dee.profileId}`
    expect((await cast.ada.patch(path, { status: 'Archived' })).status).toBe(200)
    await pass(MINUTE)
    expect(await textsIn(topicId)).toEqual([])
    const [row] = await server.parley.db.query(sql`
      select state, reason from scheduled_messages where profile_id = ${dee.profileId}`)
    expect(row).toEqual({ state: 'failed', reason: 'forbidden' })
  })

  it('goes out also behind a hundred that cannot, which are tried again less and less, and given up', async () => {
    const topicId = await newTopic('Poisoned')
    const dueAt = now() + MINUTE
    // Rows that no request can write stand for unforeseen faults.
    await server.parley.db.query(sql`
      insert into scheduled_messages (org_id, id, profile_id, topic_id, text, actions, send_at, created_at, updated_at)
      select ${cast.orgId}, gen_random_uuid(), ${cast.bot.id}, ${topicId}, 'Poison', '5', ${dueAt}, ${dueAt}, ${dueAt}
      from generate_series(1, 120)`)
    const behind = { topicId, text: 'Behind them', sendAt: dueAt + 1000 }
    expect((await personSender(cast.ada).send(behind)).status).toBe(201)
    const tries = async () =>
      server.parley.db.query<{ state: string; wait: number; count: number }>(sql`
        select state, retry_at - ${now()} as wait, count(*)::integer as count
        from scheduled_messages where topic_id = ${topicId} group by 1, 2 order by 1`)
    await pass(MINUTE + 1000)
    await Promise.all(nodes().map((parley) => sendDueMessages(parley)))
    expect(await textsIn(topicId)).toEqual(['Behind them'])
    const waiting = await tries()
    expect(waiting.reduce((sum, { count }) => sum + count, 0)).toBe(120)
    for (const { state, wait } of waiting) {
      expect(state).toBe('scheduled')
      expect(wait).toBeGreaterThan(5000)
    }
    await pass(HOUR)
    await Promise.all(nodes().map((parley) => sendDueMessages(parley)))
    for (const { wait } of await tries()) expect(wait).toBeGreaterThan(0.9 * HOUR)
    expect(
      await server.parley.db.query(
        sql`select 1 from messages where topic_id = ${topicId} and text = 'Poison'`,
      ),
    ).toEqual([])
    await pass(25 * HOUR)
    await Promise.all(nodes().map((parley) => sendDueMessages(parley)))
    expect(new Set((await tries()).map(({ state }) => state))).toEqual(new Set(['failed']))
    expect((await botSender(cast.bot).list()).scheduledMessages[0]).toMatchObject({
      reason: 'internal server error',
    })
    await server.parley.db.query(sql`delete from scheduled_messages where topic_id = ${topicId}`)
  })

  it('is found by one look at an index that holds nothing but what waits', async () => {
    // The planner would read all rows of a small table.
    const plan = await server.parley.db.transaction(async (open) => {
      await open.query(sql`set local enable_seqscan = off`)
      return open.query(sql`explain select org_id, id, send_at from scheduled_messages
        where state = 'scheduled' order by coalesce(retry_at, send_at) limit 100`)
    })
    expect(JSON.stringify(plan)).toContain('scheduled_messages_next')
    expect(await sendDueMessages(server.parley)).toBeUndefined()
    const soon = now() + 700
    const topicId = await newTopic('Exact')
    await timely(at(beside.url, cast.bot)).post('/v2/messages', { topicId, text: 'Exactly', sendAt: soon })
    expect(await sendDueMessages(server.parley)).toBeLessThanOrEqual(700)
  })
})
