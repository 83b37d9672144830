import type { Queryable, Row } from './database.ts'
import { crossing, literal, type Sql, sql, verbatim } from './sql.ts'

type Cleaned = {
  table: string
  /** The columns of the primary key. */
  key: string
  where: Sql
  limit: number
  /** Columns to set, if rows are changed instead of deleted. */
  set?: Sql
  returning?: Sql
}

/**
 * Deletes rows of a table, of all organizations and at most `limit` of them, and gives back one for each. Nodes that clean at the same
 * time pass by each other's rows. Rows on several machines cannot be locked together: there the second node finds them gone.
 */
export function cleanSome<R extends Row>(
  db: Queryable,
  { table, key, where, limit, set, returning = sql`1` }: Cleaned,
): Promise<R[]> {
  const [name, columns, count] = [verbatim(table), verbatim(key), literal(limit)]
  const isChosen = db.isSpread
    ? sql`(${columns}) in (select ${columns} from ${name} where ${where} limit ${count})`
    : sql`ctid = any(array(select ctid from ${name} where ${where} limit ${count} for update skip locked))`
  return db.query<R>(sql`${crossing('housekeeping goes through all organizations')}
    ${set ? sql`update ${name} set ${set}` : sql`delete from ${name}`} where ${isChosen} returning ${returning}`)
}

/** Deletes rows as `cleanSome` does; returns whether there may be more. */
export const cleanStep = async (db: Queryable, cleaned: Cleaned): Promise<boolean> =>
  (await cleanSome(db, cleaned)).length === cleaned.limit
