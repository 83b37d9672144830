import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import type { Refusal } from '../errors.ts'
import { newRequestId } from '../ids.ts'
import { codeHeaders } from './code-headers.ts'
import { commonHeaders } from './common-headers.ts'

/** Answers and hangs up, where there is no request that a route could answer: it never came, or is not HTTP. */
export function answerAndClose(socket: Socket, config: Config, refusal: Refusal): void {
  const { status, message, headers } = refusal
  const body = JSON.stringify(message)
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    Connection: 'close',
    ...commonHeaders(config, newRequestId()),
    ...codeHeaders(refusal),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon() // as soon as it is written: nothing that still comes on it is read
}
