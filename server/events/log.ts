import type { EventData, EventType } from '../../contract/events.ts'
import type { FOR_ONE_BOT, PeopleEvents } from '../../contract/people/stream.ts'
import { pipelined } from '../db/pipelined.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

export type Audience = {
  /** A member of the topic who does not get it. */
  except?: string
  /** Some who get it although no longer in the topic; those among them that are bots. */
  also?: readonly string[]
  /** Whether the event is only for bots that subscribed to votes. */
  pollVotes?: boolean
  /** Mentioned members, and the message's author: bots among them get it even if they only get mentions. */
  concerned?: readonly string[]
  /** The message at the head of its thread: bots with the reach `threads` get it if they wrote there. */
  thread?: string
}

/**
 * Tells the bots of a topic: every bot that is in it as this transaction commits, and whose reach it is in, receives the event.
 * These recipients are fixed here; later joins, leaves and reaches change nothing about them.
 */
export function emit<Type extends EventType>(
  tx: Transaction,
  type: Type,
  topicId: string,
  data: EventData[Type],
  audience: Audience = {},
): Promise<unknown> {
  return append(tx, { ...tx.moment(), type, topicId, data }, { ...audience, ofTopic: true })
}

export function emitToBot<Type extends (typeof FOR_ONE_BOT)[number]>(
  tx: Transaction,
  type: Type,
  topicId: string,
  botId: string,
  data: EventData[Type],
): Promise<unknown> {
  return append(tx, { ...tx.moment(), type, topicId, data }, { ofTopic: false, also: [botId] })
}

/** Emits to people alone: those in the topic, or the whole organization without a topic. */
export function emitToPeople<Type extends keyof PeopleEvents>(
  tx: Transaction,
  type: Type,
  topicId: string,
  data: PeopleEvents[Type],
): Promise<unknown> {
  return append(tx, { ...tx.moment(), type, topicId, data }, { ofTopic: false })
}

/** Events in a topic's history; the log itself is kept for days only. */
const TOPIC_CHANGES: readonly string[] = ['topic.updated', 'member.added', 'member.removed']

type NewEvent = { id: string; at: number; type: string; topicId: string; data: object }

/** Appends an event other than a message: whom it is for, and deliveries for webhooks. Returns its number. */
export async function append(
  tx: Transaction,
  { id, at, type, topicId, data }: NewEvent,
  { ofTopic, except, also = [], pollVotes = false, concerned = [], thread }: Audience & { ofTopic: boolean },
): Promise<number> {
  const seq = tx.nextSeq()
  const payload = JSON.stringify(data)
  const changed =
    TOPIC_CHANGES.includes(type) &&
    tx.query(sql`
      insert into topic_changes (org_id, topic_id, id, type, data, created_at)
      values (${tx.orgId}, ${topicId}, ${id}, ${type}, ${payload}, ${at})`)
  const [row] = await pipelined(
    [changed],
    tx.query<{ bot_ids: string[] }>(sql`
      select append_event_for(${tx.orgId}, ${seq}, ${id}, ${type}, ${topicId}, ${payload}, ${at}, ${ofTopic},
        ${except ?? null}, ${also}, ${pollVotes}, ${concerned}, ${thread ?? null}) as bot_ids`),
  )
  tx.appended({ seq, id, type, topicId, data: payload, createdAt: at, botIds: row?.bot_ids ?? [] })
  return seq
}
