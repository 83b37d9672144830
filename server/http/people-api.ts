import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnswerOf, FILE_PART, type PeopleOperation, ROLES, type Role } from '../../contract/operation.ts'
import { isOfChat, takesKey } from '../../contract/people/mirrored.ts'
import type { Need } from '../../contract/people/session.ts'
import type { RefusalCode } from '../../contract/refusals/index.ts'
import {
  findCaller,
  findSession,
  heldRight,
  isOpenSession,
  type PersonCaller,
  type SignedIn,
} from '../auth/sessions.ts'
import type { Visitor } from '../caller.ts'
import { type Authority, confirmed } from '../db/authority.ts'
import type { Queryable } from '../db/database.ts'
import type { OpenTransaction, Transaction } from '../db/transaction.ts'
import { refusal, tooMany } from '../errors.ts'
import { type WireAnswer, writeOnce } from '../idempotency/kept-answers.ts'
import type { Parley } from '../parley.ts'
import { repeatOf } from './idempotency-key.ts'
import { isForm } from './request-body.ts'
import { visitorOf } from './visitor.ts'
import { FOR_PEOPLE, type FormHandlers, type Input, route, send, wireOf } from './wire.ts'

export type Visiting<O extends PeopleOperation> = Input<O> & {
  parley: Parley
  visitor: Visitor
  request: FastifyRequest
  /** Used to set the cookie. The handler returns the answer itself. */
  reply: FastifyReply
}
export type WithAccount<O extends PeopleOperation> = Visiting<O> & {
  signedIn: SignedIn
  /** A transaction that the session outlives: nothing is written for one that was ended. */
  transact<Result>(work: (open: OpenTransaction) => Promise<Result>): Promise<Result>
}
export type PersonReading<O extends PeopleOperation> = Input<O> & {
  caller: PersonCaller
  db: Queryable
  parley: Parley
}
export type PersonWriting<O extends PeopleOperation> = Input<O> & {
  caller: PersonCaller
  tx: Transaction
  parley: Parley
}
export type PersonActing<O extends PeopleOperation> = Input<O> & {
  caller: PersonCaller
  permitAgain(tx: Transaction): Promise<PersonCaller>
  parley: Parley
}

/** A file that is generated while it is sent. */
export type Download = { name: string; type: string; content: AsyncIterable<string> }

type Of<Access, O extends PeopleOperation = PeopleOperation> = O & { access: Access }
type InOrganization = Of<Role>

/** Refuses a body without files. */
export const onlyAsForm = async (): Promise<never> => {
  throw refusal('field_required', { field: FILE_PART })
}

export type PeopleApi = ReturnType<typeof peopleApi>

/**
 * Registers operations for people. A request that changes something must come from a page of this server; people who are
 * no active members of an organization get the answer for one that does not exist.
 */
export function peopleApi(app: FastifyInstance, parley: Parley) {
  return {
    /** Registers an operation for any visitor; `handler` finds out who it is. */
    anyone<O extends Of<'anyone'>>(
      operation: O,
      handler: (context: Visiting<O>) => Promise<AnswerOf<O>>,
    ): void {
      const wire = wireOf(operation, FOR_PEOPLE)
      register(operation, async (request, reply) => {
        const visitor = visitorOf(request, parley.config)
        const input = wire.read(request)
        return wire.write(await handler({ ...input, parley, visitor, request, reply }))
      })
    },

    account<O extends Of<'account'>>(
      operation: O,
      handler: (context: WithAccount<O>) => Promise<AnswerOf<O>>,
    ): void {
      const wire = wireOf(operation, FOR_PEOPLE)
      register(operation, async (request, reply) => {
        const visitor = visitorOf(request, parley.config)
        const signedIn = await admitAccount(visitor, parley)
        const input = wire.read(request)
        // Everybody locks organizations first, then the account, and its sessions last.
        const transact: WithAccount<O>['transact'] = (work) =>
          parley.db
            .transaction(async (open) => {
              const result = await work(open)
              await requireOpen(open, signedIn)
              return result
            })
            .catch(async (error: unknown) => {
              await requireOpen(parley.db, signedIn) // what failed may have missed the session
              throw error
            })
        return wire.write(await handler({ ...input, signedIn, transact, parley, visitor, request, reply }))
      })
    },

    /** Registers a read, for members of the organization with the operation's role. */
    reads<O extends InOrganization>(
      operation: O,
      handler: (context: PersonReading<O>) => Promise<AnswerOf<O> | WireAnswer>,
    ): void {
      const wire = wireOf(operation, FOR_PEOPLE)
      register(operation, async (request, reply) => {
        const caller = await admitTo(operation, request, reply)
        const input = wire.read(request)
        const answer = await handler({ ...input, caller, db: parley.db, parley })
        return 'payload' in answer ? answer : wire.write(answer)
      })
    },

    /** Reads that end in a file: it is sent piece by piece, as fast as the other side takes it. */
    downloads<O extends InOrganization>(
      operation: O,
      handler: (context: PersonReading<O>) => Download,
    ): void {
      const wire = wireOf(operation, FOR_PEOPLE)
      registerForPeople(app, parley, operation, {
        handler: async (request, reply) => {
          const caller = await admitTo(operation, request, reply)
          const { name, type, content } = handler({
            ...wire.read(request),
            caller,
            db: parley.db,
            parley,
          })
          return reply
            .header('Content-Type', `${type}; charset=utf-8`)
            .header('Content-Disposition', contentDisposition(name))
            .send(Readable.from(content, { objectMode: false }))
        },
      })
    },

    /** One transaction holds all that the handler does. `form` is for operations that take files. */
    writes<O extends InOrganization, Prepared = never>(
      operation: O,
      handler: (context: PersonWriting<O>) => Promise<AnswerOf<O>>,
      form?: FormHandlers<O, Prepared, { caller: PersonCaller; tx: Transaction }>,
    ): void {
      const wire = wireOf(operation, FOR_PEOPLE)
      register(operation, async (request, reply) => {
        const admitted = await admitTo(operation, request, reply)
        const transact = (work: (tx: Transaction, caller: PersonCaller) => Promise<AnswerOf<O>>) => {
          const repeat = takesKey(operation) ? repeatOf(request, admitted) : undefined
          return parley.db.writeAs(admitted, (tx, caller) =>
            writeOnce(tx, parley.secrets, repeat, async () => wire.write(await work(tx, caller))),
          )
        }
        if (form && isForm(request)) {
          const answer = await wire.receive(request, parley, form, { caller: admitted }, (context) =>
            transact((tx, caller) => form.handler({ ...context, caller, tx, parley })),
          )
          return answer
        }
        const input = wire.read(request)
        return transact((tx, caller) => handler({ ...input, caller, tx, parley }))
      })
    },

    /** Registers an operation of several transactions, or none. `permitAgain` gives the caller as of one of them. */
    acts<O extends InOrganization>(
      operation: O,
      handler: (context: PersonActing<O>) => Promise<AnswerOf<O>>,
    ): void {
      const wire = wireOf(operation, FOR_PEOPLE)
      register(operation, async (request, reply) => {
        const caller = await admitTo(operation, request, reply)
        const input = wire.read(request)
        const permitAgain = (tx: Transaction) => confirmed(tx, caller)
        return wire.write(await handler({ ...input, permitAgain, caller, parley }))
      })
    },
  }

  async function admitTo(
    operation: InOrganization,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PersonCaller> {
    const caller = isOfChat(operation)
      ? await admitToChat(request, parley, operation)
      : await admit(request, parley, operation)
    return limited(caller, reply, parley)
  }

  function register(
    operation: PeopleOperation,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<WireAnswer>,
  ): void {
    // This node forgets ended sessions and changed members before it answers.
    const mayChangeCallers = operation.method !== 'GET' && !isOfChat(operation)
    registerForPeople(app, parley, operation, {
      handler: async (request, reply) => {
        const answered = await answer(request, reply)
        if (mayChangeCallers) await parley.notifications.caughtUp()
        return send(reply, answered)
      },
    })
  }
}

type PeopleHandlers = {
  /** Decides whether a request's body is received at all; undefined where that is not asked. */
  beforeBody?(request: FastifyRequest, reply: FastifyReply): Promise<unknown> | undefined
  handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export function registerForPeople(
  app: FastifyInstance,
  parley: Parley,
  operation: PeopleOperation,
  { beforeBody, handler }: PeopleHandlers,
): void {
  route(app, parley, operation, {
    onRequest: (request, reply, done) => {
      reply.header('Cache-Control', 'no-store')
      try {
        refuseForeign(request, parley.config.baseUrl)
        const admitted = beforeBody?.(request, reply)
        if (admitted) admitted.then(() => done(), done)
        else done()
      } catch (error) {
        done(error instanceof Error ? error : new Error('refused'))
      }
    },
    handler,
  })
}

async function admitAccount(visitor: Visitor, parley: Parley): Promise<SignedIn> {
  const signedIn = await findSession(parley, visitor)
  if (!signedIn) throw refusal('sign_in_required')
  return signedIn
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Session (401), membership (404), what the organization asks of sessions (403), role (403). */
export async function admit(
  request: FastifyRequest,
  parley: Parley,
  { access }: { access: Role },
): Promise<PersonCaller> {
  const visitor = visitorOf(request, parley.config)
  const signedIn = await admitAccount(visitor, parley)
  const orgId = organizationOf(request)
  if (orgId === undefined) throw noOrganization()
  const caller = await findCaller(parley.db, signedIn, orgId, parley.clock(), { isVisit: true })
  return permitterOf(parley, visitor, orgId, { access })(caller)
}

/** Admits a caller to the chat, from memory if the node has heard of no change (`Callers`). */
export async function admitToChat(
  request: FastifyRequest,
  parley: Parley,
  { access }: { access: Role },
): Promise<PersonCaller> {
  const orgId = organizationOf(request)
  if (orgId === undefined) return admit(request, parley, { access })
  const visitor = visitorOf(request, parley.config)
  const caller = await parley.callers.find(visitor, orgId)
  if (caller === null) throw refusal('sign_in_required')
  return permitterOf(parley, visitor, orgId, { access })(caller)
}

/** Refuses a caller with too many requests in a minute (429), and sets the same headers as for bots. */
export async function limited(
  caller: PersonCaller,
  reply: FastifyReply,
  { config, rateLimiter }: Pick<Parley, 'config' | 'rateLimiter'>,
): Promise<PersonCaller> {
  const limit = config.personRateLimitPerMinute
  if (limit === 0) return caller
  const { allowed, remaining, resetMs } = await rateLimiter.take(`${caller.orgId}:${caller.profileId}`, limit)
  reply.header('RateLimit-Limit', limit)
  reply.header('RateLimit-Remaining', remaining)
  reply.header('RateLimit-Reset', Math.ceil(resetMs / 1000))
  if (!allowed) throw tooMany(resetMs)
  return caller
}

function organizationOf({ params }: FastifyRequest): string | undefined {
  const { organizationId }: { organizationId?: unknown } = Object(params)
  const isId = typeof organizationId === 'string' && UUID.test(organizationId)
  return isId ? organizationId.toLowerCase() : undefined
}

const NEED_REFUSALS = {
  sign_in: 'sign_in_again_required',
  second_factor: 'second_factor_required',
  address_proof: 'address_proof_required',
  sign_on: 'sign_on_required',
} as const satisfies Record<Need, RefusalCode>

async function requireOpen(db: Queryable, signedIn: SignedIn): Promise<void> {
  if (!(await isOpenSession(db, signedIn))) throw refusal('sign_in_required')
}

const noOrganization = () => refusal('organization_not_found')

/** Lets people with the role in, with an authority that looks them up as a new request of this visitor would. */
function permitterOf(parley: Parley, visitor: Visitor, orgId: string, { access }: { access: Role }) {
  const permit = (caller: PersonCaller | undefined): PersonCaller => {
    if (!caller) throw noOrganization()
    if (caller.needs !== null) throw refusal(NEED_REFUSALS[caller.needs])
    if (ROLES.indexOf(caller.role) < ROLES.indexOf(access)) throw refusal('forbidden')
    const { authorityVersion: version } = caller
    const held = () => heldRight(caller, parley.clock())
    return { ...caller, authority: { version, held, renew: renewalOf(caller) } }
  }
  const renewalOf =
    (caller: PersonCaller): Authority<PersonCaller>['renew'] =>
    async (db = parley.db, isLocked = false) => {
      const found = await findCaller(db, caller, orgId, parley.clock(), { isLocked })
      if (found?.authorityVersion !== caller.authorityVersion) parley.callers.drop(caller.accountId)
      if (!found && !(await findSession({ db, clock: parley.clock }, visitor)))
        throw refusal('sign_in_required')
      return permit(found)
    }
  return permit
}

let own: { baseUrl: string; origin: string } | undefined
/** Browsers name theirs with each request, so that the server's is taken from its address once. */
function originOf(baseUrl: string): string {
  if (own?.baseUrl !== baseUrl) own = { baseUrl, origin: new URL(baseUrl).origin }
  return own.origin
}

/**
 * A page elsewhere can make a visitor's browser send a request here, with the cookie, but it cannot hide where it comes
 * from. A request that changes something must say that it comes from here; one that reads must not say that it comes
 * from elsewhere.
 */
export function refuseForeign(request: FastifyRequest, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const reads = request.method === 'GET' || request.method === 'HEAD'
  const isForeign =
    origin === undefined
      ? !reads && site !== 'same-origin'
      : origin !== originOf(baseUrl) && !(URL.canParse(origin) && new URL(origin).host === request.host)
  const saysForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (isForeign || saysForeign) throw refusal('foreign_page')
}
