import { EVERYONE, HERE } from '../../../contract/group-mentions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { isAdminRole, type Role } from '../../../contract/operation.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { groupWordsIn, mentionsIn } from '../../text.ts'
import { findGroupsByTag, type MentionableGroup } from '../members/groups.ts'
import type { StoredGroupMentions } from './messages.ts'

/** Whether a message (`x`) that mentions groups mentions this person, who is in its topic. */
export const isMentionedByGroup = (details: Sql, profileId: Sql): Sql =>
  sql`(not (${details} -> 'groupMentions') ? 'people' or ${details} #> '{groupMentions,people}' ? ${profileId})`

/** A text that would be sent to a topic. `present` is who is there. */
export type MentioningText = {
  topicId: string
  text: string
  /** The message that it replies to, and whether its topic shows it too. */
  parentId?: string | undefined
  alsoInTopic?: boolean | undefined
  present: readonly string[]
}

/** Whom a text mentions by groups. */
export type FoundMentions = {
  groupMentions: StoredGroupMentions
  /** How many people that is; no more than one above the limit is counted, unless it is everyone. */
  count: number
  /** Whether the caller may mention many people at once. */
  mayMany: boolean
  /** The thread that the message stays in. */
  threadId: string | undefined
}

/** Finds whom a text mentions by groups; undefined if it mentions no group. Where presence is hidden, `<@here>` is text. */
export async function findGroupMentions(
  caller: Caller,
  db: Queryable,
  { topicId, text, parentId, alsoInTopic = false, present }: MentioningText,
): Promise<FoundMentions | undefined> {
  const words = groupWordsIn(text)
  const rights = words.length === 0 ? undefined : await readRights(caller, db)
  if (!rights) return undefined
  const isEveryone = words.includes(EVERYONE)
  const isHere = words.includes(HERE) && rights.showsPresence
  const tags = words.filter((word) => word !== EVERYONE && word !== HERE)
  const groups = tags.length === 0 ? [] : await findGroupsByTag({ ...caller, role: rights.role }, db, tags)
  if (!isEveryone && !isHere && groups.length === 0) return undefined
  const threadId = alsoInTopic || rights.showsReplies ? undefined : parentId?.toLowerCase()
  const wanted = { isEveryone, isHere, groups }
  const place = { topicId, threadId, present }
  const groupMentions = {
    ...(isEveryone && { everyone: true as const }),
    ...(isHere && { here: true as const }),
    ...(groups.length > 0 && { groups }),
  }
  const mayMany = rights.membersMentionMany || isAdminRole(rights.role)
  // Everyone in a topic is not listed: who reads the message is one of them.
  if (isEveryone && threadId === undefined) {
    const count = await countMentionedPeople(caller, db, wanted, place)
    return { groupMentions, count, mayMany, threadId }
  }
  const people = await readMentionedPeople(caller, db, wanted, place)
  return { groupMentions: { ...groupMentions, people }, count: people.length, mayMany, threadId }
}

type Rights = {
  role: Role | null
  membersMentionMany: boolean
  showsPresence: boolean
  showsReplies: boolean
}

async function readRights({ orgId, profileId }: Caller, db: Queryable): Promise<Rights | undefined> {
  const [rights] = await db.query<Rights>(sql`
    select p.role, o.members_mention_many as "membersMentionMany", o.show_presence as "showsPresence",
      o.replies_in_topics as "showsReplies"
    from profiles p join organizations o on o.org_id = ${orgId} where p.org_id = ${orgId} and p.id = ${profileId}`)
  return rights
}

/** Counts whom a text would mention, each person once, by name too, and members of its groups who are not in the topic. */
export async function previewMentions(caller: Caller, db: Queryable, text: MentioningText) {
  const found = await findGroupMentions(caller, db, text)
  const { groupMentions, count = 0, mayMany = true } = found ?? {}
  const known = new Set(groupMentions?.people)
  const named = mentionsIn(text.text).filter(
    (id) => !isBotId(id) && id !== caller.profileId && !known.has(id),
  )
  const isListed = !groupMentions || groupMentions.people !== undefined
  const outsiders = await countOutsiders(caller, db, groupMentions?.groups ?? [], text.topicId)
  return { people: count + (isListed ? named.length : 0), byGroups: count, outsiders, mayMany }
}

type WantedGroups = { isEveryone: boolean; isHere: boolean; groups: readonly MentionableGroup[] }

/** The topic of a message, and the thread, whose followers are everyone there. */
type Place = { topicId: string; threadId: string | undefined; present: readonly string[] }

/** Active people of the topic whom groups mention, without the sender. */
function mentionedPeople(
  { orgId, profileId }: Caller,
  { isEveryone, isHere, groups }: WantedGroups,
  { topicId, threadId, present }: Place,
): Sql {
  const ids = groups.map(({ id }) => id)
  const isFollower = threadId
    ? sql`coalesce(
        (select f.following from thread_follows f
          where f.org_id = ${orgId} and f.parent_id = ${threadId} and f.topic_id = m.topic_id and f.profile_id = m.profile_id),
        (select m.profile_id = x.sender_id or m.profile_id = any(x.mentions) from messages x
          where x.org_id = ${orgId} and x.id = ${threadId} and x.topic_id = m.topic_id), false)`
    : sql`true`
  const isPresent = sql`(m.profile_id = any(${isHere ? present : []}::text[]) and not p.appears_away)`
  return sql`
    from topic_members m join profiles p on p.org_id = m.org_id and p.id = m.profile_id
    where m.org_id = ${orgId} and m.topic_id = ${topicId} and p.kind = 'user' and p.status = 'Active' and p.id <> ${profileId} and (
      ${isFollower} and (${isEveryone} or ${isPresent})
      or exists (select from org_unit_members g
        where g.org_id = ${orgId} and g.org_unit_id = any(${ids}::uuid[]) and g.profile_id = m.profile_id)
      or exists (select from member_group_members g
        where g.org_id = ${orgId} and g.group_id = any(${ids}::uuid[]) and g.profile_id = m.profile_id))`
}

async function countMentionedPeople(
  caller: Caller,
  db: Queryable,
  wanted: WantedGroups,
  place: Place,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::integer as count ${mentionedPeople(caller, wanted, place)}`,
  )
  return row?.count ?? 0
}

async function readMentionedPeople(
  caller: Caller,
  db: Queryable,
  wanted: WantedGroups,
  place: Place,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select p.id ${mentionedPeople(caller, wanted, place)} order by p.id limit ${LIMITS.mentionedPeople + 1}`,
  )
  return rows.map(({ id }) => id)
}

/** Counts active people of these groups who are not in the topic, and so are not told. */
async function countOutsiders(
  { orgId, profileId }: Caller,
  db: Queryable,
  groups: readonly MentionableGroup[],
  topicId: string,
): Promise<number> {
  const ids = groups.map(({ id }) => id)
  if (ids.length === 0) return 0
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from (
      select g.profile_id from org_unit_members g where g.org_id = ${orgId} and g.org_unit_id = any(${ids}::uuid[])
      union
      select g.profile_id from member_group_members g where g.org_id = ${orgId} and g.group_id = any(${ids}::uuid[])
    ) g
    join profiles p on p.org_id = ${orgId} and p.id = g.profile_id and p.kind = 'user' and p.status = 'Active'
    where g.profile_id <> ${profileId} and not exists (
      select from topic_members m where m.org_id = ${orgId} and m.topic_id = ${topicId} and m.profile_id = g.profile_id)`)
  return row?.count ?? 0
}
