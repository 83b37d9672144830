import type { PushSubscription } from '../../contract/people/notifications.ts'
import { isHere, needs } from '../auth/sessions.ts'
import { cleanStep } from '../db/clean-some.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, type Sql, sql } from '../db/sql.ts'
import { together } from '../db/together.ts'
import type { Secrets } from '../secrets.ts'
import type { Listener } from './audience.ts'
import type { NoticeMessage } from './notices.ts'

/** Time after which a shown notification is not withdrawn. */
const SHOWN_MS = 3 * 24 * 3_600_000

/** Read position of a reminder: it is after all others, so that no reading withdraws the reminder. */
export const NEVER_READ = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whether a session may read what is in the organization, for `profiles` p and `organizations` o. */
const mayRead = (session: Sql, now: number): Sql => sql`(${isHere(now)}
  and ${needs({ since: sql`${session}.created_at`, signedInWith: sql`${session}.signed_in_with` }, now)} is null)`

/** Adds a push for each browser of the listeners that may read the message. Returns whether there is one. */
export async function addPushes(
  tx: Queryable & { now(): number },
  orgId: string,
  listeners: readonly Pick<Listener, 'profileId' | 'messageId'>[],
  messages: ReadonlyMap<string, NoticeMessage>,
): Promise<boolean> {
  const topicIds = listeners.map(({ messageId }) => messages.get(messageId)?.topicId ?? null)
  const readAts = listeners.map(({ messageId }) => messages.get(messageId)?.readAt ?? null)
  const added = await tx.query(sql`
    insert into pushes (session_id, message_id, org_id, profile_id, topic_id, read_at, due_at, created_at)
    select u.session_id, x.message_id, ${orgId}, p.id, x.topic_id, x.read_at, ${tx.now()}, ${tx.now()}
    from unnest(${listeners.map(({ profileId }) => profileId)}::text[],
      ${listeners.map(({ messageId }) => messageId)}::uuid[], ${topicIds}::uuid[], ${readAts}::uuid[])
      as x (profile_id, message_id, topic_id, read_at)
    join profiles p on p.org_id = ${orgId} and p.id = x.profile_id
    join organizations o on o.org_id = p.org_id
    join push_subscriptions u on u.account_id = p.account_id
    join sessions s on s.id = u.session_id and s.expires_at > ${tx.now()}
    where ${mayRead(sql`s`, tx.now())}
    on conflict do nothing returning 1`)
  return added.length > 0
}

/** Notifications of deleted messages are taken back; those not yet sent are dropped. */
export async function withdrawDeleted(
  tx: Queryable & { now(): number },
  orgId: string,
  messageIds: readonly string[],
): Promise<boolean> {
  await tx.query(sql`
    delete from pushes where org_id = ${orgId} and message_id = any(${messageIds}::uuid[]) and state = 'due'`)
  const closing = await tx.query(sql`
    update pushes set state = 'closing', attempts = 0, due_at = ${tx.now()}
    where org_id = ${orgId} and message_id = any(${messageIds}::uuid[]) and state = 'shown' returning 1`)
  return closing.length > 0
}

export type Reader = { orgId: string; profileId: string }

/**
 * Takes back what these people have read, or everybody (`undefined`); whether there is any. A browser shows one notification
 * for each topic, so one message closes it.
 */
export async function withdrawRead(
  db: Queryable,
  readers: readonly Reader[] | undefined,
  now: number,
): Promise<boolean> {
  const among: Sql = readers
    ? sql`(p.org_id, p.profile_id) in (select * from unnest(${readers.map(({ orgId }) => orgId)}::uuid[],
        ${readers.map(({ profileId }) => profileId)}::text[]))`
    : sql`true`
  const rows = await db.query<{
    isClosing: boolean
  }>(sql`${crossing('what is wanted of several organizations is asked for together')}
    with read as materialized (
      select p.session_id, p.message_id, row_number() over (partition by p.session_id, p.topic_id order by p.read_at desc) = 1 as is_last
      from pushes p
      left join topic_members m on m.org_id = p.org_id and m.topic_id = p.topic_id and m.profile_id = p.profile_id
      left join topic_states s on s.org_id = p.org_id and s.profile_id = p.profile_id and s.topic_id = p.topic_id
      left join messages x on x.org_id = p.org_id and x.id = p.message_id
      left join thread_follows f on f.org_id = p.org_id and f.profile_id = p.profile_id and f.parent_id = x.parent_id
      where p.state = 'shown' and ${among} and (m.topic_id is null
        or case when x.thread_only then f.read_to else greatest(s.read_to, s.late_read_to) end >= p.read_at)
    ), earlier as (
      delete from pushes p using read r
      where p.session_id = r.session_id and p.message_id = r.message_id and not r.is_last and p.state = 'shown'
    )
    update pushes p set state = 'closing', attempts = 0, due_at = ${now} from read r
    where p.session_id = r.session_id and p.message_id = r.message_id and r.is_last and p.state = 'shown'
    returning true as "isClosing"`)
  return rows.length > 0
}

export const forgetOldPushes = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, {
    table: 'pushes',
    key: 'session_id, message_id',
    where: sql`state = 'shown' and created_at < ${now - SHOWN_MS}`,
    limit,
  })

export type ClaimedPush = {
  sessionId: string
  messageId: string
  orgId: string
  profileId: string
  topicId: string
  state: 'due' | 'closing'
  attempts: number
  isReminder: boolean
}

/** Claims due pushes until `until`. After that, another node may take those of a node that died. */
/** Whether a notification is due. */
export const isPushDue = (until: number): Sql =>
  sql`exists (select from pushes where state <> 'shown' and due_at <= ${until})`

export function claimPushes(
  db: Queryable,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<ClaimedPush[]> {
  return db.query<ClaimedPush>(sql`
    with due as materialized (
      select session_id, message_id from pushes where state <> 'shown' and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked
    )
    update pushes p set attempts = p.attempts + 1, due_at = ${until} from due
    where p.session_id = due.session_id and p.message_id = due.message_id
    returning p.session_id as "sessionId", p.message_id as "messageId", p.org_id as "orgId", p.profile_id as "profileId",
      p.topic_id as "topicId", p.state, p.attempts, p.read_at = ${NEVER_READ} as "isReminder"`)
}

export type ReadyPush = {
  sessionId: string
  messageId: string
  subscription: Buffer
  /** Whether the message is still unread and visible to them. */
  isWanted: boolean
  /** Waiting conversations of this browser. */
  waiting: number
}

type FoundPush = Omit<ClaimedPush, 'state' | 'attempts' | 'isReminder'> &
  Pick<ReadyPush, 'subscription' | 'waiting'> & {
    accountId: string
    readAt: string
    since: number
    signedInWith: string
  }

/** Reads everything for an attempt at its start. Messages read, deleted or left since then are dropped. */
export async function readReady(
  db: Queryable,
  pushes: readonly ClaimedPush[],
  now: number,
): Promise<ReadyPush[]> {
  const found = await db.query<FoundPush>(sql`
    select c.session_id as "sessionId", c.message_id as "messageId", c.org_id as "orgId", c.profile_id as "profileId",
      c.topic_id as "topicId", c.read_at as "readAt", u.subscription, u.account_id as "accountId", s.created_at as since,
      s.signed_in_with as "signedInWith",
      (select count(distinct w.topic_id)::integer from pushes w
        where w.session_id = c.session_id and (w.state = 'shown' or w.message_id = c.message_id and c.state = 'due')
      ) as waiting
    from unnest(${pushes.map(({ sessionId }) => sessionId)}::uuid[], ${pushes.map(({ messageId }) => messageId)}::uuid[])
      as k (session_id, message_id)
    join pushes c on c.session_id = k.session_id and c.message_id = k.message_id
    join push_subscriptions u on u.session_id = c.session_id
    join sessions s on s.id = u.session_id and s.expires_at > ${now}`)
  if (found.length === 0) return []
  const states = await together<Pick<ReadyPush, 'sessionId' | 'messageId' | 'isWanted'>, FoundPush>(
    db,
    found,
    (some, orgId) => readWanted(some, orgId, now),
  )
  const keyOf = ({ sessionId, messageId }: (typeof states)[number]) => `${sessionId} ${messageId}`
  const wanted = new Map(states.map((state) => [keyOf(state), state.isWanted]))
  return found.flatMap(({ sessionId, messageId, subscription, waiting }) => {
    const isWanted = wanted.get(keyOf({ sessionId, messageId, isWanted: false }))
    return isWanted === undefined ? [] : { sessionId, messageId, subscription, isWanted, waiting }
  })
}

/** Whether each is still unread, and its reader may still see it; nothing for a reader who is no member any more. */
const readWanted = (
  found: readonly FoundPush[],
  orgId: Sql,
  now: number,
): Sql => sql`${crossing('what is wanted of several organizations is asked for together')}
  select x.session_id as "sessionId", x.id as "messageId",
    ${mayRead(sql`x`, now)} and m.topic_id is not null and a.id is not null
      and x.read_at > coalesce(case when a.thread_only then f.read_to else greatest(t.read_to, t.late_read_to) end,
        '00000000-0000-0000-0000-000000000000') as "isWanted"
  from unnest(${found.map((one) => one.orgId)}::uuid[], ${found.map(({ sessionId }) => sessionId)}::uuid[],
    ${found.map(({ messageId }) => messageId)}::uuid[], ${found.map(({ profileId }) => profileId)}::text[],
    ${found.map(({ accountId }) => accountId)}::uuid[], ${found.map(({ topicId }) => topicId)}::uuid[],
    ${found.map(({ readAt }) => readAt)}::uuid[], ${found.map(({ since }) => since)}::bigint[],
    ${found.map(({ signedInWith }) => signedInWith)}::text[])
    as x (org_id, session_id, id, profile_id, account_id, topic_id, read_at, created_at, signed_in_with)
  join profiles p on p.org_id = ${orgId} and p.id = x.profile_id and p.account_id = x.account_id
  join organizations o on o.org_id = p.org_id
  left join topic_members m on m.org_id = p.org_id and m.topic_id = x.topic_id and m.profile_id = p.id
  left join topic_states t on t.org_id = p.org_id and t.profile_id = p.id and t.topic_id = x.topic_id
  left join messages a on a.org_id = p.org_id and a.id = x.id
  left join thread_follows f on f.org_id = p.org_id and f.profile_id = p.id and f.parent_id = a.parent_id`

const isHeld = ({ sessionId, messageId, state, attempts }: ClaimedPush): Sql => sql`
  session_id = ${sessionId} and message_id = ${messageId} and state = ${state} and attempts = ${attempts}`

/** Records that the browser has it: a shown notification may have to be withdrawn, a withdrawn one is finished. */
export async function finishPush(db: Queryable, push: ClaimedPush): Promise<void> {
  if (push.state === 'closing') return dropPush(db, push)
  await db.query(sql`update pushes set state = 'shown' where ${isHeld(push)}`)
}

/** Deletes the push if this attempt still holds it. */
export async function dropPush(db: Queryable, push: ClaimedPush): Promise<void> {
  await db.query(sql`delete from pushes where ${isHeld(push)}`)
}

export async function postponePush(db: Queryable, push: ClaimedPush, dueAt: number): Promise<void> {
  await db.query(sql`update pushes set due_at = ${dueAt} where ${isHeld(push)}`)
}

/** Deletes the subscription of a browser that can no longer be reached. */
export async function endSubscription(db: Queryable, sessionId: string, former: Buffer): Promise<void> {
  await db.query(sql`
    delete from push_subscriptions where session_id = ${sessionId} and subscription = ${former}`)
}

export const openSubscription = (
  secrets: Secrets,
  { sessionId, subscription }: { sessionId: string; subscription: Buffer },
): PushSubscription => JSON.parse(secrets.decrypt(subscription, `push:${sessionId}`).toString())
