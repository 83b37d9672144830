import type pg from 'pg'
import type { Row } from './database.ts'
import { type Sql, toStatement } from './sql.ts'

/** Is told of every statement, without its values, and how long it took; from the pool, with the wait for a connection. */
export type Watch = (text: string, milliseconds: number) => void

export async function run<R extends Row>(
  client: pg.Pool | pg.PoolClient,
  query: Sql,
  watch: Watch | undefined,
): Promise<R[]> {
  const statement = toStatement(query)
  if (!watch) return (await client.query<R>(statement)).rows
  const began = performance.now()
  try {
    return (await client.query<R>(statement)).rows
  } finally {
    watch(statement.text, performance.now() - began)
  }
}
