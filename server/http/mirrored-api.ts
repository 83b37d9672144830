import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { mirrorOf } from '../../contract/people/mirrored.ts'
import type { PersonCaller } from '../auth/sessions.ts'
import type { Caller } from '../caller.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Parley } from '../parley.ts'
import type { ConversationApi } from './conversation-api.ts'
import type { WireAnswer } from './idempotency.ts'
import { admitToChat, limited, permitAgain, registerForPeople } from './people-api.ts'
import { isForm } from './request-body.ts'
import { type FormHandlers, send, wireOf } from './wire.ts'
import { repeatOf, writeOnce } from './write-once.ts'

const MEMBER = { access: 'member' } as const

type WriteContext = { caller: Caller; tx: Transaction }

/**
 * Mounts operations of the bot API for people, below the chat of an organization: what people do in conversations has the
 * handlers, limits and answers that bots have. Operations that people do not have are left out.
 */
export function mirroredApi(app: FastifyInstance, parley: Parley): ConversationApi {
  return {
    reads(operation, handler) {
      const wire = wireOf(operation)
      register(operation, async (request, reply, caller) => {
        const answer = await handler({ ...wire.read(request), caller, db: parley.db, parley })
        return send(reply, 'payload' in answer ? answer : wire.write(answer))
      })
    },

    writes(operation, handler, { form } = {}) {
      const wire = wireOf(operation)
      registerWrite(operation, form, async (request, caller) => {
        const input = wire.read(request)
        return transact(request, caller, async (tx) =>
          wire.write(await handler({ ...input, caller, tx, parley })),
        )
      })
    },

    batches(operation, handler, { form } = {}) {
      const wire = wireOf(operation)
      registerWrite(operation, form, async (request, caller, reply) => {
        const input = wire.read(request)
        const isGone = () => reply.raw.destroyed
        const answer = await handler({ ...input, caller, parley, repeat: repeatOf(request, caller), isGone })
        return 'payload' in answer ? answer : wire.write(answer)
      })
    },
  }

  function register(
    operation: Operation,
    handler: (request: FastifyRequest, reply: FastifyReply, caller: PersonCaller) => Promise<FastifyReply>,
  ): void {
    const mirror = mirrorOf(operation)
    if (!mirror) return
    const admitLimited = async (request: FastifyRequest, reply: FastifyReply) =>
      limited(await admitToChat(request, parley), reply, parley)
    registerForPeople(app, parley, mirror, {
      // Files go to disk as they come in: nobody's but a member's.
      ...(mirror.form && { beforeBody: admitLimited }),
      handler: async (request, reply) => {
        const admitted = mirror.form ? admitToChat(request, parley) : admitLimited(request, reply)
        return handler(request, reply, await admitted)
      },
    })
  }

  function registerWrite<O extends Operation, Prepared>(
    operation: O,
    form: FormHandlers<O, Prepared, WriteContext> | undefined,
    answer: (request: FastifyRequest, caller: PersonCaller, reply: FastifyReply) => Promise<WireAnswer>,
  ): void {
    const wire = wireOf(operation)
    register(operation, async (request, reply, caller) => {
      if (!form || !isForm(request)) return send(reply, await answer(request, caller, reply))
      const received = await wire.receive<Prepared, WriteContext>(
        request,
        parley,
        form,
        { caller },
        (context) =>
          transact(request, caller, async (tx) =>
            wire.write(await form.handler({ ...context, caller, tx, parley })),
          ),
      )
      return send(reply, received)
    })
  }

  /** Whether they still may is looked up once more, where nobody can change it any longer. */
  function transact(
    request: FastifyRequest,
    caller: PersonCaller,
    work: (tx: Transaction) => Promise<WireAnswer>,
  ): Promise<WireAnswer> {
    const repeat = repeatOf(request, caller)
    return parley.db.write(caller.orgId, async (tx) => {
      await permitAgain(tx, caller, MEMBER)
      return writeOnce(tx, parley.secrets, repeat, () => work(tx))
    })
  }
}
