import { setTimeout as sleep } from 'node:timers/promises'
import { NAMELESS } from '../../../contract/members.ts'
import type { Database } from '../../db/database.ts'
import { type Sql, sql, verbatim } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { redactName } from '../../events/redact-names.ts'
import { firstUuidAt } from '../../ids.ts'
import type { LongWork } from '../../long-work.ts'
import {
  type Erasure,
  type ErasureState,
  FAILURES_TOLD,
  readErasure,
  readErasureState,
} from '../../queries/members/erasures.ts'
import { isMemberHeld } from '../../queries/organization/holds.ts'
import { audit, type Change, SERVER } from '../organization/audit.ts'
import { type Deleted, STEP as MESSAGES, removeTogether } from '../organization/message-retention.ts'
import { forgetRehearsals } from '../rehearsals/rehearsals.ts'
import { tellMember } from './member-events.ts'

/** Rows of one step: the organization's writer waits while one runs. */
const ROWS = 1000
/** Topics of one step that are looked through for messages. */
const TOPICS = 500
/** Interval for looking again at a hold set after the erasure began. */
const HELD_LOOK_MS = 3_600_000
/** Waits before a failed step is tried again; the last one repeats. */
const AGAIN_MS = [1, 5, 15, 60, 360].map((minutes) => minutes * 60_000)

/** The place that a step has reached; undefined if it is done. */
type Reached = string | undefined
type Step = (tx: Transaction, erasure: Erasure) => Promise<Reached>

const STEPS: Record<Erasure['step'], Step> = {
  own: deleteOwn,
  answers: clearAnswers,
  messages: deleteMessages,
  audit: clearAudit,
  log: clearLog,
}
const ORDER = Object.keys(STEPS) as Erasure['step'][]

/**
 * Erases the next part of a person's data. Returns whether there is more. Another node that comes second does the next
 * part.
 */
export async function eraseSome(tx: Transaction, profileId: string): Promise<boolean> {
  const erasure = await readErasure(tx, tx, { profileId, now: tx.now() })
  if (!erasure) return false
  if (erasure.step === 'messages' && (await isMemberHeld(tx, tx, profileId))) {
    await move(tx, profileId, sql`due_at = ${tx.now() + HELD_LOOK_MS}, failures = 0`)
    return false
  }
  const reached = await STEPS[erasure.step](tx, erasure)
  if (reached !== undefined) {
    await move(tx, profileId, sql`done_to = ${reached}, failures = 0`)
    return true
  }
  if (erasure.step === 'log') await forgetRehearsals(tx) // those that were begun after the erasure
  const next = ORDER[ORDER.indexOf(erasure.step) + 1]
  if (next !== undefined) {
    await move(tx, profileId, sql`step = ${next}, done_to = null, failures = 0`)
    return true
  }
  await move(
    tx,
    profileId,
    sql`names = '{}', done_to = null, due_at = null, failures = 0, finished_at = ${tx.now()}`,
  )
  await tell(tx, profileId, 'member.data_deletion_finished')
  // Nodes drop the log from memory when they hear this.
  await tellMember(tx, profileId)
  return false
}

/** Time to rest for each time that was worked beside a server: what people write goes first. */
const REST_FACTOR = 4

/** Does all steps of an erasure that has begun, beside a server that may do some of them. Returns whether it is finished. */
export async function eraseAll(
  db: Database,
  { orgId, profileId }: { orgId: string; profileId: string },
  { serverRuns, work }: { serverRuns: boolean; work: LongWork },
): Promise<boolean> {
  work.begin('Erasing', { unit: 'share' })
  for (let isMore = true; isMore; ) {
    const began = performance.now()
    isMore = await db.write(orgId, (tx) => eraseSome(tx, profileId))
    const state = await readErasureState({ orgId, profileId }, db)
    if (!state || state.isFinished) return true
    work.advance(1, shareOf(state))
    if (isMore && serverRuns) await sleep(REST_FACTOR * (performance.now() - began))
  }
  return false
}

/** How much is done, from 0 to 1, where each step counts the same. Ids of topics are random, so their place is a share. */
function shareOf({ step, doneTo, logTo }: ErasureState): number {
  const place = doneTo ?? ''
  const within =
    step === 'messages' ? Number.parseInt(place.slice(0, 8) || '0', 16) / 2 ** 32 : Number(place) / logTo
  const reached = step === 'messages' || step === 'log' ? Math.min(1, within || 0) : 0
  return (ORDER.indexOf(step) + reached) / ORDER.length
}

/** Lets other erasures go first after a failed step. The audit log informs admins once that it keeps failing. */
export async function putOff(tx: Transaction, profileId: string): Promise<void> {
  const erasure = await readErasure(tx, tx, { profileId, now: tx.now() })
  if (!erasure) return
  const failures = erasure.failures + 1
  const wait = AGAIN_MS[Math.min(failures, AGAIN_MS.length) - 1] ?? 0
  await move(tx, profileId, sql`failures = ${failures}, due_at = ${tx.now() + wait}`)
  if (failures === FAILURES_TOLD) await tell(tx, profileId, 'member.data_deletion_failed')
}

const tell = (
  tx: Transaction,
  id: string,
  action: 'member.data_deletion_finished' | 'member.data_deletion_failed',
): Promise<void> => audit(tx, SERVER, { action, target: { type: 'member', id, name: NAMELESS } })

const move = (tx: Transaction, profileId: string, changes: Sql): Promise<unknown> =>
  tx.query(sql`update erasures set ${changes} where org_id = ${tx.orgId} and profile_id = ${profileId}`)

/** Tables whose rows belong to one person alone, each with the column that has their id. */
const OWN: readonly (readonly [table: string, column: string])[] = [
  ['drafts', 'profile_id'],
  ['saved_messages', 'profile_id'],
  ['notification_settings', 'profile_id'],
  ['topic_states', 'profile_id'],
  ['sidebar_sections', 'profile_id'],
  ['thread_follows', 'profile_id'],
  ['mentions', 'profile_id'],
  ['missed_messages', 'profile_id'],
  ['pushes', 'profile_id'],
  ['org_unit_members', 'profile_id'],
  ['member_group_members', 'profile_id'],
  ['scim_people', 'profile_id'],
  ['idempotent_answers', 'owner'],
  ['private_answers', 'profile_id'], // last: an erasure that is under way counts places in this list
]

async function deleteOwn(tx: Transaction, { profileId, doneTo }: Erasure): Promise<Reached> {
  const place = Number(doneTo ?? 0)
  const own = OWN[place]
  if (!own) return undefined
  const [table, column] = own.map(verbatim)
  const gone = await tx.query(sql`
    delete from ${table} where org_id = ${tx.orgId} and ${column} = ${profileId} and ctid = any(array(
      select x.ctid from ${table} x where x.org_id = ${tx.orgId} and x.${column} = ${profileId} limit ${ROWS}))
    returning 1`)
  return String(gone.length === ROWS ? place : place + 1)
}

/**
 * Answers to bots stay, since questions count them; the texts that they wrote into forms go, and so do notes of bots to them. All answers
 * are gone through: there is no index of those of one person.
 */
async function clearAnswers(tx: Transaction, { profileId, doneTo }: Erasure): Promise<Reached> {
  const rows = await tx.query<{ id: string; isTheirs: boolean }>(sql`
    select id, profile_id = ${profileId} as "isTheirs" from message_actions
    where org_id = ${tx.orgId} and id > ${doneTo ?? firstUuidAt(0)} order by id limit ${ROWS}`)
  const theirs = rows.filter(({ isTheirs }) => isTheirs).map(({ id }) => id)
  if (theirs.length > 0)
    await tx.query(sql`
      update message_actions set field_values = case when field_values is not null then '{}'::jsonb end, note = null
      where org_id = ${tx.orgId} and id = any(${theirs}::uuid[])`)
  return rows.length === ROWS ? rows.at(-1)?.id : undefined
}

/**
 * Deletes messages topic by topic, because there is no index of messages by author. Each step begins after the last
 * message of the one before, to skip what is gone already. System messages about tasks in their name stay.
 */
async function deleteMessages(
  tx: Transaction,
  { profileId, withMessages, doneTo }: Erasure,
): Promise<Reached> {
  if (!withMessages) return undefined
  const written = sql`m.org_id = ${tx.orgId} and m.sender_id = ${profileId} and not m.is_system`
  const [reached = firstUuidAt(0), after] = doneTo?.split(' ') ?? []
  const topicId = after === undefined ? await nextTopic(tx, written, reached) : reached
  if (topicId === undefined) return lastOfNext(tx, reached)
  const messages = await tx.query<Deleted>(sql`
    select m.id, m.sender_id, m.mentions, m.parent_id, m.thread_only, m.details, m.attachments from messages m
    where ${written} and m.topic_id = ${topicId} and m.id > ${after ?? firstUuidAt(0)} order by m.id limit ${MESSAGES}`)
  await removeTogether(tx, topicId, messages, 'erasure')
  return messages.length === MESSAGES ? `${topicId} ${messages.at(-1)?.id}` : topicId
}

const topicsBehind = (tx: Transaction, topicId: string): Sql => sql`
  select t.id from topics t where t.org_id = ${tx.orgId} and t.id > ${topicId} order by t.id limit ${TOPICS}`

/** The first of the following topics in which they wrote. */
async function nextTopic(tx: Transaction, written: Sql, topicId: string): Promise<string | undefined> {
  const [topic] = await tx.query<{ id: string }>(sql`
    select t.id from (${topicsBehind(tx, topicId)}) t
    where exists (select from messages m where ${written} and m.topic_id = t.id) order by t.id limit 1`)
  return topic?.id
}

/** The place behind the next topics, none of which they wrote in; undefined: there are no more. */
async function lastOfNext(tx: Transaction, topicId: string): Promise<Reached> {
  const topics = await tx.query<{ id: string }>(topicsBehind(tx, topicId))
  return topics.length === TOPICS ? topics.at(-1)?.id : undefined
}

type AuditRow = {
  id: string
  actorId: string | null
  targetType: string
  targetId: string
  changes: Change[]
}

async function clearAudit(tx: Transaction, { profileId, names, doneTo }: Erasure): Promise<Reached> {
  const { orgId } = tx
  const rows = await tx.query<AuditRow>(sql`
    select id, actor_id as "actorId", target_type as "targetType", target_id as "targetId", changes from audit_log
    where org_id = ${orgId} and id > ${doneTo ?? firstUuidAt(0)} order by id limit ${ROWS}`)
  const about = await tx.query<{ id: string }>(sql`
    select id::text as id from message_reports where org_id = ${orgId} and sender_id = ${profileId}
    union all select id::text from legal_holds where org_id = ${orgId} and profile_id = ${profileId}
    union all select r.id::text from content_readings r left join legal_holds h on h.org_id = ${orgId} and h.id::text = r.subject_id
      where r.org_id = ${orgId} and ${profileId} in (r.subject_id, h.profile_id)`)
  const named = new Set([profileId, ...about.map(({ id }) => id)])
  const cleared = rows.flatMap((row) => {
    const isActor = row.actorId === profileId
    const isTarget = named.has(row.targetId)
    const changes = JSON.stringify(namelessChanges(row, profileId, names))
    const isChanged = changes !== JSON.stringify(row.changes)
    return isActor || isTarget || isChanged ? [{ id: row.id, isActor, isTarget, changes }] : []
  })
  if (cleared.length > 0)
    await tx.query(sql`
      update audit_log a set changes = x.changes::jsonb,
        actor_name = case when x.is_actor then ${NAMELESS} else a.actor_name end,
        target_name = case when x.is_target then ${NAMELESS} else a.target_name end,
        client_address = case when x.is_actor then null else a.client_address end,
        client_user_agent = case when x.is_actor then null else a.client_user_agent end
      from unnest(${cleared.map(({ id }) => id)}::uuid[], ${cleared.map(({ isActor }) => isActor)}::boolean[],
        ${cleared.map(({ isTarget }) => isTarget)}::boolean[], ${cleared.map(({ changes }) => changes)}::text[])
        as x (id, is_actor, is_target, changes)
      where a.org_id = ${orgId} and a.id = x.id`)
  return rows.length === ROWS ? rows.at(-1)?.id : undefined
}

/** Fields of audit entries that identify a member. */
const OF_A_MEMBER = ['name', 'userName', 'email', 'phone', 'externalId', 'title', 'timeZone']
/** Fields of other entries that name members; entries of earlier versions name them without their ids. */
const NAMING = ['owner', 'member', 'members', 'added', 'removed', 'email', 'fourEyesEndAsked']

function namelessChanges(
  { actorId, targetType, targetId, changes }: AuditRow,
  profileId: string,
  names: readonly string[],
): Change[] {
  if (targetType === 'member' && targetId === profileId)
    return changes.filter(({ field }) => !OF_A_MEMBER.includes(field))
  const nameless = (text: string) =>
    text
      .split(', ')
      .map((name) => (names.includes(name) ? NAMELESS : name))
      .join(', ')
  return changes.map((change) => {
    const { field, from, to, fromId, toId } = change
    // Texts that they wrote into the form of an approval.
    if (actorId === profileId && field === 'form') return { field, to: '{}' }
    if (fromId !== undefined || toId !== undefined)
      return {
        ...change,
        ...(fromId === profileId && { from: NAMELESS }),
        ...(toId === profileId && { to: NAMELESS }),
      }
    if (!NAMING.includes(field)) return change
    return {
      ...change,
      ...(from !== undefined && { from: nameless(from) }),
      ...(to !== undefined && { to: nameless(to) }),
    }
  })
}

/** Events stay: readers count on numbers without gaps. */
async function clearLog(tx: Transaction, { profileId, logTo, doneTo }: Erasure): Promise<Reached> {
  const [first] = await tx.query<{ seq: number }>(sql`
    select seq from events where org_id = ${tx.orgId} and seq > ${Number(doneTo ?? 0)} order by seq limit 1`)
  if (!first || first.seq > logTo) return undefined
  const last = Math.min(first.seq + ROWS - 1, logTo)
  const rows = await tx.query<{ seq: number; data: string }>(sql`
    select seq, data::text as data from events
    where org_id = ${tx.orgId} and seq >= ${first.seq} and seq <= ${last} and strpos(data::text, ${profileId}) > 0`)
  const cleared = rows.flatMap(({ seq, data }) => {
    const told = JSON.parse(data)
    const nameless = JSON.stringify(redactName(told, profileId))
    return nameless === JSON.stringify(told) ? [] : [{ seq, data: nameless }]
  })
  if (cleared.length > 0)
    await tx.query(sql`
      update events e set data = x.data::json
      from unnest(${cleared.map(({ seq }) => seq)}::bigint[], ${cleared.map(({ data }) => data)}::text[]) as x (seq, data)
      where e.org_id = ${tx.orgId} and e.seq = x.seq`)
  return String(last)
}
