import { BOT_PAUSED, BOTS_STOPPED, TOPIC_ARCHIVED, WORD_BLOCKED } from '../contract/error-codes.ts'
import type { RefusalStatus } from '../contract/operation.ts'

/**
 * A request that is turned down: `message` goes to the caller as it stands. It is an answer and no fault, so nobody asks where it was
 * made: collecting its stack took a twentieth of the time in which a flood of requests was refused.
 */
export class Refusal extends Error {
  readonly status: RefusalStatus
  readonly headers: Record<string, string>

  constructor(status: RefusalStatus, message: string, headers: Record<string, string> = {}) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.status = status
    this.headers = headers
  }
}

/** A refusal that somebody can lift: it is no answer to an `Idempotency-Key`, the same request may succeed later. */
export class TemporaryRefusal extends Refusal {}

export const badRequest = (message: string): Refusal => new Refusal(400, message)
/** `description` says why, in words that stand in a header: ASCII without quotes. */
export const unauthorized = (description: string): Refusal =>
  new Refusal(401, 'unauthorized', {
    'WWW-Authenticate': `Bearer realm="service", error="invalid_token", error_description="${description}"`,
    'X-Auth-Error': description,
  })

export const forbidden = (): Refusal => new Refusal(403, 'forbidden')
/** An admin has paused this bot. */
export const botPaused = (): Refusal => new Refusal(403, BOT_PAUSED)
/** Bots only answered each other in this topic. */
export const botsStopped = (): Refusal => new TemporaryRefusal(403, BOTS_STOPPED)
/** For bots and people alike: nobody writes in an archived topic. */
export const topicArchived = (): Refusal => new Refusal(403, TOPIC_ARCHIVED)
/** For bots and people alike: the organization does not allow a word of the text. */
export const wordBlocked = (): Refusal => new Refusal(400, WORD_BLOCKED)
export const notFound = (what: string): Refusal => new Refusal(404, what)
export const tooMany = (retryAfterMs: number, message = 'rate limit exceeded'): Refusal =>
  new Refusal(429, message, {
    'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))),
  })

/** Clients that are all refused at once, when a database or a node goes away, must not all come back at once. */
const RETRY_SPREAD_SECONDS = 5
export const retryAfterSeconds = (): number => 1 + Math.floor(Math.random() * RETRY_SPREAD_SECONDS)

/** There is no room for what the request brings; in a moment there may be. */
export const busy = (): Refusal => new Refusal(503, 'the server is busy, try again', { 'Retry-After': '1' })
export const tookTooLong = (): Refusal => badRequest('request took too long')

/** Something the operator can mend: the message says how, and no stack is shown. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Whether the operating system or a library gave this code, such as ENOENT. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
