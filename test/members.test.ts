import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MEMBER_STATUSES, type Member, type MemberStatus } from '../contract/members.ts'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
  type TestBot,
} from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot
let ada: string
let ben: string
/** One member for each status that is not `Active`. */
const others = new Map<MemberStatus, string>()
let stranger: StaticTestBot
let eve: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  ada = await person(server, orgId, 'Ada Okafor')
  ben = await person(server, orgId, 'Ben Carter')
  others.set('Pending', await person(server, orgId, 'Pia Pending', { status: 'Pending' }))
  for (const status of ['Archived', 'Deleted'] as const) {
    const id = await person(server, orgId, `Former ${status}`)
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, id, status))
    others.set(status, id)
  }
  stranger = await staticBot(server, await organization(server, 'Harbour'), 'Harbour bot')
  eve = await person(server, stranger.orgId, 'Eve Harbour')
})
afterAll(() => server.close())

type Page = { members: Member[]; nextCursor?: string; hasMore: boolean }

/** The contract's own check has seen this body before it comes here. */
function pageOf({ status, body }: Answer): Page {
  expect(status).toBe(200)
  return Object(body)
}

const list = async (bot: TestBot, query = '') => pageOf(await bot.get(`/v2/members${query}`))
const ids = ({ members }: Page) => members.map(({ id }) => id)

async function expectRefused(bot: TestBot, query: string, text: string): Promise<void> {
  const { status, body } = await bot.get(`/v2/members${query}`)
  expect([query, status, body]).toEqual([query, 400, text])
}

/** An organization with a bot and this many people, created one by one. */
async function crowd(people: number): Promise<{ bot: StaticTestBot; everybody: string[] }> {
  const bot = await staticBot(server, await organization(server, 'Crowd'), 'Usher')
  const everybody = [bot.id]
  for (let number = 1; number <= people; number++) {
    server.clock.ahead += 1 // no two in the same millisecond: their order is known
    everybody.push(await person(server, bot.orgId, `Person ${number}`))
  }
  return { bot, everybody }
}

describe('the list of members', () => {
  it('holds people and bots, oldest first', async () => {
    const page = await list(deploy)
    expect(ids(page).toSorted()).toEqual([deploy.id, calendar.id, ada, ben].toSorted())
    const times = page.members.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(page.hasMore).toBe(false)
    expect(page).not.toHaveProperty('nextCursor')
  })

  it('has the whole record of each', async () => {
    const { members } = await list(deploy)
    const common = {
      status: 'Active',
      phone: '',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    }
    expect(members.find(({ id }) => id === ada)).toEqual({
      ...common,
      id: ada,
      type: 'user',
      name: 'Ada Okafor',
      email: 'ada.okafor@example.com',
    })
    expect(members.find(({ id }) => id === deploy.id)).toEqual({
      ...common,
      id: deploy.id,
      type: 'bot',
      name: 'Deploy bot',
      email: '',
    })
  })

  it('has phone and external id of those who have one', async () => {
    const { bot, everybody } = await crowd(1)
    await server.parley.db.query(sql`
      update profiles set phone = '+49 30 1234', external_id = 'hr-7'
      where org_id = ${bot.orgId} and id = ${everybody[1]}`)
    const { members } = await list(bot)
    expect(members[1]).toMatchObject({ phone: '+49 30 1234', externalId: 'hr-7' })
    expect(members[0]).not.toHaveProperty('externalId')
  })

  it('is the same for every bot of the organization', async () => {
    expect(await list(calendar)).toEqual(await list(deploy))
  })

  it('shows no one of another organization', async () => {
    expect(ids(await list(stranger)).toSorted()).toEqual([stranger.id, eve].toSorted())
    expect(ids(await list(deploy))).not.toContain(eve)
    expect(ids(await list(deploy, '?emails=eve.harbour@example.com'))).toEqual([])
    expect(ids(await list(stranger, '?emails=eve.harbour@example.com'))).toEqual([eve])
  })
})

describe('the filter by status', () => {
  it('shows the active ones unless another is asked for', async () => {
    expect(await list(deploy, '?status=Active')).toEqual(await list(deploy))
    for (const [status, id] of others) {
      expect(ids(await list(deploy, `?status=${status}`))).toEqual([id])
    }
    expect(others.size).toBe(MEMBER_STATUSES.length - 1)
  })

  it('knows four values', async () => {
    for (const status of ['active', 'Gone', '', 'Active,Pending']) {
      await expectRefused(
        deploy,
        `?status=${status}`,
        'status must be "Pending", "Active", "Deleted" or "Archived"',
      )
    }
  })
})

describe('the filter by e-mail', () => {
  it('finds addresses, whatever their case', async () => {
    expect(ids(await list(deploy, '?emails=ada.okafor@example.com'))).toEqual([ada])
    expect(ids(await list(deploy, '?emails=ADA.Okafor@EXAMPLE.com'))).toEqual([ada])
    expect(ids(await list(deploy, '?emails=ada.okafor%40example.com'))).toEqual([ada])
  })

  it('finds several, and leaves out who is unknown', async () => {
    const two = '?emails=ben.carter@example.com,nobody@example.com,%20Ada.Okafor@example.com%20,'
    expect(ids(await list(deploy, two)).toSorted()).toEqual([ada, ben].toSorted())
    expect(ids(await list(deploy, '?emails=nobody@example.com'))).toEqual([])
    expect(ids(await list(deploy, '?emails=ada.okafor@example'))).toEqual([])
  })

  it('goes together with the status', async () => {
    expect(ids(await list(deploy, '?emails=pia.pending@example.com'))).toEqual([])
    expect(ids(await list(deploy, '?emails=pia.pending@example.com&status=Pending'))).toEqual([
      others.get('Pending'),
    ])
  })
})

describe('the limit', () => {
  it('is 50 unless another is asked for, and at most 100', async () => {
    const { bot, everybody } = await crowd(100)
    expect(ids(await list(bot))).toEqual(everybody.slice(0, 50))
    expect(ids(await list(bot, '?limit=1'))).toEqual(everybody.slice(0, 1))
    const page = await list(bot, '?limit=100')
    expect(ids(page)).toEqual(everybody.slice(0, 100))
    expect(page.hasMore).toBe(true)
  })

  it('is a whole number from 1 to 100', async () => {
    for (const limit of [
      '0',
      '101',
      '-1',
      '1.5',
      '1e1',
      '0x10',
      'ten',
      '',
      '%20',
      '10%20',
      '99999999999999999999',
    ]) {
      await expectRefused(deploy, `?limit=${limit}`, 'limit must be between 1 and 100')
    }
  })
})

/** Follows the cursors to the end, and lets something happen between the pages. */
async function readAll(
  bot: TestBot,
  query: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Page[]> {
  const pages = [await list(bot, query)]
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    await meanwhile()
    const limit = /limit=\d+/.exec(query)?.[0] ?? ''
    pages.push(await list(bot, `?cursor=${encodeURIComponent(cursor)}&${limit}`))
  }
  return pages
}

describe('paging with a cursor', () => {
  it('shows each member once, and ends', async () => {
    const { bot, everybody } = await crowd(11)
    for (const limit of [1, 4, 5, 6, 12, 13]) {
      const pages = await readAll(bot, `?limit=${limit}`)
      expect(pages.flatMap(ids)).toEqual(everybody)
      expect(pages).toHaveLength(Math.ceil(everybody.length / limit))
      for (const page of pages) expect(page.hasMore).toBe(page.nextCursor !== undefined)
    }
  })

  it('skips and repeats no one while others come', async () => {
    const { bot, everybody } = await crowd(12)
    let newcomers = 0
    const pages = await readAll(bot, '?limit=4', async () => {
      if (newcomers < 6) {
        newcomers += 2
        await person(server, bot.orgId, `Newcomer ${newcomers}`)
        await staticBot(server, bot.orgId, `Robot ${newcomers}`)
      }
    })
    const seen = pages.flatMap(ids)
    expect(seen.filter((id) => everybody.includes(id))).toEqual(everybody)
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('skips no one when many were made in the same moment', async () => {
    const { bot } = await crowd(9)
    await server.parley.db.query(
      sql`update profiles set created_at = 1767225600000 where org_id = ${bot.orgId}`,
    )
    const seen = (await readAll(bot, '?limit=3')).flatMap(ids)
    expect(seen.length).toBe(10)
    expect(new Set(seen).size).toBe(10)
  })

  it('keeps the filters it began with', async () => {
    const { bot, everybody } = await crowd(6)
    const archived = everybody.slice(1, 5)
    await server.parley.db.write(bot.orgId, async (tx) => {
      for (const id of archived) await setMemberStatus(tx, id, 'Archived')
    })
    const pages = await readAll(bot, '?status=Archived&limit=3')
    expect(pages.flatMap(ids)).toEqual(archived)

    const emails = [1, 2, 3].map((number) => `Person.${number}@example.com`).join()
    const first = await list(bot, `?status=Archived&emails=${emails}&limit=2`)
    const cursor = encodeURIComponent(first.nextCursor ?? '')
    const second = await list(bot, `?cursor=${cursor}&status=Active&emails=person.6@example.com`)
    expect([...ids(first), ...ids(second)]).toEqual(everybody.slice(1, 4))
    expect(second.hasMore).toBe(false)
  })

  it('refuses a cursor that was changed', async () => {
    const { nextCursor = '' } = await list(deploy, '?limit=1')
    const [text = '', signature = ''] = nextCursor.split('.')
    const swap = (letter: string) => (letter === 'A' ? 'B' : 'A')
    const everybody = Buffer.from(JSON.stringify({ filters: { status: 'Deleted' }, after: [0, ''] }))
    const changed = [
      '',
      'x',
      '.',
      'null',
      text,
      `${text}.`,
      `.${signature}`,
      text.replace(/^./, swap) + signature,
      `${text.replace(/.$/, swap)}.${signature}`,
      `${text}.${signature.replace(/^./, swap)}`,
      `${text}.${signature.slice(1)}`,
      `${nextCursor}.`,
      `${nextCursor}.x`,
      `${nextCursor}x`,
      ` ${nextCursor}`,
      nextCursor.toLowerCase(),
      `${everybody.toString('base64url')}.${signature}`,
      'x'.repeat(5000),
    ]
    for (const cursor of changed) {
      await expectRefused(deploy, `?cursor=${encodeURIComponent(cursor)}`, 'invalid cursor')
    }
    expect((await deploy.get(`/v2/members?cursor=${nextCursor}`)).status).toBe(200)
  })

  it('refuses the cursor of another bot, in this organization or elsewhere', async () => {
    const { nextCursor = '' } = await list(deploy, '?limit=1')
    await expectRefused(calendar, `?cursor=${nextCursor}`, 'invalid cursor')
    await expectRefused(stranger, `?cursor=${nextCursor}`, 'invalid cursor')
  })

  it('refuses the cursor of another list', async () => {
    for (const name of ['One', 'Two']) await deploy.post('/v2/topics', { name, members: [] })
    const topics = await deploy.get('/v2/topics?limit=1')
    const { nextCursor } = Object(topics.body)
    expect(nextCursor).toEqual(expect.any(String))
    await expectRefused(deploy, `?cursor=${nextCursor}`, 'invalid cursor')
    expect((await deploy.get(`/v2/topics?cursor=${nextCursor}`)).status).toBe(200)
    const members = await list(deploy, '?limit=1')
    expect((await deploy.get(`/v2/topics?cursor=${members.nextCursor}`)).body).toBe('invalid cursor')
  })
})

describe('paging with an offset', () => {
  it('skips that many', async () => {
    const { bot, everybody } = await crowd(5)
    expect(ids(await list(bot, '?offset=0'))).toEqual(everybody)
    expect(ids(await list(bot, '?offset=2&limit=3'))).toEqual(everybody.slice(2, 5))
    expect(ids(await list(bot, '?offset=5'))).toEqual(everybody.slice(5))
    expect(await list(bot, '?offset=6')).toEqual({ members: [], hasMore: false })
    expect((await list(bot, '?offset=1000000000')).members).toEqual([])
  })

  it('can go on with a cursor', async () => {
    const { bot, everybody } = await crowd(5)
    const { nextCursor = '' } = await list(bot, '?offset=1&limit=2')
    expect(ids(await list(bot, `?cursor=${nextCursor}`))).toEqual(everybody.slice(3))
  })

  it('does not go together with a cursor', async () => {
    const { nextCursor = '' } = await list(deploy, '?limit=1')
    await expectRefused(deploy, `?cursor=${nextCursor}&offset=1`, 'cursor and offset cannot be used together')
  })

  it('is a whole number, not below 0', async () => {
    for (const offset of ['-1', '1.5', 'x', '', '1e3', '99999999999999999999']) {
      await expectRefused(deploy, `?offset=${offset}`, 'offset must be between 0 and 1000000000')
    }
  })
})

describe('me', () => {
  it('is the bot that asks', async () => {
    for (const bot of [deploy, calendar, stranger]) {
      const { status, body } = await bot.get('/v2/members/me')
      expect(status).toBe(200)
      expect(body).toMatchObject({ id: bot.id, type: 'bot', status: 'Active', email: '' })
      expect(body).toEqual((await bot.get(`/v2/members/${bot.id}`)).body)
    }
  })
})

describe('one member', () => {
  it('can be read by id, person or bot', async () => {
    const { members } = await list(deploy)
    for (const member of members) {
      const { status, body } = await deploy.get(`/v2/members/${member.id}`)
      expect([status, body]).toEqual([200, member])
    }
  })

  it('can be read whatever its status', async () => {
    for (const [status, id] of others) {
      const answer = await deploy.get(`/v2/members/${id}`)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ id, status })
    }
  })

  it('is read together with others that are asked for meanwhile', async () => {
    const wanted = [deploy.id, ada, ben, newUuid(), ...others.values()]
    const { db, members } = server.parley
    const asked = vi.spyOn(db, 'query')
    const read = await Promise.all([...wanted, ...wanted].map((id) => members.read(deploy, id)))
    const statements = asked.mock.calls.length
    asked.mockRestore()
    const known = wanted.map((id, index) => (index === 3 ? undefined : id))
    expect(read.map((row) => row?.id)).toEqual([...known, ...known])
    expect(statements).toBe(2) // the first one went out alone
    expect(
      (await Promise.all(wanted.map((id) => members.read(stranger, id)))).every((row) => row === undefined),
    ).toBe(true)
  })

  it('is not found for an unknown id, or one of another organization', async () => {
    for (const id of [newUuid(), `b@${newUuid()}`, eve, stranger.id, `b@${ada}`, deploy.id.slice(2)]) {
      const { status, body } = await deploy.get(`/v2/members/${id}`)
      expect([status, body]).toEqual([404, 'Member not found'])
    }
    expect((await stranger.get(`/v2/members/${eve}`)).status).toBe(200)
  })

  it('has an id of the right form', async () => {
    const malformed = [
      'x',
      '1',
      'Me',
      ada.slice(1),
      `${ada}0`,
      `a@${ada}`,
      `b@b@${ada}`,
      ada.replaceAll('-', ''),
      '%20',
    ]
    for (const id of malformed) {
      const { status, body } = await deploy.get(`/v2/members/${id}`)
      expect([id, status, body]).toEqual([id, 400, 'Invalid memberId'])
    }
  })
})
