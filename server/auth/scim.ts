import type { Client } from '../caller.ts'
import type { Authority } from '../db/authority.ts'
import type { Clock, Queryable } from '../db/database.ts'
import { crossing, nothing, sql } from '../db/sql.ts'
import { sha256 } from '../ids.ts'

const MINUTE_MS = 60_000

/** An identity provider, by the token of one organization. It acts in that organization alone. */
export type ScimCaller = {
  orgId: string
  client: Client
  authority?: Authority<ScimCaller> | undefined
}

/** Finds the organization of a token. Each request looks again, so that a revoked token stops at once. */
export async function findScimCaller(
  { db, clock }: { db: Queryable; clock: Clock },
  token: string,
  client: Client,
  isLocked = false,
): Promise<(ScimCaller & { authorityVersion: number }) | undefined> {
  const now = clock()
  const [found] = await db.query<{
    orgId: string
    id: string
    lastUsedAt: number | null
    authorityVersion: number
  }>(sql`${crossing('whose it is, is known only when it was found')}
    select t.org_id as "orgId", t.id, t.last_used_at as "lastUsedAt", l.authority_version as "authorityVersion"
    from scim_tokens t join organization_logs l on l.org_id = t.org_id
    where t.token_hash = ${sha256(token)} and (t.valid_until is null or t.valid_until > ${now})
    ${isLocked ? sql`for share of t` : nothing}`)
  if (!found) return undefined
  const { orgId, id, lastUsedAt, authorityVersion } = found
  if (now - (lastUsedAt ?? 0) >= MINUTE_MS)
    await db.query(sql`update scim_tokens set last_used_at = ${now} where org_id = ${orgId} and id = ${id}`)
  return { orgId, client, authorityVersion }
}
