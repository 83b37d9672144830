import { sqlState } from './database.ts'

/** Classes and codes of PostgreSQL that say: not now. */
const NOT_NOW = [
  /^08/, // the connection broke
  /^53/, // out of connections, memory or disk
  /^57P0[123]$/, // it is shut down, crashed, or starts
  /^57014$/, // the statement took too long
  /^55P03$/, // somebody holds the organization
  /^25P0[34]$/, // the transaction was idle, or took too long
  /^40(001|P01)$/, // others were in the way each time
]
/** What the network says, by code. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH'])
/** What the driver says, which has no code for it. */
const DRIVER =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** Whether the database could not do it now, and may well a moment later. What was begun is undone. */
export function isUnavailable(error: unknown): boolean {
  const code = sqlState(error)
  if (NETWORK.has(code))
    return (
      Object(error).syscall === 'connect' ||
      Object(error).syscall === 'read' ||
      Object(error).syscall === 'write'
    )
  if (code !== '') return NOT_NOW.some((pattern) => pattern.test(code))
  return error instanceof Error && DRIVER.test(error.message)
}
