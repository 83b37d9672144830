import { crossing, nothing, type Sql, sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import type { Parley } from '../parley.ts'
import { readNextReminder } from '../queries/messages/saved-messages.ts'
import { type NoteFailure, restUntil } from '../worker.ts'
import { presentReminder, readNoticeMessages } from './notices.ts'
import { addPushes, NEVER_READ } from './push-queue.ts'

/** Interval of looking for reminders given to other nodes. */
export const LOOK_MS = 2000
const AT_ONCE = 100

type Due = { orgId: string; profileId: string; messageId: string }

/**
 * Reminds people of saved messages that are due, of all organizations: by push, and on their open pages. The node that claims a
 * reminder marks it in the transaction that queues its pushes, so that it comes once. Returns the milliseconds to the next one that is due soon.
 */
export async function remindPeople(
  parley: Pick<Parley, 'clock' | 'config' | 'db' | 'ephemeral'>,
  onPushes: () => void,
  noteFailure: NoteFailure = () => {},
): Promise<number | undefined> {
  const { db, ephemeral, clock } = parley
  const next = await readNextReminder(db)
  if (next === null || next > clock()) return restUntil(next ?? undefined, clock(), LOOK_MS)
  const claims = await claimAll(parley, noteFailure)
  for (const { due, messages, hasPushes } of claims) {
    for (const { orgId, profileId, messageId } of due) {
      const message = messages.find((one) => one.orgId === orgId && one.id === messageId)
      if (!message) continue
      ephemeral.send({ orgId, type: 'notification', profileId, data: presentReminder(message) })
      ephemeral.send({ orgId, type: 'later', profileId, data: {} })
    }
    if (hasPushes) onPushes()
  }
  return claims.some(({ due }) => due.length === AT_ONCE) ? 0 : undefined
}

/**
 * Claims due reminders of all organizations in one transaction. If that fails, or with several machines, claims them
 * organization by organization, so that a failing one delays no others.
 */
async function claimAll(
  parley: Pick<Parley, 'clock' | 'config' | 'db'>,
  noteFailure: NoteFailure,
): Promise<Claim[]> {
  const { db, clock } = parley
  if (!db.isSpread)
    try {
      return [await db.transaction((open) => claim(open, parley))]
    } catch {} // which of them it was is seen below
  const organizations = await db.query<{
    id: string
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select distinct org_id as id from saved_messages
    where remind_at <= ${clock()} and remind_at is not null and reminded_at is null`)
  const claims: Claim[] = []
  for (const { id: orgId } of organizations)
    try {
      claims.push(await db.transaction((open) => claim(open, parley, orgId)))
    } catch (error) {
      noteFailure(error, { orgId })
    }
  return claims
}

type Claim = Awaited<ReturnType<typeof claim>>

async function claim(
  open: OpenTransaction,
  { config, clock }: Pick<Parley, 'clock' | 'config'>,
  only?: string,
) {
  const now = clock()
  const rows = await open.query<Claimed>(claimIn(now, only))
  const due = rows.filter(({ maySee }) => maySee)
  const messages = due.length > 0 ? await readNoticeMessages(open, due) : []
  let hasPushes = false
  for (const orgId of config.webPush ? new Set(due.map((one) => one.orgId)) : []) {
    const own = due.filter((one) => one.orgId === orgId)
    // The reminder replaces the notification of the message itself.
    await open.query(sql`
      delete from pushes p using unnest(${own.map(({ profileId }) => profileId)}::text[],
        ${own.map(({ messageId }) => messageId)}::uuid[]) as d (profile_id, message_id)
      where p.org_id = ${orgId} and p.profile_id = d.profile_id and p.message_id = d.message_id`)
    const byId = new Map(
      messages.filter((one) => one.orgId === orgId).map((one) => [one.id, { ...one, readAt: NEVER_READ }]),
    )
    const known = own.filter(({ messageId }) => byId.has(messageId))
    if (await addPushes(open, orgId, known, byId)) hasPushes = true
  }
  return { due, messages, hasPushes }
}

type Claimed = Due & { maySee: boolean }

/** Claims in all organizations, or in the named one. */
function claimIn(now: number, only?: string): Sql {
  const orgId = (column: Sql): Sql => (only === undefined ? column : sql`${only}::uuid`)
  return sql`${crossing('what is due is looked for in all organizations')}
    with due as materialized (
      select org_id, profile_id, message_id from saved_messages
      where ${only === undefined ? nothing : sql`org_id = ${only} and`} remind_at <= ${now} and remind_at is not null and reminded_at is null
      order by remind_at limit ${AT_ONCE} for update skip locked
    )
    update saved_messages s set reminded_at = ${now} from due
    where s.org_id = ${orgId(sql`due.org_id`)} and s.profile_id = due.profile_id and s.message_id = due.message_id
    returning s.org_id as "orgId", s.profile_id as "profileId", s.message_id as "messageId", exists (
      select from topic_members m
      where m.org_id = ${orgId(sql`s.org_id`)} and m.topic_id = s.topic_id and m.profile_id = s.profile_id) as "maySee"`
}
