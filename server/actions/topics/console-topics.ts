import type { Reach } from '../../../contract/reach.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { distinctIds } from '../../ids.ts'
import type { Parley } from '../../parley.ts'
import { releaseBots } from '../bots/bot-loops.ts'
import { tellGuests } from '../members/guests.ts'
import { actorOf, audit, type Change, changesBetween, memberChange } from '../organization/audit.ts'
import { keepTopicMessages } from '../organization/message-retention-settings.ts'
import { changeTopic, type TopicToChange } from './chat-topics.ts'
import { takeOut } from './former-reaches.ts'
import { checkMembers, emitMembers, insertMembers, refuseArchived, tellReach, touchTopic } from './topics.ts'

/** A topic of the organization, even one without the caller. Direct messages are excluded. */
export async function requireAnyTopic(tx: Transaction, topicId: string): Promise<TopicToChange> {
  const [topic] = await tx.query<TopicToChange>(sql`
    select id, name, description, label_id, open, joined_by_default, announcement, archived_at, created_by
    from topics where org_id = ${tx.orgId} and id = ${topicId} and type = 'topic'`)
  if (!topic) throw refusal('topic_not_found')
  return topic
}

const tell = (
  tx: Transaction,
  caller: PersonCaller,
  { id, name }: TopicToChange,
  action: 'topic.changed' | 'topic.members_changed',
  changes: readonly Change[],
) => audit(tx, actorOf(caller), { action, target: { type: 'topic', id, name }, changes })

export async function updateConsoleTopic(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  topicId: string,
  {
    botsStopped,
    keepMessagesDays,
    ...wanted
  }: {
    open?: boolean
    announcement?: boolean
    archived?: boolean
    keepMessagesDays?: number | null
    botsStopped?: false
  },
): Promise<void> {
  const topic = await requireAnyTopic(tx, topicId)
  if (wanted.open === true) await refuseFromOutside(tx, caller, topic, 'closed_topic_opening')
  if (botsStopped === false) await releaseBots(tx, caller, topic.id)
  const kept =
    keepMessagesDays === undefined
      ? []
      : await keepTopicMessages(tx, parley, caller, topic.id, keepMessagesDays)
  // A closed topic cannot be one that everybody is in.
  const closing = wanted.open === false && topic.joined_by_default && { joinedByDefault: false }
  const changes = await changeTopic(tx, caller, topic, { ...wanted, ...closing })
  if (Object.keys(changes).length === 0 && kept.length === 0) return
  const before = {
    open: topic.open,
    announcement: topic.announcement,
    joinedByDefault: topic.joined_by_default,
    archived: topic.archived_at !== null,
  }
  await tell(tx, caller, topic, 'topic.changed', [...changesBetween(before, changes), ...kept])
}

/** An admin lets neither themselves nor anything of theirs into what others say among themselves. */
async function refuseFromOutside(
  tx: Transaction,
  { profileId }: PersonCaller,
  topic: TopicToChange,
  code: 'closed_topic_addition' | 'closed_topic_opening',
): Promise<void> {
  if (topic.open) return
  const [inside] = await tx.query(sql`
    select 1 from topic_members where org_id = ${tx.orgId} and topic_id = ${topic.id} and profile_id = ${profileId}`)
  if (!inside) throw refusal(code)
}

/** Adds all or none; present members stay. */
export async function addToConsoleTopic(
  tx: Transaction,
  caller: PersonCaller,
  topicId: string,
  { memberIds, reach = 'everything' }: { memberIds: readonly string[]; reach?: Reach },
): Promise<void> {
  const topic = refuseArchived(await requireAnyTopic(tx, topicId))
  const named = distinctIds(memberIds)
  await checkMembers(tx, named)
  const inside = await tx.query<{ id: string }>(sql`
    select profile_id as id from topic_members
    where org_id = ${tx.orgId} and topic_id = ${topic.id} and profile_id = any(${named})`)
  const added = named.filter((id) => !inside.some((one) => one.id === id))
  if (added.length === 0) return
  await refuseFromOutside(tx, caller, topic, 'closed_topic_addition')
  const now = tx.ownMillisecond()
  await insertMembers(tx, topic.id, added, now, reach)
  await touchTopic(tx, topic.id, now)
  await emitMembers(tx, 'member.added', topic.id, added, caller.profileId)
  await tellGuests(tx, topic.id, added)
  await tellReach(tx, topic.id, added, reach, caller.profileId)
  const chosen = reach !== 'everything' && { reach }
  await tell(tx, caller, topic, 'topic.members_changed', [
    ...(await namesOf(tx, added)).map((to) => memberChange('added', { to })),
    ...changesBetween({}, { ...chosen }),
  ])
}

export async function removeFromConsoleTopic(
  tx: Transaction,
  caller: PersonCaller,
  topicId: string,
  memberIds: readonly string[],
): Promise<void> {
  const topic = await requireAnyTopic(tx, topicId)
  const removed = [...(await takeOut(tx, topic.id, distinctIds(memberIds)))]
  if (removed.length === 0) return
  await touchTopic(tx, topic.id, tx.now())
  await emitMembers(tx, 'member.removed', topic.id, removed, caller.profileId, { also: removed })
  await tellGuests(tx, topic.id, removed)
  await tell(
    tx,
    caller,
    topic,
    'topic.members_changed',
    (await namesOf(tx, removed)).map((to) => memberChange('removed', { to })),
  )
}

const namesOf = (tx: Transaction, ids: readonly string[]) =>
  tx.query<{ id: string; name: string }>(sql`
    select id, name from profiles where org_id = ${tx.orgId} and id = any(${ids}) order by lower(name), id`)
