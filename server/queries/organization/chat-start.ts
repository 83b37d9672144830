import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

type ChatOrganization = {
  position: number
  name: string
  logoFileId: string | null
  showPresence: boolean
  repliesInTopics: boolean
  membersCreateTopics: boolean
  membersInviteGuests: boolean
  editMinutes: number | null
}

/** The organization, and the number of its newest event. */
export async function readChatOrganization(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
): Promise<ChatOrganization> {
  const [row] = await db.query<ChatOrganization>(sql`
    select l.last_seq as position, o.name, o.logo_file_id as "logoFileId", o.show_presence as "showPresence",
      o.replies_in_topics as "repliesInTopics", o.members_create_topics as "membersCreateTopics",
      o.members_invite_guests as "membersInviteGuests", o.edit_minutes as "editMinutes"
    from organizations o join organization_logs l using (org_id) where o.org_id = ${orgId}`)
  if (!row) throw new Error(`organization ${orgId} does not exist`)
  return row
}

/** Topics that a start may list, if their JSON is short. */
const LISTED_TOPICS = 60
/** Bounds of the search: the organization's newest messages, and the person's newest topics. */
const LOOKED_AT_MESSAGES = 1000
const LOOKED_AT_TOPICS = 3000
const FAVOURITES = 20
const LAST_READ = 20
const BY_NAME = 30

/**
 * Ids of the topics that a page shows first, the most wanted first: the one that is being opened, some of favourites and of sections of their own, those with
 * the newest messages of the organization, the first by name, those read last, and the newest. Each of these is found in a
 * bounded number of rows, so that unread messages in a topic that has been quiet for long may come with the pages instead.
 */
export async function listFirstTopicIds(
  { orgId, profileId }: Caller,
  db: Queryable,
  openedId: string | undefined,
): Promise<{ ids: string[]; isWhole: boolean }> {
  const states = sql`select s.topic_id from topic_states s where s.org_id = ${orgId} and s.profile_id = ${profileId}`
  const rows = await db.query<{ topic_id: string }>(sql`
    with own as (
      select m.topic_id from topic_members m where m.org_id = ${orgId} and m.profile_id = ${profileId}
      order by m.topic_created_at desc, m.topic_id desc limit ${LOOKED_AT_TOPICS}
    ), newest as (
      select x.topic_id, row_number() over (order by x.id desc) as place from (
        select n.topic_id, n.id from messages n where n.org_id = ${orgId} order by n.id desc limit ${LOOKED_AT_MESSAGES}
      ) x
    ), wanted as (
      select ${openedId ?? null}::uuid as topic_id, 0::bigint as kind, 0::bigint as place
      union all (select w.topic_id, 1, 0 from (${states} and (s.favourite or s.section_id is not null) limit ${FAVOURITES}) w)
      union all select n.topic_id, 2, n.place from newest n
      union all (
        select t.id, 3, row_number() over (order by lower(t.name), t.id) from topics t
        where t.org_id = ${orgId} and t.id in (select o.topic_id from own o) and t.type = 'topic' and t.archived_at is null
        order by lower(t.name), t.id limit ${BY_NAME}
      )
      union all (select w.topic_id, 4, 0 from (${states} order by s.read_to desc nulls last limit ${LAST_READ}) w)
      union all (select o.topic_id, 5, row_number() over () from own o limit ${LISTED_TOPICS + 1})
    ), ranked as (
      select w.topic_id, min(w.kind * ${LOOKED_AT_TOPICS}::bigint + w.place) as rank from wanted w
      where exists (select from topic_members m
        where m.org_id = ${orgId} and m.topic_id = w.topic_id and m.profile_id = ${profileId})
      group by w.topic_id
    )
    select r.topic_id from ranked r order by r.rank, r.topic_id limit ${LISTED_TOPICS + 1}`)
  return {
    ids: rows.slice(0, LISTED_TOPICS).map(({ topic_id }) => topic_id),
    isWhole: rows.length <= LISTED_TOPICS,
  }
}
