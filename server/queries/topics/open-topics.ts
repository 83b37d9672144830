import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import { type Sql, sql } from '../../db/sql.ts'

/**
 * Whether a topic (`t`) of an organization is open to a person whose profile id is `profileId`. None is to guests. If the organization keeps
 * communication within org units, it is open to people who share one with its creator or one of its members.
 */
export const isOpenTo = (orgId: Sql, profileId: Sql): Sql => sql`(t.open and t.type = 'topic' and not exists (
  select from profiles g where g.org_id = ${orgId} and g.id = ${profileId} and g.role = 'guest'
) and (
  not (select o.restrict_to_org_units from organizations o where o.org_id = ${orgId})
  or exists (
    select from org_unit_members own
    join org_unit_members other on other.org_id = own.org_id and other.org_unit_id = own.org_unit_id
    where own.org_id = ${orgId} and own.profile_id = ${profileId}
      and (other.profile_id = t.created_by or exists (
        select from topic_members m
        where m.org_id = ${orgId} and m.topic_id = t.id and m.profile_id = other.profile_id))
  )
))`

export const isIn = (caller: Caller, topicId: Sql): Sql =>
  sql`exists (select ${membershipIn(caller, topicId)})`

/**
 * `isIn` for the rows of a list that ends early. PostgreSQL may turn an `exists` into a join and read the whole list before the first row;
 * it asks a value like this of one row after the other.
 */
export const isInEach = (caller: Caller, topicId: Sql): Sql =>
  sql`(select true ${membershipIn(caller, topicId)})`

const membershipIn = ({ orgId, profileId }: Caller, topicId: Sql): Sql => sql`
  from topic_members tm where tm.org_id = ${orgId} and tm.topic_id = ${topicId} and tm.profile_id = ${profileId}`

const isBot = ({ profileId }: Caller): boolean => isBotId(profileId)

/** Whether the caller may look into a topic: its members, and for people the open ones. A bot only ever sees its own. */
export function maySee(caller: Caller, topicId: Sql): Sql {
  if (isBot(caller)) return isIn(caller, topicId)
  return sql`(${isIn(caller, topicId)} or exists (
    select from topics t
    where t.org_id = ${caller.orgId} and t.id = ${topicId} and ${isOpenTo(sql`${caller.orgId}`, sql`${caller.profileId}`)}))`
}
