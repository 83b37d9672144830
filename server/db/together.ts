import type { Queryable, Row } from './database.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Asks for things of several organizations: in one statement where they are on one machine, and otherwise in one for each organization.
 * `ask` writes the statement; its list of things is `x`, and `orgId` is whose rows it touches.
 */
export async function together<R extends Row, Item extends { orgId: string } = { orgId: string }>(
  db: Queryable,
  items: readonly Item[],
  ask: (items: readonly Item[], orgId: Sql) => Sql,
): Promise<R[]> {
  if (!db.isSpread) return db.query<R>(ask(items, sql`x.org_id`))
  const rows = await Promise.all(
    [...byOrganization(items)].map(([orgId, own]) => db.query<R>(ask(own, sql`${orgId}::uuid`))),
  )
  return rows.flat()
}

export function byOrganization<Item extends { orgId: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.orgId)
    if (group) group.push(item)
    else groups.set(item.orgId, [item])
  }
  return groups
}
