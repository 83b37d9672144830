import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SavedMessage } from '../contract/people/saved.ts'
import { textOf } from '../contract/refusals/index.ts'
import { sql } from '../server/db/sql.ts'
import { remindPeople } from '../server/notify/reminders.ts'
import { chatOf, refusal } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import type { TestPerson } from './support/people.ts'

const MINUTE = 60_000

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

const now = () => server.parley.clock()
/** Moves the clock of both nodes, which look at the same time. */
async function pass(milliseconds: number): Promise<void> {
  server.clock.ahead += milliseconds
  beside.clock.ahead += milliseconds
  await Promise.all([server, beside].map(({ parley }) => remindPeople(parley, () => {})))
}
const say = async (text: string, topicId = cast.topicId): Promise<string> =>
  Object((await chatOf(cast.ada).post('messages', { topicId, text })).body).id
const save = (who: TestPerson, id: string, body: object = {}) =>
  chatOf(who).patch(`saved-messages/${id}`, body)
const unsave = (who: TestPerson, id: string) => chatOf(who).delete(`saved-messages/${id}`)
type Page = { saved: SavedMessage[]; nextCursor?: string }
const list = async (who: TestPerson, query = ''): Promise<Page> =>
  Object((await chatOf(who).get(`saved-messages${query}`)).body)
const textsOf = async (who: TestPerson, query = '') =>
  (await list(who, query)).saved.map(({ message }) => message.text)

describe('a saved message', () => {
  it('stands in the list of who saved it alone, the last saved first, page by page', async () => {
    const ids = [await say('One'), await say('Two'), await say('Three')]
    for (const id of ids)
      expect(await save(cast.ben, id)).toMatchObject({ status: 200, body: { isNew: true } })
    expect(await save(cast.ben, ids[0] ?? '')).toMatchObject({ status: 200, body: { isNew: false } })
    expect(await textsOf(cast.ben)).toEqual(['Three', 'Two', 'One'])
    expect(await textsOf(cast.ada)).toEqual([])
    const first = await list(cast.ben, '?limit=2')
    expect(first.saved.map(({ isDue }) => isDue)).toEqual([false, false])
    expect(await textsOf(cast.ben, `?limit=2&cursor=${first.nextCursor}`)).toEqual(['One'])
    expect((await chatOf(cast.ada).get(`saved-messages?cursor=${first.nextCursor}`)).status).toBe(400)
    expect((await unsave(cast.ben, ids[1] ?? '')).status).toBe(204)
    expect(refusal(await unsave(cast.ben, ids[1] ?? ''))).toMatchObject({ status: 404 })
    await chatOf(cast.ada).delete(`messages/${ids[2]}`)
    expect(await textsOf(cast.ben)).toEqual(['One'])
    const rows = await server.parley.db.query(sql`select 1 from saved_messages where message_id = ${ids[2]}`)
    expect(rows).toEqual([])
    await unsave(cast.ben, ids[0] ?? '')
  })

  it('is one that they may see, for as long as they may', async () => {
    const id = await say('For members')
    expect(refusal(await save(cast.cy, id))).toMatchObject({ status: 404, body: 'Message not found' })
    await save(cast.ben, id)
    const members = `topics/${cast.topicId}/members`
    await chatOf(cast.ada).delete(members, { memberIds: [cast.ben.profileId] })
    expect(await textsOf(cast.ben)).toEqual([])
    await chatOf(cast.ada).post(members, { memberIds: [cast.ben.profileId] })
    expect(await textsOf(cast.ben)).toEqual(['For members'])
    await unsave(cast.ben, id)
  })
})

describe('a reminder', () => {
  it('comes when it is due, once, by one of two nodes that look at the same moment', async () => {
    const stream = await cast.stream(cast.ben)
    const [late, soon] = [await say('Much later'), await say('Answer me')]
    expect((await save(cast.ben, late, { remindAt: now() + 10 * MINUTE })).status).toBe(200)
    expect((await save(cast.ben, soon, { remindAt: now() + MINUTE })).status).toBe(200)
    expect(await textsOf(cast.ben, '?reminders=true')).toEqual(['Answer me', 'Much later'])
    await pass(MINUTE - 5000)
    expect((await list(cast.ben, '?reminders=true')).saved.map(({ isDue }) => isDue)).toEqual([false, false])
    await pass(5000)
    const isReminder = ({ event, data }: { event: string; data: unknown }) =>
      event === 'notification' && Object(data).isReminder === true
    const told = await stream.next(isReminder)
    expect(told.data).toMatchObject({ messageId: soon, title: '⏰ Ada · Releases', body: 'Answer me' })
    expect((await list(cast.ben, '?reminders=true')).saved.map(({ isDue }) => isDue)).toEqual([true, false])
    await pass(1000)
    await save(cast.ben, soon, { remindAt: now() + MINUTE }) // once more
    await pass(MINUTE)
    await stream.next((frame) => isReminder(frame) && stream.seen.filter(isReminder).length > 1)
    await save(cast.ben, late, { remindAt: null })
    expect(await textsOf(cast.ben, '?reminders=true')).toEqual(['Answer me'])
    await pass(10 * MINUTE)
    await say('The end')
    await stream.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.text === 'The end',
    )
    expect(stream.seen.filter(isReminder)).toHaveLength(2)
  })

  it('is refused in the past and too far ahead, and not sent to people who have left', async () => {
    const id = await say('Leaving')
    for (const remindAt of [now() - 1, now() + 367 * 86_400_000])
      expect(refusal(await save(cast.ben, id, { remindAt }))).toMatchObject({
        status: 400,
        body: textOf('reminder_time_invalid'),
      })
    const stream = await cast.stream(cast.ben)
    await save(cast.ben, id, { remindAt: now() + MINUTE })
    await chatOf(cast.ada).delete(`topics/${cast.topicId}/members`, { memberIds: [cast.ben.profileId] })
    await pass(MINUTE)
    await chatOf(cast.ada).post(`topics/${cast.topicId}/members`, { memberIds: [cast.ben.profileId] })
    await say('Back again')
    await stream.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.text === 'Back again',
    )
    expect(
      stream.seen.some(({ event, data }) => event === 'notification' && Object(data).messageId === id),
    ).toBe(false)
  })
})
