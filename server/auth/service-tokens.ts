import type { Client } from '../caller.ts'
import type { Authority } from '../db/authority.ts'
import type { Clock, Queryable } from '../db/database.ts'
import { crossing, nothing, sql } from '../db/sql.ts'
import { sha256 } from '../ids.ts'

const MINUTE_MS = 60_000

/** Purposes of a token: an identity provider (SCIM), or a program that reads the audit log. */
export type ServiceTokenKind = 'scim' | 'audit'

/** A service outside, by the token of one organization. It acts in that organization alone. */
export type ServiceCaller = {
  orgId: string
  client: Client
  authority?: Authority<ServiceCaller> | undefined
}

/**
 * The hash by which a token is found. The kind is part of it, so that a token of one kind is never taken for one of another, also not by the
 * version before, which knows SCIM tokens alone.
 */
export const serviceTokenHash = (kind: ServiceTokenKind, token: string): Buffer =>
  sha256(kind === 'scim' ? token : `${kind}:${token}`)

const BEARER = /^bearer +([\w-]{1,200})$/i

/** The token of an `Authorization` header; undefined if there is none. */
export const bearerOf = (header: string | undefined): string | undefined => BEARER.exec(header ?? '')?.[1]

/** Finds the organization of a token. Each request looks again, so that a revoked token stops at once. */
export async function findServiceCaller(
  { db, clock }: { db: Queryable; clock: Clock },
  kind: ServiceTokenKind,
  { token, client }: { token: string; client: Client },
  isLocked = false,
): Promise<(ServiceCaller & { authorityVersion: number }) | undefined> {
  const now = clock()
  const [found] = await db.query<{
    orgId: string
    id: string
    lastUsedAt: number | null
    authorityVersion: number
  }>(sql`${crossing('whose it is, is known only when it was found')}
    select t.org_id as "orgId", t.id, t.last_used_at as "lastUsedAt", l.authority_version as "authorityVersion"
    from scim_tokens t join organization_logs l on l.org_id = t.org_id
    where t.token_hash = ${serviceTokenHash(kind, token)} and t.kind = ${kind}
      and (t.valid_until is null or t.valid_until > ${now})
    ${isLocked ? sql`for share of t` : nothing}`)
  if (!found) return undefined
  const { orgId, id, lastUsedAt, authorityVersion } = found
  if (now - (lastUsedAt ?? 0) >= MINUTE_MS)
    await db.query(sql`update scim_tokens set last_used_at = ${now} where org_id = ${orgId} and id = ${id}`)
  return { orgId, client, authorityVersion }
}
