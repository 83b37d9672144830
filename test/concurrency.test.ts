import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { createLabel } from '../server/actions/topics/labels.ts'
import { createTopic, type NewTopic } from '../server/actions/topics/topics.ts'
import { type Sql, sql } from '../server/db/sql.ts'
import { at, organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { eventsIn, lastSeq, logOf } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const ROUNDS = 8

let server: TestParley
let lighthouse: string
/** Two bots, each at two nodes: at one node writers wait in its memory, between nodes in the database. */
let deploy: [here: StaticTestBot, there: StaticTestBot]
let calendar: [here: StaticTestBot, there: StaticTestBot]
let ada: string

beforeAll(async () => {
  server = await startTestParley()
  lighthouse = await organization(server, 'Lighthouse Labs')
  const { url } = await server.secondNode()
  const bots = [
    await staticBot(server, lighthouse, 'Deploy bot'),
    await staticBot(server, lighthouse, 'Calendar bot'),
  ]
  const [one, two] = bots.map((bot): [StaticTestBot, StaticTestBot] => [bot, at(url, bot)])
  if (!one || !two) throw new Error('there are two bots')
  deploy = one
  calendar = two
  ada = await person(server, lighthouse, 'Ada Okafor')
})
afterAll(() => server.close())

async function topic(fields: Partial<NewTopic> = {}): Promise<string> {
  const wanted = { createdBy: deploy[0].id, name: 'Releases', members: [calendar[0].id], ...fields }
  return (await server.parley.db.write(lighthouse, (tx) => createTopic(tx, wanted))).id
}
async function message(topicId: string, profileId = deploy[0].id): Promise<string> {
  const caller = { orgId: lighthouse, profileId }
  return (await server.parley.messages.sendNow(caller, { topicId, text: 'Hello' })).id
}
async function count(query: Sql): Promise<number> {
  const [row] = await server.parley.db.query<{ count: number }>(sql`select count(*) from (${query}) x`)
  return row?.count ?? 0
}

/** Four attempts at the same time, two at each node. */
function four(bot: [StaticTestBot, StaticTestBot], attempt: (bot: StaticTestBot) => Promise<Answer>) {
  return Promise.all([...bot, ...bot].map(attempt))
}
const outcomes = (answers: Answer[]) =>
  answers.map(({ status, body }) => (status < 300 ? status : body)).sort()

/** The node for each of two: by turns, so that neither is always the faster one. */
const nodes = (n: number) => (n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))

/** Runs the round again and again; each time the log must hold exactly the events that the round says are due. */
function rounds(round: (n: number) => Promise<string[]>) {
  return async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const before = await lastSeq(server, lighthouse)
      const due = await round(n)
      expect((await eventsIn(server, lighthouse, before)).map(({ type }) => type)).toEqual(due)
    }
  }
}

describe('at the same moment', () => {
  it(
    'one external id makes one topic',
    rounds(async (n) => {
      const wanted = { name: 'Incident', members: [calendar[0].id], externalId: `incident-${n}` }
      const answers = await four(deploy, (bot) => bot.post('/v2/topics', wanted))
      const exists = 'externalId already exists'
      expect(outcomes(answers)).toEqual([201, exists, exists, exists])
      expect(await count(sql`select from topics where external_id = ${wanted.externalId}`)).toBe(1)
      return ['member.added']
    }),
  )

  it(
    'one name in any case makes one label',
    rounds(async (n) => {
      const names = [`urgent ${n}`, `URGENT ${n}`, `Urgent ${n}`, `uRGENT ${n}`]
      const answers = await four(deploy, (bot) => bot.post('/v2/organization/labels', { name: names.pop() }))
      const exists = 'Label name already exists'
      expect(outcomes(answers)).toEqual([201, exists, exists, exists])
      expect(await count(sql`select from labels where name_key = ${`urgent ${n}`}`)).toBe(1)
      return []
    }),
  )

  it(
    'one reaction is added once, and everybody gets the same record',
    rounds(async () => {
      const id = await message(await topic())
      const answers = await four(deploy, (bot) =>
        bot.post(`/v2/messages/${id}/reactions`, { reaction: '🎉' }),
      )
      expect(outcomes(answers)).toEqual([200, 200, 200, 201])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(await count(sql`select from reactions where message_id = ${id}`)).toBe(1)
      expect((await deploy[0].get(`/v2/messages/${id}`)).body).toMatchObject({
        reactions: [{ emoji: '🎉', count: 1 }],
      })
      return ['member.added', 'message.created', 'reaction.added']
    }),
  )

  it(
    'reactions of two bots both count, and one removal removes once',
    rounds(async () => {
      const id = await message(await topic())
      const added = await Promise.all(
        [deploy[0], calendar[1]].map((bot) => bot.post(`/v2/messages/${id}/reactions`, { reaction: '🎉' })),
      )
      expect(outcomes(added)).toEqual([201, 201])
      const mine = Object(added[0]?.body).id
      const removed = await four(deploy, (bot) => bot.delete(`/v2/messages/${id}/reactions/${mine}`))
      const gone = 'Reaction not found'
      expect(outcomes(removed)).toEqual([204, gone, gone, gone])
      expect((await deploy[0].get(`/v2/messages/${id}`)).body).toMatchObject({
        reactions: [{ emoji: '🎉', count: 1 }],
      })
      return ['member.added', 'message.created', 'reaction.added', 'reaction.added', 'reaction.removed']
    }),
  )

  it(
    'an edit and a deletion: the deletion wins, the edit came before it or not at all',
    rounds(async (n) => {
      const id = await message(await topic())
      const [here, there] = nodes(n)
      const [edited, removed] = await Promise.all([
        deploy[here].patch(`/v2/messages/${id}`, { text: 'Edited' }),
        deploy[there].delete(`/v2/messages/${id}`),
      ])
      expect(removed.status).toBe(204)
      expect([200, 'Message not found']).toContain(edited.status === 200 ? 200 : edited.body)
      expect(await count(sql`select from messages where id = ${id}`)).toBe(0)
      const wasEdited = edited.status === 200
      return ['member.added', 'message.created', ...(wasEdited ? ['message.updated'] : []), 'message.deleted']
    }),
  )

  it(
    'a removal and a message: the removed bot spoke before, or not at all',
    rounds(async (n) => {
      const topicId = await topic()
      const [here, there] = nodes(n)
      const [spoken, removed] = await Promise.all([
        calendar[here].post('/v2/messages', { topicId, text: 'Still here' }),
        deploy[there].delete(`/v2/topics/${topicId}/members`, { memberIds: [calendar[0].id] }),
      ])
      expect([removed.status, Object(removed.body).memberIds]).toEqual([200, [deploy[0].id]])
      expect([201, 'Topic not found']).toContain(spoken.status === 201 ? 201 : spoken.body)
      const wasHeard = spoken.status === 201
      expect(await count(sql`select from messages where topic_id = ${topicId}`)).toBe(wasHeard ? 1 : 0)
      return ['member.added', ...(wasHeard ? ['message.created'] : []), 'member.removed']
    }),
  )

  it(
    'a member is added once',
    rounds(async () => {
      const topicId = await topic()
      const answers = await four(deploy, (bot) =>
        bot.post(`/v2/topics/${topicId}/members`, { memberIds: [ada] }),
      )
      const known = 'member is already in the topic'
      expect(outcomes(answers)).toEqual([200, known, known, known])
      expect(await count(sql`select from topic_members where topic_id = ${topicId}`)).toBe(3)
      return ['member.added', 'member.added']
    }),
  )

  it('a topic gets one first label', async () => {
    const labels = await server.parley.db.write(lighthouse, async (tx) => [
      (await createLabel(tx, 'First', OPERATOR)).id,
      (await createLabel(tx, 'Second', OPERATOR)).id,
    ])
    await rounds(async () => {
      const topicId = await topic()
      const attempts = [...labels]
      const answers = await Promise.all(
        [deploy[0], calendar[1]].map((bot) =>
          bot.post(`/v2/topics/${topicId}/labels`, { labelId: attempts.pop() }),
        ),
      )
      expect(outcomes(answers)).toEqual([200, 'topic already has a label'])
      const winner = answers.find(({ status }) => status === 200)
      const { body } = await deploy[0].get(`/v2/topics/${topicId}`)
      expect(Object(body).labels).toEqual(Object(winner?.body).labels)
      return ['member.added', 'topic.updated'] // that one for people alone
    })()
  })

  it(
    'two renames: both happen, one after the other, and the events tell in which order',
    rounds(async (n) => {
      const topicId = await topic()
      const [here, there] = nodes(n)
      const answers = await Promise.all([
        deploy[here].patch(`/v2/topics/${topicId}`, { name: 'One' }),
        calendar[there].patch(`/v2/topics/${topicId}`, { name: 'Two' }),
      ])
      expect(outcomes(answers)).toEqual([200, 200])
      const [last] = await eventsIn(server, lighthouse, (await lastSeq(server, lighthouse)) - 1)
      const { body } = await deploy[0].get(`/v2/topics/${topicId}`)
      expect(last).toMatchObject({ type: 'topic.updated', data: { name: Object(body).name } })
      return ['member.added', 'topic.updated', 'topic.updated']
    }),
  )

  it('replies and a deletion of one of them are all counted', async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const topicId = await topic()
      const parentId = await message(topicId)
      const first = await deploy[0].post('/v2/messages', { topicId, text: 'Reply', parentId })
      const answers = await Promise.all([
        ...[...deploy, ...calendar].map((bot) =>
          bot.post('/v2/messages', { topicId, text: 'Reply', parentId }),
        ),
        deploy[1].delete(`/v2/messages/${Object(first.body).id}`),
      ])
      expect(outcomes(answers)).toEqual([201, 201, 201, 201, 204])
      expect((await deploy[0].get(`/v2/messages/${parentId}`)).body).toMatchObject({ replyCount: 4 })
    }
  })
})

describe('afterwards', () => {
  it('the log has no gap and no repetition, and its ids and times follow its numbers', async () => {
    const events = await logOf(server, lighthouse)
    expect(events.length).toBeGreaterThan(ROUNDS * 10)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(await lastSeq(server, lighthouse)).toBe(events.length)
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
    const times = events.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort((one, other) => one - other))
  })

  it('nothing went wrong behind the answers', () => {
    expect(server.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})
