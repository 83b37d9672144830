import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrgUnit, OrgUnitType } from '../contract/org-units.ts'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { createOrgUnit } from '../server/actions/members/org-units.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { setOrganization } from '../server/actions/organization/organization-settings.ts'
import { newUuid } from '../server/ids.ts'
import {
  at,
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

const MINUTE = 60_000

let server: TestParley
/** A node on the same database, with a limit of one change a minute. */
let limited: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot
let stranger: StaticTestBot
let ada: string
let grace: string

beforeAll(async () => {
  server = await startTestParley({ orgUnitChangesPerMinute: 0 })
  limited = await server.secondNode({ orgUnitChangesPerMinute: 1 })
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  ada = await person(server, orgId, 'Ada Okafor')
  grace = await person(server, orgId, 'Grace Lind')
  stranger = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger')
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const NOT_FOUND = { status: 404, body: 'Org unit not found' }
const INVALID_MEMBER = { status: 400, body: 'Invalid member' }

let tags = 0
async function newUnit(
  members: string[] = [],
  {
    inside = orgId,
    tag = `unit-${tags++}`,
    type = 'Team',
  }: { inside?: string; tag?: string; type?: OrgUnitType } = {},
): Promise<string> {
  const unit = { name: 'Field engineering', tag, type, members }
  return (await server.parley.db.write(inside, (tx) => createOrgUnit(tx, unit, OPERATOR))).id
}

async function unitOf(bot: TestBot, id: string): Promise<OrgUnit> {
  const { status, body } = await bot.get(`/v2/org-units/${id}`)
  expect(status).toBe(200)
  return Object(body)
}

async function page(bot: TestBot, query = '') {
  const { status, body } = await bot.get(`/v2/org-units${query}`)
  expect(status).toBe(200)
  const { orgUnits, nextCursor, hasMore }: { orgUnits: OrgUnit[]; nextCursor?: string; hasMore: boolean } =
    Object(body)
  return { ids: orgUnits.map(({ id }) => id), orgUnits, nextCursor, hasMore }
}

const membersOf = (id: string) => `/v2/org-units/${id}/members`
const add = (bot: TestBot, id: string, memberIds: unknown) => bot.post(membersOf(id), { memberIds })
const remove = (bot: TestBot, id: string, memberIds: unknown) => bot.delete(membersOf(id), { memberIds })

/** An organization that keeps communication within org units, with a bot in it. */
async function restricted() {
  const inside = await organization(server, 'Closed doors')
  const bot = await staticBot(server, inside, 'Inner bot')
  await server.parley.db.write(inside, (tx) => setOrganization(tx, { restrictToOrgUnits: true }))
  return { inside, bot }
}

describe('an org unit', () => {
  it('is read with all its members, bots among them', async () => {
    const id = await newUnit([ada, deploy.id], { tag: 'Field', type: 'Location' })
    const unit = await unitOf(calendar, id)
    expect(unit).toEqual({
      id,
      name: 'Field engineering',
      tag: 'Field',
      type: 'Location',
      memberIds: [ada, deploy.id].sort(),
      createdAt: unit.createdAt,
      updatedAt: unit.createdAt,
    })
    expect(await unitOf(deploy, id.toUpperCase())).toEqual(unit)
  })

  it('is not found in another organization, or where there is none', async () => {
    const id = await newUnit([deploy.id])
    for (const [bot, unknown] of [
      [stranger, id],
      [deploy, newUuid()],
    ] as const) {
      expect(refusal(await bot.get(`/v2/org-units/${unknown}`))).toEqual(NOT_FOUND)
      expect(refusal(await add(bot, unknown, [bot.id]))).toEqual(NOT_FOUND)
      expect(refusal(await remove(bot, unknown, [bot.id]))).toEqual(NOT_FOUND)
    }
    expect((await page(stranger)).ids).toEqual([])
    expect((await unitOf(deploy, id)).memberIds).toEqual([deploy.id])
  })

  it('has a tag of its own, without regard to case', async () => {
    await newUnit([], { tag: 'Straße' })
    await expect(newUnit([], { tag: 'STRASSE' })).rejects.toThrow('tag already exists')
    await newUnit([], { tag: 'strasse', inside: stranger.orgId })
  })

  it('is not made with people outside the organization', async () => {
    const before = (await page(deploy, '?limit=100')).ids
    await expect(newUnit([ada, stranger.id])).rejects.toThrow('Invalid member')
    expect((await page(deploy, '?limit=100')).ids).toEqual(before)
  })

  it('has an id', async () => {
    const invalid = { status: 400, body: 'Invalid orgUnitId' }
    expect(refusal(await deploy.get('/v2/org-units/first'))).toEqual(invalid)
    expect(refusal(await add(deploy, 'first', [ada]))).toEqual(invalid)
    expect(refusal(await remove(deploy, 'first', [ada]))).toEqual(invalid)
  })

  it('is read with member:read and changed with member:write, or a key that may write', async () => {
    const id = await newUnit()
    const reader = await staticBot(server, orgId, 'Audit bot', { permission: 'read' })
    const readScope = await oauthBot(server, orgId, 'Reading bot', ['member:read'])
    const writeScope = await oauthBot(server, orgId, 'Writing bot', ['member:write'])
    const forbidden = { status: 403, body: 'forbidden' }
    for (const bot of [reader, readScope]) {
      expect((await page(bot)).ids).toContain(id)
      expect((await unitOf(bot, id)).id).toBe(id)
      expect(refusal(await add(bot, id, [ada]))).toEqual(forbidden)
      expect(refusal(await remove(bot, id, [ada]))).toEqual(forbidden)
    }
    expect((await add(writeScope, id, [ada])).status).toBe(200)
    expect((await remove(writeScope, id, [ada])).status).toBe(200)
    for (const path of ['/v2/org-units', `/v2/org-units/${id}`]) {
      const answer = await writeScope.get(path)
      expect(refusal(answer)).toEqual(forbidden)
      expect(answer.headers.get('www-authenticate')).toContain('scope="member:read"')
    }
    const challenge = (await add(readScope, id, [ada])).headers.get('www-authenticate')
    expect(challenge).toContain('scope="member:write"')
  })
})

describe('the list of org units', () => {
  it('has the oldest first, 50 on a page unless asked otherwise', async () => {
    const inside = await organization(server, 'Many units')
    const bot = await staticBot(server, inside)
    expect(await page(bot)).toMatchObject({ ids: [], hasMore: false, nextCursor: undefined })
    const ids: string[] = []
    for (let count = 0; count < 101; count++) ids.push(await newUnit([], { inside }))
    const first = await page(bot)
    expect(first).toMatchObject({ ids: ids.slice(0, 50), hasMore: true })
    expect(first.orgUnits[0]).toEqual(await unitOf(bot, ids[0] ?? ''))
    expect((await page(bot, '?limit=100')).ids).toEqual(ids.slice(0, 100))
  })

  it.each(['0', '101', '-1', '1.5', 'many'])('refuses a limit of %s', async (limit) => {
    const answer = await deploy.get(`/v2/org-units?limit=${limit}`)
    expect(refusal(answer)).toEqual({ status: 400, body: 'limit must be between 1 and 100' })
  })

  it('neither skips nor repeats anything while others are added', async () => {
    const inside = await organization(server, 'Growing')
    const bot = await staticBot(server, inside)
    const before: string[] = []
    for (let count = 0; count < 11; count++) before.push(await newUnit([], { inside }))
    const seen: string[] = []
    let place = await page(bot, '?limit=3')
    for (let added = 0; ; added++) {
      expect(place.nextCursor !== undefined).toBe(place.hasMore)
      seen.push(...place.ids)
      if (!place.hasMore) break
      if (added < 3) await newUnit([], { inside })
      place = await page(bot, `?limit=3&cursor=${encodeURIComponent(place.nextCursor ?? '')}`)
    }
    expect(seen.slice(0, 11)).toEqual(before)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(14)
  })

  it('takes a cursor only from itself, for the same bot, unchanged', async () => {
    await Promise.all([newUnit(), newUnit()])
    const { nextCursor = '' } = await page(deploy, '?limit=1')
    const members = await deploy.get('/v2/members?limit=1')
    const wrong: [TestBot, string][] = [
      [calendar, nextCursor],
      [stranger, nextCursor],
      [deploy, `${nextCursor}x`],
      [deploy, 'x'],
      [deploy, ''],
      [deploy, Object(members.body).nextCursor],
    ]
    for (const [bot, cursor] of wrong) {
      const answer = await bot.get(`/v2/org-units?cursor=${encodeURIComponent(cursor)}`)
      expect(refusal(answer)).toEqual({ status: 400, body: 'invalid cursor' })
    }
  })
})

describe('adding members', () => {
  it('answers with all current members', async () => {
    const id = await newUnit([ada])
    server.clock.ahead = 1000
    const { status, body } = await add(deploy, id.toUpperCase(), [grace, calendar.id]).finally(() => {
      server.clock.ahead = 0
    })
    expect(status).toBe(200)
    expect(body).toEqual({ id, memberIds: [ada, ...[grace, calendar.id].sort()] })
    const unit = await unitOf(deploy, id)
    expect(unit.memberIds).toEqual(Object(body).memberIds)
    expect(unit.updatedAt).toBeGreaterThan(unit.createdAt)
  })

  it('ignores who is there already, and names that come twice', async () => {
    const id = await newUnit([ada])
    const { updatedAt } = await unitOf(deploy, id)
    expect((await add(deploy, id, [ada, ada])).body).toEqual({ id, memberIds: [ada] })
    expect((await unitOf(deploy, id)).updatedAt).toBe(updatedAt)
    expect((await add(deploy, id, [ada, grace, grace])).body).toEqual({ id, memberIds: [ada, grace] })
  })

  it('takes a pending member, and ids in any case', async () => {
    const pending = await person(server, orgId, 'New Comer', { status: 'Pending' })
    const id = await newUnit()
    const { body } = await add(deploy, id, [pending, pending.toUpperCase()])
    expect(body).toEqual({ id, memberIds: [pending] })
  })

  it('adds no one when one is unknown, of another organization, archived or deleted', async () => {
    const archived = await person(server, orgId, 'Al Archived')
    const deleted = await person(server, orgId, 'Del Deleted')
    await server.parley.db.write(orgId, async (tx) => {
      await setMemberStatus(tx, archived, 'Archived')
      await setMemberStatus(tx, deleted, 'Deleted')
    })
    const id = await newUnit()
    for (const wrong of [newUuid(), `b@${newUuid()}`, stranger.id, archived, deleted, 'ada', 7]) {
      expect(refusal(await add(deploy, id, [ada, wrong]))).toEqual(INVALID_MEMBER)
    }
    expect((await unitOf(deploy, id)).memberIds).toEqual([])
  })

  it('is not refused twice: who is not found comes after the unit, the shape before it', async () => {
    expect(refusal(await add(deploy, newUuid(), [newUuid()]))).toEqual(NOT_FOUND)
    expect(refusal(await add(deploy, newUuid(), []))).toMatchObject({ status: 400 })
  })
})

describe('removing members', () => {
  it('answers with those who are left', async () => {
    const id = await newUnit([ada, grace, deploy.id])
    const { status, body } = await remove(deploy, id.toUpperCase(), [grace, deploy.id])
    expect(status).toBe(200)
    expect(body).toEqual({ id, memberIds: [ada] })
    expect((await unitOf(deploy, id)).memberIds).toEqual([ada])
  })

  it('ignores who is not in it, whoever that is', async () => {
    const id = await newUnit([ada])
    const { updatedAt } = await unitOf(deploy, id)
    const { status, body } = await remove(deploy, id, [grace, newUuid(), stranger.id, grace])
    expect({ status, body }).toEqual({ status: 200, body: { id, memberIds: [ada] } })
    expect((await unitOf(deploy, id)).updatedAt).toBe(updatedAt)
    expect((await remove(deploy, id, [ada.toUpperCase()])).body).toEqual({ id, memberIds: [] })
  })
})

describe.each([
  ['adding', add],
  ['removing', remove],
])('%s', (_what, change) => {
  it('takes 1 to 5 ids, counted as sent', async () => {
    const id = await newUnit()
    expect((await change(deploy, id, [ada, ada, ada, ada, ada])).status).toBe(200)
    for (const memberIds of [[], [ada, ada, ada, ada, ada, ada], Array(6).fill('ada')]) {
      expect(refusal(await change(deploy, id, memberIds))).toEqual({
        status: 400,
        body: 'memberIds must have between 1 and 5 elements',
      })
    }
  })

  it('refuses what is no list of ids', async () => {
    const id = await newUnit()
    expect(refusal(await change(deploy, id, undefined))).toEqual({
      status: 400,
      body: 'memberIds is required',
    })
    expect(refusal(await change(deploy, id, ada))).toEqual({
      status: 400,
      body: 'memberIds must be an array',
    })
    for (const wrong of ['ada', '', 7, null]) {
      expect(refusal(await change(deploy, id, [wrong]))).toEqual(INVALID_MEMBER)
    }
  })
})

describe('an organization that keeps communication within org units', () => {
  it('shows a bot its own units and no other, on every endpoint', async () => {
    const { inside, bot } = await restricted()
    const own = await newUnit([bot.id], { inside })
    const other = await newUnit([], { inside })
    const later = await newUnit([bot.id], { inside })
    expect((await page(bot)).ids).toEqual([own, later])
    expect((await unitOf(bot, own)).memberIds).toEqual([bot.id])
    expect((await add(bot, own, [bot.id])).status).toBe(200)
    for (const hidden of [other, newUuid()]) {
      expect(refusal(await bot.get(`/v2/org-units/${hidden}`))).toEqual(NOT_FOUND)
      expect(refusal(await add(bot, hidden, [bot.id]))).toEqual(NOT_FOUND)
      expect(refusal(await remove(bot, hidden, [bot.id]))).toEqual(NOT_FOUND)
    }
  })

  it('pages through the units of the bot', async () => {
    const { inside, bot } = await restricted()
    const own: string[] = []
    for (let count = 0; count < 3; count++) {
      await newUnit([], { inside })
      own.push(await newUnit([bot.id], { inside }))
    }
    const first = await page(bot, '?limit=2')
    expect(first).toMatchObject({ ids: own.slice(0, 2), hasMore: true })
    const rest = await page(bot, `?cursor=${encodeURIComponent(first.nextCursor ?? '')}`)
    expect(rest).toMatchObject({ ids: own.slice(2), hasMore: false })
  })

  it('shows nothing to a bot in no unit', async () => {
    const { inside, bot } = await restricted()
    const id = await newUnit([], { inside })
    expect((await page(bot)).ids).toEqual([])
    expect(refusal(await bot.get(`/v2/org-units/${id}`))).toEqual(NOT_FOUND)
  })

  it('lets a bot leave its unit, which then is out of its reach', async () => {
    const { inside, bot } = await restricted()
    const id = await newUnit([bot.id], { inside })
    const { status, body } = await remove(bot, id, [bot.id])
    expect({ status, body }).toEqual({ status: 200, body: { id, memberIds: [] } })
    expect(refusal(await add(bot, id, [bot.id]))).toEqual(NOT_FOUND)
  })

  it('can open up again', async () => {
    const { inside, bot } = await restricted()
    const id = await newUnit([], { inside })
    await server.parley.db.write(inside, (tx) => setOrganization(tx, { restrictToOrgUnits: false }))
    expect((await page(bot)).ids).toEqual([id])
    expect((await unitOf(bot, id)).id).toBe(id)
  })
})

describe('the budget for changes', () => {
  /** A new bot that calls the node with the limit. */
  const fresh = async () => at(limited.url, await staticBot(limited, orgId, 'Busy bot'))

  it('is one request a minute unless set otherwise', async () => {
    const standard = await startTestParley()
    expect(standard.parley.config.orgUnitChangesPerMinute).toBe(1)
    await standard.close()
  })

  it('is shared by adding and removing, for each bot alone, and says when to come back', async () => {
    const id = await newUnit()
    for (const [first, second] of [
      [add, add],
      [add, remove],
      [remove, add],
      [remove, remove],
    ] as const) {
      const [bot, other] = [await fresh(), await fresh()]
      expect((await first(bot, id, [ada])).status).toBe(200)
      const refused = await second(bot, id, [grace])
      expect(refusal(refused)).toEqual({ status: 429, body: 'rate limit exceeded' })
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(30)
      expect(wait).toBeLessThanOrEqual(60)
      expect((await second(other, id, [grace])).status).toBe(200)
    }
  })

  it('leaves the unit as it was when nothing is left of it', async () => {
    const bot = await fresh()
    const id = await newUnit([ada])
    await add(bot, id, [ada])
    const before = await unitOf(bot, id)
    await add(bot, id, [grace])
    await remove(bot, id, [ada])
    expect(await unitOf(bot, id)).toEqual(before)
  })

  it('is there again after a minute', async () => {
    const bot = await fresh()
    const id = await newUnit()
    expect((await add(bot, id, [ada])).status).toBe(200)
    const soon = async (milliseconds: number) => {
      limited.clock.ahead = milliseconds
      const { status } = await add(bot, id, [ada]).finally(() => {
        limited.clock.ahead = 0
      })
      return status
    }
    expect(await soon(MINUTE / 2)).toBe(429)
    expect(await soon(MINUTE + 1000)).toBe(200)
  })

  it('is not touched by what is refused, and refusals come before it', async () => {
    const bot = await fresh()
    const id = await newUnit()
    const refused = async () => {
      expect(refusal(await add(bot, id, [newUuid()]))).toEqual(INVALID_MEMBER)
      expect(refusal(await add(bot, newUuid(), [ada]))).toEqual(NOT_FOUND)
      expect(refusal(await remove(bot, newUuid(), [ada]))).toEqual(NOT_FOUND)
      expect((await remove(bot, id, [])).status).toBe(400)
      expect((await bot.get(`/v2/org-units/${id}`)).status).toBe(200)
    }
    await refused()
    expect((await add(bot, id, [ada])).status).toBe(200)
    expect((await add(bot, id, [ada])).status).toBe(429)
    await refused()
  })

  it('is spent once for one Idempotency-Key, and its refusal is not kept', async () => {
    const bot = await fresh()
    const id = await newUnit()
    const send = (key: string) =>
      bot.post(membersOf(id), { memberIds: [ada] }, { headers: { 'Idempotency-Key': key } })
    expect(
      refusal(
        await bot.post(membersOf(id), { memberIds: [newUuid()] }, { headers: { 'Idempotency-Key': 'bad' } }),
      ),
    ).toEqual(INVALID_MEMBER)
    const first = await send('good')
    expect(first.status).toBe(200)
    expect((await send('good')).text).toBe(first.text)
    expect((await send('next')).status).toBe(429)
    limited.clock.ahead = MINUTE + 1000
    const next = await send('next').finally(() => {
      limited.clock.ahead = 0
    })
    expect(next.status).toBe(200)
  })

  it('lets one of many through that come at the same moment, on whatever node', async () => {
    const other = await server.secondNode({ orgUnitChangesPerMinute: 1 })
    for (let round = 0; round < 5; round++) {
      const bot = await fresh()
      const id = await newUnit([bot.id])
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, turn) => {
          const speaker = turn % 2 === 0 ? bot : at(other.url, bot)
          return turn % 4 < 2 ? add(speaker, id, [ada]) : remove(speaker, id, [bot.id])
        }),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([200, 429, 429, 429, 429, 429, 429, 429])
      const won = answers.find(({ status }) => status === 200)
      expect(won?.body).toEqual({ id, memberIds: (await unitOf(bot, id)).memberIds })
    }
  })

  it('can be larger, and can be off', async () => {
    const generous = await server.secondNode({ orgUnitChangesPerMinute: 3 })
    const bot = at(generous.url, await staticBot(server, orgId, 'Eager bot'))
    const id = await newUnit()
    const statuses = []
    for (let turn = 0; turn < 4; turn++) statuses.push((await add(bot, id, [ada])).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    for (let turn = 0; turn < 3; turn++) expect((await add(at(server.url, bot), id, [ada])).status).toBe(200)
  })
})

describe('at the same moment', () => {
  it('adding the same members many times has them once', async () => {
    const id = await newUnit()
    const answers = await Promise.all(Array.from({ length: 12 }, () => add(deploy, id, [ada, grace])))
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({ status: 200, body: { id, memberIds: [ada, grace].sort() } })
    }
  })
})
