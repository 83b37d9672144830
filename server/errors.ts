import type { Declared } from '../contract/refusals/declared.ts'
import { fieldOf, fillText, type RefusalCode, statusOf, type ValuesOf } from '../contract/refusals/index.ts'

type Status = Declared[0]

export type RefusalOptions = {
  /** Fill the placeholders of the declared text. */
  values?: Record<string, string | number>
  /** Stands in for the declared text, where a schema has a text of its own. */
  text?: string
  /** The field that it is about, where operations call it by different names. */
  field?: string
  headers?: Record<string, string>
}

/**
 * A request that is turned down: `message` goes to the caller as it stands, with `code` and `field` in headers. It is an answer and no
 * fault, so nobody asks where it was made: collecting its stack took a twentieth of the time in which a flood of requests was refused.
 */
export class Refusal extends Error {
  readonly status: Status
  readonly code: RefusalCode
  readonly field: string | undefined
  readonly headers: Record<string, string>

  constructor(code: RefusalCode, { values, text, field, headers = {} }: RefusalOptions = {}) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(text ?? fillText(code, values))
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.status = statusOf(code)
    this.code = code
    this.field = field ?? fieldOf(code, values)
    this.headers = headers
  }
}

/** A refusal that does not last. It is not kept for an `Idempotency-Key`, since the same request may succeed later. */
export class TemporaryRefusal extends Refusal {}

/** The refusal that the contract declares under this code. */
export const refusal = <Code extends RefusalCode>(
  code: Code,
  ...[values]: [keyof ValuesOf<Code>] extends [never] ? [] : [ValuesOf<Code>]
): Refusal => new Refusal(code, values && { values })

/** `description` says why, in words that stand in a header: ASCII without quotes. */
export const unauthorized = (description: string): Refusal =>
  new Refusal('unauthorized', {
    headers: {
      'WWW-Authenticate': `Bearer realm="service", error="invalid_token", error_description="${description}"`,
      'X-Auth-Error': description,
    },
  })

/** Bots only answered each other in this topic. */
export const botsStopped = (): Refusal => new TemporaryRefusal('bots_stopped')
export const tooMany = (retryAfterMs: number, code: RefusalCode = 'rate_limited'): Refusal =>
  new Refusal(code, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } })

/** Clients that are all refused at once, when a database or a node goes away, must not all come back at once. */
const RETRY_SPREAD_SECONDS = 5
export const retryAfterSeconds = (): number => 1 + Math.floor(Math.random() * RETRY_SPREAD_SECONDS)

/** There is no room for what the request brings; in a moment there may be. */
export const busy = (): Refusal => new Refusal('server_busy', { headers: { 'Retry-After': '1' } })

/** Something the operator can mend: the message says how, and no stack is shown. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Whether the operating system or a library gave this code, such as ENOENT. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
