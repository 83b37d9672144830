import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'
import { ON_LOOPBACK } from './support/receiver.ts'
import { startTextChecker, type TextChecker } from './support/text-checker.ts'

/* The heart of test/message-check.test.ts, which runs at night. */

let server: TestParley
let cast: ChatCast
let checker: TextChecker

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  server.parley.messageCheck.limitMs = PATIENCE_MS
  cast = await chatCast(server)
  checker = await startTextChecker()
})
afterAll(async () => {
  cast.close()
  await checker.close()
  await server.close()
})

it('lets a program of the organization refuse, mask and hold what people and bots write', async () => {
  const { ada, bot, topicId } = cast
  expect((await chatOf(ada).post('messages', { topicId, text: 'The secret' })).status).toBe(201)
  expect(checker.received).toEqual([])
  const body = { address: checker.url, whenAway: 'refuse' }
  expect((await ada.post(`/people/organizations/${cast.orgId}/message-check`, body)).status).toBe(200)

  const once = withKey('once')
  for (const answer of [
    await chatOf(ada).post('messages', { topicId, text: 'The secret' }, once),
    await chatOf(ada).post('messages', { topicId, text: 'The secret' }, once),
    await bot.post('/v2/tasks', { topicId, title: 'A secret' }),
  ])
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'message_refused' })
  expect(checker.news()).toEqual(['The secret', 'A secret'])

  const masked = Object((await bot.post('/v2/messages', { topicId, text: 'My card 4' })).body)
  const edited = await bot.patch(`/v2/messages/${masked.id}`, { text: 'My card 5, secret' })
  expect(refusal(edited).code).toBe('message_refused')
  expect(Object((await bot.get(`/v2/messages/${masked.id}`)).body).text).toBe('My (hidden)')

  const held = await chatOf(ada).post('messages', { topicId, text: 'How odd' })
  expect([held.status, Object(held.body).held]).toEqual([202, true])

  checker.otherwise = 500
  const away = await chatOf(ada).post('messages', { topicId, text: 'Hello?' })
  expect(refusal(away)).toMatchObject({ status: 503, code: 'message_check_away' })
})
