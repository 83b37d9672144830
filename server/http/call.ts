import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import type { IdempotentRequest } from '../idempotency/kept-answers.ts'
import { repeatOf } from './idempotency-key.ts'

/** The parts of a request that its operation may ask for. */
export class Call {
  #request: FastifyRequest
  #reply: FastifyReply
  #caller: Caller
  #repeat: IdempotentRequest | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    this.#request = request
    this.#reply = reply
    this.#caller = caller
  }

  /** The request's `Idempotency-Key`, if it has one. It is hashed with the body on first use. */
  get repeat(): IdempotentRequest | undefined {
    this.#repeat ??= repeatOf(this.#request, this.#caller)
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
