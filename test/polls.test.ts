import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../contract/message.ts'
import type { Poll, PollVote } from '../contract/polls.ts'
import { closePoll } from '../server/actions/work/polls.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  type StaticTestBot,
  staticBot,
  type TestBot,
} from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const MINUTE = 60_000

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot
/** A bot in every topic here, with events about votes switched on. */
let counter: StaticTestBot
let stranger: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  counter = await staticBot(server, orgId, 'Counting bot', { pollVoteEvents: true })
  stranger = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger', {
    pollVoteEvents: true,
  })
  topicId = await newTopic(deploy, [calendar.id, counter.id])
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })

async function newTopic(bot: TestBot, members: string[] = []): Promise<string> {
  return String(Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id)
}

const asked = (fields: Record<string, unknown> = {}) => ({
  topicId,
  question: 'When do we ship?',
  options: ['Today', 'Tomorrow', 'Never'],
  selectionType: 'single',
  ...fields,
})

async function newPoll(bot: TestBot, fields: Record<string, unknown> = {}) {
  const { status, body } = await bot.post('/v2/polls', asked(fields))
  expect(status).toBe(201)
  const poll: Poll = Object(body)
  const [one = '', two = '', three = ''] = poll.options.map(({ id }) => id)
  return { ...poll, one, two, three, votes: `/v2/polls/${poll.id}/votes` }
}

async function newVote(bot: TestBot, votes: string, optionId: string): Promise<PollVote> {
  const { status, body } = await bot.post(votes, { optionId })
  expect(status).toBe(201)
  return Object(body)
}

async function messageOf(pollId: string): Promise<Message | undefined> {
  const { body } = await deploy.get(`/v2/topics/${topicId}/messages?limit=100`)
  const { messages }: { messages: Message[] } = Object(body)
  return messages.find(({ poll }) => poll?.id === pollId)
}

/** Voters and their options, in the order in which they voted. */
async function votesIn(pollId: string): Promise<[string, string][]> {
  const rows = await server.parley.db.query<{ voter_id: string; option_id: string }>(sql`
    select voter_id, option_id from poll_votes where poll_id = ${pollId} order by created_at, option_id`)
  return rows.map(({ voter_id, option_id }) => [voter_id, option_id])
}

/** Events about the votes of a poll with their receivers, oldest first. */
async function eventsOf(pollId: string) {
  return server.parley.db.query<{ type: string; data: Record<string, unknown>; bots: string[] }>(sql`
    select e.type, e.data, array(select unnest(e.bot_ids) order by 1) as bots
    from events e where e.type like 'poll_vote.%' and e.data ->> 'attachmentId' = ${pollId} order by e.seq`)
}

const close = (pollId: string) => server.parley.db.write(orgId, (tx) => closePoll(tx, pollId))

/** Runs `work` with the clock moved ahead. */
async function later<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  server.clock.ahead += milliseconds
  try {
    return await work()
  } finally {
    server.clock.ahead -= milliseconds
  }
}

describe('creating a poll', () => {
  it('answers with the poll; what was not given has its default or is left out', async () => {
    const { status, body } = await deploy.post('/v2/polls', asked())
    expect(status).toBe(201)
    const { id, options, createdAt }: Poll = Object(body)
    expect(body).toEqual({
      id,
      topicId,
      question: 'When do we ship?',
      options: ['Today', 'Tomorrow', 'Never'].map((text) => ({ id: expect.any(String), text })),
      selectionType: 'single',
      anonymous: false,
      status: 'active',
      createdAt,
    })
    expect(new Set(options.map((option) => option.id)).size).toBe(3)
    for (const option of options) expect(option.id).toMatch(/^[a-z0-9]{6}$/)
  })

  it('keeps every field exactly as sent', async () => {
    const fields = {
      question: ' Wann? 🚀\n',
      subtitle: 'Bitte — 今日',
      selectionType: 'multiple',
      anonymous: true,
      expiresAt: Date.now() + MINUTE,
    }
    const poll = await newPoll(deploy, { ...fields, options: ['same', 'same'] })
    expect(poll).toMatchObject({ ...fields, options: [{ text: 'same' }, { text: 'same' }] })
    expect(poll.one).not.toBe(poll.two)
  })

  it('takes an empty subtitle for none', async () => {
    expect(await newPoll(deploy, { subtitle: '' })).not.toHaveProperty('subtitle')
  })

  it('posts it as a message, and tells every bot of the topic', async () => {
    const expiresAt = Date.now() + MINUTE
    const { id, options } = await newPoll(deploy, { subtitle: 'Vote now', expiresAt })
    const poll = {
      id,
      title: 'When do we ship?',
      subtitle: 'Vote now',
      selectionType: 'single',
      anonymous: false,
      status: 'active',
      expiresAt,
      options,
    }
    const message = await messageOf(id)
    expect(message).toMatchObject({ type: 'poll', isSystem: false, senderId: deploy.id, topicId })
    expect(message?.poll).toEqual(poll)
    const [event] = await server.parley.db.query(sql`
      select e.type, e.data, array(select unnest(e.bot_ids) order by 1) as bots
      from events e where e.topic_id = ${topicId} order by e.seq desc limit 1`)
    expect(event).toMatchObject({
      type: 'message.created',
      data: { message: { id: message?.id, type: 'poll', poll }, truncated: false },
      bots: [deploy.id, calendar.id, counter.id].sort(),
    })
  })

  it('gives later polls and their messages later ids', async () => {
    const [one, two] = [await newPoll(deploy), await newPoll(deploy)]
    expect(two.id > one.id).toBe(true)
    expect(String((await messageOf(two.id))?.id) > String((await messageOf(one.id))?.id)).toBe(true)
  })

  it.each([
    ['no topic', { topicId: undefined }, 'topicId is required'],
    ['no id for the topic', { topicId: 'releases' }, 'Invalid topicId'],
    ['no question', { question: undefined }, 'question is required'],
    ['an empty question', { question: '' }, 'question is required'],
    ['a long question', { question: '🚀'.repeat(501) }, 'question too long'],
    ['a question that is no text', { question: 7 }, 'question must be a string'],
    ['no selection type', { selectionType: undefined }, 'selectionType must be "single" or "multiple"'],
    ['another selection type', { selectionType: 'many' }, 'selectionType must be "single" or "multiple"'],
    ['a number as one', { selectionType: 1 }, 'selectionType must be "single" or "multiple"'],
    ['no options', { options: undefined }, 'at least 2 options are required'],
    ['an empty list', { options: [] }, 'at least 2 options are required'],
    ['one option', { options: ['Today'] }, 'at least 2 options are required'],
    ['one option, counted before it is read', { options: [''] }, 'at least 2 options are required'],
    ['11 options', { options: Array(11).fill('x') }, 'too many options'],
    ['11 options, counted before they are read', { options: Array(11).fill('') }, 'too many options'],
    ['options that are no list', { options: 'Today' }, 'options must be an array'],
    ['an empty option', { options: ['Today', ''] }, 'option text cannot be empty'],
    ['a long option', { options: ['Today', '🚀'.repeat(1001)] }, 'option text too long'],
    ['an option that is no text', { options: ['Today', 7] }, 'option text must be a string'],
    ['a long subtitle', { subtitle: '🚀'.repeat(1001) }, 'subtitle too long'],
    ['an unclear anonymity', { anonymous: 'yes' }, 'anonymous must be true or false'],
    ['an end in the past', { expiresAt: 1_700_000_000_000 }, 'expiresAt must be in the future'],
    ['an end at 0', { expiresAt: 0 }, 'expiresAt must be in the future'],
    ['an end before 1970', { expiresAt: -1 }, 'expiresAt must be in the future'],
  ])('refuses %s', async (_what, fields, text) => {
    expect(refusal(await deploy.post('/v2/polls', asked(fields)))).toEqual({ status: 400, body: text })
  })

  it('names what is missing in the order of the reference', async () => {
    const given = {}
    for (const [field, value, text] of [
      ['topicId', topicId, 'topicId is required'],
      ['question', 'When?', 'question is required'],
      ['selectionType', 'single', 'selectionType must be "single" or "multiple"'],
      ['options', ['Today', 'Tomorrow'], 'at least 2 options are required'],
    ] as const) {
      expect(refusal(await deploy.post('/v2/polls', given))).toEqual({ status: 400, body: text })
      Object.assign(given, { [field]: value })
    }
    expect((await deploy.post('/v2/polls', given)).status).toBe(201)
  })

  it('takes each text and list up to its limit', async () => {
    await newPoll(deploy, { question: '🚀'.repeat(500), subtitle: '🚀'.repeat(1000) })
    await newPoll(deploy, { question: 'x', options: ['x', 'y'] })
    const { options } = await newPoll(deploy, { options: Array(10).fill('🚀'.repeat(1000)) })
    expect(new Set(options.map(({ id }) => id)).size).toBe(10)
  })

  it('knows no topic that the bot is not in, and reads the input first', async () => {
    const others = await newTopic(calendar)
    for (const unreachable of [others, newUuid(), await newTopic(stranger)]) {
      const answer = await deploy.post('/v2/polls', asked({ topicId: unreachable }))
      expect(refusal(answer)).toEqual({ status: 404, body: 'Topic not found' })
    }
    const late = await deploy.post('/v2/polls', asked({ topicId: newUuid(), expiresAt: Date.now() - 1 }))
    expect(refusal(late)).toEqual({ status: 400, body: 'expiresAt must be in the future' })
  })

  it('answers with ids as they are kept, not as they were sent', async () => {
    expect((await newPoll(deploy, { topicId: topicId.toUpperCase() })).topicId).toBe(topicId)
  })

  it('happens once for one Idempotency-Key', async () => {
    const send = () => deploy.post('/v2/polls', asked(), { headers: { 'Idempotency-Key': 'one poll' } })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it('needs the scope poll:write, or a key that may write', async () => {
    const reader = await staticBot(server, orgId, 'Audit bot', { permission: 'read' })
    const narrow = await oauthBot(server, orgId, 'Narrow bot', ['message:send'])
    for (const bot of [reader, narrow]) {
      for (const answer of [
        await bot.post('/v2/polls', asked()),
        await bot.post(`/v2/polls/${newUuid()}/votes`, { optionId: 'abc123' }),
        await bot.delete(`/v2/polls/${newUuid()}/votes/x`),
      ]) {
        expect(refusal(answer)).toEqual({ status: 403, body: 'forbidden' })
      }
    }
    const challenge = (await narrow.post('/v2/polls', asked())).headers.get('www-authenticate')
    expect(challenge).toContain('scope="poll:write"')
  })
})

describe('voting', () => {
  it('answers 201 with the vote', async () => {
    const { id, one, votes } = await newPoll(deploy)
    const { status, body } = await calendar.post(votes, { optionId: one })
    expect(status).toBe(201)
    const { createdAt } = Object(body)
    expect(body).toEqual({ id: `${id}_${one}_${calendar.id}`, attachmentId: id, optionId: one, createdAt })
    expect(await votesIn(id)).toEqual([[calendar.id, one]])
  })

  it('answers 200 with the first record for a repeat, and tells nothing', async () => {
    const { id, one, votes } = await newPoll(deploy)
    const first = await newVote(deploy, votes, one)
    const { status, body } = await later(5000, () => deploy.post(votes, { optionId: one }))
    expect(status).toBe(200)
    expect(body).toEqual(first)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  it('moves the vote where only one is allowed', async () => {
    const { id, one, two, votes } = await newPoll(deploy)
    await newVote(deploy, votes, one)
    await newVote(calendar, votes, one)
    const moved = await newVote(deploy, votes, two)
    expect(moved.id).toBe(`${id}_${two}_${deploy.id}`)
    expect(new Set((await votesIn(id)).map(String))).toEqual(
      new Set([`${calendar.id},${one}`, `${deploy.id},${two}`]),
    )
  })

  it('keeps several votes where several are allowed', async () => {
    const { id, one, three, votes } = await newPoll(deploy, { selectionType: 'multiple' })
    await newVote(deploy, votes, one)
    await newVote(deploy, votes, three)
    expect((await deploy.post(votes, { optionId: one })).status).toBe(200)
    expect(await votesIn(id)).toHaveLength(2)
  })

  it('is an event for bots that subscribed to it, and for no other', async () => {
    const { id, one, two, votes } = await newPoll(deploy)
    const first = await newVote(calendar, votes, one)
    const second = await newVote(calendar, votes, two)
    await calendar.delete(`${votes}/${second.id}`)
    const messageId = (await messageOf(id))?.id
    const about = (vote: PollVote) => ({
      pollVoteId: vote.id,
      attachmentId: id,
      messageId,
      topicId,
      optionId: vote.optionId,
      voterId: calendar.id,
      createdAt: expect.any(Number),
    })
    expect(await eventsOf(id)).toEqual([
      {
        type: 'poll_vote.created',
        data: { ...about(first), createdAt: first.createdAt },
        bots: [counter.id],
      },
      { type: 'poll_vote.deleted', data: about(first), bots: [counter.id] },
      {
        type: 'poll_vote.created',
        data: { ...about(second), createdAt: second.createdAt },
        bots: [counter.id],
      },
      { type: 'poll_vote.deleted', data: about(second), bots: [counter.id] },
    ])
  })

  it('knows no poll that the bot cannot see', async () => {
    const hidden = await newPoll(calendar, { topicId: await newTopic(calendar) })
    const foreign = await newPoll(stranger, { topicId: await newTopic(stranger) })
    const left = await newTopic(calendar, [deploy.id])
    const former = await newPoll(calendar, { topicId: left })
    await deploy.delete(`/v2/topics/${left}/members`, { memberIds: [deploy.id] })
    const paths = [hidden.votes, foreign.votes, former.votes, `/v2/polls/${newUuid()}/votes`]
    for (const path of paths) {
      for (const optionId of [hidden.one, 'zzzzzz']) {
        const answer = await deploy.post(path, { optionId })
        expect(refusal(answer)).toEqual({ status: 404, body: 'poll not found' })
      }
    }
    expect(await votesIn(hidden.id)).toEqual([])
  })

  it.each([
    [{}, 'optionId is required'],
    [{ optionId: 7 }, 'optionId must be a string'],
    [{ optionId: '' }, 'invalid optionId'],
    [{ optionId: 'abc12' }, 'invalid optionId'],
    [{ optionId: 'abc1234' }, 'invalid optionId'],
  ])('refuses %j before it looks for the poll: %s', async (body, text) => {
    const { votes } = await newPoll(deploy)
    for (const path of [votes, `/v2/polls/${newUuid()}/votes`]) {
      expect(refusal(await deploy.post(path, body))).toEqual({ status: 400, body: text })
    }
  })

  it('refuses an option of another poll', async () => {
    const { id, votes } = await newPoll(deploy)
    const other = await newPoll(deploy)
    for (const optionId of [other.one, '🚀'.repeat(6)]) {
      expect(refusal(await deploy.post(votes, { optionId }))).toEqual({
        status: 400,
        body: 'invalid optionId',
      })
    }
    expect(await votesIn(id)).toEqual([])
  })

  it('is not possible in an anonymous poll', async () => {
    const { id, one, votes } = await newPoll(deploy, { anonymous: true })
    const expected = { status: 400, body: 'anonymous polls are not supported' }
    expect(refusal(await deploy.post(votes, { optionId: one }))).toEqual(expected)
    expect(refusal(await deploy.post(votes, { optionId: 'zzzzzz' }))).toEqual(expected)
    await close(id)
    expect(refusal(await deploy.post(votes, { optionId: one }))).toEqual(expected)
  })

  it('ends when the poll expires', async () => {
    const { id, one, two, votes } = await newPoll(deploy, { expiresAt: Date.now() + MINUTE })
    await newVote(deploy, votes, one)
    const expected = { status: 400, body: 'poll has expired' }
    for (const optionId of [one, two, 'zzzzzz']) {
      expect(refusal(await later(MINUTE, () => deploy.post(votes, { optionId })))).toEqual(expected)
    }
    expect(await votesIn(id)).toEqual([[deploy.id, one]])
  })

  it('ends when the poll is closed; the message shows that, and bots get no event', async () => {
    const { id, one, two, votes } = await newPoll(deploy, { expiresAt: Date.now() + MINUTE })
    await newVote(deploy, votes, one)
    const events = () =>
      server.parley.db.query(sql`select 1 from events where org_id = ${orgId} and bot_ids <> '{}'`)
    const before = (await events()).length
    await close(id)
    await close(id)
    expect((await events()).length).toBe(before)
    expect(await messageOf(id)).toMatchObject({ isEdited: false, poll: { id, status: 'closed' } })
    for (const optionId of [one, two, 'zzzzzz']) {
      const expected = { status: 400, body: 'poll is closed' }
      expect(refusal(await deploy.post(votes, { optionId }))).toEqual(expected)
      expect(refusal(await later(MINUTE, () => deploy.post(votes, { optionId })))).toEqual(expected)
    }
    await expect(close(newUuid())).rejects.toThrow('poll not found')
  })

  it('ends when the message of the poll is deleted', async () => {
    const { id, one, votes } = await newPoll(deploy)
    await newVote(deploy, votes, one)
    await deploy.delete(`/v2/messages/${(await messageOf(id))?.id}`)
    expect(refusal(await deploy.post(votes, { optionId: one }))).toEqual({
      status: 404,
      body: 'poll not found',
    })
    expect(await votesIn(id)).toEqual([])
  })

  it('answers with ids as they are kept, not as they were sent', async () => {
    const { id, one } = await newPoll(deploy)
    const vote = await newVote(deploy, `/v2/polls/${id.toUpperCase()}/votes`, one)
    expect(vote).toMatchObject({ id: `${id}_${one}_${deploy.id}`, attachmentId: id })
  })

  it('refuses what is not an id', async () => {
    const invalid = { status: 400, body: 'Invalid pollId' }
    expect(refusal(await deploy.post('/v2/polls/first/votes', { optionId: 'abc123' }))).toEqual(invalid)
    expect(refusal(await deploy.delete('/v2/polls/first/votes/x'))).toEqual(invalid)
  })
})

describe('retracting a vote', () => {
  it('answers 204, and the vote is gone', async () => {
    const { id, one, votes } = await newPoll(deploy)
    const vote = await newVote(deploy, votes, one)
    const { status, text } = await deploy.delete(`${votes}/${encodeURIComponent(vote.id)}`)
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(await votesIn(id)).toEqual([])
    const again = await deploy.delete(`${votes}/${vote.id}`)
    expect(refusal(again)).toEqual({ status: 404, body: 'vote not found' })
    await newVote(deploy, votes, one)
  })

  it('leaves the other votes', async () => {
    const { id, one, two, votes } = await newPoll(deploy, { selectionType: 'multiple' })
    const vote = await newVote(deploy, votes, one)
    await newVote(deploy, votes, two)
    await newVote(calendar, votes, one)
    await deploy.delete(`${votes}/${vote.id}`)
    expect(await votesIn(id)).toEqual([
      [deploy.id, two],
      [calendar.id, one],
    ])
  })

  it('finds no vote but an own one in this poll', async () => {
    const { id, one, two, votes } = await newPoll(deploy)
    const own = await newVote(deploy, votes, one)
    const others = await newVote(calendar, votes, one)
    const elsewhere = await newPoll(deploy)
    const inAnother = await newVote(deploy, elsewhere.votes, elsewhere.one)
    const wrong = [
      others.id,
      inAnother.id,
      `${id}_${two}_${deploy.id}`,
      `${id}_${one}`,
      `${own.id}_`,
      id,
      'x',
      `${newUuid()}_${one}_${deploy.id}`,
    ]
    for (const voteId of wrong) {
      const answer = await deploy.delete(`${votes}/${voteId}`)
      expect(refusal(answer)).toEqual({ status: 404, body: 'vote not found' })
    }
    expect(await votesIn(id)).toHaveLength(2)
    expect(await votesIn(elsewhere.id)).toHaveLength(1)
  })

  it('knows no poll that the bot cannot see', async () => {
    const left = await newTopic(calendar, [deploy.id])
    const former = await newPoll(calendar, { topicId: left })
    const vote = await newVote(deploy, former.votes, former.one)
    await deploy.delete(`/v2/topics/${left}/members`, { memberIds: [deploy.id] })
    const foreign = await newPoll(stranger, { topicId: await newTopic(stranger) })
    for (const path of [former.votes, foreign.votes, `/v2/polls/${newUuid()}/votes`]) {
      const answer = await deploy.delete(`${path}/${vote.id}`)
      expect(refusal(answer)).toEqual({ status: 404, body: 'poll not found' })
    }
    expect(await votesIn(former.id)).toEqual([[deploy.id, former.one]])
  })

  it('is over when the poll is closed or has expired', async () => {
    const { id, one, votes } = await newPoll(deploy, { expiresAt: Date.now() + MINUTE })
    const vote = await newVote(deploy, votes, one)
    const expired = await later(MINUTE, () => deploy.delete(`${votes}/${vote.id}`))
    expect(refusal(expired)).toEqual({ status: 400, body: 'poll has expired' })
    await close(id)
    const closed = await deploy.delete(`${votes}/${vote.id}`)
    expect(refusal(closed)).toEqual({ status: 400, body: 'poll is closed' })
    // A missing thing is reported before a wrong state.
    expect(refusal(await deploy.delete(`${votes}/x`))).toEqual({ status: 404, body: 'vote not found' })
    expect(await votesIn(id)).toEqual([[deploy.id, one]])
  })
})

describe('at the same moment', () => {
  const ROUNDS = 10

  it('two votes where one is allowed leave exactly one', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, one, two, three, votes } = await newPoll(deploy)
      const answers = await Promise.all(
        [one, two, three, one, two].map((optionId) => deploy.post(votes, { optionId })),
      )
      expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true)
      const [left, ...more] = await votesIn(id)
      expect(more).toEqual([])

      // The events add up to the current votes.
      const standing = new Set<unknown>()
      for (const { type, data } of await eventsOf(id)) {
        if (type === 'poll_vote.created') standing.add(data.optionId)
        else expect(standing.delete(data.optionId)).toBe(true)
      }
      expect([...standing]).toEqual([left?.[1]])
    }
  })

  it('the same vote many times is cast once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, one, votes } = await newPoll(deploy, {
        selectionType: round % 2 === 0 ? 'single' : 'multiple',
      })
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => deploy.post(votes, { optionId: one })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(await votesIn(id)).toHaveLength(1)
      expect(await eventsOf(id)).toHaveLength(1)
    }
  })

  it('voting, retracting and closing give documented answers only', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, one, two, votes } = await newPoll(deploy)
      const vote = await newVote(deploy, votes, one)
      const [, ...answers] = await Promise.all([
        close(id),
        deploy.post(votes, { optionId: two }),
        deploy.delete(`${votes}/${vote.id}`),
        deploy.post(votes, { optionId: one }),
        deploy.delete(`${votes}/${vote.id}`),
      ])
      for (const answer of answers) {
        if (answer.status === 400) expect(answer.body).toBe('poll is closed')
        else if (answer.status === 404) expect(answer.body).toBe('vote not found')
        else expect([200, 201, 204]).toContain(answer.status)
      }
      expect((await votesIn(id)).length).toBeLessThanOrEqual(1)
    }
  })
})
