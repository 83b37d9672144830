import { needsOf, type SignedIn } from '../../auth/sessions.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, type Sql, sql } from '../../db/sql.ts'
import { isOpenTo } from '../topics/open-topics.ts'
import { QUALIFIED_EXTERNAL_ID } from '../topics/topics.ts'

export type Located = { organizationId: string; topicId: string; parentId?: string; threadOnly?: true }

/** A signed-in person at this moment. */
type Visit = { signedIn: SignedIn; now: number }

/** Topics (`t`) that a person may see, in all organizations of their session; `p` is their profile there. */
const visible = (
  { signedIn, now }: Visit,
  joined: Sql,
  columns: Sql,
  rest = sql`limit 1`,
): Sql => sql`${crossing('a link names a topic or a message, and whose it is among the organizations of one person is looked for')}
  select t.org_id as "organizationId", t.id as "topicId", ${columns}
  from profiles p
  join organizations o using (org_id)
  ${joined}
  where p.account_id = ${signedIn.accountId} and p.kind = 'user' and p.status = 'Active' and ${needsOf(signedIn, now)} is null
    and (${isOpenTo(sql`t.org_id`, sql`p.id`)} or exists (
      select from topic_members m where m.org_id = t.org_id and m.topic_id = t.id and m.profile_id = p.id))
  ${rest}`

type Row = { organizationId: string; topicId: string; parentId: string | null; threadOnly: boolean }

async function first(db: Queryable, query: Sql): Promise<Located | undefined> {
  const [row] = await db.query<Row>(query)
  if (!row) return undefined
  const { parentId, threadOnly, ...place } = row
  return { ...place, ...(parentId !== null && { parentId }), ...(threadOnly && { threadOnly }) }
}

export const locateTopic = (visit: Visit, db: Queryable, topicId: string) =>
  first(
    db,
    visible(
      visit,
      sql`join topics t on t.org_id = p.org_id and t.id = ${topicId}`,
      sql`null as "parentId", false as "threadOnly"`,
    ),
  )

export const locateMessage = (visit: Visit, db: Queryable, messageId: string) =>
  first(
    db,
    visible(
      visit,
      sql`join messages x on x.org_id = p.org_id and x.id = ${messageId}
        join topics t on t.org_id = x.org_id and t.id = x.topic_id`,
      sql`x.parent_id as "parentId", x.thread_only as "threadOnly"`,
    ),
  )

const MAX_CHOICES = 20

type Choice = { organizationId: string; topicId: string; name: string; botName: string }

/** Finds a topic by the id that a bot gave it, qualified or not. Several bots may have used the same id. */
export async function locateExternalTopic(
  visit: Visit,
  db: Queryable,
  externalTopic: string,
): Promise<(Located & { choices?: Choice[] }) | undefined> {
  const [, botId = '', qualified = ''] = QUALIFIED_EXTERNAL_ID.exec(externalTopic) ?? []
  const given = sql`(t.external_id = ${externalTopic}
    or (t.created_by = ${botId.toLowerCase()} and t.external_id = ${qualified}))`
  const choices = await db.query<Choice>(
    visible(
      visit,
      // Looks bot by bot, because external ids are indexed by bot.
      sql`join bots b on b.org_id = p.org_id
        join topics t on t.org_id = b.org_id and t.created_by = b.id and t.external_id in (${externalTopic}, ${qualified}) and ${given}
        join profiles c on c.org_id = b.org_id and c.id = b.id`,
      sql`t.name, c.name as "botName"`,
      sql`order by o.name, c.name, t.id limit ${MAX_CHOICES}`,
    ),
  )
  const [first] = choices
  if (!first) return undefined
  const { organizationId, topicId } = first
  return { organizationId, topicId, ...(choices.length > 1 && { choices }) }
}
