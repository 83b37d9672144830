import type { Agent } from 'undici'
import { ConnectionFailure } from '../network/guard.ts'
import type { WebhookRequest } from '../presenters/webhook-requests.ts'
import type { AttemptResult } from '../queries/bots/deliveries.ts'

export type Attempt = {
  outcome: AttemptResult
  durationMs: number
  /** The answer's status, the start of its body, and its `Retry-After`, as far as they came. */
  status?: number
  answer?: string
  retryAfter?: string
  /** The error, if there is no status. */
  error?: string
}

const ANSWER_BYTES = 4096

/** The reason for aborting a call. */
const TIME_IS_UP = new Error('time is up')
export const STOPPING = new Error('the server stops')

/** Posts it once and tells how that ended; undefined when `call` was aborted because the server stops. */
export async function post(
  agent: Agent,
  url: URL,
  request: WebhookRequest,
  {
    limitMs,
    call,
    answerBytes = ANSWER_BYTES,
  }: { limitMs: number; call: AbortController; answerBytes?: number },
): Promise<Attempt | undefined> {
  const began = performance.now()
  // One limit for everything, from the name to the last byte: answering slowly does not win time.
  const timer = setTimeout(() => call.abort(TIME_IS_UP), limitMs)
  const answered: Pick<Attempt, 'status' | 'retryAfter'> = {}
  const ended = (attempt: Omit<Attempt, 'durationMs'>): Attempt => ({
    ...answered,
    ...attempt,
    durationMs: Math.round(performance.now() - began),
  })
  try {
    const answering = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: call.signal,
    })
    const { statusCode, headers, body } = await Promise.race([answering, aborted(call.signal)])
    answered.status = statusCode
    const retryAfter = headers['retry-after']
    if (typeof retryAfter === 'string') answered.retryAfter = retryAfter
    const answer = await readStart(body, answerBytes)
    return ended({ outcome: outcomeOf(statusCode), answer })
  } catch (error) {
    if (call.signal.reason === STOPPING) return undefined
    return ended(describeFailure(error, call.signal.reason === TIME_IS_UP, limitMs))
  } finally {
    clearTimeout(timer)
  }
}

/** The agent hears of an abort only once it is connected; a name that is not found out must not keep us longer. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function outcomeOf(status: number): AttemptResult {
  if (status >= 200 && status < 300) return 'ok'
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Stops at so many bytes and hangs up on the rest: an answer has no business being longer. */
async function readStart(body: AsyncIterable<Buffer>, bytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= bytes) break
  }
  return storable(Buffer.concat(chunks).subarray(0, bytes).toString())
}

/** PostgreSQL stores no NUL in a text. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD')

function describeFailure(
  error: unknown,
  timeIsUp: boolean,
  limitMs: number,
): Pick<Attempt, 'outcome' | 'error'> {
  if (timeIsUp) return { outcome: 'timeout', error: `no complete answer within ${limitMs / 1000} s` }
  if (!(error instanceof Error)) return { outcome: 'refused', error: String(error) }
  if (error instanceof ConnectionFailure) return { outcome: error.outcome, error: storable(error.message) }
  const code = 'code' in error ? String(error.code) : ''
  const isTimeout = code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT'
  return { outcome: isTimeout ? 'timeout' : 'refused', error: storable(error.message || code) }
}
