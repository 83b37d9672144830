import type { AnswerOf, Operation } from '../../contract/operation.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import type { Transaction } from '../db/transaction.ts'
import type { IdempotentRequest, WireAnswer } from '../idempotency/kept-answers.ts'
import type { Parley } from '../parley.ts'
import type { FormHandlers, Input } from './wire.ts'

export type ConversationReading<O extends Operation> = Input<O> & {
  caller: Caller
  db: Queryable
  parley: Parley
  /** Calls back when the client has disconnected, or has its answer. */
  onGone(listener: () => void): void
}
export type ConversationWriting<O extends Operation> = Input<O> & {
  caller: Caller
  tx: Transaction
  parley: Parley
}
export type ConversationBatching<O extends Operation> = Input<O> & {
  caller: Caller
  parley: Parley
  /** The request's `Idempotency-Key`: the writer keeps its answer. */
  repeat: IdempotentRequest | undefined
  isGone(): boolean
}

/** `form` is the operation's other form, with files; `turnsAway` counts for the one without. */
export type ConversationWriteOptions<O extends Operation, Prepared> = {
  form?: FormHandlers<O, Prepared, { caller: Caller; tx: Transaction }>
  turnsAway?: TurnsAway
}

/** Whether a bot's request for this organization is refused before anything of it is read, since it would wait for nothing. */
export type TurnsAway = (parley: Parley, orgId: string) => boolean

/**
 * Operations of bots and people alike. The routes of conversations are written once, for a caller of either kind;
 * each API mounts them on paths of its own, with its own authentication and limits.
 */
export type ConversationApi = {
  /** An operation that changes nothing. */
  reads<O extends Operation>(
    operation: O,
    handler: (context: ConversationReading<O>) => Promise<AnswerOf<O> | WireAnswer>,
  ): void

  /** An operation that writes: one transaction, opened by the API, holds all that the handler does. */
  writes<O extends Operation, Prepared = never>(
    operation: O,
    handler: (context: ConversationWriting<O>) => Promise<AnswerOf<O>>,
    options?: ConversationWriteOptions<O, Prepared>,
  ): void

  /** An operation that a writer of its own puts into a transaction with others, with its answer to a key. */
  batches<O extends Operation, Prepared = never>(
    operation: O,
    handler: (context: ConversationBatching<O>) => Promise<AnswerOf<O> | WireAnswer>,
    options?: ConversationWriteOptions<O, Prepared>,
  ): void
}
