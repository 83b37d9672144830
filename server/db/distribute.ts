import type { Brought } from './brought.ts'
import type { DatabaseConnection } from './connection.ts'
import { migrate } from './migrate.ts'
import { type Report, refuseUnspreadable, spread } from './spread.ts'

/**
 * Brings a database up to date and spreads it over the machines of its cluster. What cannot be spread is refused before the first migration:
 * tables and functions that are made in a database without workers are on none of them.
 */
export async function distribute(
  connection: DatabaseConnection,
  { trustChanged = false, report = () => {} }: { trustChanged?: boolean; report?: Report } = {},
): Promise<Brought & { placed: number }> {
  await refuseUnspreadable(connection)
  const brought = await migrate(connection, { trustChanged })
  return { ...brought, placed: await spread(connection, report) }
}
