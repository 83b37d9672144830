import type { Erasure } from '../../contract/people/erasures.ts'
import { type ErasureRow, FAILURES_TOLD } from '../queries/members/erasures.ts'

export function presentErasure(row: ErasureRow, now: number): Erasure {
  const { asked_by: askedBy, due_at: dueAt, finished_at: finishedAt } = row
  const state = stateOf(row, now)
  return {
    memberId: row.profile_id,
    withMessages: row.with_messages,
    state,
    askedAt: row.asked_at,
    ...(askedBy !== null && { askedBy: { id: askedBy, name: row.asked_name ?? '' } }),
    ...((state === 'held' || state === 'failing') && dueAt !== null && { nextAttemptAt: dueAt }),
    ...(finishedAt !== null && { finishedAt }),
  }
}

/** An erasure that waits without having failed waits for the end of a legal hold. */
function stateOf({ finished_at, failures, due_at }: ErasureRow, now: number): Erasure['state'] {
  if (finished_at !== null) return 'done'
  if (failures >= FAILURES_TOLD) return 'failing'
  return failures === 0 && due_at !== null && due_at > now ? 'held' : 'running'
}
