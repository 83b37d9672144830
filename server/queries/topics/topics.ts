import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { topicName } from './chat-topics.ts'

export type TopicRow = {
  id: string
  type: 'topic' | 'dm'
  name: string
  description: string
  announcement: boolean
  open: boolean
  joined_by_default: boolean
  archived_at: number | null
  bots_stopped_at: number | null
  created_by: string
  external_id: string | null
  label_id: string | null
  cover_file_id: string | null
  created_at: number
  updated_at: number
  member_ids: string[]
}

/** Topics through the caller's memberships: other topics do not exist here. */
function topicsOf(caller: Caller, condition: Sql, rest: Sql = nothing): Sql {
  return sql`
    select t.id, t.type, t.description, t.announcement, t.open, t.joined_by_default, t.archived_at, t.bots_stopped_at, t.created_by,
      t.external_id, t.label_id, t.cover_file_id, t.created_at, t.updated_at, ${topicName(caller)} as name,
      array(
        select o.profile_id from topic_members o where o.org_id = ${caller.orgId} and o.topic_id = t.id
        order by o.joined_at, o.profile_id
      ) as member_ids
    from topic_members m
    join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId} and ${condition}
    ${rest}`
}

export async function readTopic(
  caller: Caller,
  db: Queryable,
  topicId: string,
): Promise<TopicRow | undefined> {
  const [row] = await db.query<TopicRow>(topicsOf(caller, sql`m.topic_id = ${topicId}`))
  return row
}

/** `<bot_id>:<external_id>` */
export const QUALIFIED_EXTERNAL_ID = /^(b@[0-9a-f-]{36}):(.+)$/is

/** The short form finds the caller's own topics, the qualified form those of the bot that it names. */
export async function readTopicByExternalId(
  caller: Caller,
  db: Queryable,
  externalId: string,
): Promise<TopicRow | undefined> {
  const [, owner, short] = QUALIFIED_EXTERNAL_ID.exec(externalId) ?? []
  const given = (bot: string, id: string) => sql`(t.created_by = ${bot} and t.external_id = ${id})`
  const own = given(caller.profileId, externalId)
  const [row] = await db.query<TopicRow>(
    topicsOf(
      caller,
      owner && short ? sql`(${own} or ${given(owner.toLowerCase(), short)})` : own,
      sql`order by ${own} desc limit 1`,
    ),
  )
  return row
}

export type TopicPosition = [createdAt: number, id: string]

/** Newest first; asks for one row more than `limit` to learn whether there is more. */
export function listTopics(
  caller: Caller,
  db: Queryable,
  { after, limit }: { after?: TopicPosition; limit: number },
): Promise<TopicRow[]> {
  return db.query<TopicRow>(
    topicsOf(
      caller,
      after ? sql`(m.topic_created_at, m.topic_id) < (${after[0]}, ${after[1]})` : sql`true`,
      sql`order by m.topic_created_at desc, m.topic_id desc limit ${limit + 1}`,
    ),
  )
}

/** Words that no message in the topic's organization may contain, and the version of its message check. */
export const textRules = sql`(select o.blocked_words from organizations o where o.org_id = t.org_id) as blocked_words,
  (select o.message_check from organizations o where o.org_id = t.org_id) as message_check`
/** `message_check` is null where no program is asked about texts. */
export type TextRules = { blocked_words: string[] | null; message_check: number | null }

/** The rules for texts in a topic, for every sender. */
export async function readTextRules(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  topicId: string,
): Promise<({ id: string } & TextRules) | undefined> {
  const [row] = await db.query<{ id: string } & TextRules>(sql`
    select t.id, ${textRules} from topics t where t.org_id = ${orgId} and t.id = ${topicId}`)
  return row
}

/** The fields of a topic that an action needs to change it; undefined if the caller is not in it. */
export async function findTopic(caller: Caller, db: Queryable, topicId: string) {
  const [row] = await db.query<
    TextRules &
      Pick<
        TopicRow,
        | 'id'
        | 'type'
        | 'name'
        | 'description'
        | 'announcement'
        | 'open'
        | 'joined_by_default'
        | 'archived_at'
        | 'bots_stopped_at'
        | 'created_by'
        | 'label_id'
        | 'cover_file_id'
        | 'updated_at'
      >
  >(sql`
    select t.id, t.type, t.name, t.description, t.announcement, t.open, t.joined_by_default, t.archived_at, t.bots_stopped_at, t.created_by,
      t.label_id, t.cover_file_id, t.updated_at, ${textRules}
    from topic_members m join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId} and m.topic_id = ${topicId}`)
  return row
}

export async function readTopicMemberIds(caller: Caller, db: Queryable, topicId: string): Promise<string[]> {
  const rows = await db.query<{ profile_id: string }>(sql`
    select profile_id from topic_members where org_id = ${caller.orgId} and topic_id = ${topicId}
    order by joined_at, profile_id`)
  return rows.map((row) => row.profile_id)
}

/** Whether bots are stopped in one of these topics. */
export async function areBotsStopped(
  { orgId }: Caller,
  db: Queryable,
  topicIds: readonly string[],
): Promise<boolean> {
  const [stopped] = await db.query(sql`
    select from topics where org_id = ${orgId} and id = any(${topicIds}::uuid[]) and bots_stopped_at is not null limit 1`)
  return stopped !== undefined
}
