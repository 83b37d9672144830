import { expect, inject, TestRunner, vi } from 'vitest'
import type { Queryable } from '../../server/db/database.ts'
import { sql, verbatim } from '../../server/db/sql.ts'
import { PATIENCE_MS } from './patience.ts'

/**
 * Brings tables into the state that they are in for most of their life: PostgreSQL may answer from an index alone then. Who asks for that asks
 * for the plan of one machine: on a cluster such a test is skipped.
 */
export async function vacuumed(db: Queryable, tables: readonly string[]): Promise<void> {
  if (inject('cluster')) {
    await db.query(sql`vacuum analyze ${verbatim(tables.join(', '))}`)
    TestRunner.getCurrentTest()?.context.skip('asks for the plan of one machine')
    return
  }
  await vi.waitFor(
    async () => {
      await db.query(sql`vacuum analyze ${verbatim(tables.join(', '))}`)
      const seen = await db.query<{ name: string }>(sql`
        select relname as name from pg_class where relname = any(${tables}::text[]) and relallvisible > 0`)
      expect(seen).toHaveLength(tables.length) // not while an older transaction runs
    },
    { timeout: PATIENCE_MS, interval: 50 },
  )
}
