import { afterAll, beforeAll, expect, it } from 'vitest'
import { addTopicMembers, createTopic } from '../server/actions/topics/topics.ts'
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
