import type { MessageCheck } from '../../../contract/people/message-check.ts'
import type { Caller, Client } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { randomToken } from '../../ids.ts'
import { checkWebhookUrl } from '../../network/guard.ts'
import type { Parley } from '../../parley.ts'
import { readWebhookReach } from '../../queries/bots/webhook-reach.ts'
import type { ScheduledRow } from '../../queries/messages/scheduled-messages.ts'
import { type HeldRow, readHeldMessage, readMessageCheck } from '../../queries/organization/message-checks.ts'
import { SECRET_BITS } from '../bots/bots.ts'
import { rejectMessage, releaseMessage } from '../messages/scheduled-messages.ts'
import { actorOf, audit, auditOrganization, changesBetween } from './audit.ts'
import { tellOrganizationChanged } from './spread-news.ts'

type Person = Caller & { client?: Client }
type Wanted = Pick<MessageCheck, 'address' | 'whenAway'> & { newSecret?: boolean }

export const checkSecretContext = (orgId: string): string => `message check:${orgId}`

/** Has texts checked from now on. A secret belongs to its address: what one program knows does not sign for another. */
export async function setMessageCheck(
  tx: Transaction,
  { config, secrets }: Pick<Parley, 'config' | 'secrets'>,
  caller: Person,
  { address, whenAway, newSecret = false }: Wanted,
): Promise<{ secret?: string }> {
  const { orgId } = tx
  const mistake = checkWebhookUrl(config, (await readWebhookReach(tx, config))(orgId), address)
  if (mistake) throw new Refusal(mistake.code, { text: mistake.message, field: 'address' })
  const before = await readMessageCheck(tx, tx)
  const isSame = before?.address === address && !newSecret
  if (isSame && before.whenAway === whenAway) return {}
  const secret = isSame ? undefined : randomToken(SECRET_BITS)
  const stored = secret === undefined ? before?.secret : secrets.encrypt(secret, checkSecretContext(orgId))
  const at = tx.ownMillisecond()
  await tx.query(sql`
    insert into message_checks (org_id, address, secret, when_away, set_by, set_at)
    select l.org_id, ${address}, ${stored}, ${whenAway}, ${caller.profileId}, ${at} from organization_logs l where l.org_id = ${orgId}
    on conflict (org_id) do update set address = excluded.address, secret = excluded.secret, when_away = excluded.when_away,
      set_by = excluded.set_by, set_at = excluded.set_at, failing_since = null, fault_kind = null, fault_detail = null`)
  await changeVersion(tx, at)
  const changes = changesBetween(
    { webhookUrl: before?.address, whenAway: before?.whenAway },
    { webhookUrl: address, whenAway },
  )
  await auditOrganization(tx, actorOf(caller), 'organization.message_check_set', changes)
  return secret === undefined ? {} : { secret }
}

export async function removeMessageCheck(tx: Transaction, caller: Person): Promise<void> {
  const [gone] = await tx.query<{ address: string }>(sql`
    delete from message_checks where org_id = ${tx.orgId} returning address`)
  if (!gone) throw refusal('message_check_not_found')
  await changeVersion(tx, null)
  const changes = changesBetween({}, { webhookUrl: gone.address })
  await auditOrganization(tx, actorOf(caller), 'organization.message_check_removed', changes)
}

/** Every node compares texts with this number, which it has in memory with the memberships. */
async function changeVersion(tx: Transaction, version: number | null): Promise<void> {
  await tx.query(sql`update organizations set message_check = ${version} where org_id = ${tx.orgId}`)
  await tellOrganizationChanged(tx)
}

/** Writes the entry about a test: the owner learns how the program decides. */
export async function beginCheckTest(tx: Transaction, caller: Person): Promise<void> {
  const check = await readMessageCheck(tx, tx)
  if (!check) throw refusal('message_check_not_found')
  const changes = changesBetween({}, { webhookUrl: check.address })
  await auditOrganization(tx, actorOf(caller), 'organization.message_check_tested', changes)
}

/** Reads a held message. Each time is in the audit log. */
export async function openHeldMessage(tx: Transaction, caller: Person, id: string): Promise<HeldRow> {
  const held = await requireHeld(tx, id)
  await tell(tx, caller, held, 'held_message.read')
  return held
}

export async function decideHeldMessage(
  tx: Transaction,
  caller: Person,
  id: string,
  outcome: 'released' | 'rejected',
): Promise<void> {
  const held = await requireHeld(tx, id)
  if (held.senderId === caller.profileId) throw refusal('held_message_own')
  const [row] = await tx.query<ScheduledRow>(sql`
    select * from scheduled_messages where org_id = ${tx.orgId} and id = ${held.id}`)
  if (!row) throw refusal('held_message_not_found')
  if (outcome === 'released') await releaseMessage(tx, caller, row)
  else await rejectMessage(tx, row)
  await tell(tx, caller, held, outcome === 'released' ? 'held_message.released' : 'held_message.rejected')
}

async function requireHeld(tx: Transaction, id: string): Promise<HeldRow> {
  const held = await readHeldMessage(tx, tx, id)
  if (!held) throw refusal('held_message_not_found')
  return held
}

/** Writes the audit entry under the sender's name: held messages have none. */
const tell = (
  tx: Transaction,
  caller: Person,
  { id, senderName: name }: HeldRow,
  action: 'held_message.read' | 'held_message.released' | 'held_message.rejected',
): Promise<void> => audit(tx, actorOf(caller), { action, target: { type: 'held_message', id, name } })

type Noted = { orgId: string; setAt: number; now: number; fault: MessageCheck['fault'] }

/** Keeps since when the program does not answer, or that it does again. */
export async function noteCheckFault(db: Queryable, { orgId, setAt, now, fault }: Noted): Promise<void> {
  await db.query(sql`
    update message_checks set failing_since = ${fault ? sql`coalesce(failing_since, ${now}::bigint)` : sql`null`},
      fault_kind = ${fault?.kind}, fault_detail = ${fault?.detail}
    where org_id = ${orgId} and set_at = ${setAt}`)
}
