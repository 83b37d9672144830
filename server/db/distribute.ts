import { type LongWork, UNSEEN } from '../long-work.ts'
import type { Brought } from './brought.ts'
import { refuseUnready } from './cluster-steps.ts'
import { type DatabaseConnection, newClient } from './connection.ts'
import { queryableOf } from './database.ts'
import { migrate } from './migrate.ts'
import { readSpreadState } from './placement.ts'
import { spread } from './spread.ts'

/**
 * Brings a database up to date and spreads it over the machines of its cluster, from whatever state it is in. A cluster that is not ready is
 * refused before the first migration: tables and functions that are made in a database without workers are on none of them.
 */
export async function distribute(
  connection: DatabaseConnection,
  { trustChanged = false, work = UNSEEN }: { trustChanged?: boolean; work?: LongWork } = {},
): Promise<Brought & { placed: number }> {
  const isFinished = await refuseUnreadyAt(connection)
  const brought = await migrate(connection, { trustChanged })
  return { ...brought, placed: isFinished ? 0 : await spread(connection, work) }
}

/** Tells whether all tables have their places already. Those of later migrations get them with these. */
async function refuseUnreadyAt(connection: DatabaseConnection): Promise<boolean> {
  const client = newClient(connection)
  await client.connect()
  try {
    await refuseUnready(client)
    return (await readSpreadState(queryableOf(client))) === 'finished'
  } finally {
    await client.end()
  }
}
