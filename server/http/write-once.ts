import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import type { Caller } from '../caller.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Parley } from '../parley.ts'
import type { Secrets } from '../secrets.ts'
import { answerOnce, type IdempotentRequest, idempotencyOf, type WireAnswer } from './idempotency.ts'
import { bodyHash } from './request-body.ts'
import type { FormHandlers, Wire } from './wire.ts'

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

/** Somebody's form, handled in the transaction that `transact` opens. */
export function receiveForm<O extends Operation, Prepared, Who extends Caller>(
  request: FastifyRequest,
  parley: Parley,
  { wire, form }: { wire: Wire<O>; form: FormHandlers<O, Prepared, { caller: Who; tx: Transaction }> },
  caller: Who,
  transact: (work: (tx: Transaction) => Promise<WireAnswer>) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  return wire.receive<Prepared, { caller: Who; tx: Transaction }>(
    request,
    parley,
    form,
    { caller },
    (context) => transact(async (tx) => wire.write(await form.handler({ ...context, caller, tx, parley }))),
  )
}
