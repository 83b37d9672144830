import { CONNECTION_LIMITS, type Database } from './database.ts'
import { sql } from './sql.ts'

/** PostgreSQL's value for no limit. */
const FOR_EVER = '0'

/**
 * Describes the limits that a pooler's own settings must have, because sessions that it lends cannot be given any.
 * Undefined if it has them, or without a pooler.
 */
export async function describeMissingLimits(db: Database): Promise<string | undefined> {
  if (db.config.direct === undefined) return undefined
  const names = Object.keys(CONNECTION_LIMITS)
  const rows = await db.query<{ name: string }>(sql`
    select name from unnest(${names}::text[]) as name where current_setting(name) = ${FOR_EVER}`)
  if (rows.length === 0) return undefined
  const settings = Object.entries(CONNECTION_LIMITS).map(([name, value]) => `set ${name}=${value}`)
  return `sessions of the pooler have no ${rows.map(({ name }) => name).join(', ')}: a node that is frozen would hold up others; give its database connect_query='${settings.join('; ')}'`
}
