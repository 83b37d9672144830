import type pg from 'pg'
import { type LongWork, Stopped } from '../long-work.ts'
import { type DatabaseConnection, newClient } from './connection.ts'

/**
 * Runs statements of one connection, and cancels the one that runs when the work is stopped: it may take minutes. What
 * follows is never cancelled: a late cancellation is waited for.
 */
export async function cancelWhenStopped<Result>(
  client: pg.Client,
  connection: DatabaseConnection,
  { signal }: Pick<LongWork, 'signal'>,
  statements: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
  let cancelling: Promise<void> | undefined
  const cancel = () => {
    cancelling = cancelStatement(connection, rows[0]?.id).catch(() => {}) // the work ends with its next step then
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    if (signal.aborted) throw new Stopped('stopped')
    return await statements()
  } catch (error) {
    throw signal.aborted ? new Stopped('stopped', { cause: error }) : error
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelling
    if (signal.aborted) await client.query('select 1').catch(() => {}) // takes a cancellation that came late
  }
}

async function cancelStatement(connection: DatabaseConnection, backendId: number | undefined): Promise<void> {
  const client = newClient(connection)
  await client.connect()
  try {
    await client.query('select pg_cancel_backend($1)', [backendId])
  } finally {
    await client.end()
  }
}
