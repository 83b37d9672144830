import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { deleteBot } from '../server/actions/bots/bots.ts'
import { queueUnpolled, replayFrom } from '../server/actions/bots/deliveries.ts'
import { createTopic } from '../server/actions/topics/topics.ts'
import { sql } from '../server/db/sql.ts'
import { append as appendEvent } from '../server/events/log.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { countUndelivered } from '../server/queries/bots/deliveries.ts'
import { listLatestUpdates, readUpdates } from '../server/queries/events/updates.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { lastSeq } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { type Plan, rowsTouched } from './support/plan.ts'

/** Events of one block. */
const BLOCK = 256
const DAY_MS = 86_400_000
const isOnCluster = inject('cluster') !== null

let server: TestParley
let orgId: string
let writer: StaticTestBot
/** A bot that gets one message of a hundred. */
let quiet: StaticTestBot
/** A bot that gets all of them, as the writer does. */
let busy: StaticTestBot
let busyTopic: string
let quietTopic: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  writer = await staticBot(server, orgId, 'Writer')
  quiet = await staticBot(server, orgId, 'Quiet')
  busy = await staticBot(server, orgId, 'Busy')
  busyTopic = await newTopic([busy])
  quietTopic = await newTopic([busy, quiet])
  await fillBlocks(4)
})
afterAll(() => server.close())

async function newTopic(members: readonly StaticTestBot[]): Promise<string> {
  const { id } = await server.parley.db.write(orgId, (tx) =>
    createTopic(tx, { createdBy: writer.id, name: 'Topic', members: members.map((bot) => bot.id) }),
  )
  return id
}

const send = (bot: StaticTestBot, topicId: string) =>
  server.parley.messages.sendNow({ orgId: bot.orgId, profileId: bot.id }, { topicId, text: 'Hello' })

/** Sends groups of messages until so many more blocks are full, and a little more. */
async function fillBlocks(blocks: number): Promise<void> {
  const end = ((await lastSeq(server, orgId)) >> 8) + blocks
  while ((await lastSeq(server, orgId)) < end * BLOCK + 20) {
    const topics = Array.from({ length: 100 }, (_, number) => (number === 50 ? quietTopic : busyTopic))
    await Promise.all(topics.map((topicId) => send(writer, topicId)))
  }
}

const callerOf = (bot: StaticTestBot) => ({ orgId, profileId: bot.id })
const seqsOf = (rows: readonly { seq: number }[]) => rows.map(({ seq }) => seq)

/** The numbers of a bot's events, read from the events themselves. */
async function truthFor(bot: StaticTestBot, after = 0): Promise<number[]> {
  return seqsOf(
    await server.parley.db.query<{ seq: number }>(sql`
      select seq from events where org_id = ${orgId} and seq > ${after} and ${bot.id} = any(bot_ids) order by seq`),
  )
}

async function pageOf(bot: StaticTestBot, after: number, limit: number): Promise<number[]> {
  return seqsOf((await readUpdates(callerOf(bot), server.parley.db, after, limit)).updates)
}

async function readAll(bot: StaticTestBot, limit: number): Promise<number[]> {
  const all: number[] = []
  for (;;) {
    const page = await pageOf(bot, all.at(-1) ?? 0, limit)
    all.push(...page)
    if (page.length < limit) return all
  }
}

async function blocksOf(bot: StaticTestBot): Promise<{ block: number; seqs: number[] }[]> {
  const rows = await server.parley.db.query<{ block: number; places: number[] }>(sql`
    select block, places from audience_blocks where org_id = ${orgId} and bot_id = ${bot.id} order by block`)
  return rows.map(({ block, places }) => ({
    block,
    seqs: places.toSorted((one, next) => one - next).map((place) => block * BLOCK + place),
  }))
}

async function closedBlocks(): Promise<number> {
  const [log] = await server.parley.db.query<{ audience_blocks: number }>(sql`
    select audience_blocks from organization_logs where org_id = ${orgId}`)
  return log?.audience_blocks ?? 0
}

describe('a bot that is behind', () => {
  it('reads its events in order, each once, in pages of any size', async () => {
    expect((await truthFor(busy)).length).toBeGreaterThan(4 * BLOCK)
    expect((await truthFor(quiet)).length).toBeLessThan(30)
    for (const bot of [writer, busy, quiet])
      for (const limit of [1000, 100, 7]) expect(await readAll(bot, limit)).toEqual(await truthFor(bot))
  })

  it('finds the same from any place around the ends of blocks', async () => {
    const last = await lastSeq(server, orgId)
    const ends = [1, 2, last >> 8].flatMap((block) => [-2, -1, 0, 1].map((step) => block * BLOCK + step))
    for (const after of [...ends, last - 1, last, last + 5])
      for (const bot of [busy, quiet])
        expect(await pageOf(bot, after, 50)).toEqual((await truthFor(bot, after)).slice(0, 50))
  })

  it.skipIf(isOnCluster)('touches no events of others but those of the open block', async () => {
    const spy = vi.spyOn(server.parley.db, 'query')
    const own = (await pageOf(quiet, 0, 50)).length
    const [[statement] = [sql``]] = spy.mock.calls
    spy.mockRestore()
    const [row] = await server.parley.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(sql`
      explain (analyze, format json) ${statement}`)
    if (!row) throw new Error('a plan is a row')
    const touched = rowsTouched(row['QUERY PLAN'][0].Plan, 'events')
    expect(touched).toBeGreaterThan(own)
    expect(touched).toBeLessThan(own + BLOCK)
  })

  it('is shown its newest events', async () => {
    for (const bot of [busy, quiet]) {
      const newest = await listLatestUpdates(callerOf(bot), server.parley.db, 300)
      expect(seqsOf(newest)).toEqual((await truthFor(bot)).slice(-300))
    }
  })

  it('is counted among those to whom retention would do harm', async () => {
    const before = Date.now() + DAY_MS
    const { updates } = await countUndelivered({ orgId }, server.parley.db, { before, most: 100_000 })
    const truths = await Promise.all([writer, busy, quiet].map((bot) => truthFor(bot)))
    expect(updates).toBe(truths.flat().length)
  })
})

describe('blocks', () => {
  it('hold what the events of full blocks say, and nothing of the open one', async () => {
    const closed = await closedBlocks()
    expect(closed).toBe(((await lastSeq(server, orgId)) + 1) >> 8)
    for (const bot of [busy, quiet]) {
      const truth = (await truthFor(bot)).filter((seq) => seq >> 8 < closed)
      const blocks = await blocksOf(bot)
      expect(blocks.flatMap(({ seqs }) => seqs)).toEqual(truth)
      for (const { block, seqs } of blocks) expect(seqs.every((seq) => seq >> 8 === block)).toBe(true)
    }
  })

  it('are closed by single events too, also by many of one transaction, and not by one that is undone', async () => {
    const append = (count: number, failing = false) =>
      server.parley.db.write(orgId, async (tx) => {
        for (let number = 0; number < count; number++)
          await appendEvent(
            tx,
            { ...tx.moment(), type: 'reaction.added', topicId: busyTopic, data: {} },
            { ofTopic: true },
          )
        if (failing) throw new Error('undone')
      })
    const closed = await closedBlocks()
    await expect(append(2 * BLOCK, true)).rejects.toThrow('undone')
    expect(await closedBlocks()).toBe(closed)
    await append(2 * BLOCK)
    expect(await closedBlocks()).toBe(closed + 2)
    expect(await readAll(busy, 100)).toEqual(await truthFor(busy))
  })

  it('that a statement of the version before left open are closed with the next one', async () => {
    const closed = await closedBlocks()
    await server.parley.db.query(
      sql`delete from audience_blocks where org_id = ${orgId} and block = ${closed - 1}`,
    )
    await server.parley.db.query(sql`
      update organization_logs set audience_blocks = ${closed - 1} where org_id = ${orgId}`)
    expect(await readAll(busy, 100)).toEqual(await truthFor(busy))
    await fillBlocks(1)
    expect(await closedBlocks()).toBe(closed + 1)
    expect((await blocksOf(busy)).flatMap(({ seqs }) => seqs)).toEqual(
      (await truthFor(busy)).filter((seq) => seq >> 8 <= closed),
    )
  })

  it('are as complete where many write at once, in several organizations', async () => {
    const otherOrg = await organization(server)
    const other = await staticBot(server, otherOrg, 'Other')
    const { body } = await other.post('/v2/topics', { name: 'Other topic', members: [] })
    const topicId = (body as { id: string }).id
    const write = async () => {
      for (let number = 0; number < 40; number++)
        await Promise.all([send(writer, quietTopic), send(other, topicId)])
    }
    await Promise.all(Array.from({ length: 8 }, write))
    for (const bot of [writer, busy, quiet]) expect(await readAll(bot, 100)).toEqual(await truthFor(bot))
    const { updates } = await readUpdates({ orgId: otherOrg, profileId: other.id }, server.parley.db, 0, 1000)
    expect(updates.filter(({ type }) => type === 'message.created')).toHaveLength(320)
  })
})

describe('rows of events from before there were blocks', () => {
  it('are read once, whether the event is in a block too or not', async () => {
    const truth = await truthFor(quiet)
    const addRow = (seq: number | undefined) =>
      server.parley.db.query(sql`
        insert into audience_rows (org_id, bot_id, seq) values (${orgId}, ${quiet.id}, ${seq})`)
    await addRow(truth[0])
    await addRow(truth.at(-1))
    expect(await readAll(quiet, 5)).toEqual(truth)
    // An event whose audience only a row knows.
    const [other] = (await truthFor(busy)).filter((seq) => !truth.includes(seq))
    await addRow(other)
    expect(await readAll(quiet, 5)).toEqual([...truth, other ?? 0].toSorted((one, next) => one - next))
    await server.parley.db.query(sql`delete from audience_rows where org_id = ${orgId} and seq = ${other}`)
  })
})

describe('a webhook', () => {
  const queued = async (bot: StaticTestBot) =>
    seqsOf(
      await server.parley.db.query<{ seq: number }>(sql`
        select seq from deliveries where org_id = ${orgId} and bot_id = ${bot.id} order by seq`),
    )
  const toWebhook = (bot: StaticTestBot, events: readonly string[] | null) =>
    server.parley.db.query(sql`
      update bots set delivery = 'webhook', webhook_url = 'http://127.0.0.1:9/', webhook_events = ${events}
      where org_id = ${orgId} and id = ${bot.id}`)

  it('gets everything that was not polled', async () => {
    await toWebhook(quiet, null)
    await server.parley.db.write(orgId, (tx) => queueUnpolled(tx, quiet.id))
    expect(await queued(quiet)).toEqual(await truthFor(quiet))
  })

  it('is sent everything again, also where the first thousand are of types that it does not want', async () => {
    await toWebhook(busy, ['reaction.added'])
    const counts: number[] = []
    const count = await replayFrom(server.parley.db, { orgId, botId: busy.id }, 0, async (_, found) => {
      counts.push(found)
    })
    expect(count).toBe(2 * BLOCK)
    expect(await queued(busy)).toHaveLength(2 * BLOCK)
    expect(counts).toHaveLength(1)
    expect(counts[0]).toBeGreaterThan(0)
  })
})

describe('retention', () => {
  it('removes blocks with their events, also those of a bot that was deleted', async () => {
    expect(await blocksOf(busy)).not.toEqual([])
    await server.parley.db.write(orgId, (tx) => deleteBot(tx, busy.id, busy.id))
    await removeOldEvents(server.parley.db, Date.now() + DAY_MS, DAY_MS / 2)
    const left = await server.parley.db.query(sql`
      select bot_id, block from audience_blocks where org_id = ${orgId}
      union all select bot_id, seq from audience_rows where org_id = ${orgId}`)
    expect(left).toEqual([])
  })
})
