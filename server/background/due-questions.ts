import { expireQuestion } from '../actions/messages/question-ends.ts'
import type { DuePlace } from '../db/due-range.ts'
import type { Parley } from '../parley.ts'
import { listDueQuestions, readNextExpiry } from '../queries/messages/questions.ts'
import { restUntil } from '../worker.ts'
import { LOOK_MS } from './due-messages.ts'
import { type DueOptions, DueRounds } from './due-rounds.ts'

const AT_ONCE = 100

/**
 * Ends questions of all organizations whose time is over. Returns the milliseconds to the next one that is due soon. Every node looks; the second finds
 * nothing.
 */
export async function closeDueQuestions(
  { db, clock }: Pick<Parley, 'db' | 'clock'>,
  { rounds = new DueRounds(), noteFailure = () => {} }: DueOptions = {},
): Promise<number | undefined> {
  const close = ({ orgId, id }: DuePlace) =>
    db
      .write(orgId, (tx) => expireQuestion(tx, id))
      .catch((error: unknown) => noteFailure(error, { orgId, questionId: id }))
  const isMore = await rounds.serveNext({
    now: clock(),
    limit: AT_ONCE,
    list: (range, limit) => listDueQuestions(db, range, limit),
    async serve(page) {
      await Promise.all(page.map(close))
      return false
    },
  })
  if (isMore) return 0
  return restUntil(await readNextExpiry(db, rounds.until), clock(), LOOK_MS)
}
