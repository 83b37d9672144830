import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { editMessage } from '../server/actions/messages.ts'
import type { LogEvent } from '../server/db/transaction.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  bot = await staticBot(server, orgId, 'Polling bot')
  const commands = [{ name: 'note', description: 'Note it', arguments: [{ name: 'what' }] }]
  expect((await bot.put('/v2/commands', { commands })).status).toBe(200)
})
afterAll(() => server.close())

const newTopic = async (author: TestPerson): Promise<string> => {
  const members = [ben.profileId, author.profileId, bot.id]
  const made = await chatOf(ada).post('topics', { name: 'Harbour', members })
  expect(made.status, made.text).toBe(201)
  return Object(made.body).id
}
const say = async (who: TestPerson, topicId: string, text: string): Promise<string> => {
  const said = await chatOf(who).post('messages', { topicId, text })
  expect(said.status, said.text).toBe(201)
  return Object(said.body).id
}
const edit = (who: TestPerson, id: string, text: string) =>
  server.parley.db.write(orgId, (tx) => editMessage(tx, { orgId, profileId: who.profileId }, id, { text }))

describe('events in memory of a message that is edited again and again', () => {
  const EDITS = 60
  const held = (from: number): readonly LogEvent[] => {
    const events = server.parley.tail.readAll(orgId, from)
    if (!events) throw new Error('the node does not hold these events')
    return events
  }

  it('are rewritten once each, and once more when it is deleted', async () => {
    const topicId = await newTopic(ada)
    await bot.get('/v2/updates?offset=newest&timeout=1') // this node follows the log from here on
    const from = server.parley.tail.lastSeq(orgId)
    const id = await say(ada, topicId, '/note whelk')
    await say(ada, topicId, 'Another whelk')
    let before = held(from)
    /** Events that were replaced by others with the same number. */
    const rewritten = (): number => {
      const now = held(from)
      const count = before.filter((event, place) => now[place] !== event).length
      before = now
      return count
    }
    const counts: number[] = []
    for (let number = 1; number <= EDITS; number += 1) {
      await edit(ada, id, `Edit ${number} of a whelk`)
      counts.push(rewritten())
    }
    // The first edit takes the words out of `message.created` and `message.command`, each other one out of the edit before it.
    expect(counts).toEqual([2, ...Array.from({ length: EDITS - 1 }, () => 1)])
    expect(before.filter(({ data }) => data.includes(`whelk`)).map(({ type }) => type)).toEqual([
      'message.created',
      'message.updated',
    ])
    expect((await chatOf(ada).delete(`messages/${id}`)).status).toBe(204)
    expect(rewritten()).toBe(EDITS + 2)
    expect(before.filter(({ data }) => data.includes(`whelk`)).map(({ type }) => type)).toEqual([
      'message.created', // of the other message
    ])
  })

  it('lose their words also after older events were let go', async () => {
    const topicId = await newTopic(ada)
    await bot.get('/v2/updates?offset=newest&timeout=1')
    const from = server.parley.tail.lastSeq(orgId)
    const [id, other] = [await say(ada, topicId, 'A conch'), await say(ada, topicId, 'Another conch')]
    for (const text of ['Second conch', 'Third conch']) await edit(ada, id, text)
    server.parley.tail.forgetTo(orgId, from + 1)
    await edit(ada, id, 'Fourth conch')
    server.parley.tail.forgetTo(orgId, from + 3)
    await edit(ada, other, 'A cockle')
    const texts = () => held(from + 3).map(({ data }) => Object(JSON.parse(data)).message.text)
    expect(texts()).toEqual(['', 'Fourth conch', 'A cockle'])
    expect((await chatOf(ada).delete(`messages/${id}`)).status).toBe(204)
    expect(texts()).toEqual(['', '', 'A cockle', undefined])
  })
})
