import { needsOf, type SignedIn } from '../auth/sessions.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { isOpenTo } from './open-topics.ts'
import { QUALIFIED_EXTERNAL_ID } from './topics.ts'

export type Located = { organizationId: string; topicId: string; parentId?: string }

/** Topics (`t`) that somebody may look into, in all organizations that their session opens; `p` is who they are there. */
const visible = (signedIn: SignedIn, joined: Sql, columns: Sql): Sql => sql`
  select t.org_id as "organizationId", t.id as "topicId", ${columns}
  from profiles p
  join organizations o using (org_id)
  ${joined}
  where p.account_id = ${signedIn.accountId} and p.kind = 'user' and p.status = 'Active' and ${needsOf(signedIn)} is null
    and (${isOpenTo(sql`p.id`)} or exists (
      select from topic_members m where m.org_id = t.org_id and m.topic_id = t.id and m.profile_id = p.id))
  limit 1`

type Row = { organizationId: string; topicId: string; parentId: string | null }

async function first(db: Queryable, query: Sql): Promise<Located | undefined> {
  const [row] = await db.query<Row>(query)
  if (!row) return undefined
  const { parentId, ...place } = row
  return { ...place, ...(parentId !== null && { parentId }) }
}

export const locateTopic = (signedIn: SignedIn, db: Queryable, topicId: string) =>
  first(
    db,
    visible(
      signedIn,
      sql`join topics t on t.org_id = p.org_id and t.id = ${topicId}`,
      sql`null as "parentId"`,
    ),
  )

export const locateMessage = (signedIn: SignedIn, db: Queryable, messageId: string) =>
  first(
    db,
    visible(
      signedIn,
      sql`join messages x on x.org_id = p.org_id and x.id = ${messageId}
        join topics t on t.org_id = x.org_id and t.id = x.topic_id`,
      sql`x.parent_id as "parentId"`,
    ),
  )

/** `<bot_id>:<external_id>` */
export function locateExternalTopic(signedIn: SignedIn, db: Queryable, externalTopic: string) {
  const [, botId, externalId] = QUALIFIED_EXTERNAL_ID.exec(externalTopic) ?? []
  if (botId === undefined || externalId === undefined) return undefined
  return first(
    db,
    visible(
      signedIn,
      sql`join topics t on t.org_id = p.org_id and t.created_by = ${botId.toLowerCase()} and t.external_id = ${externalId}`,
      sql`null as "parentId"`,
    ),
  )
}
