import { isAdminRole } from '../../../contract/operation.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Reach } from '../../../contract/reach.ts'
import type { Caller } from '../../caller.ts'
import { isViolation } from '../../db/database.ts'
import { pipelined } from '../../db/pipelined.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { botsStopped, refusal } from '../../errors.ts'
import { emit, emitToPeople } from '../../events/log.ts'
import { keepFiles } from '../../files/files.ts'
import { distinctIds, newUuid } from '../../ids.ts'
import { findTopic, readTopicMemberIds, type TextRules, textRules } from '../../queries/topics/topics.ts'
import { refuseGuests, tellGuests } from '../members/guests.ts'
import { groupByReach, takeOut } from './former-reaches.ts'
import { type Checking, refuseTexts } from './written-texts.ts'

export type NewTopic = {
  createdBy: string
  name: string
  /** Members besides the creator. */
  members: readonly string[]
  description?: string | undefined
  externalId?: string | undefined
  type?: 'topic' | 'dm'
  announcement?: boolean
  open?: boolean
  joinedByDefault?: boolean
  /** The events that bots among the members get. */
  reach?: Reach | undefined
  /** A file in the store, kept once the topic refers to it. */
  coverFileId?: string | undefined
  /** The caller who adds the members; only some callers may bring guests. */
  bringer?: Pick<Caller, 'role'>
  /** Whether people hear of the topic itself, and not only of its members. */
  isToldToPeople?: boolean
}

export type CreatedTopic = { id: string; memberIds: string[]; createdAt: number }

/** Sends its statements together: each round trip would hold up all other writers of the organization. */
export async function createTopic(tx: Transaction, topic: NewTopic): Promise<CreatedTopic> {
  const { createdBy, coverFileId, reach } = topic
  const others = distinctIds(topic.members).filter((member) => member !== createdBy)
  const id = newUuid() // clients insist on version 4 here
  const at = tx.ownMillisecond()
  const memberIds = await pipelined(
    [
      checkMembers(tx, others),
      topic.type !== 'dm' && topic.bringer && refuseNewTopic(tx, topic.bringer, createdBy),
      topic.type !== 'dm' && topic.bringer && refuseGuests(tx, topic.bringer, others),
      insertTopic(tx, id, at, topic, topic.type === 'dm' ? memberKeyOf([createdBy, ...others]) : null),
      coverFileId !== undefined && keepFiles(tx, [coverFileId]),
      insertMembers(tx, id, [createdBy, ...others], at, reach),
      others.length > 0 && emitMembers(tx, 'member.added', id, others, createdBy, { except: createdBy }),
      reach && tellReach(tx, id, others, reach, createdBy),
      topic.isToldToPeople && emitToPeople(tx, 'topic.created', id, { topicId: id, actorId: createdBy }),
    ],
    readTopicMemberIds({ orgId: tx.orgId, profileId: createdBy }, tx, id),
  )
  return { id, memberIds, createdAt: at }
}

async function insertTopic(
  tx: Transaction,
  id: string,
  at: number,
  topic: NewTopic,
  memberKey: string | null,
): Promise<void> {
  await tx
    .query(sql`
      insert into topics (org_id, id, type, name, description, announcement, open, joined_by_default, member_key,
        created_by, external_id, cover_file_id, created_at, updated_at)
      select l.org_id, ${id}, ${topic.type ?? 'topic'}, ${topic.name}, ${topic.description ?? ''},
        ${topic.announcement ?? false}, ${topic.open ?? false}, ${topic.joinedByDefault ?? false},
        ${memberKey && freeMemberKey(tx, memberKey)}, ${topic.createdBy}, ${topic.externalId ?? null},
        ${topic.coverFileId ?? null}, ${at}, ${at}
      from organization_logs l where l.org_id = ${tx.orgId}`)
    .catch((error: unknown) => {
      throw isViolation(error, 'topics_external_id') ? refusal('topic_external_id_taken') : error
    })
}

/** Creates a topic of a caller. Bots learn of it by the answer; the other pages of a person by an event. */
export function createTopicOf(
  tx: Transaction,
  caller: Caller,
  topic: Omit<NewTopic, 'createdBy'>,
): Promise<CreatedTopic> {
  const { profileId } = caller
  return createTopic(tx, {
    ...topic,
    bringer: caller,
    createdBy: profileId,
    isToldToPeople: !isBotId(profileId),
  })
}

/** Refuses a topic of a person where only admins create them. What bots create is up to their scopes. */
async function refuseNewTopic(
  tx: Transaction,
  { role }: Pick<Caller, 'role'>,
  createdBy: string,
): Promise<void> {
  if (isBotId(createdBy) || isAdminRole(role)) return
  const [closed] = await tx.query(sql`
    select 1 from organizations where org_id = ${tx.orgId} and not members_create_topics`)
  if (closed) throw refusal('topics_for_admins')
}

/** Names the set of members of a direct message: there is one for each. */
export const memberKeyOf = (memberIds: readonly string[]): string => [...memberIds].sort().join(',')

/** Operators can create a second direct message of the same members; the first is the one that is found. */
const freeMemberKey = (tx: Transaction, memberKey: string): Sql => sql`(
  select ${memberKey}::text where not exists (
    select from topics where org_id = ${tx.orgId} and member_key = ${memberKey}))`

export type TopicChanges = { name?: string; description?: string }

/** Writes the fields that differ, and emits an event for them. Without a difference there is none. */
export async function updateTopic(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  wanted: TopicChanges,
): Promise<void> {
  const topic = refuseStopped(refuseArchived(await requireTopic(tx, caller, requestedId)), caller)
  const topicId = topic.id
  if (topic.type === 'dm') throw refusal('topic_is_direct')
  const changes: TopicChanges = {
    ...(wanted.name !== undefined && wanted.name !== topic.name && { name: wanted.name }),
    ...(wanted.description !== undefined &&
      wanted.description !== topic.description && { description: wanted.description }),
  }
  if (Object.keys(changes).length === 0) return
  await tx.query(sql`
    update topics set name = ${changes.name ?? topic.name}, description = ${changes.description ?? topic.description},
      updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${topicId}`)
  await emit(tx, 'topic.updated', topicId, { topicId, ...changes, actorId: caller.profileId, changes })
}

export type TopicMembers = { id: string; memberIds: string[]; updatedAt: number }

/** Adds all or none: one refused member refuses the request. */
export async function addTopicMembers(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  memberIds: readonly string[],
  reach: Reach = 'everything',
): Promise<TopicMembers> {
  const topic = refuseStopped(refuseArchived(await requireTopic(tx, caller, requestedId)), caller)
  const topicId = topic.id
  if (topic.type === 'dm') throw refusal('topic_is_direct')
  const added = distinctIds(memberIds)
  await checkMembers(tx, added)
  await refuseGuests(tx, caller, added)
  const current = new Set(await readTopicMemberIds(caller, tx, topicId))
  if (added.some((member) => current.has(member))) throw refusal('topic_member_known')
  const now = tx.ownMillisecond()
  const groups = await groupByReach(tx, caller, topicId, added, reach)
  for (const [given, ids] of groups) await insertMembers(tx, topicId, ids, now, given)
  await touchTopic(tx, topicId, now)
  await emitMembers(tx, 'member.added', topicId, added, caller.profileId)
  await tellGuests(tx, topicId, added)
  for (const [given, ids] of groups) await tellReach(tx, topicId, ids, given, caller.profileId)
  return { id: topicId, memberIds: await readTopicMemberIds(caller, tx, topicId), updatedAt: now }
}

/** Ignores people who are not in the topic. A removed bot gets an event. */
export async function removeTopicMembers(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  memberIds: readonly string[],
): Promise<TopicMembers> {
  const topic = await requireTopic(tx, caller, requestedId)
  const topicId = topic.id
  if (topic.type === 'dm') throw refusal('topic_is_direct')
  const named = distinctIds(memberIds)
  const gone = await takeOut(tx, topicId, named)
  const removed = named.filter((member) => gone.has(member))
  const remaining = await readTopicMemberIds(caller, tx, topicId)
  if (removed.length === 0) return { id: topicId, memberIds: remaining, updatedAt: topic.updated_at }
  const now = tx.now()
  await touchTopic(tx, topicId, now)
  await emitMembers(tx, 'member.removed', topicId, removed, caller.profileId, { also: removed })
  await tellGuests(tx, topicId, removed)
  return { id: topicId, memberIds: remaining, updatedAt: now }
}

/** Takes a member out of every topic, and tells the other members. Direct messages always keep both participants. */
export async function leaveAllTopics(tx: Transaction, profileId: string, actorId: string): Promise<void> {
  const left = await tx.query<{ topic_id: string }>(sql`
    delete from topic_members m using topics t
    where m.org_id = ${tx.orgId} and m.profile_id = ${profileId} and t.org_id = m.org_id and t.id = m.topic_id
      and t.type = 'topic'
    returning m.topic_id`)
  const topicIds = left.map((row) => row.topic_id)
  await tx.query(sql`
    update topics set updated_at = ${tx.now()} where org_id = ${tx.orgId} and id = any(${topicIds}::uuid[])`)
  for (const topicId of topicIds) await emitMembers(tx, 'member.removed', topicId, [profileId], actorId)
}

export type TopicLabels = { id: string; labels: string[]; updatedAt: number }

export async function addTopicLabel(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  labelId: string,
): Promise<TopicLabels> {
  const topic = refuseArchived(await requireTopic(tx, caller, requestedId))
  const topicId = topic.id
  const [label] = await tx.query<{ id: string }>(
    sql`select id from labels where org_id = ${tx.orgId} and id = ${labelId}`,
  )
  if (!label) throw refusal('field_invalid', { field: 'labelId' })
  if (topic.label_id === label.id) return { id: topicId, labels: [label.id], updatedAt: topic.updated_at }
  if (topic.label_id !== null) throw refusal('topic_has_label')
  return { id: topicId, labels: [label.id], updatedAt: await setLabel(tx, caller, topicId, label.id) }
}

export async function removeTopicLabel(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
  labelId: string,
): Promise<TopicLabels> {
  const topic = refuseArchived(await requireTopic(tx, caller, requestedId))
  const topicId = topic.id
  if (topic.label_id !== labelId.toLowerCase()) {
    return {
      id: topicId,
      labels: topic.label_id === null ? [] : [topic.label_id],
      updatedAt: topic.updated_at,
    }
  }
  return { id: topicId, labels: [], updatedAt: await setLabel(tx, caller, topicId, null) }
}

/** The topic, if the caller is in it; a 404 otherwise. */
export async function requireTopic(tx: Transaction, caller: Caller, topicId: string) {
  const topic = await findTopic(caller, tx, topicId)
  if (!topic) throw refusal('topic_not_found')
  return topic
}

/** Returns the topic, or refuses the change if it is archived. */
export function refuseArchived<Topic extends { archived_at: number | null }>(topic: Topic): Topic {
  if (topic.archived_at !== null) throw refusal('topic_archived')
  return topic
}

/** Returns the topic, unless the caller is a bot and bots were stopped there. */
function refuseStopped<Topic extends { bots_stopped_at: number | null }>(
  topic: Topic,
  { profileId }: Caller,
): Topic {
  if (topic.bots_stopped_at !== null && isBotId(profileId)) throw botsStopped()
  return topic
}

/** Refuses changes in an archived topic, and those of a bot where bots are stopped. The caller is known to be in the topic. */
export async function refuseClosedTopic(
  tx: Transaction,
  caller: Caller,
  topicId: string,
  written: readonly (string | undefined)[] = [],
  checking?: Checking,
): Promise<void> {
  const [topic] = await tx.query<
    { id: string; archived_at: number | null; bots_stopped_at: number | null } & TextRules
  >(sql`
    select t.id, t.archived_at, t.bots_stopped_at, ${textRules} from topics t
    where t.org_id = ${tx.orgId} and t.id = ${topicId}`)
  if (!topic) return
  refuseStopped(refuseArchived(topic), caller)
  refuseTexts(tx, caller, topic, written, checking)
}

/**
 * The topic, if the caller may write there: only admins and bots in an announcement topic, and no bots while they are
 * stopped. `written` are the texts.
 */
export async function requireTopicToWriteIn(
  tx: Transaction,
  caller: Caller,
  topicId: string,
  written: readonly (string | undefined)[] = [],
  checking?: Checking,
) {
  const topic = refuseArchived(await requireTopic(tx, caller, topicId))
  refuseStopped(topic, caller)
  if (topic.announcement && !isBotId(caller.profileId)) {
    const [admin] = await tx.query(sql`
      select 1 from profiles
      where org_id = ${tx.orgId} and id = ${caller.profileId} and role in ('owner', 'admin')`)
    if (!admin) throw refusal('forbidden')
  }
  refuseTexts(tx, caller, topic, written, checking)
  return topic
}

/** Everybody named must be in the organization, and neither archived nor deleted. */
export async function checkMembers(tx: Transaction, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) from profiles
    where org_id = ${tx.orgId} and id = any(${memberIds}) and status in ('Pending', 'Active')`)
  if (row?.count !== memberIds.length) throw refusal('member_invalid')
}

/** `at` is a millisecond of its own (`Transaction.ownMillisecond`): events before it are not for these members. */
export async function insertMembers(
  tx: Transaction,
  topicId: string,
  memberIds: readonly string[],
  at: number,
  reach: Reach = 'everything',
): Promise<void> {
  await tx.query(sql`
    insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at, reach)
    select t.org_id, t.id, member, t.created_at, ${at}, case when member like 'b@%' then ${reach} else 'everything' end
    from topics t, unnest(${memberIds}::text[]) as member
    where t.org_id = ${tx.orgId} and t.id = ${topicId}`)
}

export async function touchTopic(tx: Transaction, topicId: string, now: number): Promise<void> {
  await tx.query(sql`update topics set updated_at = ${now} where org_id = ${tx.orgId} and id = ${topicId}`)
}

/** Informs the people of a topic which events bots among these get, unless it is everything. */
export async function tellReach(
  tx: Transaction,
  topicId: string,
  memberIds: readonly string[],
  reach: Reach,
  actorId: string,
): Promise<void> {
  if (reach === 'everything') return
  await Promise.all(
    memberIds
      .filter(isBotId)
      .map((botId) => emitToPeople(tx, 'bot.reach_changed', topicId, { topicId, botId, reach, actorId })),
  )
}

/** The specification has no label event for bots, so only people get one, for their lists. */
async function setLabel(
  tx: Transaction,
  { profileId }: Caller,
  topicId: string,
  labelId: string | null,
): Promise<number> {
  const now = tx.now()
  await tx.query(sql`
    update topics set label_id = ${labelId}, updated_at = ${now} where org_id = ${tx.orgId} and id = ${topicId}`)
  const changes = { labelId }
  await emitToPeople(tx, 'topic.updated', topicId, { topicId, ...changes, actorId: profileId, changes })
  return now
}

/** Emits one event a request for all its members. Bots that it concerns get it regardless of their reach. */
export async function emitMembers(
  tx: Transaction,
  type: 'member.added' | 'member.removed',
  topicId: string,
  memberIds: string[],
  actorId: string,
  audience: { except?: string; also?: readonly string[] } = {},
): Promise<void> {
  const [only, ...more] = memberIds
  await emit(
    tx,
    type,
    topicId,
    {
      topicId,
      memberIds,
      ...(only !== undefined &&
        more.length === 0 && {
          memberId: only,
          memberType: isBotId(only) ? ('bot' as const) : ('user' as const),
        }),
      actorId,
      createdAt: tx.now(),
    },
    { also: memberIds, ...audience },
  )
}
