import type { ActionsInput, ErrorCode } from './api.ts'
import { type Client, ParleyError, sleep } from './client.ts'
import { bodiesOf, PACE_MS } from './text-bodies.ts'

/** Interval at which a bot without new text reports that it is still working, and learns that a person has stopped it. */
const ALIVE_MS = 3000

/** A message written bit by bit. Pieces are collected while one is being sent; none is lost or doubled. */
export type MessageStream = {
  id: string
  /** Aborts when a person stops the message: pass it to the source of the text. */
  signal: AbortSignal
  /** Adds text. There is no need to wait. */
  append(text: string): void
  /** Ends it with all that was appended, or with another text, and with buttons. False where a person has stopped it. */
  finish(text?: string, more?: MessageEnd): Promise<boolean>
  /** Ends the message as it is, marked as unfinished. */
  fail(): Promise<void>
  /** Appends all texts, and finishes; if they fail, the message fails too. */
  write(texts: AsyncIterable<string>, more?: MessageEnd): Promise<boolean>
}

/** Comes with the end of a streamed message. */
export type MessageEnd = { actions?: ActionsInput }

const isRefusal = (error: unknown, ...ways: (number | ErrorCode)[]): boolean =>
  error instanceof ParleyError && ways.some((way) => way === error.status || way === error.code)

export async function openStream(
  parley: Client,
  place: { topicId: string; parentId?: string },
  idempotencyKey: string = crypto.randomUUID(),
): Promise<MessageStream> {
  const { id } = await parley.sendMessage({ body: { ...place, streaming: true }, idempotencyKey })
  const params = { messageId: id }
  const stopping = new AbortController()
  let text = ''
  /** The length that the server has: in UTF-16 units, and in code points, which it counts in. */
  let sent = { units: 0, points: 0 }
  let isOver = false
  let isClosing = false
  let failure: unknown
  let sending: Promise<void> | undefined

  const bodies = bodiesOf(parley)
  const alive = setInterval(() => {
    sending ??= send('')
      .then(sendAll)
      .finally(() => {
        sending = undefined
      })
  }, ALIVE_MS)
  const end = () => {
    isOver = true
    clearInterval(alive)
  }

  async function send(piece: string): Promise<void> {
    try {
      const { length } = await parley.appendToMessage({ params, body: { text: piece, from: sent.points } })
      sent = { units: sent.units + piece.length, points: length }
    } catch (error) {
      if (isRefusal(error, 'stream_gap'))
        sent = { units: 0, points: 0 } // the server lost some: all of it once more
      else {
        end()
        if (isRefusal(error, 'stream_stopped')) stopping.abort(error)
        else if (!isRefusal(error, 409)) failure = error
      }
    }
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      const piece = wholePart(text.slice(sent.units))
      if (isOver || piece === '') return
      // A plain request sends whatever a streamed body could not, and gets the reason if it is refused.
      if (bodies.areTried) {
        const taken = await bodies.send(id, sent.points, nextPieceFrom(sent.units))
        if (taken) sent = { units: sent.units + taken.units, points: taken.points }
        if (taken && taken.units > 0) continue
      }
      await send(wholePart(text.slice(sent.units)))
      await sleep(PACE_MS)
    }
  }

  /** Returns the text after the last piece; undefined if none will come soon. */
  function nextPieceFrom(units: number): () => string | undefined {
    let given = units
    return () => {
      const piece = isOver ? '' : wholePart(text.slice(given))
      given += piece.length
      return piece === '' && (isOver || isClosing) ? undefined : piece
    }
  }

  const stream: MessageStream = {
    id,
    signal: stopping.signal,

    append(more) {
      text += more
      sending ??= sendAll().finally(() => {
        sending = undefined
      })
    },

    async finish(whole = text, { actions } = {}) {
      text = whole
      isClosing = true
      await sending
      end()
      if (stopping.signal.aborted) return false
      if (failure) throw failure
      try {
        await parley.finishMessage({ params, body: { text: whole, ...(actions && { actions }) } })
      } catch (error) {
        if (isRefusal(error, 'stream_stopped')) return false
        if (!isRefusal(error, 409)) throw error
        await mend({ text: whole, ...(actions && { actions }) })
      }
      return true
    },

    async fail() {
      isClosing = true
      await sending
      end()
      const isEnded = (error: unknown) => isRefusal(error, 409, 404)
      await parley.finishMessage({ params, body: { status: 'failed' } }).catch((error: unknown) => {
        if (!isEnded(error)) throw error
      })
    },

    async write(texts, more) {
      try {
        for await (const more of texts) {
          if (isOver) break
          stream.append(more)
        }
        return await stream.finish(undefined, more)
      } catch (error) {
        if (stopping.signal.aborted) return false
        await stream.fail()
        throw error
      }
    },
  }

  /** Says a message whole that was given up while this bot was away. A finished one stays as it is. */
  async function mend(whole: { text: string } & MessageEnd): Promise<void> {
    const { stream: state } = await parley.readMessage({ params })
    if (state) await parley.editMessage({ params, body: whole })
  }

  return stream
}

/** Cuts off half a character at the end. */
const wholePart = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text)
