import { MEMBER_STATUSES, type MemberStatus } from '../../../contract/members.ts'
import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { join, nothing, type Sql, sql } from '../../db/sql.ts'
import { type ChatMemberRow, chatMembers } from './chat-members.ts'
import { isKnown } from './known-members.ts'

export type MemberSearch = {
  search?: string
  topicId?: string
  type?: 'user' | 'bot'
}
export type NamePosition = [name: string, id: string]
export type FoundMemberRow = ChatMemberRow & { name_key: string }

const MAX_WORDS = 5
/** Scripts that put no spaces between words: what is typed may stand anywhere in a name. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** The text that a search for members looks at. Guests cannot find out an address by trying it. */
const searchedIn = (caller: Caller): Sql => (isGuest(caller) ? sql`p.name` : sql`p.name || ' ' || p.email`)

/** Whether each typed word begins a word of the name or the address. Words are letters and digits: no pattern hides in them. */
function isNamed(caller: Caller, search: string): Sql {
  const named = searchedIn(caller)
  const words = (search.normalize('NFKD').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MAX_WORDS)
  if (words.length === 0) return search.trim() === '' ? sql`true` : sql`false`
  return join(
    words.map(
      (word) => sql`search_name(${named}) ~ (${UNSPACED.test(word) ? '' : '\\m'} || search_name(${word}))`,
    ),
    sql` and `,
  )
}

/**
 * Members by name, each state and kind a range of an index; one row more than `limit`. In a topic they are listed in any state,
 * as its messages name them; elsewhere only active ones can be chosen.
 */
export function findChatMembers(
  caller: Caller,
  db: Queryable,
  { search = '', topicId, type }: MemberSearch,
  { after, limit }: { after?: NamePosition; limit: number },
): Promise<FoundMemberRow[]> {
  const statuses: readonly MemberStatus[] = topicId === undefined ? ['Active'] : MEMBER_STATUSES
  const isIn =
    topicId === undefined
      ? nothing
      : sql`and exists (select from topic_members m
          where m.org_id = ${caller.orgId} and m.topic_id = ${topicId} and m.profile_id = p.id)`
  const behind = after ? sql`and (lower(p.name), p.id) > (${after[0]}, ${after[1]})` : nothing
  const ofKind = (kind: Sql) => sql`
    select x.* from unnest(${statuses}::text[]) as wanted (status)
    cross join lateral (
      select p.id, lower(p.name) as name_key from profiles p
      where p.org_id = ${caller.orgId} and p.status = wanted.status and ${kind} and ${isNamed(caller, search)} and ${isKnown(caller, sql`p.id`)} ${isIn} ${behind}
      order by lower(p.name), p.id limit ${limit + 1}
    ) x`
  const people = sql`p.kind = 'user'`
  const bots = sql`p.kind = 'bot' and p.id >= 'b@' and p.id < 'bA'`
  const found =
    type === undefined
      ? sql`${ofKind(people)} union all ${ofKind(bots)}`
      : ofKind(type === 'user' ? people : bots)
  return db.query<FoundMemberRow>(sql`
    select c.*, f.name_key from (
      select * from (${found}) each order by name_key, id limit ${limit + 1}
    ) f
    join (${chatMembers(caller, sql`true`)}) c on c.id = f.id
    order by f.name_key, f.id`)
}

export function readChatMembers(
  caller: Caller,
  db: Queryable,
  ids: readonly string[],
): Promise<ChatMemberRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.query<ChatMemberRow>(chatMembers(caller, sql`p.id = any(${ids}::text[])`))
}

/** How many people, bots or both are in a topic. */
export async function countTopicMembers(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  topicId: string,
  type: MemberSearch['type'],
): Promise<number> {
  const isBot = sql`(m.profile_id >= 'b@' and m.profile_id < 'bA')`
  const isWanted = type === undefined ? sql`true` : type === 'bot' ? isBot : sql`not ${isBot}`
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::integer as total from topic_members m
    where m.org_id = ${orgId} and m.topic_id = ${topicId} and ${isWanted}`)
  return row?.total ?? 0
}

/**
 * Whether an organization has more members than `count`, whatever their state. For guests it has: their pages ask for members as they
 * meet them.
 */
export async function hasMoreMembersThan(caller: Caller, db: Queryable, count: number): Promise<boolean> {
  if (isGuest(caller)) return true
  const { orgId } = caller
  const rows = await db.query(sql`
    select 1 from profiles p where p.org_id = ${orgId} order by p.created_at, p.id offset ${count} limit 1`)
  return rows.length > 0
}
