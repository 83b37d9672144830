import { isBotId } from '../../../contract/profile-ids.ts'
import { REACHES, type Reach } from '../../../contract/reach.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'

/** Whether `one` gets more than `other`. */
export const isWider = (one: Reach, other: Reach): boolean => REACHES.indexOf(one) < REACHES.indexOf(other)

/** Removes members from a topic, and returns those who were in it. Remembers the reach of bots among them. */
export async function takeOut(
  tx: Transaction,
  topicId: string,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const gone = await tx.query<{ id: string; reach: Reach }>(sql`
    delete from topic_members where org_id = ${tx.orgId} and topic_id = ${topicId} and profile_id = any(${memberIds})
    returning profile_id as id, reach`)
  const bots = gone.filter(({ id }) => isBotId(id))
  if (bots.length > 0)
    await tx.query(sql`
      insert into former_reaches (org_id, topic_id, bot_id, reach)
      select ${tx.orgId}, ${topicId}, x.* from unnest(${bots.map(({ id }) => id)}::text[], ${bots.map(({ reach }) => reach)}::text[]) as x
      on conflict (org_id, topic_id, bot_id) do update set reach = excluded.reach`)
  return new Set(gone.map(({ id }) => id))
}

/**
 * New members by their reach. A person of the topic chooses it; a bot cannot remove and add another one to give it a
 * wider reach than people did.
 */
export async function groupByReach(
  tx: Transaction,
  { profileId }: Caller,
  topicId: string,
  memberIds: readonly string[],
  reach: Reach,
): Promise<ReadonlyMap<Reach, string[]>> {
  const former = isBotId(profileId)
    ? await tx.query<{ id: string; reach: Reach }>(sql`
        select bot_id as id, reach from former_reaches
        where org_id = ${tx.orgId} and topic_id = ${topicId} and bot_id = any(${memberIds})`)
    : []
  const kept = new Map(former.map((bot) => [bot.id, bot.reach]))
  const groups = new Map<Reach, string[]>()
  for (const id of memberIds) {
    const before = kept.get(id)
    const given = before !== undefined && isWider(reach, before) ? before : reach
    groups.set(given, [...(groups.get(given) ?? []), id])
  }
  return groups
}
