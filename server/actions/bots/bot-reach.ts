import { isAdminRole } from '../../../contract/operation.ts'
import type { Reach } from '../../../contract/reach.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import { actorOf, audit, changesBetween } from '../organization/audit.ts'
import { isWider } from '../topics/former-reaches.ts'
import { refuseArchived } from '../topics/topics.ts'

type Place = {
  id: string
  name: string
  open: boolean
  archived_at: number | null
  created_by: string
  is_member: boolean
}

/** Admins may, and the creator of the topic while they are in it. People who are neither in it nor admins learn nothing of it. */
async function requireTopicToSet(tx: Transaction, { profileId, role }: PersonCaller, topicId: string) {
  const [topic] = await tx.query<Place>(sql`
    select t.id, t.name, t.open, t.archived_at, t.created_by, m.topic_id is not null as is_member
    from topics t
    left join topic_members m on m.org_id = t.org_id and m.topic_id = t.id and m.profile_id = ${profileId}
    where t.org_id = ${tx.orgId} and t.id = ${topicId} and t.type = 'topic'`)
  const isAdmin = isAdminRole(role)
  if (!topic || !(isAdmin || topic.is_member)) throw refusal('topic_not_found')
  if (!isAdmin && topic.created_by !== profileId) throw refusal('forbidden')
  return refuseArchived(topic)
}

/**
 * Sets which events of a topic a bot gets, from the next event on. Admins who are not in a closed topic can only reduce
 * them.
 */
export async function setBotReach(
  tx: Transaction,
  caller: PersonCaller,
  requestedId: string,
  { botId, reach }: { botId: string; reach: Reach },
): Promise<void> {
  const { id: topicId, name: topic, ...place } = await requireTopicToSet(tx, caller, requestedId)
  const [bot] = await tx.query<{ id: string; name: string; reach: Reach }>(sql`
    select b.id, p.name, m.reach from topic_members m
    join bots b on b.org_id = m.org_id and b.id = m.profile_id
    join profiles p on p.org_id = b.org_id and p.id = b.id
    where m.org_id = ${tx.orgId} and m.topic_id = ${topicId} and m.profile_id = ${botId.toLowerCase()}`)
  if (!bot) throw refusal('bot_not_found')
  if (bot.reach === reach) return
  const isFromOutside = !place.open && !place.is_member
  if (isFromOutside && isWider(reach, bot.reach)) throw refusal('closed_topic_reach')
  await tx.query(sql`
    update topic_members set reach = ${reach}
    where org_id = ${tx.orgId} and topic_id = ${topicId} and profile_id = ${bot.id}`)
  await emitToPeople(tx, 'bot.reach_changed', topicId, {
    topicId,
    botId: bot.id,
    reach,
    actorId: caller.profileId,
  })
  await audit(tx, actorOf(caller), {
    action: 'bot.reach_changed',
    target: { type: 'bot', id: bot.id, name: bot.name },
    changes: [...changesBetween({}, { topic }), ...changesBetween({ reach: bot.reach }, { reach })],
  })
}
