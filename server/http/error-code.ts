import type { FastifyReply } from 'fastify'
import { errorCode } from '../../contract/error-codes.ts'

export const ERROR_CODE = 'X-Error-Code'

/** The code by which pages recognize a refusal; bots get the texts alone. A code that the refusal itself names stays. */
export function giveErrorCode(reply: FastifyReply, message: string): FastifyReply {
  if (!reply.request.url.startsWith('/people/') || reply.hasHeader(ERROR_CODE)) return reply
  return reply.header(ERROR_CODE, errorCode(message))
}
