import type { IncomingMessage } from 'node:http'
import { TextDecoder } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../db/database.ts'
import { refusal } from '../errors.ts'
import type { Draining } from './draining.ts'
import { endOfLife, LONGEST_LIFE_MS } from './stream-life.ts'

/** Interval of checking the caller's rights while they send, even if nothing comes. */
const PERMIT_MS = 500
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/** Takes a text piece by piece. */
export type TextSink = {
  /** Refuses a piece by throwing; a promise where the next piece has to wait for this one. */
  take(text: string): Promise<unknown> | undefined
  /** The text is complete. */
  end(): void
}

/** `stop` ends the body early: with a refusal, or without one to keep what came. */
export type OpenSink<Sink extends TextSink> = (stop: (refusal?: Error) => void) => Promise<Sink>

type Parts = { draining: Draining; clock: Clock }

/** A plain-text body that is read only on demand, as it comes in, and is never in memory as a whole. */
export class IncomingText {
  #raw: IncomingMessage
  #parts: Parts

  constructor(raw: IncomingMessage, parts: Parts) {
    this.#raw = raw
    this.#parts = parts
  }

  /**
   * Reads into a sink until the body ends, the sink is stopped, its longest life is over, or this node is about to
   * leave: then its client continues elsewhere. `permit` refuses a caller who has lost the right. Ending early drops
   * the body without closing its connection, which still has to carry the answer.
   */
  async readInto<Sink extends TextSink>(
    open: OpenSink<Sink>,
    permit: () => Promise<unknown>,
  ): Promise<{ sink: Sink; ms: number }> {
    let stop: (refusal?: Error) => void = () => {}
    const stopped = new Promise<void>((resolve, reject) => {
      stop = (refusal) => (refusal ? reject(refusal) : resolve())
    })
    stopped.catch(() => {}) // reported below
    const sink = await open((refusal) => stop(refusal))
    const since = performance.now()
    const reading = this.#read(sink, permit, (refusal) => stop(refusal))
    const { draining, clock } = this.#parts
    const isLeaving = draining.isAnnounced
    const forget = draining.onAnnounced(() => stop())
    const endsAt = endOfLife(clock(), LONGEST_LIFE_MS.body)
    const looking = setInterval(() => {
      if (clock() >= endsAt) stop()
      else reading.permit().catch(stop)
    }, PERMIT_MS)
    if (isLeaving) reading.onTaken = () => stop()
    try {
      await stopped
      return { sink, ms: Math.round(performance.now() - since) }
    } finally {
      clearInterval(looking)
      forget()
      reading.end()
      sink.end()
    }
  }

  #read(sink: TextSink, permit: () => Promise<unknown>, stop: (refusal?: Error) => void) {
    const raw = this.#raw
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    let permittedAt = performance.now()
    const reading = {
      onTaken: () => {},
      end: () => {},
      permit: async () => {
        await permit()
        permittedAt = performance.now()
      },
    }

    const take = (text: string): Promise<unknown> | undefined => {
      if (text === '') return undefined
      const taken = sink.take(text)
      reading.onTaken()
      return taken
    }
    const takePermitted = async (text: string) => {
      await reading.permit()
      await take(text)
    }
    const onData = (bytes: Buffer) => {
      try {
        const text = decode(decoder, bytes)
        const taken = performance.now() - permittedAt < PERMIT_MS ? take(text) : takePermitted(text)
        if (!taken) return
        raw.pause()
        taken.then(() => raw.resume(), stop)
      } catch (error) {
        stop(error instanceof Error ? error : new Error('not taken'))
      }
    }
    const onEnd = () => {
      try {
        decode(decoder)
        stop()
      } catch (error) {
        stop(error instanceof Error ? error : new Error('not read'))
      }
    }
    const onBroken = () => stop(refusal('body_incomplete'))
    raw.on('data', onData)
    raw.once('end', onEnd)
    raw.once('error', onBroken)
    raw.once('close', onBroken)
    reading.end = () => {
      raw.off('data', onData)
      raw.off('end', onEnd)
      raw.off('error', onBroken)
      raw.off('close', onBroken)
      raw.on('error', () => {})
      raw.resume() // bytes that still come are let go
    }
    return reading
  }
}

/** Text as far as it is whole: a character may be divided between two pieces. Without bytes: nothing may be missing. */
function decode(decoder: TextDecoder, bytes?: Buffer): string {
  let text: string
  try {
    text = decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw refusal('body_not_utf8')
  }
  if (text.includes('\0')) throw refusal('characters_not_allowed')
  return text
}

/** Lets the routes of `scope` take plain text, of which nothing is read before the handler asks for it. */
export function acceptText(scope: FastifyInstance, parts: Parts): void {
  scope.addContentTypeParser('text/plain', (request, raw, done) => {
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]
    if (request.claim?.isSigned) done(refusal('plain_text_needs_token'))
    else if (request.headers['idempotency-key'] !== undefined) done(refusal('plain_text_takes_no_key'))
    else if (charset !== undefined && !/^utf-?8$/i.test(charset)) done(refusal('plain_text_not_utf8'))
    else done(null, new IncomingText(raw, parts))
  })
}
