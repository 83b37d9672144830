import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { mirrorOf } from '../../contract/people/mirrored.ts'
import type { PersonCaller } from '../auth/sessions.ts'
import type { Caller } from '../caller.ts'
import type { Transaction } from '../db/transaction.ts'
import { type IdempotentRequest, type WireAnswer, writeOnce } from '../idempotency/kept-answers.ts'
import type { Parley } from '../parley.ts'
import { Call } from './call.ts'
import type { ConversationApi } from './conversation-api.ts'
import { repeatOf } from './idempotency-key.ts'
import { admitToChat, limited, registerForPeople } from './people-api.ts'
import { receiveForm } from './received-form.ts'
import { isForm } from './request-body.ts'
import { FOR_PEOPLE, type FormHandlers, type Given, type Input, send, type Wire, wireOf } from './wire.ts'

const saysJson = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/json') === true

type WriteContext = { caller: Caller; tx: Transaction }
type RunChecked<O extends Operation> = (
  caller: PersonCaller,
  input: Input<O>,
  call: Call,
) => Promise<WireAnswer>

/** Runs an operation for a person who has been let in, on input that has yet to be checked. */
export type RunForPerson = (caller: PersonCaller, given: Given, call: Call) => Promise<WireAnswer>

/**
 * Mounts operations of the bot API for people, below the chat of an organization: what people do in conversations has the
 * handlers, limits and answers that bots have. Operations that people do not have there are only in `runs`, by id, for callers
 * who are let in in another way than by a route: assistants.
 */
export function mirroredApi(
  app: FastifyInstance,
  parley: Parley,
): ConversationApi & { runs: ReadonlyMap<string, RunForPerson> } {
  const runs = new Map<string, RunForPerson>()
  return {
    runs,

    reads(operation, handler) {
      const wire = wireOf(operation, FOR_PEOPLE)
      register(operation, wire, async (caller, input, call) => {
        const onGone = (listener: () => void) => call.onGone(listener)
        const answer = await handler({ caller, db: parley.db, parley, onGone, ...input })
        return 'payload' in answer ? answer : wire.write(answer)
      })
    },

    writes(operation, handler, { form } = {}) {
      const wire = wireOf(operation, FOR_PEOPLE)
      const run: RunChecked<typeof operation> = (caller, input, call) =>
        transact(caller, call.repeat, async (tx, permitted) =>
          wire.write(await handler({ caller: permitted, tx, parley, ...input })),
        )
      register(operation, wire, run, form)
    },

    batches(operation, handler, { form } = {}) {
      const wire = wireOf(operation, FOR_PEOPLE)
      const run: RunChecked<typeof operation> = async (caller, input, call) => {
        const isGone = () => call.isGone()
        const answer = await handler({ caller, parley, repeat: call.repeat, isGone, ...input })
        return 'payload' in answer ? answer : wire.write(answer)
      }
      register(operation, wire, run, form)
    },
  }

  function register<O extends Operation, Prepared>(
    operation: O,
    wire: Wire<O>,
    run: RunChecked<O>,
    form?: FormHandlers<O, Prepared, WriteContext>,
  ): void {
    runs.set(operation.id, async (caller, given, call) => run(caller, wire.check(given), call))
    const mirror = mirrorOf(operation)
    if (!mirror) return
    const admitLimited = async (request: FastifyRequest, reply: FastifyReply) =>
      limited(await admitToChat(request, parley, mirror), reply, parley)
    // Files are written to disk as they come in, so the caller must be a member first. JSON is short and waits for one
    // lookup.
    const isAdmittedFirst = (request: FastifyRequest) => mirror.form !== undefined && !saysJson(request)
    registerForPeople(app, parley, mirror, {
      beforeBody: (request, reply) => (isAdmittedFirst(request) ? admitLimited(request, reply) : undefined),
      handler: async (request, reply) => {
        const caller = await (isAdmittedFirst(request)
          ? admitToChat(request, parley, mirror)
          : admitLimited(request, reply))
        if (!form || !isForm(request))
          return send(reply, await run(caller, wire.read(request), new Call(request, reply, caller)))
        const repeat = repeatOf(request, caller)
        const received = await receiveForm<O, Prepared, Caller>(
          request,
          parley,
          { wire, form },
          caller,
          (work) => transact(caller, repeat, work),
        )
        return send(reply, received)
      },
    })
  }

  function transact(
    caller: PersonCaller,
    repeat: IdempotentRequest | undefined,
    work: (tx: Transaction, permitted: PersonCaller) => Promise<WireAnswer>,
  ): Promise<WireAnswer> {
    return parley.db.writeAs(caller, (tx, permitted) =>
      writeOnce(tx, parley.secrets, repeat, () => work(tx, permitted)),
    )
  }
}
