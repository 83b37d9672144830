import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnswerOf, BodyOf, MetaOf, Operation, ParamsOf, TextQueryOf } from '../../contract/operation.ts'
import { type BotCaller, claimIdentity, permit } from '../auth/bots.ts'
import type { Queryable } from '../db/database.ts'
import type { OpenTransaction, Transaction } from '../db/transaction.ts'
import {
  answerOnce,
  excludeOthers,
  hasKeptAnswer,
  type IdempotentRequest,
  NO_ORGANIZATION,
  readKeptAnswer,
  type WireAnswer,
  writeOnce,
} from '../idempotency/kept-answers.ts'
import type { Parley } from '../parley.ts'
import { admit, claim } from './bot-admission.ts'
import { spendMessage } from './bot-budget.ts'
import { refuseLoop } from './bot-loop.ts'
import { Call, type NamedThing } from './call.ts'
import type { TurnsAway } from './conversation-api.ts'
import { idempotencyOf, repeatOf } from './idempotency-key.ts'
import { IncomingText, type OpenSink, type TextSink } from './incoming-text.ts'
import { receiveForm } from './received-form.ts'
import { bodyHash, isForm, signedPart } from './request-body.ts'
import { type FormHandlers, type Given, type Input, route, send, type Wire, wireOf } from './wire.ts'

export type Reading<O extends Operation> = Input<O> & {
  caller: BotCaller
  db: Queryable
  parley: Parley
  /** Calls back when the client has disconnected, or has its answer. */
  onGone(listener: () => void): void
}
export type Writing<O extends Operation> = Input<O> & { caller: BotCaller; tx: Transaction; parley: Parley }
export type Anyone<O extends Operation> = Input<O> & { tx: OpenTransaction; parley: Parley; address: string }

/** A caller without credentials, known by its headers alone. */
export type Visitor = {
  request: FastifyRequest
  address: string
  /** Whether the request can only be given an earlier answer again, by its Idempotency-Key. */
  hasKeptAnswer(): Promise<boolean>
}

export type AnyoneLimits<O extends Operation> = {
  /** The limits that apply before the body is read. */
  admission: (parley: Parley) => (visitor: Visitor) => Promise<void>
  /**
   * Refuses by the content of the body. No transaction is open yet: one that asked the pool for a second connection
   * could wait forever.
   */
  judge: (parley: Parley, body: BodyOf<O> | MetaOf<O>, address: string) => Promise<void>
}

export type Batching<O extends Operation> = Input<O> & {
  caller: BotCaller
  parley: Parley
  /** The request's `Idempotency-Key`: the writer keeps its answer. */
  repeat: IdempotentRequest | undefined
  isGone(): boolean
}

export type BotApi = ReturnType<typeof botApi>

/** Registers operations: each request is authenticated, limited, permitted and validated before its handler runs. */
export function botApi(app: FastifyInstance, parley: Parley) {
  app.decorateRequest('claim', null)

  const runs = new Map<string, RunOperation>()

  return {
    /** The operations that need credentials, by id, for callers admitted in another way than by their route. */
    runs,

    /** An operation that changes nothing. */
    reads<O extends Operation>(
      operation: O,
      handler: (context: Reading<O>) => Promise<AnswerOf<O> | WireAnswer>,
    ): void {
      const wire = wireOf(operation)
      register(operation, wire, async (caller, input, call) => {
        const onGone = (listener: () => void) => call.onGone(listener)
        const answer = await handler({ caller, db: parley.db, parley, onGone, ...input })
        return 'payload' in answer ? answer : wire.write(answer)
      })
    },

    /** An operation that writes: one transaction, opened here, holds all that the handler does. */
    writes<O extends Operation, Prepared = never>(
      operation: O,
      handler: (context: Writing<O>) => Promise<AnswerOf<O>>,
      { form }: WriteOptions<O, Prepared> = {},
    ): void {
      const wire = wireOf(operation)
      const run: RunChecked<O> = (caller, input, call) =>
        transact(caller, call.repeat, async (tx) =>
          wire.write(await handler({ caller, tx, parley, ...input })),
        )
      register(operation, wire, run, form)
    },

    /** An operation that a writer of its own puts into a transaction with others, with its answer to a key. */
    batches<O extends Operation, Prepared = never>(
      operation: O,
      handler: (context: Batching<O>) => Promise<AnswerOf<O> | WireAnswer>,
      { form, streamed, turnsAway }: WriteOptions<O, Prepared> = {},
    ): void {
      const wire = wireOf(operation)
      const run: RunChecked<O> = async (caller, input, call) => {
        const isGone = () => call.isGone()
        const answer = await handler({ caller, parley, repeat: call.repeat, isGone, ...input })
        return 'payload' in answer ? answer : wire.write(answer)
      }
      register(operation, wire, run, form, streamed, turnsAway)
    },

    /** An operation without authentication. */
    anyone<O extends Operation, Prepared = never>(
      operation: O,
      { admission, judge }: AnyoneLimits<O>,
      handler: (context: Anyone<O>) => Promise<AnswerOf<O>>,
      form?: FormHandlers<O, Prepared, { address: string; tx: OpenTransaction }>,
    ): void {
      const wire = wireOf(operation)
      const admitVisitor = admission(parley)
      const { db, secrets, clock } = parley
      const ownerOf = ({ ip }: FastifyRequest) => ({ orgId: NO_ORGANIZATION, owner: ip })
      route(app, parley, operation, {
        onRequest: (request, _reply, done) => {
          const key = request.headers['idempotency-key']
          admitVisitor({
            request,
            address: request.ip,
            hasKeptAnswer: () => hasKeptAnswer(db, key, ownerOf(request), clock()),
          }).then(() => done(), done)
        },
        handler: async (request, reply) => {
          const address = request.ip
          const repeat = idempotencyOf(request, () => bodyHash(request), ownerOf(request))
          // Nothing of a repeated form is looked at again: a sender with an answer could have images decoded without end.
          const kept = repeat && (await readKeptAnswer(db, secrets, repeat, clock()))
          if (kept) return send(reply, kept)
          const transact = async (
            body: BodyOf<O> | MetaOf<O>,
            work: (tx: OpenTransaction) => Promise<AnswerOf<O>>,
          ) => {
            await judge(parley, body, address)
            return db.transaction(async (tx) => {
              const answer = async () => wire.write(await work(tx))
              if (!repeat) return answer()
              await excludeOthers(tx, repeat)
              return answerOnce(tx, secrets, repeat, tx.now(), () => tx.attempt(answer))
            })
          }
          if (form && isForm(request)) {
            return send(
              reply,
              await wire.receive(request, parley, form, { address }, (context) =>
                transact(context.meta, (tx) => form.handler({ ...context, address, tx, parley })),
              ),
            )
          }
          const input = wire.read(request)
          return send(reply, await transact(input.body, (tx) => handler({ ...input, tx, parley, address })))
        },
      })
    },
  }

  function register<O extends Operation, Prepared>(
    operation: O,
    wire: Wire<O>,
    runUncounted: RunChecked<O>,
    form?: FormHandlers<O, Prepared, WriteContext>,
    streamed?: StreamedHandler<O>,
    turnsAway?: TurnsAway,
  ): void {
    const run = counted(operation, guarded(operation, runUncounted))
    runs.set(operation.id, async (caller, given, call) => run(caller, wire.check(given), call))
    route(app, parley, operation, {
      onRequest: claim(parley, turnsAway),
      handler: async (request, reply) => {
        const caller = await admit(request, reply, parley, operation)
        const { body } = request
        if (streamed && body instanceof IncomingText) {
          const permitted = async () => {
            const again = await claimIdentity(request.raw, parley)
            await permit(parley.identities, await again.confirm(signedPart(request)), operation)
          }
          const read: ReadText = (open) => body.readInto(open, permitted)
          const answer = await streamed({ ...wire.readBesideText(request), caller, parley, read })
          return send(reply, wire.write(answer))
        }
        if (!form || !isForm(request)) {
          const input = wire.read(request)
          const call = new Call(request, reply, caller, namedThing(operation, caller, input.body))
          return send(reply, await run(caller, input, call))
        }
        const repeat = repeatOf(request, caller)
        if (operation.isHeardByBots) await refuseLoop(parley, caller, repeat)
        const receive = () =>
          receiveForm(request, parley, { wire, form }, caller, (work) => transact(caller, repeat, work))
        const received = operation.countsInBudget
          ? await spendMessage(parley, caller.identity, repeat, receive)
          : await receive()
        return send(reply, received)
      },
    })
  }

  /** Counts towards the bot's daily budget. */
  function counted<O extends Operation>(operation: O, run: RunChecked<O>): RunChecked<O> {
    if (!operation.countsInBudget) return run
    return (caller, input, call) =>
      caller.identity.budget
        ? spendMessage(parley, caller.identity, call.repeat, () => run(caller, input, call))
        : run(caller, input, call)
  }

  /** Refuses writes while bots only answer bots. */
  function guarded<O extends Operation>(operation: O, run: RunChecked<O>): RunChecked<O> {
    if (!operation.isHeardByBots) return run
    return async (caller, input, call) => {
      await refuseLoop(parley, caller, call.repeat)
      return run(caller, input, call)
    }
  }

  /** Writes the change and the kept answer of a key in one transaction. */
  function transact(
    caller: BotCaller,
    repeat: IdempotentRequest | undefined,
    work: (tx: Transaction) => Promise<WireAnswer>,
  ): Promise<WireAnswer> {
    return parley.db.writeAs(caller, (tx) => writeOnce(tx, parley.secrets, repeat, () => work(tx)))
  }
}

/** The message or task of a request whose `externalId` counts as its key: its bot's setting says so. */
function namedThing(
  { id, mayRepeatByExternalId }: Operation,
  { identity }: BotCaller,
  body: unknown,
): NamedThing | undefined {
  if (!mayRepeatByExternalId || !identity.externalIdIsKey) return undefined
  const { externalId } = Object(body)
  return typeof externalId === 'string' && externalId !== '' ? { kind: id, externalId } : undefined
}

/** Runs an operation for a caller who has been admitted and permitted, on input that has yet to be checked. */
export type RunOperation = (caller: BotCaller, given: Given, call: Call) => Promise<WireAnswer>
type RunChecked<O extends Operation> = (caller: BotCaller, input: Input<O>, call: Call) => Promise<WireAnswer>

type WriteContext = { caller: BotCaller; tx: Transaction }
/** `form` handles the operation's variant with files. */
export type WriteOptions<O extends Operation, Prepared> = {
  form?: FormHandlers<O, Prepared, WriteContext>
  /** Handles plain text that was not read yet. */
  streamed?: StreamedHandler<O>
  turnsAway?: TurnsAway
}

type ReadText = <Sink extends TextSink>(open: OpenSink<Sink>) => Promise<{ sink: Sink; ms: number }>
type StreamedHandler<O extends Operation> = (context: {
  params: ParamsOf<O>
  query: TextQueryOf<O>
  caller: BotCaller
  parley: Parley
  read: ReadText
}) => Promise<AnswerOf<O>>
