import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export type OrganizationSize = {
  people: number
  bots: number
  topics: number
  messages: number
  files: number
  bytes: number
  holds: number
}

/** Counts what an organization has. All its rows are counted, so that this takes its time. */
export async function readOrganizationSize(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
): Promise<OrganizationSize> {
  const [profiles] = await db.query<Pick<OrganizationSize, 'people' | 'bots'>>(sql`
    select count(*) filter (where kind = 'user') as people, count(*) filter (where kind = 'bot') as bots
    from profiles where org_id = ${orgId}`)
  const [topics] = await db.query<Pick<OrganizationSize, 'topics'>>(sql`
    select count(*) as topics from topics where org_id = ${orgId}`)
  const [messages] = await db.query<Pick<OrganizationSize, 'messages'>>(sql`
    select count(*) as messages from messages where org_id = ${orgId}`)
  const [files] = await db.query<Pick<OrganizationSize, 'files' | 'bytes'>>(sql`
    select count(*) as files, coalesce(sum(size), 0)::bigint as bytes from stored_files where org_id = ${orgId}`)
  const [holds] = await db.query<Pick<OrganizationSize, 'holds'>>(sql`
    select count(*) as holds from legal_holds where org_id = ${orgId} and ended_at is null`)
  const none = { people: 0, bots: 0, topics: 0, messages: 0, files: 0, bytes: 0, holds: 0 }
  return { ...none, ...profiles, ...topics, ...messages, ...files, ...holds }
}
