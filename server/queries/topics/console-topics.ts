import type { Order } from '../../../contract/people/common.ts'
import type { ConsoleTopic, TOPIC_SORTS, TOPIC_STATES, TopicMember } from '../../../contract/people/topics.ts'
import type { Reach } from '../../../contract/reach.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'

type Organization = Pick<Caller, 'orgId'>
type Start = { at: [key: string | number, id: string]; isBackwards: boolean }

/** Facts that admins may see of a topic that they are not in, never a column of its messages. */
const columns = ({
  orgId,
  profileId,
}: Caller): Sql => sql`t.id, t.name, t.description, t.open, t.announcement, t.joined_by_default as "joinedByDefault",
  (case when t.archived_at is not null then 'archived' when t.open then 'open' else 'closed' end) as state,
  (select count(*)::int from topic_members m
    where m.org_id = ${orgId} and m.topic_id = t.id and m.profile_id not like 'b@%') as people,
  (select count(*)::int from topic_members m
    where m.org_id = ${orgId} and m.topic_id = t.id and m.profile_id like 'b@%') as bots,
  exists (select from topic_members m
    where m.org_id = ${orgId} and m.topic_id = t.id and m.profile_id = ${profileId}) as "isMember",
  t.keep_messages_days as "keepMessagesDays", t.keep_messages_from as "keepMessagesFrom", t.bots_stopped_at as "botsStoppedAt", t.created_at as "createdAt", t.updated_at as "updatedAt"`

export type ConsoleTopicFilters = {
  search?: string
  state?: (typeof TOPIC_STATES)[number]
  sort: (typeof TOPIC_SORTS)[number]
  order: Order
}

const SORT_KEYS: Record<ConsoleTopicFilters['sort'], Sql> = {
  name: sql`lower(t.name)`,
  createdAt: sql`t.created_at`,
}
const STATES: Record<(typeof TOPIC_STATES)[number], Sql> = {
  open: sql`t.open and t.archived_at is null`,
  closed: sql`not t.open and t.archived_at is null`,
  archived: sql`t.archived_at is not null`,
}

const isWanted = ({ orgId }: Organization, { search, state }: ConsoleTopicFilters): Sql => sql`
  t.org_id = ${orgId} and t.type = 'topic' ${state ? sql`and ${STATES[state]}` : nothing}
  ${search ? sql`and position(lower(${search}) in lower(t.name)) > 0` : nothing}`

/** Rows in the order of this key, or against it, behind the item at the edge of the page before. */
function inOrder(key: Sql, id: Sql, order: Order, start: Start | undefined) {
  const isUp = (order === 'asc') !== (start?.isBackwards === true)
  const direction = isUp ? sql`asc` : sql`desc`
  return {
    behind: start
      ? sql`and (${key}, ${id}) ${isUp ? sql`>` : sql`<`} (${start.at[0]}, ${start.at[1]})`
      : nothing,
    order: sql`order by ${key} ${direction}, ${id} ${direction}`,
  }
}

export type ConsoleTopicRow = Omit<ConsoleTopic, 'botsStoppedAt' | 'keepMessagesFrom'> & {
  botsStoppedAt: number | null
  keepMessagesFrom: number | null
}
export type ListedTopic = ConsoleTopicRow & { sortKey: string | number }

export function listConsoleTopics(
  caller: Caller,
  db: Queryable,
  filters: ConsoleTopicFilters,
  start: Start | undefined,
  limit: number,
): Promise<ListedTopic[]> {
  const key = SORT_KEYS[filters.sort]
  const { behind, order } = inOrder(key, sql`t.id`, filters.order, start)
  return db.query<ListedTopic>(sql`
    select ${columns(caller)}, ${key} as "sortKey" from topics t where ${isWanted(caller, filters)} ${behind} ${order} limit ${limit}`)
}

export async function countConsoleTopics(
  caller: Organization,
  db: Queryable,
  filters: ConsoleTopicFilters,
): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from topics t where ${isWanted(caller, filters)}`,
  )
  return row?.total ?? 0
}

export async function readConsoleTopic(
  caller: Caller,
  db: Queryable,
  topicId: string,
): Promise<ConsoleTopicRow | undefined> {
  const [row] = await db.query<ConsoleTopicRow>(sql`
    select ${columns(caller)} from topics t where t.org_id = ${caller.orgId} and t.id = ${topicId} and t.type = 'topic'`)
  return row
}

const memberColumns = sql`p.id, p.kind as type, p.name, p.email, p.status, p.photo_file_id as "photoId", m.joined_at as "joinedAt",
  case when p.kind = 'bot' then m.reach end as reach`
const membersOf = ({ orgId }: Organization, topicId: string, search: string): Sql => sql`
  topic_members m join profiles p on p.org_id = m.org_id and p.id = m.profile_id
  where m.org_id = ${orgId} and m.topic_id = ${topicId}
    ${search !== '' ? sql`and position(lower(${search}) in lower(p.name || ' ' || p.email)) > 0` : nothing}`

export type ListedTopicMember = Omit<TopicMember, 'reach' | 'photoId'> & {
  reach: Reach | null
  photoId: string | null
  sortKey: string
}

/** Sorted by name; a `limit` of null means all members. */
export function listConsoleTopicMembers(
  caller: Organization,
  db: Queryable,
  { topicId, search = '' }: { topicId: string; search?: string },
  start: Start | undefined,
  limit: number | null,
): Promise<ListedTopicMember[]> {
  const { behind, order } = inOrder(sql`lower(p.name)`, sql`p.id`, 'asc', start)
  return db.query<ListedTopicMember>(sql`
    select ${memberColumns}, lower(p.name) as "sortKey"
    from ${membersOf(caller, topicId, search)} ${behind} ${order} limit ${limit}`)
}

export async function countConsoleTopicMembers(
  caller: Organization,
  db: Queryable,
  { topicId, search = '' }: { topicId: string; search?: string },
): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from ${membersOf(caller, topicId, search)}`,
  )
  return row?.total ?? 0
}

/** Numbers of a topic's content. */
export async function countInTopic(
  { orgId }: Organization,
  db: Queryable,
  topicId: string,
): Promise<{ messages: number; tasks: number }> {
  const [row] = await db.query<{ messages: number; tasks: number }>(sql`
    select (select count(*)::int from messages where org_id = ${orgId} and topic_id = ${topicId} and not is_system) as messages,
      (select count(*)::int from tasks where org_id = ${orgId} and topic_id = ${topicId}) as tasks`)
  return row ?? { messages: 0, tasks: 0 }
}
