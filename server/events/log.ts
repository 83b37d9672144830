import type { EventData, EventType } from '../../contract/events.ts'
import { nothing, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { deliveryId } from '../webhooks/delivery-id.ts'

/** Bots are one range of the index on profile ids: after `b@`, before `bA`. */
export const isBotId = sql`profile_id >= 'b@' and profile_id < 'bA'`

export type Audience = {
  /** One who does not get it although in the topic. */
  except?: string
  /** Some who get it although no longer in the topic; those among them that are bots. */
  also?: readonly string[]
  /** Only bots that asked for events about votes. */
  pollVotes?: boolean
}

/**
 * Writes an event into the log: every bot that is in the topic as this transaction commits receives it. Who that
 * is, is fixed here; later joins and leaves change nothing about it. For bots with a webhook it also writes the
 * delivery.
 */
export async function emit<Type extends EventType>(
  tx: Transaction,
  type: Type,
  topicId: string,
  data: EventData[Type],
  { except, also = [], pollVotes = false }: Audience = {},
): Promise<void> {
  const { id, at } = tx.moment()
  const seq = tx.nextSeq()
  const rows = await tx.query<{ bot_id: string }>(sql`
    with event as (
      insert into events (org_id, seq, id, type, topic_id, data, created_at)
      values (${tx.orgId}, ${seq}, ${id}, ${type}, ${topicId}, ${JSON.stringify(data)}, ${at})
    ), audience as (
      select profile_id from topic_members where org_id = ${tx.orgId} and topic_id = ${topicId} and ${isBotId}
      union
      select profile_id from unnest(${also}::text[]) as profile_id where profile_id like 'b@%'
    ), receiver as (
      insert into event_audience (org_id, bot_id, seq)
      select ${tx.orgId}, profile_id, ${seq} from audience
      where profile_id is distinct from ${except ?? null} and exists (
        select from bots b
        where b.org_id = ${tx.orgId} and b.id = profile_id ${pollVotes ? sql`and b.poll_vote_events` : nothing}
      )
      returning bot_id
    ), delivery as (
      insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
      select ${tx.orgId}, b.id, ${seq}, ${deliveryId(sql`${id}`, sql`b.id`)}, ${topicId}, ${at}
      from receiver join bots b on b.org_id = ${tx.orgId} and b.id = receiver.bot_id and b.delivery = 'webhook'
    )
    select bot_id from receiver`)
  tx.addresses(rows.map((row) => row.bot_id))
}
