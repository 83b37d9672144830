import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { refusal } from '../errors.ts'
import { CollectedBytes } from '../files/collected.ts'
import type { BodyIntake } from './body-intake.ts'

type Done = (error: Error | null, body?: Buffer) => void

const NO_BODY = Buffer.alloc(0)
/** Never written, so the system gives no memory for it. */
const ZEROS = Buffer.alloc(LIMITS.jsonBodyBytes)

/**
 * Reads bodies into memory as received: signatures are checked over them before anything is parsed. A body is watched
 * while it comes in, and counts as memory until its request is over. A request with an unknown key is refused at the
 * end, and its body is not kept. Zeros of the same length take its place, so that comparing the signature takes as long
 * as with a known key.
 */
export const bodyReader =
  (intake: BodyIntake) =>
  (request: FastifyRequest, raw: IncomingMessage, done: Done): void => {
    if (request.is404) {
      done(null, NO_BODY) // the body is not used
      return
    }
    const announced = Number(request.headers['content-length'])
    // Asking for the limit of a route costs something, and no route has a smaller one.
    const limit = announced <= LIMITS.smallBodyBytes ? announced : request.routeOptions.bodyLimit
    if (announced > limit) {
      done(refusal('body_too_large'))
      return
    }

    const isKept = request.claim?.isKnown ?? true
    const collected = new CollectedBytes()
    let length = 0
    let whole: Buffer | undefined
    const end = (error: Error | null) => {
      raw.off('data', onData)
      raw.off('end', onEnd)
      raw.off('error', onBroken)
      if (error) body.release()
      else body.received()
      done(error, isKept ? (whole ?? collected.whole()) : ZEROS.subarray(0, length))
    }
    const onData = (piece: Buffer) => {
      length += piece.length
      if (length > limit) {
        end(refusal('body_too_large'))
      } else if (piece.length === announced) {
        whole = piece
        body.hold(piece.length)
      } else if (isKept) {
        collected.add(piece)
        body.hold(collected.capacity)
      }
    }
    const onEnd = () => end(null)
    const onBroken = () => end(refusal('body_incomplete'))

    const body = intake.begin(raw, request.visit?.network ?? '', 'time', end)
    if (request.visit) request.visit.body = body
    raw.on('data', onData)
    raw.on('end', onEnd)
    raw.on('error', onBroken)
  }
