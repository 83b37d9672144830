import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { appeared, sendFiles } from './support/uploads.ts'

let server: TestParley
let ada: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada' })
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

const newTopic = async (): Promise<string> =>
  Object((await bot.post('/v2/topics', { name: 'Topic', members: [ada.profileId] })).body).id
const say = async (topicId: string, text: string): Promise<string> =>
  Object((await bot.post('/v2/messages', { topicId, text })).body).id
const set = async (topicId: string, body: unknown) =>
  Object((await chatOf(ada).patch(`topics/${topicId}/state`, body)).body)
const stateOf = async (topicId: string) => Object((await chatOf(ada).get(`topics/${topicId}`)).body)
const receipts = async (messageId: string) =>
  Object((await chatOf(ada).get(`messages/${messageId}/receipts`)).body).readBy

/** Processes waiting files, and returns their message. */
async function process(messageId: string) {
  const jobs = startJobs(server)
  try {
    return await appeared(bot, messageId)
  } finally {
    await jobs.stop()
  }
}

/** Sends a file, then two texts that are read; then the file appears. */
async function lateFile(caption = '') {
  const topicId = await newTopic()
  const first = await say(topicId, 'First')
  const file = await sendFiles(bot, { topicId, caption }, 'Some notes')
  const second = await say(topicId, 'Second')
  const third = await say(topicId, 'Third')
  expect(await set(topicId, { readTo: third })).toMatchObject({ unread: 0 })
  const message = await process(file)
  return { topicId, first, file, second, third, appearedId: message.appearedId }
}

describe('files that appear after newer messages', () => {
  it('are unread for people who have read on, until they are seen', async () => {
    const { topicId, file, third, appearedId } = await lateFile(`Look, <@${ada.profileId}>`)
    expect(appearedId > third).toBe(true)
    expect(await stateOf(topicId)).toMatchObject({ unread: 1, mentions: 1, readTo: third, lateReadTo: null })
    expect(await receipts(file)).toEqual([])
    const read = { unread: 0, mentions: 0, readTo: third, lateReadTo: appearedId }
    expect(await set(topicId, { readTo: file })).toMatchObject(read)
    expect(await stateOf(topicId)).toMatchObject(read)
    expect(await receipts(file)).toEqual([ada.profileId])
  })

  it('are read with what was sent after they appeared, and with everything at once', async () => {
    const { topicId } = await lateFile()
    const next = await say(topicId, 'Next')
    expect(await stateOf(topicId)).toMatchObject({ unread: 2 })
    expect(await set(topicId, { readTo: next })).toMatchObject({ unread: 0, lateReadTo: null })
    const other = await lateFile()
    const { states } = Object((await chatOf(ada).post('read-all')).body)
    expect(states).toMatchObject([{ topicId: other.topicId, unread: 0, lateReadTo: other.appearedId }])
  })

  it('do not take with them what stands behind them and was not seen', async () => {
    const topicId = await newTopic()
    const file = await sendFiles(bot, { topicId }, 'Some notes')
    await say(topicId, 'Second')
    await process(file)
    expect(await stateOf(topicId)).toMatchObject({ unread: 2 })
    expect(await set(topicId, { readTo: file })).toMatchObject({ unread: 1, readTo: file })
  })

  it('stay read when a message after them is made unread again', async () => {
    const { topicId, file, third } = await lateFile()
    const next = await say(topicId, 'Next')
    await set(topicId, { readTo: next })
    expect(await set(topicId, { unreadFrom: third })).toMatchObject({ unread: 2 })
    expect(await set(topicId, { unreadFrom: file })).toMatchObject({ unread: 4 })
  })

  it('have no separate place if no message came in between', async () => {
    const topicId = await newTopic()
    const message = await process(await sendFiles(bot, { topicId }, 'Some notes'))
    expect(message.appearedId).toBeUndefined()
    expect(await set(topicId, { readTo: message.id })).toMatchObject({ unread: 0, lateReadTo: null })
  })

  it('are found by an index of their own, however long the topic is', async () => {
    const plan = await server.parley.db.transaction(async (tx) => {
      await tx.query(sql`set local enable_seqscan = off`)
      return tx.query<Record<string, string>>(sql`
        explain select x.id from messages x
        where x.org_id = ${ada.orgId} and x.appeared_id is not null
          and (x.topic_id, x.appeared_id) > (${ada.orgId}::uuid, ${ada.orgId}::uuid)
        order by x.topic_id, x.appeared_id limit 100`)
    })
    expect(JSON.stringify(plan)).toContain('messages_late')
  })
})
