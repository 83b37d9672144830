import type { Assistant } from '../../contract/people/assistants.ts'
import { needsOf, type SignedIn } from '../auth/sessions.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** The assistants of an account in all its organizations, the newest first. */
export async function listAssistants(
  db: Queryable,
  { accountId }: Pick<SignedIn, 'accountId'>,
  now: number,
): Promise<Assistant[]> {
  const rows = await db.query<Omit<Assistant, 'lastUsedAt'> & { lastUsedAt: number | null }>(sql`
    select x.id, x.name, x.host, x.is_verified as "isVerified", x.org_id as "organizationId",
      o.name as "organizationName", x.scopes, x.created_at as "createdAt", x.last_used_at as "lastUsedAt",
      x.expires_at as "expiresAt"
    from profiles p
      join assistants x on x.org_id = p.org_id and x.profile_id = p.id
      join organizations o on o.org_id = x.org_id
    where p.account_id = ${accountId} and p.status = 'Active' and x.connected_at is not null
      and x.expires_at > ${now} and p.sessions_ended_at < x.created_at
    order by x.created_at desc, x.id`)
  return rows.map(({ lastUsedAt, ...assistant }) => ({
    ...assistant,
    ...(lastUsedAt !== null && { lastUsedAt }),
  }))
}

/** Organizations in which this session may connect one. */
export async function listAllowingOrganizations(db: Queryable, signedIn: SignedIn): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select o.org_id as id from profiles p join organizations o using (org_id)
    where p.account_id = ${signedIn.accountId} and p.kind = 'user' and p.status = 'Active' and o.allow_assistants
      and ${needsOf(signedIn)} is null
    order by o.name, o.org_id`)
  return rows.map(({ id }) => id)
}
