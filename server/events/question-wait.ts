import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { refusal } from '../errors.ts'
import type { Parley } from '../parley.ts'
import { readLastSeq } from '../queries/events/updates.ts'
import { type QuestionRow, readQuestion } from '../queries/messages/questions.ts'

/** A question that the caller has asked. */
export async function requireQuestion(caller: Caller, db: Queryable, id: string): Promise<QuestionRow> {
  const question = await readQuestion(caller, db, id)
  if (!question) throw refusal('question_not_found')
  return question
}

type Wait = { wait: number; onGone(listener: () => void): void }

/** The question as soon as it is over, or as it is when the time is up. Waiting holds no connection to the database. */
export async function waitForEnd(
  { db, longPolls, tail }: Pick<Parley, 'db' | 'longPolls' | 'tail'>,
  caller: Caller,
  requestedId: string,
  { wait, onGone }: Wait,
): Promise<QuestionRow> {
  const id = requestedId.toLowerCase()
  const question = await requireQuestion(caller, db, id)
  if (wait === 0 || question.status !== 'open') return question
  // Joined, and the tail placed, before the second read: no end can fall between reading and waiting.
  const waiter = longPolls.joinForQuestion(caller.orgId, id)
  const leaveTail = tail.follow(caller.orgId)
  onGone(() => waiter.end('gone'))
  try {
    tail.readTo(caller.orgId, await readLastSeq(caller, db))
    const again = await requireQuestion(caller, db, id)
    if (again.status !== 'open') return again
    await waiter.sleep(wait * 1000)
  } finally {
    leaveTail()
    waiter.leave()
  }
  await caller.authority?.renew() // refuses a caller who lost the right while they waited
  return requireQuestion(caller, db, id)
}
