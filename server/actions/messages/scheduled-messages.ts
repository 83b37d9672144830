import { LIMITS } from '../../../contract/limits.ts'
import { type EphemeralEventData, SCHEDULED_FAILED } from '../../../contract/people/stream.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import { textOf } from '../../../contract/refusals/index.ts'
import { mayAssistantAct } from '../../auth/assistants.ts'
import type { Caller } from '../../caller.ts'
import { cleanStep } from '../../db/clean-some.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { sendOnCommit } from '../../events/ephemeral.ts'
import { emitToBot } from '../../events/log.ts'
import { readNames } from '../../queries/messages/messages.ts'
import { countFailed, type DueMessage, type ScheduledRow } from '../../queries/messages/scheduled-messages.ts'
import { HeldForReview, REVIEWED } from '../../text-check.ts'
import { mayBeCommand, sendCommand } from '../bots/commands.ts'
import { audit, SERVER } from '../organization/audit.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { maskedIn } from '../topics/written-texts.ts'
import { checkGroupMentions } from './group-mentions.ts'
import { checkMentions, checkParent, type Question, sendText } from './messages.ts'
import { actionsOf, wordsOf } from './questions.ts'

const AHEAD_MS = LIMITS.scheduledDays * 86_400_000
/** A scheduled message that could not be sent is tried again after this time, and then after as long again as it is late already, up to an hour. */
const RETRY_MS = { least: 10_000, most: 3_600_000 }
/** A scheduled message that is late by so much has failed. */
const GIVE_UP_MS = 86_400_000
/** Time for which a sender can see why a message was not sent. */
const FAILED_KEPT_MS = 30 * 86_400_000

export type LaterMessage = Question & { sendAt: number }

/** Keeps a message until it is due. Present refusals apply here; whether it may be sent is decided again then. */
export async function scheduleMessage(tx: Transaction, caller: Caller, message: LaterMessage) {
  const { topicId, text, actions, sendAt } = message
  const isBot = isBotId(caller.profileId)
  if (actions && !isBot) throw refusal('forbidden')
  checkTime(tx, sendAt)
  // One that would be held is asked about again when it is due, and held then.
  const written = [text, ...(actions ? wordsOf(actions) : [])]
  const topic = await requireTopicToWriteIn(tx, caller, topicId, written, { maskable: text, held: 'pass' })
  return keepMessage(
    tx,
    caller,
    topic,
    { ...message, text: maskedIn(tx, text) },
    { state: 'scheduled', sendAt },
  )
}

/** Keeps a message that the organization's message check wants a person to look at. What may not be sent anyway is refused now. */
export async function holdMessage(tx: Transaction, caller: Caller, message: Question, reason: string) {
  const topic = await requireTopicToWriteIn(tx, caller, message.topicId)
  const { id, topicId, createdAt } = await keepMessage(tx, caller, topic, message, { state: 'held', reason })
  await tellReviewers(tx, { id, profile_id: caller.profileId })
  return { id, topicId, createdAt, held: true as const }
}

type Keeping = { state: 'scheduled'; sendAt: number } | { state: 'held'; reason: string }

async function keepMessage(
  tx: Transaction,
  caller: Caller,
  topic: { id: string },
  { text, actions, parentId, alsoInTopic = false, externalId }: Question,
  keeping: Keeping,
) {
  if (parentId !== undefined) await checkParent(tx, topic.id, parentId)
  await checkMentions(tx, topic.id, text)
  await checkGroupMentions(tx, caller, { topicId: topic.id, text, parentId, alsoInTopic })
  if (actions) await actionsOf(tx, topic.id, actions)
  const { id, at } = tx.moment()
  const sendAt = keeping.state === 'held' ? at : keeping.sendAt
  const heldReason = keeping.state === 'held' ? keeping.reason : null
  const added = await tx.query(sql`
    insert into scheduled_messages (org_id, id, profile_id, topic_id, text, actions, parent_id, also_in_topic, external_id, assistant,
      assistant_id, send_at, state, held_reason, created_at, updated_at)
    select l.org_id, ${id}, ${caller.profileId}, ${topic.id}, ${text}, ${actions && JSON.stringify(actions)},
      ${parentId}, ${alsoInTopic}, ${externalId}, ${caller.assistant && JSON.stringify(caller.assistant)}, ${caller.assistant?.id}, ${sendAt},
      ${keeping.state}, ${heldReason}, ${at}, ${at}
    from organization_logs l
    where l.org_id = ${tx.orgId} and (
      select count(*) from scheduled_messages where org_id = ${tx.orgId} and profile_id = ${caller.profileId}
    ) < ${LIMITS.scheduledMessages}
    returning 1`)
  if (added.length === 0) throw refusal('scheduled_messages_full')
  const held = heldReason !== null && { held: { topicId: topic.id, reason: heldReason } }
  await tellSender(tx, caller.profileId, { ...held })
  return { id, topicId: topic.id, createdAt: at, sendAt }
}

export type ScheduledChange = { text?: string; sendAt?: number }

/**
 * Changes a message before it is sent. A person's text is their own; a text that an assistant changes is marked as the
 * assistant's, and is sent only if that assistant may still send then. A person who changes a message takes it over
 * from the assistant.
 */
export async function updateScheduledMessage(
  tx: Transaction,
  caller: Caller,
  id: string,
  { text: given, sendAt }: ScheduledChange,
): Promise<ScheduledRow> {
  const before = await requireScheduled(tx, caller, id)
  if (given === undefined && sendAt === undefined)
    throw refusal('fields_missing', { fields: 'text or sendAt' })
  if (sendAt !== undefined) checkTime(tx, sendAt)
  if (before.state === 'held') throw refusal('scheduled_message_held')
  const topic = await requireTopicToWriteIn(tx, caller, before.topic_id, [given], {
    maskable: given,
    held: 'pass',
  })
  const text = given === undefined ? undefined : maskedIn(tx, given)
  if (text !== undefined) {
    await checkMentions(tx, topic.id, text)
    const { parent_id: parentId, also_in_topic: alsoInTopic } = before
    await checkGroupMentions(tx, caller, {
      topicId: topic.id,
      text,
      parentId: parentId ?? undefined,
      alsoInTopic,
    })
  }
  // A failed message is retried only at a new time: with a new text alone it would go out at once, by surprise.
  const isAnew = sendAt !== undefined
  const isOtherText = text !== undefined && text !== before.text
  const author = caller.assistant ?? (isOtherText ? null : before.assistant)
  const [after] = await tx.query<ScheduledRow>(sql`
    update scheduled_messages set text = ${text ?? before.text}, send_at = ${sendAt ?? before.send_at},
      state = ${isAnew ? 'scheduled' : before.state}, reason = ${isAnew ? null : before.reason}, retry_at = null,
      reviewed_by = ${isOtherText ? null : before.reviewed_by}, assistant = ${author && JSON.stringify(author)}, assistant_id = ${caller.assistant?.id}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${before.id} returning *`)
  if (!after) throw new Error('a scheduled message goes only with its organization held')
  await tellSender(tx, caller.profileId)
  return after
}

export async function cancelScheduledMessage(tx: Transaction, caller: Caller, id: string): Promise<void> {
  const { id: found } = await requireScheduled(tx, caller, id)
  await tx.query(sql`delete from scheduled_messages where org_id = ${tx.orgId} and id = ${found}`)
  await tellSender(tx, caller.profileId)
}

/** Sends it now, whatever its time; a refusal leaves it as it was. What an assistant sends carries its mark. */
export async function sendScheduledMessage(tx: Transaction, caller: Caller, id: string) {
  const row = await requireScheduled(tx, caller, id)
  if (row.state === 'held') throw refusal('scheduled_message_held')
  return send(tx, { ...row, assistant: caller.assistant ?? row.assistant })
}

/** Sends a due message, or notes why it cannot be sent. A message sent, changed or cancelled by now is not found. */
export async function sendDueMessage(tx: Transaction, { id, sendAt }: DueMessage): Promise<void> {
  const [row] = await tx.query<ScheduledRow>(sql`
    select * from scheduled_messages
    where org_id = ${tx.orgId} and id = ${id} and send_at = ${sendAt} and state = 'scheduled'`)
  if (!row) return
  try {
    await tx.attempt(async () => {
      await checkSender(tx, row)
      await send(tx, row)
    })
  } catch (error) {
    // An assistant's text and a bot's are held as a person's are. A program that is away is asked again later.
    if (error instanceof HeldForReview) return holdDueMessage(tx, row, error.reason)
    if (!(error instanceof Refusal) || error.code === 'message_check_away') throw error
    await fail(tx, row, error)
  }
}

async function holdDueMessage(
  tx: Transaction,
  { id, profile_id: profileId, topic_id: topicId }: ScheduledRow,
  reason: string,
) {
  await tx.query(sql`
    update scheduled_messages set state = 'held', held_reason = ${reason}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${id}`)
  await tellSender(tx, profileId, { held: { topicId, reason } })
  await tellReviewers(tx, { id, profile_id: profileId })
}

/** Sends a held message as it is: its sender's rights are checked as it goes out. */
export async function releaseMessage(tx: Transaction, reviewer: Caller, row: ScheduledRow): Promise<void> {
  const now = tx.now()
  await tx.query(sql`
    update scheduled_messages set state = 'scheduled', send_at = ${now}, retry_at = null, reviewed_by = ${reviewer.profileId}, updated_at = ${now}
    where org_id = ${tx.orgId} and id = ${row.id}`)
  await tellSender(tx, row.profile_id)
}

/** Sends a held message never. Its sender sees that in the list of scheduled messages; a bot gets an event. */
export const rejectMessage = (tx: Transaction, row: ScheduledRow): Promise<void> =>
  fail(tx, row, refusal('message_rejected'))

/** Tells open consoles that there is something to review, by the entry of the audit log. */
async function tellReviewers(
  tx: Transaction,
  { id, profile_id: profileId }: Pick<ScheduledRow, 'id' | 'profile_id'>,
) {
  const names = await readNames(tx, tx, [profileId])
  const target = { type: 'held_message' as const, id, name: names.get(profileId) ?? '' }
  await audit(tx, SERVER, { action: 'held_message.made', target })
}

/** Puts off what went wrong by no fault of the sender's, so that it does not stand in the way of what others have scheduled. */
export async function postponeDueMessage(tx: Transaction, { id, sendAt }: DueMessage): Promise<void> {
  const now = tx.now()
  const wait = Math.min(Math.max(now - sendAt, RETRY_MS.least), RETRY_MS.most)
  const [row] = await tx.query<ScheduledRow>(sql`
    update scheduled_messages set retry_at = ${now + wait}
    where org_id = ${tx.orgId} and id = ${id} and send_at = ${sendAt} and state = 'scheduled' returning *`)
  if (row && now - sendAt > GIVE_UP_MS) await fail(tx, row, refusal('internal_error'))
}

async function send(tx: Transaction, row: ScheduledRow) {
  const { profile_id: profileId, text } = row
  const caller: Caller = {
    orgId: tx.orgId,
    profileId,
    ...(row.assistant && { assistant: row.assistant }),
  }
  const message: Question = {
    topicId: row.topic_id,
    text,
    ...(row.actions && { actions: row.actions }),
    ...(row.parent_id !== null && { parentId: row.parent_id, alsoInTopic: row.also_in_topic }),
    ...(row.external_id !== null && { externalId: row.external_id }),
  }
  await tx.query(sql`delete from scheduled_messages where org_id = ${tx.orgId} and id = ${row.id}`)
  if (row.reviewed_by !== null) tx.checked = REVIEWED
  const isCommand = !isBotId(profileId) && mayBeCommand(text)
  const sent = await (isCommand ? sendCommand(tx, caller, message) : sendText(tx, caller, message))
  await tellSender(tx, profileId)
  return sent
}

async function fail(
  tx: Transaction,
  row: ScheduledRow,
  { message: reason, code: reasonCode }: Refusal,
): Promise<void> {
  const { id, profile_id: profileId, topic_id: topicId, external_id: externalId } = row
  const now = tx.now()
  await tx.query(sql`
    update scheduled_messages set state = 'failed', reason = ${reason}, updated_at = ${now}
    where org_id = ${tx.orgId} and id = ${id}`)
  if (!isBotId(profileId)) return tellSender(tx, profileId, { failure: { topicId, reason, reasonCode } })
  await emitToBot(tx, SCHEDULED_FAILED, topicId, profileId, {
    scheduledMessageId: id,
    topicId,
    ...(externalId !== null && { externalId }),
    reason,
    createdAt: now,
  })
}

type Sender = { isActive: boolean; isPaused: boolean; maySend: boolean }

/** Checks the sender's rights as a request would, because sending a scheduled message involves no request. */
async function checkSender(
  tx: Transaction,
  { profile_id: profileId, assistant_id: assistantId }: ScheduledRow,
): Promise<void> {
  const [sender] = await tx.query<Sender>(sql`
    select p.status = 'Active' and not p.needs_proof and coalesce(b.active, true) and coalesce(p.guest_until > ${tx.now()}, true) as "isActive",
      b.paused_at is not null as "isPaused",
      case b.credential when 'oauth' then 'message:send' = any(b.scopes) when 'static' then b.permission <> 'read'
        else true end as "maySend"
    from profiles p left join bots b on b.org_id = p.org_id and b.id = p.id
    where p.org_id = ${tx.orgId} and p.id = ${profileId}`)
  if (sender?.isPaused) throw refusal('bot_paused')
  if (!sender?.isActive || !sender.maySend) throw refusal('forbidden')
  const assistant = assistantId !== null && { id: assistantId, profileId }
  if (assistant && !(await mayAssistantAct(tx, assistant, 'message:send', tx.now())))
    throw refusal('scheduled_by_ended_assistant')
}

/** Sends nothing any more of what an account has scheduled in any organization. The list still shows it, with the reason. */
export async function failAllScheduled(open: OpenTransaction, accountId: string): Promise<void> {
  await open.query(sql`${crossing('a person is looked for in all their organizations')}
    update scheduled_messages x set state = 'failed', reason = ${textOf('scheduled_by_former_holder')}, updated_at = ${open.now()}
    from profiles p
    where p.account_id = ${accountId} and x.org_id = p.org_id and x.profile_id = p.id and x.state in ('scheduled', 'held')`)
}

async function requireScheduled(tx: Transaction, caller: Caller, id: string): Promise<ScheduledRow> {
  const [row] = await tx.query<ScheduledRow>(sql`
    select * from scheduled_messages
    where org_id = ${tx.orgId} and id = ${id} and profile_id = ${caller.profileId}`)
  if (!row) throw refusal('scheduled_message_not_found')
  return row
}

function checkTime(tx: Transaction, sendAt: number): void {
  const now = tx.now()
  if (sendAt <= now || sendAt > now + AHEAD_MS) throw refusal('send_time_invalid')
}

/** Bots hear of what failed by an event; people's open pages read the list again, and say what just failed. */
async function tellSender(
  tx: Transaction,
  profileId: string,
  news: Pick<EphemeralEventData['later'], 'failure' | 'held'> = {},
): Promise<void> {
  if (isBotId(profileId)) return
  const failed = await countFailed({ orgId: tx.orgId, profileId }, tx)
  const data = { failed, ...news }
  await sendOnCommit(tx, { orgId: tx.orgId, type: 'later', profileId, data })
}

export const forgetOldFailures = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, {
    table: 'scheduled_messages',
    key: 'org_id, id',
    where: sql`state = 'failed' and updated_at < ${now - FAILED_KEPT_MS}`,
    limit,
  })
