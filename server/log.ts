import type { FastifyBaseLogger } from 'fastify'
import { destination, pino } from 'pino'
import type { Config } from './config.ts'

/** A log: the server's own, or a request's, which adds the request's id. */
export type Log = FastifyBaseLogger

/** Headers and fields that may hold a secret; none is logged on purpose, and none slips through by accident. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'x-signature',
  'secret',
  'apiSecret',
  'clientSecret',
  'apiKey',
  'token',
  'password',
]

/** JSON lines on standard error; standard output is for the few lines that a person reads at the start. */
export function createLog(config: Pick<Config, 'logLevel'>) {
  return pino(
    {
      level: config.logLevel,
      base: null,
      redact: SECRET_PATHS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      serializers: { err: describeError },
    },
    destination({ dest: 2, sync: true }),
  )
}

/** Logs message, code and stack only: a database error also carries the row, which is personal data. */
function describeError(error: Error) {
  const { message, stack } = error
  return {
    type: error.name,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...(error.cause instanceof Error && { cause: error.cause.message }),
  }
}
