import type { MessageType } from '../../../contract/message.ts'
import type { HeldRecord } from '../../../contract/people/holds.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import type { StoredAttachment } from '../messages/messages.ts'

type Organization = Pick<Caller, 'orgId'>

export type HoldRow = {
  id: string
  topic_id: string | null
  topic_name: string | null
  profile_id: string | null
  profile_name: string | null
  reason: string
  set_by: string
  set_name: string
  set_at: number
  ended_by: string | null
  ended_name: string | null
  ended_at: number | null
}

const holds = (condition: Sql, rest: Sql = nothing): Sql => sql`
  select h.id, h.topic_id, t.name as topic_name, h.profile_id, p.name as profile_name, h.reason, h.set_by, s.name as set_name, h.set_at,
    h.ended_by, e.name as ended_name, h.ended_at
  from legal_holds h
  join profiles s on s.org_id = h.org_id and s.id = h.set_by
  left join topics t on t.org_id = h.org_id and t.id = h.topic_id
  left join profiles p on p.org_id = h.org_id and p.id = h.profile_id
  left join profiles e on e.org_id = h.org_id and e.id = h.ended_by
  where ${condition} ${rest}`

export async function readHold(
  { orgId }: Organization,
  db: Queryable,
  holdId: string,
): Promise<HoldRow | undefined> {
  const [row] = await db.query<HoldRow>(holds(sql`h.org_id = ${orgId} and h.id = ${holdId}`))
  return row
}

export type HoldFilters = { isStanding: boolean }

const isWanted = ({ orgId }: Organization, { isStanding }: HoldFilters): Sql =>
  sql`h.org_id = ${orgId} and (h.ended_at is null) = ${isStanding}`

/** Sorted, the newest first: ids follow time. */
export async function listHolds(
  caller: Organization,
  db: Queryable,
  filters: HoldFilters,
  start: { at: [key: string | number, id: string]; isBackwards: boolean } | undefined,
  limit: number,
): Promise<(HoldRow & { sortKey: number })[]> {
  const isBackwards = start?.isBackwards === true
  const behind = start ? sql`and h.id ${isBackwards ? sql`>` : sql`<`} ${start.at[1]}` : nothing
  const rows = await db.query<HoldRow>(
    holds(
      sql`${isWanted(caller, filters)} ${behind}`,
      sql`order by h.id ${isBackwards ? sql`asc` : sql`desc`} limit ${limit}`,
    ),
  )
  return rows.map((row) => ({ ...row, sortKey: row.set_at }))
}

export async function countHolds(caller: Organization, db: Queryable, filters: HoldFilters): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from legal_holds h where ${isWanted(caller, filters)}`)
  return row?.total ?? 0
}

/** Authors whose messages in a topic are held: all or some. */
export async function readHeld(
  { orgId }: Organization,
  db: Queryable,
  topicId: string,
): Promise<{ isWhole: boolean; authorIds: ReadonlySet<string> }> {
  const rows = await db.query<{ profileId: string | null }>(sql`
    select h.profile_id as "profileId" from legal_holds h
    where h.org_id = ${orgId} and h.ended_at is null and (h.topic_id is null or h.topic_id = ${topicId})`)
  return {
    isWhole: rows.some(({ profileId }) => profileId === null),
    authorIds: new Set(rows.flatMap(({ profileId }) => profileId ?? [])),
  }
}

/** Condition on a row `m` of messages: a standing hold covers it. */
export const isHeld = ({ orgId }: Organization): Sql => sql`exists (
  select from legal_holds h where h.org_id = ${orgId} and h.ended_at is null
    and (h.topic_id is null or h.topic_id = m.topic_id) and (h.profile_id is null or h.profile_id = m.sender_id))`

/** Whether a standing hold covers anything of this member. */
export async function isMemberHeld(
  { orgId }: Organization,
  db: Queryable,
  profileId: string,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from legal_holds h
    where h.org_id = ${orgId} and h.ended_at is null and (h.profile_id = ${profileId} or h.profile_id is null and (h.topic_id is null
      or exists (select from topic_members m where m.org_id = ${orgId} and m.topic_id = h.topic_id and m.profile_id = ${profileId})
      or exists (select from messages m where m.org_id = ${orgId} and m.topic_id = h.topic_id and m.sender_id = ${profileId})))
    limit 1`)
  return row !== undefined
}

export type HeldRow = {
  kind: HeldRecord['kind']
  id: string
  state: HeldRecord['state']
  changedAt: number | null
  topicId: string
  topicName: string
  authorId: string
  authorName: string
  /** A row of messages or tasks. */
  record: {
    created_at: number
    type?: MessageType
    parent_id?: string | null
    text?: string
    title?: string
    description?: string
    attachments?: StoredAttachment[] | null
    details?: object | null
    mentions?: string[]
    reactedBy?: object[]
    poll?: object
    votes?: object[]
  }
}

type Held = Pick<HoldRow, 'topic_id' | 'profile_id'>

/** Messages and tasks that a hold keeps, by age, after this one; each in its current and former versions. */
export async function listHeld(
  { orgId }: Organization,
  db: Queryable,
  hold: Held,
  { after, limit }: { after: string; limit: number },
): Promise<HeldRow[]> {
  const ids = await db.query<{ id: string }>(sql`
    select distinct id from (
      (${messagesOf({ orgId }, hold, after, limit)})
      union all
      (select distinct c.record_id as id from held_records c
        where c.org_id = ${orgId} and c.record_id > ${after} ${ofHold(hold, sql`c`, sql`c.author_id`)}
        order by c.record_id limit ${limit})
    ) found order by id limit ${limit}`)
  const wanted = ids.map(({ id }) => id)
  const rows = await db.query<HeldRow>(sql`
    select c.kind, c.record_id as id, c.change as state, c.changed_at as "changedAt", c.topic_id as "topicId", c.author_id as "authorId",
      c.record
    from held_records c
    where c.org_id = ${orgId} and c.record_id = any(${wanted}::uuid[]) ${ofHold(hold, sql`c`, sql`c.author_id`)}
    union all
    select 'message', m.id, 'present', null, m.topic_id, m.sender_id, to_jsonb(m)
    from messages m
    where m.org_id = ${orgId} and m.id = any(${wanted}::uuid[]) ${ofHold(hold, sql`m`, sql`m.sender_id`)}
    order by 2, 4 nulls last`)
  return named({ orgId }, db, rows)
}

const ofHold = ({ topic_id, profile_id }: Held, table: Sql, author: Sql): Sql =>
  sql`${topic_id === null ? nothing : sql`and ${table}.topic_id = ${topic_id}`}
    ${profile_id === null ? nothing : sql`and ${author} = ${profile_id}`}`

/** Finds a member's messages topic by topic, because there is no index of messages by author. */
export function messagesOf({ orgId }: Organization, hold: Held, after: string, limit: number): Sql {
  if (hold.profile_id === null)
    return sql`
      select m.id from messages m where m.org_id = ${orgId} and m.id > ${after} ${ofHold(hold, sql`m`, nothing)}
      order by m.id limit ${limit}`
  return sql`
    select m.id from topics t cross join lateral (
      select m.id from messages m
      where m.org_id = ${orgId} and m.topic_id = t.id and m.sender_id = ${hold.profile_id} and m.id > ${after}
      order by m.id limit ${limit}
    ) m where t.org_id = ${orgId} order by m.id limit ${limit}`
}

async function named({ orgId }: Organization, db: Queryable, rows: HeldRow[]): Promise<HeldRow[]> {
  const topics = await db.query<{ id: string; name: string }>(sql`
    select id, name from topics
    where org_id = ${orgId} and type = 'topic' and id = any(${[...new Set(rows.map(({ topicId }) => topicId))]}::uuid[])`)
  const authors = await db.query<{ id: string; name: string }>(sql`
    select id, name from profiles
    where org_id = ${orgId} and id = any(${[...new Set(rows.map(({ authorId }) => authorId))]})`)
  const names = new Map([...topics, ...authors].map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...row,
    topicName: names.get(row.topicId) ?? '',
    authorName: names.get(row.authorId) ?? '',
  }))
}
