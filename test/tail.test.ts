import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTopic } from '../server/actions/topics/topics.ts'
import { toStatement } from '../server/db/sql.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { at, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'
import { until } from './support/receiver.ts'
import { openStream, type Streamed } from './support/stream.ts'

const BOTS = 12

let server: TestParley
let elsewhere: TestParley
let orgId: string
let writer: StaticTestBot
let bots: StaticTestBot[]
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  elsewhere = await server.secondNode()
  orgId = await organization(server)
  writer = await staticBot(server, orgId, 'Writer')
  bots = []
  for (let number = 0; number < BOTS; number++) bots.push(await staticBot(server, orgId, `Bot ${number}`))
  const members = bots.map(({ id }) => id)
  const topic = await server.parley.db.write(orgId, (tx) =>
    createTopic(tx, { createdBy: writer.id, name: 'Everybody', members }),
  )
  topicId = topic.id
  // The first poll of an organization on a node finds the end of its log.
  await writer.get('/v2/updates?offset=newest&timeout=1')
})
afterAll(() => server.close())

type Page = { updates: { eventType: string; data: { message: { text: string } } }[]; nextOffset: string }

const say = (text: string, node = server) => at(node.url, writer).post('/v2/messages', { topicId, text })
const poll = async (bot: StaticTestBot, query: string): Promise<Page> =>
  Object((await bot.get(`/v2/updates?${query}`)).body)
const textsOf = ({ updates }: Page) => updates.map(({ data }) => data.message.text)
const offsets = () => Promise.all(bots.map(async (bot) => (await poll(bot, 'offset=newest')).nextOffset))
const park = async (from: readonly string[]) => {
  const waiting = bots.map((bot, index) => poll(bot, `offset=${from[index]}&timeout=30`))
  await until(() => server.parley.longPolls.count === BOTS)
  return waiting
}

/** The statements that a node executes that touch these tables, while `work` runs. */
async function statementsAbout(tables: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(server.parley.db, 'query')
  await work()
  const texts = spy.mock.calls.map(([query]) => toStatement(query).text)
  spy.mockRestore()
  return texts.filter((text) => tables.test(text))
}

describe('one event for many that wait', () => {
  it('is not read on the node that wrote it', async () => {
    const waiting = await park(await offsets())
    const statements = await statementsAbout(/\bevents\b|audience_/, async () => {
      await say('from here')
      expect((await Promise.all(waiting)).map(textsOf)).toEqual(bots.map(() => ['from here']))
    })
    expect(statements).toEqual([])
  })

  it('is read once on each other node', async () => {
    const waiting = await park(await offsets())
    const statements = await statementsAbout(/\bevents\b|audience_/, async () => {
      await say('from elsewhere', elsewhere)
      expect((await Promise.all(waiting)).map(textsOf)).toEqual(bots.map(() => ['from elsewhere']))
    })
    expect(statements).toHaveLength(1)
  })
})

describe('a poll at the end of the log', () => {
  it('waits without asking the database about events', async () => {
    const from = await offsets()
    await Promise.all(bots.map((bot, index) => poll(bot, `offset=${from[index]}&timeout=1`)))
    const statements = await statementsAbout(/\bevents\b|audience_|organization_logs/, async () => {
      const waiting = await park(from)
      await say('at last')
      await Promise.all(waiting)
    })
    // The look for lost announcements asks for all organizations at once, twice a second.
    expect(statements.filter((text) => !/any\(/.test(text))).toEqual([])
  })
})

describe('a poll that is further behind', () => {
  it('gets everything, in order, and then what comes live', async () => {
    const [bot] = bots
    if (!bot) throw new Error('there are bots')
    const { nextOffset } = await poll(bot, 'offset=newest')
    const texts = Array.from({ length: 150 }, (_, number) => `message ${number}`)
    for (const [index, text] of texts.entries()) await say(text, index % 2 === 0 ? server : elsewhere)
    const seen: string[] = []
    let offset = nextOffset
    while (seen.length < texts.length) {
      const page = await poll(bot, `offset=${offset}&limit=40&timeout=5`)
      seen.push(...textsOf(page))
      offset = page.nextOffset
    }
    expect(seen).toEqual(texts)
    const waiting = poll(bot, `offset=${offset}&timeout=30`)
    await say('live')
    expect(textsOf(await waiting)).toEqual(['live'])
  })

  it('gets an error when its events are no longer kept, even on a node that still had them in memory', async () => {
    const [bot] = bots
    if (!bot) throw new Error('there are bots')
    const { nextOffset } = await poll(bot, 'offset=newest')
    await say('soon gone')
    expect(textsOf(await poll(bot, `offset=${nextOffset}&timeout=5`))).toEqual(['soon gone'])
    const { db, clock, tail } = server.parley
    await removeOldEvents(db, clock() + 1000, 0, (org, floorSeq) => tail.forgetTo(org, floorSeq))
    const answer = await bot.get(`/v2/updates?offset=${nextOffset}&timeout=1`)
    expect([answer.status, answer.body]).toEqual([409, 'offset is no longer available'])
  })
})

describe('a person who follows two topics', () => {
  it('gets the second although it came while the first was looked up', async () => {
    const orgId = await organization(server, 'Two topics')
    const bot = at(elsewhere.url, await staticBot(server, orgId, 'Talker'))
    const ada = await signInAs(server, { orgId })
    const members = [ada.profileId]
    const topics: string[] = []
    for (const name of ['First', 'Second'])
      topics.push(Object((await bot.post('/v2/topics', { name, members })).body).id)
    const stream = await openStream(ada, orgId)
    await stream.next(({ event }) => event === 'reset')

    const directory = server.parley.topics
    const read = directory.read.bind(directory)
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const spy = vi.spyOn(directory, 'read').mockImplementation(async (...wanted) => {
      const found = await read(...wanted)
      await gate
      return found
    })
    const [first, second] = topics
    await bot.post('/v2/messages', { topicId: first, text: 'first' })
    await until(() => spy.mock.calls.length === 1)
    await bot.post('/v2/messages', { topicId: second, text: 'second' })
    await until(() => server.parley.tail.readAll(orgId, Number(stream.lastId))?.length === 2)
    open()
    await bot.post('/v2/messages', { topicId: first, text: 'last' })
    const isText = (text: string) => (streamed: Streamed) => Object(streamed.data).message?.text === text
    await stream.next(isText('last'))
    spy.mockRestore()
    stream.close()
    const texts = stream.events().map(({ data }) => Object(data).message?.text)
    expect(texts).toEqual(['first', 'second', 'last'])
  })
})

describe('a bot that comes back without an offset', () => {
  /** A bot that has received `texts` and confirmed none of them. */
  async function listener(...texts: string[]): Promise<StaticTestBot> {
    const bot = await staticBot(server, orgId, 'Forgetful')
    const topic = await server.parley.db.write(orgId, (tx) =>
      createTopic(tx, { createdBy: bot.id, name: 'Its own', members: [writer.id] }),
    )
    topicId = topic.id
    for (const text of texts) await say(text)
    return bot
  }

  it('goes on after what it confirmed, on any node', async () => {
    const bot = await listener('one')
    const first = await poll(bot, 'limit=50')
    expect(textsOf(first)).toEqual(['one'])
    expect(textsOf(await poll(bot, 'limit=50')), 'nothing was confirmed').toEqual(['one'])
    await poll(bot, `offset=${first.nextOffset}`)
    await say('two')
    expect(textsOf(await poll(bot, 'limit=50'))).toEqual(['two'])
    await server.parley.acknowledgements.write(server.parley.db)
    expect(textsOf(await poll(at(elsewhere.url, bot), 'limit=50'))).toEqual(['two'])
    expect(textsOf(await poll(bot, 'offset=oldest'))).toEqual(['one', 'two'])
    expect(textsOf(await poll(bot, 'limit=50')), 'looking back takes nothing back').toEqual(['two'])
    expect(textsOf(await poll(bot, 'offset=newest'))).toEqual([])
    expect(textsOf(await poll(bot, 'limit=50')), 'the newest confirms all before it').toEqual([])
  })

  it('waits for what is new, and confirms an update by its id', async () => {
    const bot = await listener('one', 'two')
    const { updates } = Object((await bot.get('/v2/updates')).body)
    await poll(bot, `offset=${updates[0].updateId}`)
    expect(textsOf(await poll(bot, 'timeout=30'))).toEqual(['two'])
    await poll(bot, `offset=${updates[1].updateId}`)
    const waiting = poll(bot, 'timeout=30')
    await until(() => server.parley.longPolls.count === 1)
    await say('three')
    expect(textsOf(await waiting)).toEqual(['three'])
  })

  it('repeats nothing when what it confirmed is written down just then', async () => {
    const bot = await listener('one')
    const { nextOffset } = await poll(bot, 'limit=50')
    await poll(bot, `offset=${nextOffset}`)
    const { db, acknowledgements } = server.parley
    const query = db.query.bind(db)
    const spy = vi.spyOn(db, 'query').mockImplementation(async (statement) => {
      const rows = await query(statement)
      if (/select polled_seq from bots/.test(toStatement(statement).text))
        await acknowledgements.write({ query })
      return rows
    })
    const page = await poll(bot, 'limit=50')
    spy.mockRestore()
    expect(textsOf(page)).toEqual([])
  })

  it('is written down for many bots at once, and not at all while they hear nothing', async () => {
    const from = await offsets()
    const { db, acknowledgements } = server.parley
    const confirm = () =>
      statementsAbout(/update bots set polled_seq/, async () => {
        for (let round = 0; round < 3; round++)
          await Promise.all(bots.map((bot, index) => poll(bot, `offset=${from[index]}`)))
        await acknowledgements.write(db)
      })
    await acknowledgements.write(db)
    expect(await confirm()).toEqual([])
    await say('for one of them')
    from.splice(
      0,
      BOTS,
      ...(await Promise.all(
        bots.map(async (bot, index) => (await poll(bot, `offset=${from[index]}`)).nextOffset),
      )),
    )
    // Two if the worker, which writes every two seconds, comes in between.
    expect((await confirm()).length).toBeLessThanOrEqual(2)
    expect(await confirm()).toEqual([])
  })
})
