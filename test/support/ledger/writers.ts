import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Credentials, call } from '../client.ts'
import type { Nodes } from '../nodes.ts'
import type { Company } from './cast.ts'

/** After this, a writer gives up on a request and turns to the next node. */
const REQUEST_LIMIT_MS = 3000
/** Before the same message is tried at the next node. */
const RETRY_MS = 30
/** A keyed message that is not acknowledged by then is a fault of its own. */
const GIVE_UP_MS = 60_000

/** A message that was acknowledged. */
export type Acknowledged = {
  orgId: string
  topicId: string
  writer: string
  id: string
  /** Sent under an Idempotency-Key, until it was acknowledged. */
  keyed: boolean
  text: string
  createdAt: number
  /** When it was sent for the first time, and when it was acknowledged. */
  sentAt: number
  answeredAt: number
  node: number
}

/** The writers' record: all that was acknowledged, and how often a request failed in which way. */
export class Book {
  readonly acknowledged: Acknowledged[] = []
  readonly failures = new Map<string, number>()
  isWriting = true

  failed(reason: string): void {
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1)
  }
}

type Writer = {
  name: string
  company: Company
  nodes: Nodes
  home: number
  keyed: boolean
  /** Between two messages. */
  pauseMs: number
}
type Sent = { id: string; createdAt: number }

/** Writes one message after the other until the book is closed. */
export async function write(book: Book, writer: Writer): Promise<void> {
  const { name, company, keyed, pauseMs } = writer
  const { orgId, topicIds } = company
  for (let number = 0; book.isWriting; number++) {
    const topicId = topicIds[number % topicIds.length] ?? ''
    const text = `${name}, message ${number}`
    const sentAt = Date.now()
    const acknowledged = await deliver(book, writer, { topicId, text })
    if (acknowledged) {
      const answeredAt = Date.now()
      book.acknowledged.push({
        ...acknowledged,
        orgId,
        topicId,
        writer: name,
        keyed,
        text,
        sentAt,
        answeredAt,
      })
    }
    await sleep(pauseMs)
  }
}

/** With a key, again and again until it is acknowledged; without one, once. */
async function deliver(
  book: Book,
  { nodes, home, keyed, company }: Writer,
  body: { topicId: string; text: string },
): Promise<(Sent & { node: number }) | undefined> {
  const { credentials } = keyed ? company.keyedWriter : company.plainWriter
  const headers: Record<string, string> = keyed ? { 'idempotency-key': randomUUID() } : {}
  const deadline = Date.now() + GIVE_UP_MS
  for (let node = home; Date.now() < deadline; node = (node + 1) % nodes.entrances.length) {
    const answer = await tryToSend(nodes.entrances[node] ?? '', credentials, body, headers)
    if (typeof answer !== 'string') return { ...answer, node }
    book.failed(answer)
    if (!keyed) return undefined
    await sleep(RETRY_MS)
  }
  book.failed('never acknowledged')
  return undefined
}

/** The message, or in a word why there is none. */
async function tryToSend(
  url: string,
  credentials: Credentials,
  body: unknown,
  headers: Record<string, string>,
): Promise<Sent | string> {
  try {
    const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
    const answer = await call(url, credentials, 'POST', '/v2/messages', { body, headers, signal })
    return answer.status === 201 ? messageIn(answer) : String(answer.status)
  } catch (error) {
    return reasonOf(error)
  }
}

function messageIn({ body }: Answer): Sent {
  const { id, createdAt } = Object(body)
  return { id: String(id), createdAt: Number(createdAt) }
}

/** A connection that broke or took too long is `cut`; anything else is told as it is. */
function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'cut'
  if (error instanceof DOMException && /Timeout|Abort/.test(error.name)) return 'cut'
  return error instanceof Error ? error.message : String(error)
}
