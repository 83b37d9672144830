import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../fuzz/random.ts'
import { type Answer, type Credentials, call } from '../client.ts'
import type { Nodes } from '../nodes.ts'
import type { Company } from './cast.ts'
import { ACCEPTED, Judge } from './model.ts'
import { type PlannedMessage, remember } from './stage.ts'

/** Time after which a writer gives up a request and turns to the next node. */
const REQUEST_LIMIT_MS = 3000
/** Pause before the same message is tried at the next node. */
const RETRY_MS = 30
/** A keyed message without an answer by then is a fault. */
const GIVE_UP_MS = 60_000

export type Acknowledged = {
  orgId: string
  topicId: string
  writer: string
  id: string
  /** Whether it was sent under an Idempotency-Key, until it was answered. */
  keyed: boolean
  text: string
  createdAt: number
  /** The times of its first sending, and of its acknowledgement. */
  sentAt: number
  answeredAt: number
  node: number
}

/** The writers' record: all that was acknowledged, whether each answer was right, and how often a request failed in which way. */
export class Book {
  readonly acknowledged: Acknowledged[] = []
  readonly judge = new Judge()
  readonly failures = new Map<string, number>()
  isWriting = true

  failed(reason: string): void {
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1)
  }
}

export type Writer = {
  name: string
  company: Company
  nodes: Nodes
  home: number
  keyed: boolean
}
/** A final answer of this node. */
type Settled = { answer: Answer; node: number }

/** Writes one message after the other until the book is closed. */
export async function write(
  book: Book,
  writer: Writer,
  { random, pauseMs }: { random: Random; pauseMs: number },
): Promise<void> {
  const { name, keyed, company } = writer
  const bot = keyed ? company.keyedWriter : company.plainWriter
  for (let number = 0; book.isWriting; number++) {
    await send(book, writer, company.stage.draw(random, bot, `${name}, message ${number}`))
    await sleep(pauseMs)
  }
}

/** Sends a message, and enters its answer into the book. */
export async function send(book: Book, writer: Writer, message: PlannedMessage): Promise<void> {
  const { topic, body, circumstances } = message
  const from = Date.now()
  const settled = await deliver(book, writer, message)
  if (!settled) return
  const to = Date.now()
  const { answer, node } = settled
  const isAccepted = answer.status === 201
  book.judge.judge(circumstances, { from, to }, isAccepted ? ACCEPTED : `${answer.status} ${answer.text}`)
  if (!isAccepted) return
  const { id, createdAt } = Object(answer.body)
  remember(topic, id)
  book.acknowledged.push({
    orgId: writer.company.orgId,
    topicId: topic.id,
    writer: writer.name,
    id,
    keyed: writer.keyed,
    text: body.text,
    createdAt,
    sentAt: from,
    answeredAt: to,
    node,
  })
}

/** Repeats a keyed message until it is answered; sends others once. */
async function deliver(
  book: Book,
  { nodes, home, keyed }: Writer,
  { sender, body }: PlannedMessage,
): Promise<Settled | undefined> {
  const headers: Record<string, string> = keyed ? { 'idempotency-key': randomUUID() } : {}
  const deadline = Date.now() + GIVE_UP_MS
  for (let node = home; Date.now() < deadline; node = (node + 1) % nodes.entrances.length) {
    const answer = await tryToSend(nodes.entrances[node] ?? '', sender.bot.credentials, body, headers)
    if (typeof answer !== 'string') return { answer, node }
    book.failed(answer)
    if (!keyed) return undefined
    await sleep(RETRY_MS)
  }
  book.failed('never answered')
  return undefined
}

/** The answer, or the reason in a word why there is none. */
async function tryToSend(
  url: string,
  credentials: Credentials,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer | string> {
  try {
    const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
    const answer = await call(url, credentials, 'POST', '/v2/messages', { body, headers, signal })
    return isPassing(answer) ? String(answer.status) : answer
  } catch (error) {
    return reasonOf(error)
  }
}

/** Whether a retry may get another answer soon. */
export const isPassing = ({ status }: Answer): boolean => status === 429 || status >= 500

/** A broken or slow connection is `cut`; other errors keep their message. */
export function reasonOf(error: unknown): string {
  if (/^(ECONN|EPIPE|UND_ERR_)/.test(Object(error).code)) return 'cut'
  if (error instanceof DOMException && /Timeout|Abort/.test(error.name)) return 'cut'
  return error instanceof Error ? error.message : String(error)
}
