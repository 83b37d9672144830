import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, person, staticBot } from './support/cast.ts'
import { commandSettings, jsonOf, runHere } from './support/command-here.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const MANY = 1203
const NOBODY = '00000000-0000-4000-8000-000000000000'

let server: TestParley
let org: string
const run = (...args: string[]) => runHere(args, commandSettings(server), tmpdir())
const list = async (...args: string[]) => Object(jsonOf(await run(...args, '--json')))

beforeAll(async () => {
  server = await startTestParley()
  org = await organization(server)
})
afterAll(() => server?.close())

it('lists every person of an organization once, also where pages of the list begin with the same name', async () => {
  const ids = [await person(server, org, 'Ada'), await person(server, org, 'Bo', { status: 'Pending' })]
  await server.parley.db.query(sql`
    insert into profiles (org_id, id, kind, name, email, status, role, created_at, updated_at)
    select ${org}, gen_random_uuid()::text, 'user', 'Twin', n || '@twins.example', 'Archived', 'member', 1, 1 from generate_series(1, ${MANY}) n`)
  await person(server, await organization(server, 'Elsewhere'), 'Stranger')

  const { members } = await list('member', 'list', '--org', org)
  expect(new Set(members.map(({ profileId }: { profileId: string }) => profileId)).size).toBe(MANY + 2)
  expect(members).toHaveLength(MANY + 2)
  expect(members.slice(0, 2)).toMatchObject([
    { profileId: ids[0], name: 'Ada', email: 'ada@example.com', role: 'member', status: 'Active' },
    { profileId: ids[1], name: 'Bo', status: 'Pending', invitationExpiresAt: null },
  ])
  const pending = await run('member', 'list', '--org', org, '--status', 'Pending')
  expect(pending.stdout).toBe(`${ids[1]}  Bo  bo@example.com  member, not invited yet, never seen\n`)
})

it('lists the bots of an organization with what they are at', async () => {
  const bot = await staticBot(server, org, 'Deploy bot')
  const off = await staticBot(server, org, 'Old bot')
  await run('bot', 'deactivate', '--bot', off.id)
  expect((await list('bot', 'list', '--org', org)).bots).toMatchObject([
    { botId: bot.id, name: 'Deploy bot', state: 'active', delivery: 'polling', topics: 0 },
    { botId: off.id, name: 'Old bot', state: 'off' },
  ])
  const { stdout } = await run('bot', 'list', '--org', org)
  expect(stdout.split('\n')[0]).toBe(`${bot.id}  Deploy bot  active, polling, 0 topics, never seen`)
})

it('refuses an organization that is not there, and a state that nobody can be in', async () => {
  const { code, stderr } = await run('member', 'list', '--org', NOBODY)
  expect([code, stderr]).toEqual([1, expect.stringContaining(NOBODY)])
  expect((await run('bot', 'list', '--org', NOBODY)).code).toBe(1)
  expect((await run('member', 'list', '--org', org, '--status', 'Gone')).code).toBe(2)
})
