import { LIMITS } from '../../../contract/limits.ts'
import type { Report } from '../../../contract/people/reports.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal, tooMany } from '../../errors.ts'
import { firstUuidAt } from '../../ids.ts'
import { type MessageRow, readVisibleMessage } from '../../queries/messages/messages.ts'
import { type ReportRow, readMessageOfAnyone, readReport } from '../../queries/organization/reports.ts'
import { removeMessage } from '../messages/messages.ts'
import { actorOf, audit } from './audit.ts'

const HOUR_MS = 3_600_000

/** Tells admins of a message. Its present content is kept with the report, since its sender may change it. */
export async function reportMessage(
  tx: Transaction,
  caller: PersonCaller,
  messageId: string,
  reason: string,
): Promise<void> {
  const message = await readVisibleMessage(caller, tx, messageId)
  if (!message) throw refusal('message_not_found')
  if (message.is_system || message.sender_id === caller.profileId) throw refusal('message_not_reportable')
  const [known] = await tx.query(sql`
    update message_reports set reason = ${reason}
    where org_id = ${tx.orgId} and message_id = ${message.id} and reporter_id = ${caller.profileId} and outcome is null
    returning 1`)
  if (known) return
  await refuseTooMany(tx, caller)
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into message_reports (org_id, id, message_id, topic_id, sender_id, text, reporter_id, reason, created_at)
    values (${tx.orgId}, ${id}, ${message.id}, ${message.topic_id}, ${message.sender_id}, ${message.text},
      ${caller.profileId}, ${reason}, ${at})`)
  await tell(tx, caller, { id, sender_name: message.sender_name }, 'report.made')
}

async function refuseTooMany(tx: Transaction, { profileId }: PersonCaller): Promise<void> {
  const since = tx.now() - HOUR_MS
  const recent = await tx.query<{ created_at: number }>(sql`
    select created_at from message_reports
    where org_id = ${tx.orgId} and reporter_id = ${profileId} and id >= ${firstUuidAt(since)}
    order by id limit ${LIMITS.reportsPerHour}`)
  const [first] = recent
  if (first && recent.length >= LIMITS.reportsPerHour)
    throw tooMany(first.created_at - since, 'reports_limited')
}

/** Reads a reported message, and nothing around it: that alone was handed to admins. Each time is in the audit log. */
export async function openReport(
  tx: Transaction,
  caller: PersonCaller,
  reportId: string,
): Promise<{ report: ReportRow; message: MessageRow | undefined }> {
  const report = await requireReport(tx, reportId)
  const message = await readMessageOfAnyone(tx, tx, report.message_id)
  await tell(tx, caller, report, 'report.read')
  return { report, message }
}

/** Counts for all open reports of the message. One that is gone already needs no deleting. */
export async function decideReport(
  tx: Transaction,
  caller: PersonCaller,
  reportId: string,
  outcome: NonNullable<Report['outcome']>,
): Promise<ReportRow> {
  const report = await requireReport(tx, reportId)
  if (report.outcome !== null) throw refusal('report_decided')
  const message = outcome === 'deleted' ? await readMessageOfAnyone(tx, tx, report.message_id) : undefined
  if (message) await removeMessage(tx, caller, message)
  await tx.query(sql`
    update message_reports set outcome = ${outcome}, decided_by = ${caller.profileId}, decided_at = ${tx.now()}
    where org_id = ${tx.orgId} and message_id = ${report.message_id} and outcome is null`)
  await tell(tx, caller, report, outcome === 'deleted' ? 'report.message_deleted' : 'report.dismissed')
  return requireReport(tx, reportId)
}

async function requireReport(tx: Transaction, reportId: string): Promise<ReportRow> {
  const report = await readReport(tx, tx, reportId)
  if (!report) throw refusal('report_not_found')
  return report
}

/** Writes the audit entry under the sender's name: reports have no name. */
const tell = (
  tx: Transaction,
  caller: PersonCaller,
  { id, sender_name: name }: Pick<ReportRow, 'id' | 'sender_name'>,
  action: 'report.made' | 'report.read' | 'report.dismissed' | 'report.message_deleted',
): Promise<void> => audit(tx, actorOf(caller), { action, target: { type: 'report', id, name } })
