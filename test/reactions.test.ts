import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addReaction } from '../server/actions/messages/reactions.ts'
import { createTopic, type NewTopic } from '../server/actions/topics/topics.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { during } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const UNKNOWN = '5e7c0a52-93a4-4c7e-8f43-0d7a9b1c2d3e'

let server: TestParley
let lighthouse: string
let deploy: StaticTestBot
let calendar: StaticTestBot
let outsider: StaticTestBot
let stranger: StaticTestBot
let ada: string
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  lighthouse = await organization(server, 'Lighthouse Labs')
  deploy = await staticBot(server, lighthouse, 'Deploy bot')
  calendar = await staticBot(server, lighthouse, 'Calendar bot')
  outsider = await staticBot(server, lighthouse, 'Outsider')
  stranger = await staticBot(server, await organization(server, 'Harbor Works'), 'Harbor bot')
  ada = await person(server, lighthouse, 'Ada Okafor')
  topicId = await topic()
})
afterAll(() => server.close())

async function topic(fields: Partial<NewTopic> = {}): Promise<string> {
  const wanted = { createdBy: deploy.id, name: 'Releases', members: [calendar.id, ada], ...fields }
  return (await server.parley.db.write(lighthouse, (tx) => createTopic(tx, wanted))).id
}
async function message(where = topicId, profileId = deploy.id): Promise<string> {
  const caller = { orgId: lighthouse, profileId }
  const wanted = { topicId: where, text: 'The release is out.' }
  return (await server.parley.messages.sendNow(caller, wanted)).id
}
const react = (bot: StaticTestBot, messageId: string, reaction: unknown) =>
  bot.post(`/v2/messages/${messageId}/reactions`, { reaction })
const reactionsOf = async (messageId: string) =>
  Object((await deploy.get(`/v2/messages/${messageId}`)).body).reactions
const anyTime = expect.any(Number)

describe('adding a reaction', () => {
  it('answers 201 with the record, and tells every bot of the topic', async () => {
    const messageId = await message()
    const { result, events } = await during(server, lighthouse, () => react(deploy, messageId, '🎉'))
    expect(result.status).toBe(201)
    const { id, createdAt } = Object(result.body)
    expect(result.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      messageId,
      reaction: '🎉',
      createdAt: anyTime,
    })
    expect(events).toEqual([
      {
        type: 'reaction.added',
        to: [deploy.id, calendar.id].sort(),
        data: {
          messageId,
          topicId,
          emoji: '🎉',
          userId: deploy.id,
          reactionId: id,
          createdAt,
          reaction: { id, messageId, topicId, userId: deploy.id, emoji: '🎉' },
        },
      },
    ])
  })

  it('answers 200 with the first record when the bot already has it, without an event', async () => {
    const messageId = await message()
    const first = await react(deploy, messageId, '🎉')
    server.clock.ahead += 1000
    const { result, events } = await during(server, lighthouse, () => react(deploy, messageId, '🎉'))
    expect([result.status, result.body]).toEqual([200, first.body])
    expect(events).toEqual([])
    expect(await reactionsOf(messageId)).toEqual([{ emoji: '🎉', count: 1 }])
  })

  it('counts each member once an emoji, in the order of first use', async () => {
    const messageId = await message()
    await react(calendar, messageId, '👀')
    await react(deploy, messageId, '🎉')
    await react(deploy, messageId, '👀')
    await server.parley.db.write(lighthouse, (tx) =>
      addReaction(tx, { orgId: lighthouse, profileId: ada }, messageId, '👀'),
    )
    expect(await reactionsOf(messageId)).toEqual([
      { emoji: '👀', count: 3 },
      { emoji: '🎉', count: 1 },
    ])
    const { body } = await deploy.get(`/v2/topics/${topicId}/messages?limit=1&includeReactionUsers=true`)
    expect(Object(body).messages[0].reactions).toEqual([
      { emoji: '👀', count: 3, userIds: [calendar.id, deploy.id, ada] },
      { emoji: '🎉', count: 1, userIds: [deploy.id] },
    ])
  })

  it('leaves the message itself as it was', async () => {
    const messageId = await message()
    const { reactions: _none, ...before } = Object((await deploy.get(`/v2/messages/${messageId}`)).body)
    server.clock.ahead += 1000
    await react(calendar, messageId, '🎉')
    const { reactions: _one, ...after } = Object((await deploy.get(`/v2/messages/${messageId}`)).body)
    expect(after).toEqual(before)
  })

  it.each([
    ['a single emoji', '👍'],
    ['a skin tone', '👍🏿'],
    ['a pictograph without its variation selector', '\u2764'],
    ['a pictograph with its variation selector', '\u2764\ufe0f'],
    ['a pointing hand with a skin tone', '☝🏽'],
    ['a family', '👨‍👩‍👧‍👦'],
    ['a couple with skin tones', '👩🏽‍❤️‍💋‍👨🏿'],
    ['a joined sequence without variation selectors', '👩\u200d\u2764\u200d👨'],
    ['a profession', '👩🏽‍🚀'],
    ['the flag of a country', '🇳🇬'],
    ['the flag of a region', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a joined flag', '🏳️‍🌈'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['a keycap without its variation selector', '#\u20e3'],
    ['a sign of the old days', '©'],
    ['a place that is reserved for an emoji to come', '\u{1faff}'],
  ])('takes %s, and gives it back as sent', async (_what, emoji) => {
    const messageId = await message()
    const { status, body } = await react(deploy, messageId, emoji)
    expect([status, Object(body).reaction]).toEqual([201, emoji])
    expect(await reactionsOf(messageId)).toEqual([{ emoji, count: 1 }])
    expect([...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(emoji)]).toHaveLength(1)
  })

  it.each([
    ['two emoji', '👍👍'],
    ['two flags', '🇳🇬🇸🇪'],
    ['half a flag', '🇳'],
    ['a flag of no country', '🇦🇦'],
    ['a letter', 'a'],
    ['a word', 'thumbsup'],
    ['a shortcode', ':tada:'],
    ['a digit', '1'],
    ['a number sign', '#'],
    ['a letter in a box of combining marks', 'a\u20e3'],
    ['an emoji and text', '👍 ok'],
    ['text and an emoji', 'x👍'],
    ['a space', ' '],
    ['an emoji after a space', ' 👍'],
    ['an emoji before a line break', '👍\n'],
    ['an emoji after a sign that clings to it', '\u0600😀'],
    ['an emoji under an accent', '😀\u0301'],
    ['an emoji that waits to be joined', '👩\u200d'],
    ['a pictograph in text style', '\u2764\ufe0e'],
    ['a variation selector alone', '\ufe0f'],
    ['a check mark that is no emoji', '✓'],
    ['a chain that never ends', Array(40).fill('👩').join('\u200d')],
    ['many emoji', '👍'.repeat(33)],
  ])('refuses %s', async (_what, reaction) => {
    const messageId = await message()
    const { result, events } = await during(server, lighthouse, () => react(deploy, messageId, reaction))
    expect([result.status, result.body]).toEqual([400, 'reaction must be one emoji'])
    expect(events).toEqual([])
    expect(await reactionsOf(messageId)).toEqual([])
  })

  it.each([
    ['reaction is required', {}],
    ['reaction is required', { reaction: '' }],
    ['reaction must be a string', { reaction: null }],
    ['reaction must be a string', { reaction: ['👍'] }],
    ['text must not contain NUL or lone surrogates', { reaction: '\ud83d' }],
  ])('refuses with "%s" (%#)', async (text, body) => {
    const answer = await deploy.post(`/v2/messages/${await message()}/reactions`, body)
    expect([answer.status, answer.body]).toEqual([400, text])
  })

  it('checks the emoji before it looks for the message', async () => {
    const { status, body } = await react(deploy, UNKNOWN, 'nice')
    expect([status, body]).toEqual([400, 'reaction must be one emoji'])
    const malformed = await react(deploy, 'nothing', '👍')
    expect([malformed.status, malformed.body]).toEqual([400, 'Invalid messageId'])
  })
})

describe('removing a reaction', () => {
  it('answers 204, and tells every bot of the topic', async () => {
    const messageId = await message()
    const { id } = Object((await react(deploy, messageId, '🎉')).body)
    await react(calendar, messageId, '🎉')
    const { result, events } = await during(server, lighthouse, () =>
      deploy.delete(`/v2/messages/${messageId}/reactions/${id}`),
    )
    expect([result.status, result.text]).toEqual([204, ''])
    expect(events).toEqual([
      {
        type: 'reaction.removed',
        to: [deploy.id, calendar.id].sort(),
        data: {
          messageId,
          topicId,
          emoji: '🎉',
          userId: deploy.id,
          reactionId: id,
          createdAt: anyTime,
          reaction: { id, messageId, topicId, userId: deploy.id, emoji: '🎉' },
        },
      },
    ])
    expect(await reactionsOf(messageId)).toEqual([{ emoji: '🎉', count: 1 }])
  })

  it('makes an emoji disappear with its last use, and a new one comes last', async () => {
    const messageId = await message()
    const { id } = Object((await react(deploy, messageId, '🎉')).body)
    await react(deploy, messageId, '👀')
    await deploy.delete(`/v2/messages/${messageId}/reactions/${id}`)
    expect(await reactionsOf(messageId)).toEqual([{ emoji: '👀', count: 1 }])
    const again = await react(deploy, messageId, '🎉')
    expect([again.status, Object(again.body).id === id]).toEqual([201, false])
    expect(await reactionsOf(messageId)).toEqual([
      { emoji: '👀', count: 1 },
      { emoji: '🎉', count: 1 },
    ])
  })

  it('takes an empty body and an empty object', async () => {
    const messageId = await message()
    const { id } = Object((await react(deploy, messageId, '🎉')).body)
    expect((await deploy.delete(`/v2/messages/${messageId}/reactions/${id}`, {})).status).toBe(204)
  })

  it("refuses another's reaction, of a bot and of a person", async () => {
    const messageId = await message()
    const { id } = Object((await react(calendar, messageId, '🎉')).body)
    const { reaction: hers } = await server.parley.db.write(lighthouse, (tx) =>
      addReaction(tx, { orgId: lighthouse, profileId: ada }, messageId, '👀'),
    )
    const { result, events } = await during(server, lighthouse, async () => [
      await deploy.delete(`/v2/messages/${messageId}/reactions/${id}`),
      await deploy.delete(`/v2/messages/${messageId}/reactions/${hers.id}`),
    ])
    for (const { status, body } of result) expect([status, body]).toEqual([403, 'forbidden'])
    expect(events).toEqual([])
    expect(await reactionsOf(messageId)).toHaveLength(2)
  })

  it('does not find it under another message, twice, or after the bot has left', async () => {
    const own = await topic()
    const messageId = await message(own)
    const { id } = Object((await react(deploy, messageId, '🎉')).body)
    const missed = await deploy.delete(`/v2/messages/${await message(own)}/reactions/${id}`)
    expect([missed.status, missed.body]).toEqual([404, 'Reaction not found'])

    const gone = Object((await react(deploy, messageId, '👀')).body).id
    await deploy.delete(`/v2/messages/${messageId}/reactions/${gone}`)
    const twice = await deploy.delete(`/v2/messages/${messageId}/reactions/${gone}`)
    expect([twice.status, twice.body]).toEqual([404, 'Reaction not found'])

    await deploy.delete(`/v2/topics/${own}/members`, { memberIds: [deploy.id] })
    const left = await deploy.delete(`/v2/messages/${messageId}/reactions/${id}`)
    expect([left.status, left.body]).toEqual([404, 'Reaction not found'])
    expect((await calendar.get(`/v2/messages/${messageId}`)).body).toMatchObject({
      reactions: [{ emoji: '🎉', count: 1 }],
    })
  })

  it('refuses malformed ids', async () => {
    const messageId = await message()
    const reaction = await deploy.delete(`/v2/messages/${messageId}/reactions/party`)
    expect([reaction.status, reaction.body]).toEqual([400, 'Invalid reactionId'])
    const other = await deploy.delete(`/v2/messages/mine/reactions/${UNKNOWN}`)
    expect([other.status, other.body]).toEqual([400, 'Invalid messageId'])
  })

  it('goes with its message', async () => {
    const messageId = await message()
    const { id } = Object((await react(calendar, messageId, '🎉')).body)
    const { events } = await during(server, lighthouse, () => deploy.delete(`/v2/messages/${messageId}`))
    expect(events.map(({ type }) => type)).toEqual(['message.deleted'])
    const { status, body } = await calendar.delete(`/v2/messages/${messageId}/reactions/${id}`)
    expect([status, body]).toEqual([404, 'Reaction not found'])
    expect(
      await server.parley.db.query(sql`select 1 from reactions where message_id = ${messageId}`),
    ).toEqual([])
  })
})

describe('a message that is foreign, out of reach, or not there at all', () => {
  it('takes no reaction and loses none, and looks the same', async () => {
    const messageId = await message()
    const { id } = Object((await react(deploy, messageId, '🎉')).body)
    const { result, events } = await during(server, lighthouse, async () => ({
      added: [
        await react(stranger, messageId, '🎉'),
        await react(outsider, messageId, '🎉'),
        await react(outsider, UNKNOWN, '🎉'),
      ],
      removed: [
        await stranger.delete(`/v2/messages/${messageId}/reactions/${id}`),
        await outsider.delete(`/v2/messages/${messageId}/reactions/${id}`),
        await outsider.delete(`/v2/messages/${UNKNOWN}/reactions/${UNKNOWN}`),
      ],
    }))
    for (const { status, body } of result.added) expect([status, body]).toEqual([404, 'Message not found'])
    for (const { status, body } of result.removed) expect([status, body]).toEqual([404, 'Reaction not found'])
    const headers = [...result.added, ...result.removed].map((answer) => [...answer.headers.keys()].join())
    expect(new Set(headers).size).toBe(1)
    expect(events).toEqual([])
    expect(await reactionsOf(messageId)).toEqual([{ emoji: '🎉', count: 1 }])
  })
})
