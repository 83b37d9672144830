import type { Saying } from '../../../contract/people/rehearsals.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { firstUuidAt } from '../../ids.ts'
import { eventsFor } from '../events/audience.ts'
import { isShownTo } from '../events/shown-events.ts'
import type { UpdateRow } from '../events/updates.ts'
import type { EntryRow, ValueRow } from './bot-storage.ts'

type Place = Pick<Caller, 'orgId'>

export type RehearsalRow = {
  id: string
  name: string
  startedBy: string
  startedByName: string
  fromAt: number
  heardAt: number
  events: number
  tokens: number
  createdAt: number
  expiresAt: number
  overAt: number | null
  deleteAt: number
}

const rehearsals = ({ orgId }: Place, now: number, condition: Sql): Sql => sql`
  select r.id, r.name, r.started_by as "startedBy", p.name as "startedByName", r.from_at as "fromAt", r.heard_at as "heardAt",
    r.events, r.tokens, r.created_at as "createdAt", r.expires_at as "expiresAt", r.over_at as "overAt", r.delete_at as "deleteAt"
  from rehearsals r join profiles p on p.org_id = r.org_id and p.id = r.started_by
  where r.org_id = ${orgId} and r.delete_at > ${now} and ${condition}`

/** The rehearsals of a bot, the newest first; there are few. */
export const listRehearsals = (
  place: Place,
  db: Queryable,
  botId: string,
  now: number,
): Promise<RehearsalRow[]> =>
  db.query<RehearsalRow>(
    sql`${rehearsals(place, now, sql`r.bot_id = ${botId}`)} order by r.created_at desc, r.id desc`,
  )

export async function readRehearsal(
  place: Place,
  db: Queryable,
  { botId, rehearsalId }: { botId: string; rehearsalId: string },
  now: number,
): Promise<RehearsalRow | undefined> {
  const [row] = await db.query<RehearsalRow>(
    rehearsals(place, now, sql`r.id = ${rehearsalId} and r.bot_id = ${botId}`),
  )
  return row
}

/** The number of the last event before a time. */
export async function seqBefore({ orgId }: Place, db: Queryable, time: number): Promise<number> {
  const [row] = await db.query<{ seq: number }>(sql`
    select coalesce((
      select e.seq - 1 from events e where e.org_id = ${orgId} and e.id >= ${firstUuidAt(time)} order by e.id limit 1), l.last_seq) as seq
    from organization_logs l where l.org_id = ${orgId}`)
  return row?.seq ?? 0
}

export type LoggedEvent = UpdateRow & { topicId: string; isShown: boolean }

/**
 * Events of a bot between two numbers, in order. `isShown` says which of them a person may read, who is in the topic beside the bot now.
 * Of events for the bot alone, these are the commands that the person gave.
 */
export function listEventsOf(
  { orgId, profileId: botId }: Caller,
  db: Queryable,
  readerId: string,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<LoggedEvent[]> {
  const reader = { orgId, profileId: readerId }
  const isIn = (profileId: string) => sql`exists (
    select from topic_members n where n.org_id = ${orgId} and n.topic_id = e.topic_id and n.profile_id = ${profileId})`
  return db.query<LoggedEvent>(sql`
    select e.seq, e.id, e.type, e.data::text as data, e.created_at as "createdAt", e.topic_id as "topicId",
      (${isIn(botId)} and (${isShownTo(reader)}
        or (e.type = 'message.command' and e.data ->> 'userId' = ${readerId} and ${isIn(readerId)}))) as "isShown"
    from ${eventsFor({ orgId, botId, after: sql`${after}::bigint`, limit })} a
    join events e on e.org_id = ${orgId} and e.seq = a.seq
    where e.seq <= ${until}
    order by e.seq`)
}

/** The ids of those of these messages that are there. */
export async function presentMessages(
  { orgId }: Place,
  db: Queryable,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.query<{ id: string }>(sql`
    select id from messages where org_id = ${orgId} and id = any(${ids}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

type Heard = {
  seq: number
  type: string
  topicId: string
  topicName: string
  actorName: string | null
  messageId: string | null
  threadId: string | null
  text: string | null
  at: number
  /** When the next event came in the same thread, or outside of threads, and when one among the replies to its message. */
  nextAt: number | null
  repliedAt: number | null
  isHidden: boolean
}
export type FormerRow = { id: string; text: string; createdAt: number }
export type HeardRow = Heard & { former: FormerRow[] }

/** Answers of a bot that are shown with an event, and how long after the last event of a topic there can be one. */
const FORMER = 10
const FORMER_MS = 3_600_000

/**
 * Events that a rehearsal was given, in order, for a person who compares. Hidden are topics that they are not in, and events whose
 * message was edited or deleted since: an answer to it may repeat it.
 */
export async function listHeard(
  { orgId, profileId }: Caller,
  db: Queryable,
  { botId, rehearsalId }: { botId: string; rehearsalId: string },
  { after, limit }: { after: number; limit: number },
): Promise<HeardRow[]> {
  const next = (condition: Sql): Sql => sql`(
    select n.at from rehearsal_events n
    where n.org_id = ${orgId} and n.rehearsal_id = ${rehearsalId} and n.seq > h.seq and n.topic_id = h.topic_id and ${condition}
    order by n.seq limit 1)`
  const heard = await db.query<Heard>(sql`
    select h.seq, h.type, h.topic_id as "topicId", t.name as "topicName", p.name as "actorName", h.message_id as "messageId",
      h.thread_id as "threadId", x.text, h.at,
      ${next(sql`n.thread_id is not distinct from h.thread_id`)} as "nextAt",
      ${next(sql`n.thread_id = h.message_id`)} as "repliedAt",
      (not exists (
        select from topic_members m
        where m.org_id = ${orgId} and m.topic_id = h.topic_id and m.profile_id = ${profileId} and m.joined_at <= h.at)
      or (h.type = 'message.command' and h.actor_id <> ${profileId})
      or (h.message_id is not null and (x.id is null or x.updated_at > h.heard_at))) as "isHidden"
    from rehearsal_events h
    join topics t on t.org_id = h.org_id and t.id = h.topic_id
    left join profiles p on p.org_id = h.org_id and p.id = h.actor_id
    left join messages x on x.org_id = h.org_id and x.id = h.message_id
    where h.org_id = ${orgId} and h.rehearsal_id = ${rehearsalId} and h.seq > ${after}
    order by h.seq limit ${limit}`)
  const former = await listFormer({ orgId }, db, botId, heard)
  return heard.map((row) => ({ ...row, former: former.get(row.seq) ?? [] }))
}

/** Messages that the bot really sent after each event, in its thread or in answer to its message, until the next event there. */
async function listFormer(
  { orgId }: Place,
  db: Queryable,
  botId: string,
  heard: readonly Heard[],
): Promise<Map<number, FormerRow[]>> {
  const windows = heard
    .filter(({ isHidden }) => !isHidden)
    .flatMap((event) => [
      { ...event, parentId: event.threadId, until: event.nextAt },
      ...(event.messageId === null
        ? []
        : [{ ...event, parentId: event.messageId, until: event.repliedAt ?? event.nextAt }]),
    ])
  if (windows.length === 0) return new Map()
  const rows = await db.query<FormerRow & { seq: number }>(sql`
    select w.seq, x.* from unnest(${windows.map(({ seq }) => seq)}::bigint[], ${windows.map(({ topicId }) => topicId)}::uuid[],
      ${windows.map(({ parentId }) => parentId)}::uuid[], ${windows.map(({ at }) => firstUuidAt(at))}::uuid[],
      ${windows.map(({ at, until }) => firstUuidAt(Math.min(until ?? at + FORMER_MS, at + FORMER_MS)))}::uuid[])
      as w (seq, topic_id, parent_id, first, last)
    cross join lateral (
      select m.id, m.text, m.created_at as "createdAt" from messages m
      where m.org_id = ${orgId} and m.topic_id = w.topic_id and m.sender_id = ${botId} and m.id >= w.first and m.id < w.last
        and m.parent_id is not distinct from w.parent_id
      order by m.id limit ${FORMER}
    ) x
    order by w.seq, x.id`)
  const former = new Map<number, FormerRow[]>()
  for (const { seq, ...row } of rows) former.set(seq, [...(former.get(seq) ?? []), row])
  return former
}

export type SayingRow = {
  eventSeq: number
  kind: Saying['kind']
  text: string
  data: SayingData
  /** How much there is of this event. */
  total: number
}

/** Facts of a saying besides its text. */
export type SayingData = {
  parentId?: string
  memberId?: string
  buttons?: string[]
  steps?: string[]
  sendAt?: number
  streaming?: boolean
  edited?: boolean
  deleted?: boolean
}

const SHOWN = 20

/** Sayings that belong to these events, the first of each; without those in topics that the person is not in. */
export function listSayings(
  { orgId, profileId }: Caller,
  db: Queryable,
  rehearsalId: string,
  seqs: readonly number[],
): Promise<SayingRow[]> {
  return db.query<SayingRow>(sql`
    select s."eventSeq", s.kind, s.text, s.data, s.total from (
      select y.event_seq as "eventSeq", y.kind, y.text, y.data, y.number, count(*) over (partition by y.event_seq) as total,
        row_number() over (partition by y.event_seq order by y.number) as place
      from rehearsal_sayings y
      where y.org_id = ${orgId} and y.rehearsal_id = ${rehearsalId} and y.event_seq = any(${seqs}::bigint[])
        and (y.topic_id is null or exists (
          select from topic_members m where m.org_id = ${orgId} and m.topic_id = y.topic_id and m.profile_id = ${profileId}))
    ) s
    where s.place <= ${SHOWN} order by s.number`)
}

type Storage = Place & { rehearsalId: string }

/** An entry of the storage of a rehearsal. */
export async function readStored(
  { orgId, rehearsalId }: Storage,
  db: Queryable,
  key: string,
): Promise<ValueRow | undefined> {
  const [row] = await db.query<ValueRow>(sql`
    select key, version, bytes, updated_at as "updatedAt", value from rehearsal_storage
    where org_id = ${orgId} and rehearsal_id = ${rehearsalId} and key = ${key}`)
  return row
}

/** Sorted by the bytes of the key; returns one row more than `limit`. */
export const listStored = (
  { orgId, rehearsalId }: Storage,
  db: Queryable,
  { prefix, after, limit }: { prefix: string; after?: string; limit: number },
): Promise<EntryRow[]> =>
  db.query<EntryRow>(sql`
    select key, version, bytes, updated_at as "updatedAt" from rehearsal_storage
    where org_id = ${orgId} and rehearsal_id = ${rehearsalId} and key >= ${prefix} and key < ${`${prefix}~`}
      ${after === undefined ? nothing : sql`and key > ${after}`}
    order by key limit ${limit + 1}`)
