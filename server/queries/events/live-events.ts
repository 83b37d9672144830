import type { Role } from '../../../contract/operation.ts'
import {
  ACTION_NOTED,
  ADMIN_CHANGE,
  FOR_EVERYBODY,
  FOR_ONE_BOT,
  MEMBER_UPDATED,
  POLL_VOTED,
} from '../../../contract/people/stream.ts'
import { isHere, needs, type PersonCaller } from '../../auth/sessions.ts'
import { isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, nothing, type Sql, sql } from '../../db/sql.ts'
import type { Bot } from '../bots/deliveries.ts'
import { addresses } from '../bots/webhook-addresses.ts'
import { guestKnows } from '../members/known-members.ts'

export type LiveEvent = { seq: number; type: string; data: string }

export type LivePage = {
  events: LiveEvent[]
  lastSeq: number
  /** Events up to this number are no longer kept. */
  floorSeq: number
  /** Whether the session still opens the organization at this moment, and in which role. */
  isOpen: boolean
  role: Role
}

type Row = Omit<LivePage, 'events'> & (LiveEvent | { seq: null })

/** Whether a session may read, for rows of `sessions` s, `profiles` p and `organizations` o. */
const isOpen = (now: number): Sql => sql`(${isHere(now)}
  and ${needs({ since: sql`s.created_at`, signedInWith: sql`s.signed_in_with` }, now)} is null)`

/**
 * Events after `position`, up to `position + span`, that a person may see, in commit order. These are events of their
 * topics since they joined, their own removals and votes, bots' notes and private answers to them, members (for guests,
 * those they know) and emoji of the organization,
 * and its changes: all of them for admins, those to themselves for others. One statement, so that rights and events are
 * of one moment.
 */
export async function readLiveEvents(
  caller: PersonCaller,
  db: Queryable,
  { position, span, limit, now }: { position: number; span: number; limit: number; now: number },
): Promise<LivePage | undefined> {
  const session = db.isSpread ? await readSession(db, caller.sessionId, now) : nothing
  if (!session) return undefined
  const rows = await db.query<Row>(sql`
    select l.last_seq as "lastSeq", l.floor_seq as "floorSeq", ${isOpen(now)} as "isOpen", p.role, x.*
    from organization_logs l
    join organizations o using (org_id)
    join profiles p on p.org_id = l.org_id and p.id = ${caller.profileId}
    ${db.isSpread ? sql`cross join ${session}` : sql`join sessions s on s.id = ${caller.sessionId} and s.expires_at > ${now}`}
    left join lateral (
      select e.seq, e.type, e.data::text as data from events e
      where e.org_id = ${caller.orgId} and e.seq > ${position} and e.seq <= ${position + span} and ${isOpen(now)}
        and e.type <> all(${FOR_ONE_BOT}::text[]) and case e.type
          when ${ADMIN_CHANGE} then p.role in ('admin', 'owner') or e.data -> 'target' ->> 'id' = p.id
          when ${POLL_VOTED} then e.data ->> 'voterId' = p.id
          when ${ACTION_NOTED} then e.data ->> 'userId' = p.id
          when ${MEMBER_UPDATED} then p.role <> 'guest' or ${guestKnows(caller.orgId, sql`e.data #>> '{member,id}'`)}
          else e.type = any(${FOR_EVERYBODY}::text[]) or exists (
            select from topic_members m where m.org_id = ${caller.orgId} and m.topic_id = e.topic_id and m.profile_id = p.id
              and m.joined_at <= e.created_at
          ) or case when e.type = 'member.removed' then p.id in (
            select json_array_elements_text(e.data -> 'memberIds')
          ) end
        end
      order by e.seq limit ${limit}
    ) x on true
    where l.org_id = ${caller.orgId}
    order by x.seq`)
  const [first] = rows
  if (!first) return undefined
  const { lastSeq, floorSeq, isOpen: opens, role } = first
  return {
    lastSeq,
    floorSeq,
    isOpen: opens,
    role,
    events: rows.flatMap((row) => (row.seq === null ? [] : [row])),
  }
}

/** A session as a separate row: sessions are in the center, and the rows read with one are not. */
async function readSession(db: Queryable, id: string, now: number): Promise<Sql | undefined> {
  const [row] = await db.query<{ since: number; with: string }>(sql`
    select created_at as since, signed_in_with as "with" from sessions where id = ${id} and expires_at > ${now}`)
  return row && sql`(select ${row.since}::bigint as created_at, ${row.with}::text as signed_in_with) s`
}

/**
 * Whether each caller is still signed in, and a member of an organization that still shows the same presence: a stream
 * that reconnects shows the new setting. It only reads, so that an open page does not prolong its session.
 */
export async function readStillThere(
  callers: readonly PersonCaller[],
  db: Queryable,
  now: number,
): Promise<boolean[]> {
  const rows = await db.query<{
    place: number
  }>(sql`${crossing('what is wanted of several organizations is asked for together')}
    select x.place::integer
    from unnest(${callers.map(({ sessionId }) => sessionId)}::uuid[], ${callers.map(({ orgId }) => orgId)}::uuid[],
      ${callers.map(({ profileId }) => profileId)}::text[], ${callers.map(({ showsPresence }) => showsPresence)}::boolean[],
      ${callers.map(isGuest)}::boolean[])
      with ordinality as x (session_id, org_id, profile_id, shows_presence, is_guest, place)
    join sessions s on s.id = x.session_id and s.expires_at > ${now}
    join profiles p on p.account_id = s.account_id and p.org_id = x.org_id and p.id = x.profile_id
    join organizations o on o.org_id = p.org_id
    where ${isOpen(now)} and o.show_presence = x.shows_presence and (p.role = 'guest') = x.is_guest`)
  const there = new Set(rows.map(({ place }) => place))
  return callers.map((_, index) => there.has(index + 1))
}

const LOOKED_AT = 50

/** Differs from the one before when anything has changed about the newest deliveries to a bot's addresses, or those that are due. */
export async function fingerprintDeliveries(
  { orgId, botId }: Bot,
  db: Queryable,
): Promise<string | undefined> {
  const [row] = await db.query<{ fingerprint: string }>(sql`
    select md5(string_agg(concat_ws(' ', b.id, b.delivery, b.active, b.paused_at, b.webhook_paused_at, b.failing_since, b.failing_attempts, (
      select string_agg(concat_ws(' ', d.seq, d.state, d.attempts, d.due_at), ',') from (
        select * from deliveries d where d.org_id = ${orgId} and d.bot_id = b.id order by d.seq desc limit ${LOOKED_AT}
      ) d
    ), (
      select string_agg(concat_ws(' ', d.seq, d.attempts, d.due_at), ',') from (
        select * from deliveries d where d.org_id = ${orgId} and d.bot_id = b.id and d.state = 'pending'
        order by d.due_at, d.seq limit ${LOOKED_AT}
      ) d
    )), ' ' order by b.id)) as fingerprint
    from ${addresses} b where b.org_id = ${orgId} and b.bot_id = ${botId}`)
  return row?.fingerprint
}
