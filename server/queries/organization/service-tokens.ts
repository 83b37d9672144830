import type { ServiceTokenKind } from '../../auth/service-tokens.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export type ServiceTokenRow = {
  id: string
  createdByName: string
  createdAt: number
  lastUsedAt: number | null
  validUntil: number | null
}

/** Tokens of one kind that work: the current one, then the former one. */
export const listServiceTokens = (
  { orgId }: { orgId: string },
  db: Queryable,
  kind: ServiceTokenKind,
  now: number,
): Promise<ServiceTokenRow[]> =>
  db.query<ServiceTokenRow>(sql`
    select t.id, coalesce(p.name, '') as "createdByName", t.created_at as "createdAt", t.last_used_at as "lastUsedAt",
      t.valid_until as "validUntil"
    from scim_tokens t left join profiles p on p.org_id = t.org_id and p.id = t.created_by
    where t.org_id = ${orgId} and t.kind = ${kind} and (t.valid_until is null or t.valid_until > ${now})
    order by t.valid_until nulls first`)
