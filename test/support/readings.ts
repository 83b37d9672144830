import { expect } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import type { Ids } from './console.ts'
import type { TestParley } from './parley.ts'
import type { TestPerson } from './people.ts'

/** Subjects of readings, each with the name of its id. */
const SUBJECTS = [
  ['topic', 'topicId'],
  ['member', 'memberId'],
  ['bot', 'botId'],
  ['hold', 'holdId'],
] as const

/** Asks for a reading of each of these things that there is; returns their ids. */
export async function askForReadings(who: TestPerson, ids: Ids, reason = 'Case 12'): Promise<string[]> {
  const asked: string[] = []
  for (const [subjectType, name] of SUBJECTS) {
    if (ids[name] === undefined) continue
    const body = { subjectType, subjectId: ids[name], reason }
    const answer = await who.post(`/people/organizations/${who.orgId}/readings`, body)
    expect(answer.status, answer.text).toBe(201)
    asked.push(Object(answer.body).id)
  }
  return asked
}

/** Allows an admin to read content, as an owner would. */
export const allowReading = ({ parley: { db } }: TestParley, { orgId, profileId }: TestPerson) =>
  db.query(sql`
    update profiles set reading_allowed_by = 'an owner' where org_id = ${orgId} and id = ${profileId}`)
