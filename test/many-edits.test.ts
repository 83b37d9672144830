import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { editMessage } from '../server/actions/messages/messages.ts'
import { eraseData } from '../server/background/erasures.ts'
import { deleteOldMessages } from '../server/background/message-retention.ts'
import { sql } from '../server/db/sql.ts'
import type { LogEvent, Transaction } from '../server/db/transaction.ts'
import { redactMessages, withoutFormerWords } from '../server/events/redact-messages.ts'
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
  const EDITS = 20
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
    /** Events replaced by others with the same number. */
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

/** Events of a message with their places in the table, which change when one is rewritten. */
const logOf = (id: string) =>
  server.parley.db.query<{ seq: number; place: string; type: string; data: string }>(sql`
    select seq, ctid::text as place, type, data::text as data from events
    where org_id = ${orgId} and data #>> '{message,id}' = ${id} and type <> 'message.deleted' order by seq`)
const isThere = async (id: string): Promise<boolean> =>
  (await server.parley.db.query(sql`select 1 from messages where org_id = ${orgId} and id = ${id}`)).length >
  0
const messageOf = ({ data }: { data: string }) => Object(JSON.parse(data)).message

const DAY = 86_400_000
type Said = { author: TestPerson; topicId: string; id: string }
/** Each way in which a message is deleted, up to the transaction in which it goes. */
const DELETIONS: Record<string, (said: Said) => Promise<void>> = {
  async 'its author'({ author, id }) {
    expect((await chatOf(author).delete(`messages/${id}`)).status).toBe(204)
  },
  async moderation({ id }) {
    expect((await chatOf(ben).post(`messages/${id}/report`, { reason: 'Rude' })).status).toBeLessThan(300)
    const { reports } = Object((await ada.get(`/people/organizations/${orgId}/reports`)).body)
    const path = `/people/organizations/${orgId}/reports/${reports[0].id}/decision`
    expect((await ada.post(path, { outcome: 'deleted' })).status).toBe(200)
  },
  async erasure({ author, id }) {
    const path = `/people/organizations/${orgId}/members/${author.profileId}/erasure`
    expect((await ada.post(path, { withMessages: true })).status).toBeLessThan(300)
    for (let round = 0; round < 40 && (await isThere(id)); round += 1) await eraseData(server.parley)
  },
  async retention({ topicId, id }) {
    const path = `/people/organizations/${orgId}/topics/${topicId}`
    expect((await ada.patch(path, { keepMessagesDays: 1 })).status).toBe(200)
    server.clock.ahead += DAY + 3_600_000
    for (let round = 0; round < 40 && (await isThere(id)); round += 1) await deleteOldMessages(server.parley)
  },
}

/** Events of edits that keep more than a deletion leaves. */
const KEPT = 20

describe('a message with many edits in the log', () => {
  const EDITS = KEPT + 10
  const edited = async (author: TestPerson): Promise<Said> => {
    const topicId = await newTopic(author)
    const id = await say(author, topicId, `Limpet <@${ben.profileId}>`)
    await server.parley.db.write(orgId, async (tx) => {
      for (let number = 1; number <= EDITS; number += 1) {
        const text = `Limpet ${number} <@${ben.profileId}>`
        await editMessage(tx, { orgId, profileId: author.profileId }, id, { text })
      }
    })
    return { author, topicId, id }
  }

  it('keeps whom it mentioned in its first event and in the last ones', async () => {
    const { id } = await edited(ada)
    const messages = (await logOf(id)).map(messageOf)
    expect(messages).toHaveLength(EDITS + 1)
    expect(messages.map(({ text }) => text).filter((text) => text !== '')).toEqual([
      `Limpet ${EDITS} <@${ben.profileId}>`,
    ])
    const mentioning = messages.map(({ mentionedProfiles }) => mentionedProfiles.length > 0)
    expect(mentioning).toEqual([true, ...Array(EDITS - KEPT - 1).fill(false), ...Array(KEPT + 1).fill(true)])
    expect(messages[0].mentionedProfiles).toEqual([ben.profileId])
  })

  /** Rows as an edit left them before: with all that an edit keeps, however many there are. */
  const addFormerEdits = async (tx: Transaction, id: string, count: number): Promise<void> => {
    const [pattern] = await tx.query<{ seq: number }>(sql`
      select seq from message_events where org_id = ${orgId} and message_id = ${id} and not has_words order by seq desc limit 1`)
    const first = tx.lastSeq
    for (let number = 0; number < count; number += 1) tx.nextSeq()
    await tx.query(sql`
      insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
      select org_id, ${first} + n, gen_random_uuid(), type, topic_id, data, created_at, bot_ids
      from events, generate_series(1, ${count}::integer) n where org_id = ${orgId} and seq = ${pattern?.seq}`)
    await tx.query(sql`
      insert into message_events (org_id, message_id, seq, has_words)
      select ${orgId}, ${id}, ${first} + n, false from generate_series(1, ${count}::integer) n`)
  }

  it.each(['a deletion', 'an edit'])(
    'is gone through 500 events at a time where %s finds 1,200',
    async (way) => {
      const { id } = await edited(ada)
      await server.parley.db.write(orgId, (tx) => addFormerEdits(tx, id, 1200))
      const sizes: number[] = []
      await server.parley.db.write(orgId, async (tx) => {
        const spy = vi.spyOn(tx, 'query')
        await (way === 'a deletion' ? redactMessages(tx, [id]) : withoutFormerWords(tx, id))
        for (const { value } of spy.mock.settledResults) sizes.push(value.length)
      })
      expect(Math.max(...sizes)).toBe(500)
      if (way === 'an edit') return
      const left = (await logOf(id)).map(messageOf)
      expect(left).toHaveLength(1200 + EDITS + 1)
      expect(
        left.filter(({ text, mentions, mentionedProfiles }) => text || mentions[0] || mentionedProfiles[0]),
      ).toEqual([])
    },
  )

  it.each(Object.keys(DELETIONS))('has few events left for a deletion by %s', async (way) => {
    const said = await edited(await signInAs(server, { orgId, name: `Author for ${way}` }))
    const before = await logOf(said.id)
    await DELETIONS[way]?.(said)
    expect(await isThere(said.id)).toBe(false)
    const after = await logOf(said.id)
    const rewritten = after.filter(({ place }, index) => before[index]?.place !== place)
    // `message.created`, the last edit, and those that kept whom they mentioned.
    expect(rewritten).toHaveLength(KEPT + 2)
    const telling = after
      .map(messageOf)
      .filter(
        ({ text, mentions, mentionedProfiles, previousMentions }) =>
          text || mentions[0] || mentionedProfiles[0] || previousMentions?.[0],
      )
    expect(telling).toEqual([])
    const rows = await server.parley.db.query(sql`
      select 1 from message_events where org_id = ${orgId} and message_id = ${said.id}`)
    expect(rows).toEqual([])
  })
})
