import type pg from 'pg'
import type { Row } from './database.ts'
import { type Sql, toStatement } from './sql.ts'

/**
 * Called with each statement, without its values, and its duration, which includes the wait for a pooled connection.
 */
export type Watch = (text: string, milliseconds: number) => void

export type Running = {
  watch: Watch | undefined
  /** Whether a session keeps statements that it has planned. Those of a pooler change hands after each transaction: they cannot. */
  isPrepared: boolean
  /** Whether organizations live on several machines. */
  isSpread: boolean
  /** People of an organization who are present; left out by programs without pages. */
  present?: (orgId: string) => readonly string[]
  /** The key of import marks; missing until the secrets of the installation are open. */
  markKey?: Buffer
}

export async function run<R extends Row>(
  client: pg.Pool | pg.PoolClient,
  query: Sql,
  { watch, isPrepared }: Running,
): Promise<R[]> {
  const named = toStatement(query)
  const statement = isPrepared ? named : { text: named.text, values: named.values }
  if (!watch) return (await client.query<R>(statement)).rows
  const began = performance.now()
  try {
    return (await client.query<R>(statement)).rows
  } finally {
    watch(named.text, performance.now() - began)
  }
}
