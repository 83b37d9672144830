import type { Static } from 'typebox'
import type { TopicUpdated } from '../../../contract/events.ts'
import { isAdminRole } from '../../../contract/operation.ts'
import type { Reach } from '../../../contract/reach.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { isGuest } from '../../caller.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emit } from '../../events/log.ts'
import { distinctIds } from '../../ids.ts'
import { isOpenTo } from '../../queries/topics/open-topics.ts'
import type { TopicRow } from '../../queries/topics/topics.ts'
import { releaseBots } from '../bots/bot-loops.ts'
import { refuseStrangers, tellGuests } from '../members/guests.ts'
import {
  createTopic,
  createTopicOf,
  emitMembers,
  insertMembers,
  memberKeyOf,
  refuseArchived,
  requireTopic,
  touchTopic,
} from './topics.ts'

export type TopicSettings = { open?: boolean; joinedByDefault?: boolean; announcement?: boolean }
export type NewChatTopic = TopicSettings & {
  name: string
  description?: string
  members?: readonly string[]
  reach?: Reach
}

export async function createChatTopic(
  tx: Transaction,
  caller: PersonCaller,
  topic: NewChatTopic,
): Promise<string> {
  const { open = false, joinedByDefault = false } = topic
  checkSettings({ open, joinedByDefault })
  if (joinedByDefault && !isAdminRole(caller.role)) throw refusal('forbidden')
  const { members = [], ...settings } = topic
  const { id } = await createTopicOf(tx, caller, { ...settings, members })
  return id
}

function checkSettings({ open, joinedByDefault }: { open: boolean; joinedByDefault: boolean }): void {
  if (joinedByDefault && !open) throw refusal('topic_not_open')
}

type Changes = Static<typeof TopicUpdated>['changes']

/**
 * Name, description and label are every member's to change; who may write, find and join, and the end of it, are up to its
 * creator and admins. In an archived topic nothing changes until it is brought back.
 */
export async function updateChatTopic(
  tx: Transaction,
  caller: PersonCaller,
  requestedId: string,
  { botsStopped, ...wanted }: Changes & { botsStopped?: false },
): Promise<void> {
  const topic = await requireTopic(tx, caller, requestedId)
  if (topic.type === 'dm') throw refusal('topic_is_direct')
  if (botsStopped === false) await releaseBots(tx, caller, topic.id)
  await changeTopic(tx, caller, topic, wanted)
}

export type TopicToChange = Pick<
  TopicRow,
  | 'id'
  | 'name'
  | 'description'
  | 'label_id'
  | 'open'
  | 'joined_by_default'
  | 'announcement'
  | 'archived_at'
  | 'created_by'
>

/** Changes a topic that the caller may change. Returns what really changed. */
export async function changeTopic(
  tx: Transaction,
  caller: PersonCaller,
  topic: TopicToChange,
  wanted: Changes,
): Promise<Changes> {
  const before = {
    name: topic.name,
    description: topic.description,
    labelId: topic.label_id,
    open: topic.open,
    joinedByDefault: topic.joined_by_default,
    announcement: topic.announcement,
    archived: topic.archived_at !== null,
  }
  const after = { ...before, ...withoutUndefined(wanted) }
  const changes = differences(before, after)
  if (Object.keys(changes).length === 0) return changes
  const isOwn = topic.created_by === caller.profileId
  const isSetting = ['open', 'joinedByDefault', 'announcement', 'archived'].some((field) => field in changes)
  if (isSetting && !isOwn && !isAdminRole(caller.role)) throw refusal('forbidden')
  if ('joinedByDefault' in changes && !isAdminRole(caller.role)) throw refusal('forbidden')
  checkSettings(after)
  if (after.archived) refuseArchived(topic)
  if (changes.labelId) await requireLabel(tx, changes.labelId)

  const now = tx.now()
  const archivedAt = after.archived ? now : null
  await tx.query(sql`
    update topics set name = ${after.name}, description = ${after.description}, label_id = ${after.labelId},
      open = ${after.open}, joined_by_default = ${after.joinedByDefault}, announcement = ${after.announcement},
      archived_at = ${archivedAt}, updated_at = ${now}
    where org_id = ${tx.orgId} and id = ${topic.id}`)
  await emit(tx, 'topic.updated', topic.id, {
    topicId: topic.id,
    ...changes,
    actorId: caller.profileId,
    changes,
  })
  return changes
}

function withoutUndefined(wanted: Changes): Changes {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

/** The fields of `after` that differ. */
function differences<Fields extends Record<string, unknown>>(before: Fields, after: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {}
  for (const field in after) if (after[field] !== before[field]) changed[field] = after[field]
  return changed
}

async function requireLabel(tx: Transaction, labelId: string): Promise<void> {
  const [label] = await tx.query(sql`select 1 from labels where org_id = ${tx.orgId} and id = ${labelId}`)
  if (!label) throw refusal('field_invalid', { field: 'labelId' })
}

/** The direct message of these members and the caller; there is one for each set. One that exists is found without a turn to write. */
export async function openDirectMessage(
  db: Database,
  caller: PersonCaller,
  memberIds: readonly string[],
): Promise<string> {
  const { profileId } = caller
  const others = distinctIds(memberIds).filter((id) => id !== profileId)
  if (others.length === 0) throw refusal('member_invalid')
  const key = memberKeyOf([profileId, ...others])
  return (
    (await findDirectMessage(db, caller.orgId, key)) ??
    db.writeAs(caller, async (tx) => {
      const known = await findDirectMessage(tx, tx.orgId, key)
      if (known !== undefined) return known
      await refuseStrangers(tx, caller, others)
      const { id } = await createTopicOf(tx, caller, { type: 'dm', name: '', members: others })
      return id
    })
  )
}

/** The direct message of a set of members, if it has been opened. */
export async function findDirectMessage(
  db: Queryable,
  orgId: string,
  memberKey: string,
): Promise<string | undefined> {
  const [known] = await db.query<{ id: string }>(sql`
    select id from topics where org_id = ${orgId} and member_key = ${memberKey}`)
  return known?.id
}

export async function joinTopic(
  tx: Transaction,
  { profileId }: PersonCaller,
  topicId: string,
): Promise<void> {
  const [topic] = await tx.query<{ id: string; archived_at: number | null; is_member: boolean }>(sql`
    select t.id, t.archived_at, m.topic_id is not null as is_member
    from topics t
    left join topic_members m on m.org_id = t.org_id and m.topic_id = t.id and m.profile_id = ${profileId}
    where t.org_id = ${tx.orgId} and t.id = ${topicId}
      and (m.topic_id is not null or ${isOpenTo(sql`${tx.orgId}`, sql`${profileId}`)})`)
  if (!topic) throw refusal('topic_not_found')
  if (topic.is_member) return
  refuseArchived(topic)
  await addToTopic(tx, topic.id, profileId)
}

export const FIRST_TOPIC = 'General'

/** The topic of everybody: every new person of the organization joins it by themselves. */
export const createFirstTopic = (tx: Transaction, createdBy: string, members: readonly string[] = []) =>
  createTopic(tx, { createdBy, name: FIRST_TOPIC, members: [...members], open: true, joinedByDefault: true })

/** New people of the organization are in these from the start, but for guests. Bots are not: their creator says where they are. */
export async function joinDefaultTopics(tx: Transaction, profileId: string): Promise<void> {
  const topics = await tx.query<{ id: string }>(sql`
    select t.id from topics t
    where t.org_id = ${tx.orgId} and t.joined_by_default and t.archived_at is null and not exists (
      select from profiles p where p.org_id = ${tx.orgId} and p.id = ${profileId} and p.role = 'guest') and not exists (
      select from topic_members m where m.org_id = ${tx.orgId} and m.topic_id = t.id and m.profile_id = ${profileId})
    order by t.created_at, t.id`)
  for (const { id } of topics) await addToTopic(tx, id, profileId)
}

async function addToTopic(tx: Transaction, topicId: string, profileId: string): Promise<void> {
  const now = tx.ownMillisecond()
  await insertMembers(tx, topicId, [profileId], now)
  await touchTopic(tx, topicId, now)
  await emitMembers(tx, 'member.added', topicId, [profileId], profileId)
}

export async function leaveTopic(tx: Transaction, caller: PersonCaller, requestedId: string): Promise<void> {
  const topic = await requireTopic(tx, caller, requestedId)
  if (topic.type === 'dm') throw refusal('topic_is_direct')
  await tx.query(sql`
    delete from topic_members
    where org_id = ${tx.orgId} and topic_id = ${topic.id} and profile_id = ${caller.profileId}`)
  await touchTopic(tx, topic.id, tx.now())
  await emitMembers(tx, 'member.removed', topic.id, [caller.profileId], caller.profileId)
  if (isGuest(caller)) await tellGuests(tx, topic.id, [caller.profileId])
}
