import type { EventData, EventType } from '../../contract/events.ts'
import { ADMIN_CHANGE } from '../../contract/people/stream.ts'
import { type Sql, sql } from '../../server/db/sql.ts'
import type { TestParley } from './parley.ts'

/** An event of the log, with the bots that get it. */
export type LoggedEvent = {
  [Type in EventType]: {
    seq: number
    id: string
    type: Type
    topicId: string
    data: EventData[Type]
    createdAt: number
    to: string[]
  }
}[EventType]

/** Events for a bot, in the order of commits. */
export function eventsFor(server: TestParley, botId: string, after = 0): Promise<LoggedEvent[]> {
  return readEvents(
    server,
    sql`e.org_id = (select org_id from bot_directory where bot_id = ${botId}) and e.seq > ${after}
      and ${botId} = any(e.bot_ids)`,
  )
}

/** Every event of an organization's log. */
export function logOf(server: TestParley, orgId: string): Promise<LoggedEvent[]> {
  return readEvents(server, sql`e.org_id = ${orgId}`)
}

/** The log of an organization, without events for consoles only. */
export function eventsIn(server: TestParley, orgId: string, after = 0): Promise<LoggedEvent[]> {
  return readEvents(server, sql`e.org_id = ${orgId} and e.seq > ${after} and e.type <> ${ADMIN_CHANGE}`)
}

/**
 * Does something, and tells what that wrote into the organization's log: each event's type, receivers and data.
 * Events for consoles alone are left out.
 */
export async function during<Result>(
  server: TestParley,
  orgId: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; events: Pick<LoggedEvent, 'type' | 'to' | 'data'>[] }> {
  const before = await lastSeq(server, orgId)
  const result = await work()
  const events = await readEvents(
    server,
    sql`e.org_id = ${orgId} and e.seq > ${before} and e.type <> ${ADMIN_CHANGE}`,
  )
  return { result, events: events.map(({ type, to, data }) => ({ type, to, data })) }
}

export async function lastSeq(server: TestParley, orgId: string): Promise<number> {
  const [log] = await server.parley.db.query<{ last_seq: number }>(
    sql`select last_seq from organization_logs where org_id = ${orgId}`,
  )
  return log?.last_seq ?? 0
}

function readEvents(server: TestParley, condition: Sql): Promise<LoggedEvent[]> {
  return server.parley.db.query<LoggedEvent>(sql`
    select e.seq, e.id, e.type, e.topic_id as "topicId", e.data, e.created_at as "createdAt",
      array(select unnest(e.bot_ids) order by 1) as "to"
    from events e where ${condition} order by e.seq`)
}
