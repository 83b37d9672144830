import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import type { IdempotentRequest } from '../idempotency/kept-answers.ts'
import { repeatByExternalId, repeatOf } from './idempotency-key.ts'

/** The message or task that a request makes, by the id that its caller gave it and that counts as its key. */
export type NamedThing = { kind: string; externalId: string }

/** The parts of a request that its operation may ask for. */
export class Call {
  #request: FastifyRequest
  #reply: FastifyReply
  #caller: Caller
  #repeat: IdempotentRequest | undefined
  #named: NamedThing | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, caller: Caller, named?: NamedThing) {
    this.#request = request
    this.#reply = reply
    this.#caller = caller
    this.#named = named
  }

  /** The request's `Idempotency-Key`, or the `externalId` that counts as one, if it has any. It is hashed with the body on first use. */
  get repeat(): IdempotentRequest | undefined {
    this.#repeat ??=
      repeatOf(this.#request, this.#caller) ??
      (this.#named &&
        repeatByExternalId(this.#request, this.#caller, this.#named.kind, this.#named.externalId))
    return this.#repeat
  }

  /** Calls back when the client has disconnected, or has its answer. */
  onGone(listener: () => void): void {
    this.#reply.raw.once('close', listener)
  }

  isGone(): boolean {
    return this.#reply.raw.destroyed
  }
}
