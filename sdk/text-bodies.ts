import { type Client, type SendText, sleep, textSenderOf } from './client.ts'

/** People see a message grow twenty times a second: more pieces would only cost. */
export const PACE_MS = 50
/** The longest duration of a body; it also ends when no text comes for a while. Its answer says what has arrived. */
const BODY_MS = 2000
const QUIET_MS = 500
/** The first bodies are short, until one has shown that nothing on the way holds them back. */
const TRIAL_MS = 500
/** Minimum duration of a body that can show whether something on the way holds it back. */
const TELLING_MS = 300
/** Failed bodies in a row after which none is tried again. */
const MAX_FAILURES = 2

/**
 * Text accepted by the server: how much of the given text, in UTF-16 units, and the length of the message, in code
 * points.
 */
export type Taken = { units: number; points: number }

/** The bodies of one client, in which a message can be sent while it is written. */
export type Bodies = {
  areTried: boolean
  /** Sends pieces while there are some. Returns undefined if it is unknown what was accepted. */
  send(messageId: string, from: number, next: () => string | undefined): Promise<Taken | undefined>
}

const NONE: Bodies = { areTried: false, send: async () => undefined }
const known = new WeakMap<Client, Bodies>()

export function bodiesOf(client: Client): Bodies {
  const sendText = textSenderOf(client)
  if (!sendText) return NONE
  const bodies = known.get(client) ?? bodiesBy(sendText)
  known.set(client, bodies)
  return bodies
}

function bodiesBy(sendText: SendText): Bodies {
  let failures = 0
  let isProven = false

  const bodies: Bodies = {
    areTried: true,

    async send(messageId, from, next) {
      const { answer, given, ms } = await sendPieces(
        (body) => sendText(`/v2/messages/${encodeURIComponent(messageId)}/append?from=${from}`, body),
        next,
        isProven ? BODY_MS : TRIAL_MS,
      )
      if (!answer) {
        failures += 1
        bodies.areTried = failures < MAX_FAILURES
        return undefined
      }
      failures = 0
      // A proxy that buffers bodies would show everything at once.
      if (ms > TELLING_MS) {
        isProven = answer.bodyMs > ms / 4
        bodies.areTried = isProven
      }
      return { units: unitsOf(given, answer.length - from), points: answer.length }
    },
  }
  return bodies
}

async function sendPieces(
  send: (body: ReadableStream<Uint8Array>) => ReturnType<SendText>,
  next: () => string | undefined,
  lastsMs: number,
) {
  const encoder = new TextEncoder()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  let isAnswered = false
  const answered = send(readable)
    .catch(() => undefined) // without an answer, the next request shows what was accepted
    .finally(() => {
      isAnswered = true
    })
  const began = performance.now()
  let given = ''
  let lastPieceAt = began
  while (!isAnswered) {
    const now = performance.now()
    const piece = now - began < lastsMs ? next() : undefined
    if (piece === undefined || (piece === '' && now - lastPieceAt > QUIET_MS)) break
    if (piece !== '') {
      writer.write(encoder.encode(piece)).catch(() => {}) // after the end of the body, its answer counts
      given += piece
      lastPieceAt = now
    }
    await Promise.race([answered, sleep(PACE_MS)])
  }
  const ms = performance.now() - began
  writer.close().catch(() => {})
  const answer = await answered
  return { answer: answer?.status === 200 ? readAnswer(answer.text) : undefined, given, ms }
}

function readAnswer(text: string): { length: number; bodyMs: number } | undefined {
  try {
    const { length, bodyMs } = Object(JSON.parse(text))
    return typeof length === 'number' && typeof bodyMs === 'number' ? { length, bodyMs } : undefined
  } catch {
    return undefined
  }
}

/** The length of `points` code points, in UTF-16 units. */
function unitsOf(text: string, points: number): number {
  let units = 0
  let left = points
  for (const point of text) {
    if (left <= 0) break
    units += point.length
    left -= 1
  }
  return units
}
