import { afterAll, beforeAll, expect, it } from 'vitest'
import { addTopicMembers, createTopic, removeTopicMembers } from '../server/actions/topics/topics.ts'
import type { Queryable } from '../server/db/database.ts'
import { TopicDirectory } from '../server/queries/topics/topic-directory.ts'
import { organization, person } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
beforeAll(async () => {
  server = await startTestParley()
})
afterAll(() => server.close())

it('does not keep memberships that changed while they were read', async () => {
  const { db } = server.parley
  const orgId = await organization(server)
  const [ada, ben] = [await person(server, orgId, 'Ada'), await person(server, orgId, 'Ben')]
  const caller = { orgId, profileId: ada }
  const { id } = await db.write(orgId, (tx) =>
    createTopic(tx, { createdBy: ada, name: 'General', members: [] }),
  )
  const directory = new TopicDirectory()
  let reads = 0
  // The rows were read before a member joined and arrive after the directory was informed.
  const slow: Queryable = {
    isSpread: db.isSpread,
    query: async (statement) => {
      const rows = await db.query(statement)
      reads += 1
      if (reads === 1) {
        await db.write(orgId, (tx) => addTopicMembers(tx, caller, id, [ben]))
        directory.forget(orgId)
      }
      return Object(rows)
    },
  }
  const known = await directory.read(slow, new Map([[orgId, new Set([id])]]))
  expect([...(known.get(orgId)?.topics.get(id)?.members.keys() ?? [])].sort()).toEqual([ada, ben].sort())
  expect(reads).toBe(2)
})

it('moves the version when members come to a topic that others remember, and not for a new topic', async () => {
  const { db } = server.parley
  const orgId = await organization(server)
  const [ada, ben] = [await person(server, orgId, 'Ada'), await person(server, orgId, 'Ben')]
  const make = (name: string, members: string[]) =>
    db.write(orgId, (tx) => createTopic(tx, { createdBy: ada, name, members }))
  const { id } = await make('General', [])
  const version = async () => {
    const known = await new TopicDirectory().read(db, new Map([[orgId, new Set([id])]]))
    return known.get(orgId)?.version
  }
  const before = await version()
  const { id: other } = await make('Others', [ben])
  expect(await version()).toBe(before)
  await db.write(orgId, (tx) => addTopicMembers(tx, { orgId, profileId: ada }, id, [ben]))
  expect(await version()).toBe(Number(before) + 1)
  await db.write(orgId, (tx) => removeTopicMembers(tx, { orgId, profileId: ada }, other, [ben]))
  expect(await version()).toBe(Number(before) + 2)
})

it('reads a topic again whose members have changed, and no other', async () => {
  const { db } = server.parley
  const orgId = await organization(server)
  const [ada, ben] = [await person(server, orgId, 'Ada'), await person(server, orgId, 'Ben')]
  const make = async (name: string, members: string[]) =>
    (await db.write(orgId, (tx) => createTopic(tx, { createdBy: ada, name, members }))).id
  const [general, random] = [await make('General', []), await make('Random', [])]
  let reads = 0
  const counting: Queryable = {
    isSpread: db.isSpread,
    query: (statement) => {
      reads += 1
      return db.query(statement)
    },
  }
  const directory = new TopicDirectory()
  const membersOf = async (id: string) => {
    const known = await directory.read(counting, new Map([[orgId, new Set([id])]]))
    return [...(known.get(orgId)?.topics.get(id)?.members.keys() ?? [])].sort()
  }
  await membersOf(general)
  await membersOf(random)
  const bytes = directory.bytes
  const added = await make('New', [ben])
  directory.forgetTopic(orgId, added)
  directory.forgetTopic(orgId, general)
  expect(directory.bytes).toBeLessThan(bytes)
  expect(await membersOf(general)).toEqual([ada])
  expect(directory.bytes).toBe(bytes)
  expect(reads).toBe(3)
  expect(await membersOf(random)).toEqual([ada])
  expect(reads).toBe(3)
  expect(await membersOf(added)).toEqual([ada, ben].sort())
})
