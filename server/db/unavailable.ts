import { type Queryable, sqlState } from './database.ts'
import { sql } from './sql.ts'

/** Classes and codes of PostgreSQL that say: not now; with words for people who ask why. */
const NOT_NOW: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'its disk is full'],
  [/^53300$/, 'it has no connection left'],
  [/^53/, 'it is out of memory or another resource'],
  [/^57P0/, 'it starts or stops'],
  [/^55000$/, 'it lets nobody in'],
  [/^25006$/, 'it takes no writes: it is a standby'],
  [/^(08|25P0[34]$)/, 'its connection broke'], // the latter: the transaction was idle, or took too long
  [/^57014$/, 'it takes too long'],
  [/^55P03$/, 'somebody holds what is needed'],
  [/^40(001|P01)$/, 'others were in the way each time'],
]
/** Errors of the network, by code. */
const NETWORK = new Map([
  ['ECONNREFUSED', 'nothing listens at its address'],
  ['ENOENT', 'nothing listens at its address'],
  ['ENOTFOUND', 'its name is not known'],
  ['EAI_AGAIN', 'its name is not known'],
  ['ECONNRESET', 'its connection broke'],
  ['EPIPE', 'its connection broke'],
  ['ETIMEDOUT', 'it does not answer'],
  ['EHOSTUNREACH', 'it cannot be reached'],
  ['ENETUNREACH', 'it cannot be reached'],
])
/** A missing file says ENOENT too; only of a connection it means that the database is away. */
const OF_A_CONNECTION = new Set(['connect', 'read', 'write', 'getaddrinfo'])
/** Errors of the driver, which have no code. */
const DRIVER =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** The errors of a cluster that has lost a machine in the middle of something, which it calls internal (XX000). */
const LOST_MACHINE = /^(could not commit transaction for shard|failure on connection marked as essential)/

/** Whether there is no room for what was to be written: in the database, or where files are kept. */
export function isDiskFull(error: unknown): boolean {
  const code = sqlState(error)
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT'
}

/** Whether the database could not do it now, and may well a moment later. The work so far is undone. */
export const isUnavailable = (error: unknown): boolean => whyUnavailable(error) !== undefined

/**
 * The reason in words that name no address and no user, fit for any reader. Undefined if the error is not the
 * database's.
 */
export function whyUnavailable(error: unknown): string | undefined {
  // A name with several addresses: each was tried, and each says why it did not work.
  if (error instanceof AggregateError) return whyUnavailable(error.errors[0])
  const code = sqlState(error)
  const reason = NETWORK.get(code)
  if (reason !== undefined) return OF_A_CONNECTION.has(Object(error).syscall) ? reason : undefined
  if (code === 'XX000' && error instanceof Error && LOST_MACHINE.test(error.message))
    return 'one of its machines is away'
  if (code !== '') return NOT_NOW.find(([pattern]) => pattern.test(code))?.[1]
  return error instanceof Error && DRIVER.test(error.message) ? 'its connection broke' : undefined
}

/** Settles once the database has answered: fulfilled if it can be used. */
export const probeDatabase = (db: Queryable): Promise<unknown> => db.query(sql`select 1`)
