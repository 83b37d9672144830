import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { OperatorError } from '../errors.ts'
import { sqlState } from './database.ts'

/** A change that waits for a table makes all later statements on it wait, so it gives way and tries again. */
const LOCK_TIMEOUT_MS = 5000
/** Lock timeout, deadlock. */
const IN_THE_WAY = new Set(['55P03', '40P01'])
const PAUSE_MS = 2000
const MAX_TRIES = 5

const NOT_OURS = 'If the database belongs to Parley alone, report this.'
const IN_USE =
  'A long transaction, such as a backup, uses a table that it changes: start again when that is over.'

/** Changes tables that others work with, all of it or nothing. `change` is what an error names. */
export async function inPatientTransaction(
  client: pg.Client,
  change: string,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!IN_THE_WAY.has(sqlState(error))) throw failure(change, error, NOT_OURS)
      if (attempt === MAX_TRIES) throw failure(change, error, IN_USE)
      await setTimeout(PAUSE_MS)
    }
  }
}

function failure(change: string, error: unknown, advice: string): OperatorError {
  const reason = error instanceof Error ? error.message : String(error)
  return new OperatorError(`${change} failed: ${reason}. Nothing of it was kept. ${advice}`, { cause: error })
}
