import type { FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Secrets } from '../secrets.ts'
import { answerOnce, type IdempotentRequest, idempotencyOf, type WireAnswer } from './idempotency.ts'
import { bodyHash } from './request-body.ts'

/** The `Idempotency-Key` of somebody's request, if it has one. */
export const repeatOf = (
  request: FastifyRequest,
  { orgId, profileId }: Caller,
): IdempotentRequest | undefined =>
  idempotencyOf(request, () => bodyHash(request), { orgId, owner: profileId })

/** The answer that is kept for a key, or a new one, kept with what `work` did. Without a key there is nothing to keep. */
export function writeOnce(
  tx: Transaction,
  secrets: Secrets,
  repeat: IdempotentRequest | undefined,
  work: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  return repeat ? answerOnce(tx, secrets, repeat, tx.now(), () => tx.attempt(work)) : work()
}
