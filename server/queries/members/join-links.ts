import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { sha256 } from '../../ids.ts'

const MAX_LISTED = 200

export type JoinLinkRow = {
  id: string
  token: Buffer
  domains: string[]
  maxUses: number | null
  uses: number
  isOpen: boolean
  expiresAt: number
  createdByName: string
  createdAt: number
}

const isOpen = (now: number) => sql`(l.expires_at > ${now} and (l.max_uses is null or l.uses < l.max_uses))`

/** Working links, then the others; the newest of each first. */
export function listJoinLinks(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  now: number,
): Promise<JoinLinkRow[]> {
  return db.query<JoinLinkRow>(sql`
    select l.id, l.token, l.domains, l.max_uses as "maxUses", l.uses, ${isOpen(now)} as "isOpen",
      l.expires_at as "expiresAt", coalesce(p.name, '') as "createdByName", l.created_at as "createdAt"
    from join_links l left join profiles p on p.org_id = l.org_id and p.id = l.created_by
    where l.org_id = ${orgId}
    order by ${isOpen(now)} desc, l.created_at desc, l.id limit ${MAX_LISTED}`)
}

export async function countOpenJoinLinks(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  now: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) from join_links l where l.org_id = ${orgId} and ${isOpen(now)}`,
  )
  return row?.count ?? 0
}

export type OpenJoinLink = { orgId: string; id: string; organization: string; domains: string[] }

const OPEN_LINK = sql`l.org_id as "orgId", l.id, o.name as organization, l.domains`

/** Returns undefined if it is unknown, revoked, ended or used up. */
export async function findOpenJoinLink(
  db: Queryable,
  token: string,
  now: number,
): Promise<OpenJoinLink | undefined> {
  const [row] = await db.query<OpenJoinLink>(sql`
    select ${OPEN_LINK} from join_links l join organizations o using (org_id)
    where l.token_hash = ${sha256(token)} and ${isOpen(now)}`)
  return row
}

export type JoinRequestRow = {
  orgId: string
  linkId: string
  email: string
  emailKey: string
  /** Whether the link still admits people. */
  isOpen: boolean
}

/** The request of the person who has proved with this token that they read an address. */
export async function findJoinRequest(
  db: Queryable,
  token: string,
  now: number,
): Promise<JoinRequestRow | undefined> {
  const [row] = await db.query<JoinRequestRow>(sql`
    select r.org_id as "orgId", r.link_id as "linkId", r.email, r.email_key as "emailKey", ${isOpen(now)} as "isOpen"
    from join_requests r join join_links l on l.org_id = r.org_id and l.id = r.link_id
    where r.token_hash = ${sha256(token)} and r.expires_at > ${now}`)
  return row
}

/** When mails of this link went out: the newest to this address, and the one that fills the hour. */
export async function readJoinMails(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  { linkId, emailKey, since, most }: { linkId: string; emailKey: string; since: number; most: number },
): Promise<{ newest: number | null; filling: number | null }> {
  const [row] = await db.query<{ newest: number | null; filling: number | null }>(sql`
    select (
      select max(created_at) from join_requests
      where org_id = ${orgId} and link_id = ${linkId} and created_at > ${since} and email_key = ${emailKey}
    ) as newest, (
      select created_at from join_requests where org_id = ${orgId} and link_id = ${linkId} and created_at > ${since}
      order by created_at desc offset ${most - 1} limit 1
    ) as filling`)
  return row ?? { newest: null, filling: null }
}
