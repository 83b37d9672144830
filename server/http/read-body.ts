import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../contract/limits.ts'
import { badRequest } from '../errors.ts'
import { CollectedBytes } from '../files/collected.ts'
import type { BodyIntake } from './body-intake.ts'

type Done = (error: Error | null, body?: Buffer) => void

const NO_BODY = Buffer.alloc(0)

/**
 * Reads bodies into memory as they came: signatures are checked over them before anything is parsed. A body is watched while it
 * comes in, and counts as memory until its request is over.
 */
export const bodyReader =
  (intake: BodyIntake) =>
  (request: FastifyRequest, raw: IncomingMessage, done: Done): void => {
    if (request.is404) {
      done(null, NO_BODY) // nobody looks at it
      return
    }
    const announced = Number(request.headers['content-length'])
    // Asking for the limit of a route costs something, and no route has a smaller one.
    const limit = announced <= LIMITS.smallBodyBytes ? announced : request.routeOptions.bodyLimit
    if (announced > limit) {
      done(badRequest('body too large'))
      return
    }

    const collected = new CollectedBytes()
    let whole: Buffer | undefined
    const end = (error: Error | null) => {
      raw.off('data', onData)
      raw.off('end', onEnd)
      raw.off('error', onBroken)
      if (error) body.release()
      else body.received()
      done(error, whole ?? collected.whole())
    }
    const onData = (piece: Buffer) => {
      if (piece.length === announced) {
        whole = piece
        body.hold(piece.length)
      } else if (collected.length + piece.length > limit) {
        end(badRequest('body too large'))
      } else {
        collected.add(piece)
        body.hold(collected.capacity)
      }
    }
    const onEnd = () => end(null)
    const onBroken = () => end(badRequest('body broke off'))

    const body = intake.begin(raw, request.visit?.network ?? '', 'time', end)
    if (request.visit) request.visit.body = body
    raw.on('data', onData)
    raw.on('end', onEnd)
    raw.on('error', onBroken)
  }
