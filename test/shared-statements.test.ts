import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { chatOf } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
let cast: ChatCast

beforeAll(async () => {
  server = await startTestParley()
  cast = await chatCast(server)
})
afterAll(async () => {
  cast?.close()
  await server?.close()
})

const number = (value: number) =>
  server.parley.db.writeStatement<{ value: number; xact: string }>(
    cast.orgId,
    sql`select ${value}::integer as value, pg_current_xact_id()::text as xact`,
  )

it('share a transaction while another one is under way, and each has its own rows', async () => {
  const all = (await Promise.all([1, 2, 3, 4].map(number))).flat()
  expect(all.map(({ value }) => value)).toEqual([1, 2, 3, 4])
  const [first, ...others] = all.map(({ xact }) => xact)
  expect(new Set(others).size).toBe(1)
  expect(others).not.toContain(first)
})

it('fail alone', async () => {
  const wrong = server.parley.db.writeStatement(cast.orgId, sql`select 1 / ${0}::integer as value`)
  const settled = await Promise.allSettled([number(1), number(2), wrong, number(3)])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

it('keep read positions of many people apart, also beside one of a topic that is not theirs', async () => {
  const messages = await Promise.all(
    Array.from({ length: 3 }, (_, index) =>
      cast.bot.post('/v2/messages', { topicId: cast.topicId, text: `${index}` }),
    ),
  )
  const ids = messages.map(({ body }) => String(Object(body).id))
  const people = [cast.ada, cast.ben]
  const answers = await Promise.all([
    ...people.flatMap((who) =>
      ids.map((readTo) => chatOf(who).patch(`topics/${cast.topicId}/state`, { readTo })),
    ),
    chatOf(cast.ada).patch(`topics/${cast.orgId}/state`, { readTo: ids[0] }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 6 }, () => 200), 404])
  const rows = await server.parley.db.query<{ read_to: string }>(sql`
    select read_to from topic_states where topic_id = ${cast.topicId} and profile_id = any(${people.map(({ profileId }) => profileId)}::text[])`)
  expect(rows.map(({ read_to: readTo }) => readTo)).toEqual([ids.toSorted().at(-1), ids.toSorted().at(-1)])
})
