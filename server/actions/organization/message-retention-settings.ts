import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import type { OrganizationRow } from '../../queries/organization/organizations.ts'
import { audit, type Change, changesBetween, SERVER } from './audit.ts'
import { mailOwners } from './owner-mail.ts'
import { planMessageRetentionHere } from './spread-news.ts'

/** Time in which a shorter retention can be cancelled. */
export const DELAY_MS = 86_400_000

const isShorter = (wanted: number | null, kept: number | null): boolean =>
  (wanted ?? Number.POSITIVE_INFINITY) < (kept ?? Number.POSITIVE_INFINITY)

/**
 * Plans a shorter retention time, and informs all owners; any other choice cancels the plan. Returns what changed, and
 * whether it applies at once.
 */
export async function planKeptMessages(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  { keepMessagesDays, keepMessagesNext }: OrganizationRow,
  wanted: number | null,
): Promise<{ changes: Change[]; isNow: boolean }> {
  if (caller.role !== 'owner') throw refusal('retention_for_owners')
  const isNow = !isShorter(wanted, keepMessagesDays)
  const planned = isNow ? null : wanted
  const before = keepMessagesNext?.days ?? null
  if (planned === before) return { changes: [], isNow }
  const at = planned === null ? null : tx.now() + DELAY_MS
  await tx.query(sql`
    update organizations set keep_messages_next_days = ${planned}, keep_messages_next_at = ${at},
      keep_messages_next_by = ${planned === null ? null : caller.profileId}
    where org_id = ${tx.orgId}`)
  if (planned !== null && at !== null) await tellOwners(tx, parley, caller, { days: planned, at })
  return {
    changes: changesBetween({ keepMessagesPlanned: before }, { keepMessagesPlanned: planned }),
    isNow,
  }
}

/** Mails all owners that messages will be deleted sooner: those of one topic, or of the whole organization. */
async function tellOwners(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  { profileId }: PersonCaller,
  { days, at, topic }: { days: number; at: number; topic?: { id: string; name: string } },
): Promise<void> {
  const [owner] = await tx.query<{ name: string }>(
    sql`select name from profiles where org_id = ${tx.orgId} and id = ${profileId}`,
  )
  const name = owner?.name ?? ''
  const time = asIs(new Date(at).toISOString().slice(0, 16).replace('T', ' '))
  const page = topic ? `topics/${topic.id}` : 'records'
  const link = asIs(`${parley.config.baseUrl}/console/${tx.orgId}/${page}`)
  await mailOwners(tx, parley, (organization) => {
    const place = topic ? mailWords`${topic.name} (${organization})` : mailWords`${organization}`
    return {
      en: {
        subject: mailWords`Messages in ${place} will be kept for only ${days} days`,
        text: mailWords`${name} set message retention in ${place} to ${days} days. It takes effect at ${time} UTC: older messages
will then be permanently deleted. Until then, any owner can cancel this.

${link}
`,
      },
      de: {
        subject: mailWords`Nachrichten von ${place} bleiben künftig nur ${days} Tage`,
        text: mailWords`${name} hat festgelegt, dass Nachrichten von ${place} ${days} Tage aufbewahrt werden. Das gilt ab ${time} UTC: ältere
Nachrichten werden dann endgültig gelöscht. Bis dahin kann jeder Eigentümer es abbrechen.

${link}
`,
      },
    }
  })
}

/**
 * Sets how long a topic's messages are kept, regardless of the organization's setting. Returns what changed. Only
 * owners may shorten it: with fewer days for the topic, or by following an organization that keeps messages for less,
 * now or by a planned change. All owners get a mail about a shorter time, and for a day nothing in the topic is deleted
 * by its age. A longer time does not end that day: it may still be shorter than the one before.
 */
export async function keepTopicMessages(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  topicId: string,
  wanted: number | null,
): Promise<Change[]> {
  const [kept] = await tx.query<{
    name: string
    own: number | null
    inherited: number | null
    planned: number | null
  }>(sql`
    select t.name, t.keep_messages_days as own, o.keep_messages_days as inherited, o.keep_messages_next_days as planned
    from topics t join organizations o on o.org_id = ${tx.orgId}
    where t.org_id = ${tx.orgId} and t.id = ${topicId}`)
  if (!kept) throw refusal('topic_not_found')
  const { name, own, inherited, planned } = kept
  const isShortened = [inherited, planned ?? inherited].some((days) =>
    isShorter(daysOfTopic(wanted, days), daysOfTopic(own, days)),
  )
  if (isShortened && caller.role !== 'owner') throw refusal('shorter_retention_for_owners')
  const from = isShortened ? tx.now() + DELAY_MS : null
  await tx.query(sql`
    update topics set keep_messages_days = ${wanted}, keep_messages_from = coalesce(${from}, keep_messages_from)
    where org_id = ${tx.orgId} and id = ${topicId}`)
  const days = daysOfTopic(wanted, planned ?? inherited)
  if (from !== null && days !== null)
    await tellOwners(tx, parley, caller, { days, at: from, topic: { id: topicId, name } })
  return changesBetween({ keepMessagesDays: own }, { keepMessagesDays: wanted })
}

/** Days that a topic's messages are kept; null means forever, which a topic stores as 0. */
const daysOfTopic = (own: number | null, inherited: number | null): number | null =>
  own === 0 ? null : (own ?? inherited)

/** Applies a planned time that was not cancelled. The second of two nodes finds nothing to do. */
export async function applyKeptMessages(tx: Transaction): Promise<void> {
  const [plan] = await tx.query<{ name: string; before: number | null; days: number }>(sql`
    select name, keep_messages_days as before, keep_messages_next_days as days from organizations
    where org_id = ${tx.orgId} and keep_messages_next_at <= ${tx.now()}`)
  if (!plan) return
  await tx.query(sql`
    update organizations set keep_messages_days = keep_messages_next_days, keep_messages_next_days = null, keep_messages_next_at = null,
      keep_messages_next_by = null, updated_at = ${tx.now()}
    where org_id = ${tx.orgId}`)
  await planMessageRetentionHere(tx)
  await audit(tx, SERVER, {
    action: 'organization.changed',
    target: { type: 'organization', id: tx.orgId, name: plan.name },
    changes: changesBetween({ keepMessagesDays: plan.before }, { keepMessagesDays: plan.days }),
  })
}
