import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import type { Caller } from '../caller.ts'
import type { Transaction } from '../db/transaction.ts'
import type { WireAnswer } from '../idempotency/kept-answers.ts'
import type { Parley } from '../parley.ts'
import type { FormHandlers, Wire } from './wire.ts'

/** Handles a caller's form in the transaction that `transact` opens. */
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
