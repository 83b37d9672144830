import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseData } from '../server/background/erasures.ts'
import { deleteOldMessages } from '../server/background/message-retention.ts'
import { sql, toStatement } from '../server/db/sql.ts'
import type { Transaction } from '../server/db/transaction.ts'
import { redactMessages } from '../server/events/redact-messages.ts'
import { connectFor } from './support/assistants.ts'
import { at, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { ON_LOOPBACK, type Receiver, startDispatcher, startReceiver, webhookBot } from './support/receiver.ts'
import { openStream } from './support/stream.ts'

const DAY = 86_400_000

let server: TestParley
let beside: TestParley
let jobs: { stop(): Promise<void> }
let orgId: string
let ada: TestPerson
let ben: TestPerson
let assistant: Client
let bot: StaticTestBot
let receiver: Receiver
let called: StaticTestBot

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  beside = await server.secondNode()
  jobs = startJobs(server)
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  assistant = (await connectFor(ben)).client
  bot = await staticBot(server, orgId, 'Polling bot')
  receiver = await startReceiver()
  called = await webhookBot(server, orgId, receiver.url)
  const commands = [{ name: 'note', description: 'Note it', arguments: [{ name: 'what' }] }]
  expect((await bot.put('/v2/commands', { commands })).status).toBe(200)
})
afterAll(async () => {
  await assistant.close()
  await jobs.stop()
  await receiver.close()
  await server.close()
})

const newTopic = async (author: TestPerson): Promise<string> => {
  const members = [ben.profileId, author.profileId, bot.id, called.id]
  const made = await chatOf(ada).post('topics', { name: 'Harbour', members })
  expect(made.status, made.text).toBe(201)
  return Object(made.body).id
}
const say = async (who: TestPerson, topicId: string, text: string): Promise<string> => {
  const said = await chatOf(who).post('messages', { topicId, text })
  expect(said.status, said.text).toBe(201)
  return Object(said.body).id
}
const edit = async (who: TestPerson, id: string, text: string): Promise<void> => {
  const edited = await chatOf(who).patch(`messages/${id}`, { text })
  expect(edited.status, edited.text).toBe(200)
}
const sendFile = async (who: TestPerson, topicId: string, caption: string): Promise<string> => {
  const file = form({ topicId, caption }, [{ content: 'a note', name: 'note.txt' }])
  const sent = await chatOf(who).post('messages', file.body, {
    headers: { 'content-type': file.contentType },
  })
  const { id } = Object(sent.body)
  await eventuallyHolds(async () => expect((await chatOf(who).get(`messages/${id}`)).status).toBe(200))
  return id
}
const until = async (work: typeof eraseData): Promise<void> => {
  for (let round = 0; round < 20; round += 1) await work(server.parley)
}

/** A person's texts, and each way of deleting them. */
type Said = { author: TestPerson; topicId: string; ids: string[] }
const REMOVALS: Record<string, (said: Said) => Promise<void>> = {
  async deletion({ author, ids }) {
    for (const id of ids) expect((await chatOf(author).delete(`messages/${id}`)).status).toBe(204)
  },
  async edits({ author, ids }) {
    for (const id of ids) await edit(author, id, 'Once more')
    for (const id of ids) await edit(author, id, 'Twice')
  },
  async moderation({ ids }) {
    for (const id of ids) {
      expect((await chatOf(ben).post(`messages/${id}/report`, { reason: 'Rude' })).status).toBeLessThan(300)
      const { reports } = Object((await ada.get(`/people/organizations/${orgId}/reports`)).body)
      const path = `/people/organizations/${orgId}/reports/${reports[0].id}`
      expect((await ada.post(`${path}/decision`, { outcome: 'deleted' })).status).toBe(200)
    }
  },
  async erasure({ author }) {
    const path = `/people/organizations/${orgId}/members/${author.profileId}/erasure`
    const asked = await ada.post(path, { withMessages: true })
    expect(asked.status, asked.text).toBeLessThan(300)
    await until(eraseData)
  },
  async retention({ topicId }) {
    const path = `/people/organizations/${orgId}/topics/${topicId}`
    expect((await ada.patch(path, { keepMessagesDays: 1 })).status).toBe(200)
    for (const { clock } of [server, beside]) clock.ahead += DAY + 3_600_000
    await until(deleteOldMessages)
  },
}

/** Every way to read the log. Each begins before all that was said; those of a bot may hold `previousText`. */
async function streamOf(who: TestPerson, node: TestParley): Promise<string> {
  const { lastSeq } = await lastEvent()
  const stream = await openStream({ ...who, url: node.url }, orgId, { query: '?after=0' })
  await chatOf(ben).patch('me', { title: `Reader ${lastSeq}` }) // an event for everybody, which ends the wait
  await stream.next(({ id }) => Number(id) > lastSeq)
  stream.close()
  return JSON.stringify(stream.seen)
}
async function toolOf(client: Client): Promise<string> {
  let [all, offset] = ['', 'oldest']
  for (;;) {
    const { value } = await toolValue(client, 'read_updates', { offset, limit: 100 })
    const { updates, nextOffset } = Object(value)
    all += JSON.stringify(updates)
    if (updates.length < 100) return all
    offset = nextOffset
  }
}
async function pollOf(node: TestParley, begin: string, timeout: number): Promise<string> {
  let [all, offset] = ['', begin]
  for (;;) {
    const timestamp = String(server.parley.clock())
    const path = `/v2/updates?offset=${offset}&limit=100&timeout=${timeout}`
    const answer = await at(node.url, bot).get(path, { timestamp })
    expect(answer.status, answer.text).toBe(200)
    const { updates, nextOffset } = Object(answer.body)
    all += JSON.stringify(updates)
    if (updates.length < 100) return all
    offset = nextOffset
  }
}
async function webhooks(): Promise<string> {
  receiver.received.length = 0
  const dispatcher = startDispatcher(server)
  await eventuallyHolds(async () => {
    const [row] = await server.parley.db.query<{ count: number }>(sql`
      select count(*) from deliveries where org_id = ${orgId} and bot_id = ${called.id} and state = 'pending'`)
    expect(row?.count).toBe(0)
  })
  await dispatcher.stop()
  expect(receiver.received.length).toBeGreaterThan(0)
  return receiver.received.map(({ body }) => body.toString()).join('\n')
}
async function consolePages(): Promise<string> {
  const pages = await Promise.all(
    [bot, called].map((one) => ada.get(`/people/organizations/${orgId}/bots/${one.id}/events?limit=100`)),
  )
  const path = `/people/organizations/${orgId}/bots/${called.id}/deliveries`
  const { deliveries } = Object((await ada.get(`${path}?limit=50`)).body)
  const details = await Promise.all(deliveries.map(({ id }: { id: string }) => ada.get(`${path}/${id}`)))
  for (const { status, text } of [...pages, ...details]) expect(status, text).toBe(200)
  return JSON.stringify([...pages, ...details].map(({ text }) => text))
}
const lastEvent = async () => {
  const [row] = await server.parley.db.query<{ lastSeq: number }>(sql`
    select last_seq as "lastSeq" from organization_logs where org_id = ${orgId}`)
  return { lastSeq: row?.lastSeq ?? 0 }
}

/** Tables that say a word; the text of a report is kept with it, and words for search are made beside this. */
async function tablesWith(word: string): Promise<string[]> {
  const { db } = server.parley
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const searches = tables
    .filter(({ name }) => name !== 'message_reports' && !name.startsWith('search_'))
    .map(
      ({ name }) =>
        `select '${name}' where exists (select from ${name} t where strpos(to_jsonb(t)::text, $1) > 0)`,
    )
  const { rows } = await db.pool.query({
    text: searches.join(' union all '),
    values: [word],
    rowMode: 'array',
  })
  return rows.flat()
}

describe.each(Object.keys(REMOVALS))('words that are gone by %s', (removal) => {
  const marker = `quahog${removal}`
  let before: { [Node in 'here' | 'there']: string }

  beforeAll(async () => {
    const author = await signInAs(server, { orgId, name: `Author of ${removal}` })
    const topicId = await newTopic(author)
    // The nodes hold the events in memory: a poll that waits makes their tails follow the log from here on.
    const follow = async (node: TestParley) => {
      const { body } = await at(node.url, bot).get('/v2/updates?offset=newest', { timestamp: now() })
      const offset = String(Object(body).nextOffset)
      const polled = pollOf(node, offset, 30)
      await eventuallyHolds(async () => expect(node.parley.longPolls.count).toBe(1))
      return { offset, polled }
    }
    const [here, there] = await Promise.all([follow(server), follow(beside)])
    before = { here: here.offset, there: there.offset }
    const ids = [
      await say(author, topicId, `Nobody forgets a ${marker}`),
      await say(author, topicId, `/note ${marker}`),
      await say(author, topicId, 'Nothing yet'),
      await sendFile(author, topicId, `A file of ${marker}`),
    ]
    await edit(author, ids[2] ?? '', `Now it is ${marker}`)
    await Promise.all([here.polled, there.polled])
    for (const node of [server, beside]) {
      const offset = node === server ? before.here : before.there
      await eventuallyHolds(async () => expect(await pollOf(node, offset, 1)).toContain(marker))
    }
    expect(await toolOf(assistant)).toContain(marker)
    await REMOVALS[removal]?.({ author, topicId, ids })
  })

  const READINGS: Record<string, () => Promise<string>> = {
    'a live stream from the beginning': () => streamOf(ben, server),
    'a live stream on another node': () => streamOf(ben, beside),
    'an assistant': () => toolOf(assistant),
    'a poll of the log': () => pollOf(server, 'oldest', 0),
    'a poll that is answered from memory': () => pollOf(server, before.here, 1),
    'a poll on another node': () => pollOf(beside, before.there, 1),
    'webhooks that were queued': webhooks,
    'the pages of the console': consolePages,
  }
  it.each(Object.keys(READINGS))('are not in %s', async (reading) => {
    await eventuallyHolds(async () => expect(await READINGS[reading]?.()).not.toContain(marker))
  })

  it('are in no table, so in no export', async () => {
    expect(await tablesWith(marker)).toEqual([])
  })
})

describe('an edit', () => {
  it('leaves its events in place, and tells bots alone the text before it, until the next one', async () => {
    const topicId = await newTopic(ada)
    const offset = Object((await bot.get('/v2/updates?offset=newest', { timestamp: now() })).body).nextOffset
    const id = await say(ada, topicId, `First abalone <@${ben.profileId}>`)
    const file = await sendFile(ada, topicId, 'abalone too')
    const updates = async () => {
      const answer = await bot.get(`/v2/updates?offset=${offset}&limit=100`, { timestamp: now() })
      return Object(answer.body).updates.filter(({ data }: { data: { message?: { id: string } } }) =>
        [id, file].includes(data.message?.id ?? ''),
      )
    }
    const first = await updates()
    await edit(ada, id, 'Second')
    await edit(ada, file, 'Second too')
    const second = await updates()
    expect(second.slice(0, 2).map(({ updateId }: { updateId: string }) => updateId)).toEqual(
      first.map(({ updateId }: { updateId: string }) => updateId),
    )
    const [created, withFile, updated] = second.map(({ data }: { data: unknown }) => Object(data).message)
    expect(created).toMatchObject({ text: '', mentionedProfiles: [ben.profileId] })
    expect(withFile).toMatchObject({ type: 'file', text: '', attachments: [{ name: 'note.txt' }] })
    expect(updated).toMatchObject({ text: 'Second', previousText: `First abalone <@${ben.profileId}>` })
    for (const read of [await streamOf(ben, server), await toolOf(assistant), await consolePages()])
      expect(read).not.toContain('abalone')
    await edit(ada, id, 'Third')
    await edit(ada, file, 'Third too')
    expect(JSON.stringify(await updates())).not.toContain('abalone')
  })
})

describe('a command whose message is edited or deleted before its bot has read it', () => {
  it.each(['edited', 'deleted'])('names none any more: %s', async (way) => {
    const topicId = await newTopic(ada)
    const offset = Object((await bot.get('/v2/updates?offset=newest', { timestamp: now() })).body).nextOffset
    const id = await say(ada, topicId, '/note everything')
    if (way === 'edited') await edit(ada, id, 'Never mind')
    else expect((await chatOf(ada).delete(`messages/${id}`)).status).toBe(204)
    const { updates } = Object((await bot.get(`/v2/updates?offset=${offset}`, { timestamp: now() })).body)
    const command = updates.find(({ eventType }: { eventType: string }) => eventType === 'message.command')
    expect(command.data).toMatchObject({ messageId: id, name: '', text: '', arguments: {} })
  })
})

describe('who comes into a topic later', () => {
  it('gets its events from then on, by page and by assistant', async () => {
    const topicId = await newTopic(ada)
    const cy = await signInAs(server, { orgId, name: 'Cy' })
    const { client } = await connectFor(cy)
    const live = await openStream({ ...cy, url: beside.url }, orgId)
    await live.next(({ event }) => event === 'reset')
    await say(ada, topicId, 'Before periwinkle')
    const added = await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [cy.profileId] })
    expect(added.status, added.text).toBe(200)
    await say(ada, topicId, 'After limpet')
    await live.next(({ data }) => JSON.stringify(data).includes('limpet'))
    live.close()
    const readings = [JSON.stringify(live.seen), await toolOf(client)]
    for (const node of [server, beside]) readings.push(await streamOf(cy, node))
    for (const read of readings) {
      expect(read).toContain('After limpet')
      expect(read).toContain('member.added')
      expect(read).not.toContain('periwinkle')
    }
    const page = await chatOf(cy).get(`topics/${topicId}/history?limit=100`)
    expect(page.text, 'its history is for all members').toContain('periwinkle')
    await client.close()
  })
})

describe('taking words out', () => {
  it('looks at the events of the message, however long the log is', async () => {
    const topicId = await newTopic(ada)
    const id = await say(ada, topicId, 'An old winkle')
    await server.parley.db.write(orgId, async (tx) => {
      const first = tx.lastSeq
      await tx.query(sql`
        insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
        select ${orgId}, ${first} + n, gen_random_uuid(), 'message.created', ${topicId},
          ('{"message":{"id":"' || gen_random_uuid() || '","text":"' || repeat('x', 200) || '"}}')::json, ${tx.now()}, '{}'
        from generate_series(1, 8000) n`)
      for (let number = 0; number < 8000; number += 1) tx.nextSeq()
    })
    await edit(ada, id, 'Much later')
    await server.parley.db.query(sql`analyze events`)
    const blocks: number[] = []
    await server.parley.db.write(orgId, async (tx) => {
      measure(tx, blocks)
      await redactMessages(tx, [id])
    })
    expect(blocks.length).toBeGreaterThan(0)
    expect(Math.max(...blocks)).toBeLessThan(60)
  })

  /** Records the blocks that each reading statement of a transaction touches. */
  function measure(tx: Transaction, blocks: number[]): void {
    const query = tx.query.bind(tx)
    tx.query = async (asked) => {
      const { text, values } = toStatement(asked)
      if (/^\s*select/.test(text)) {
        const explained = await server.parley.db.pool.query({
          text: `explain (analyze, buffers, format json) ${text}`,
          values,
        })
        const { Plan: plan } = explained.rows[0]['QUERY PLAN'][0]
        blocks.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
      }
      return query(asked)
    }
  }
})

const now = () => String(server.parley.clock())
