import { LIMITS } from '../../../contract/limits.ts'
import { isAdminRole, type Role } from '../../../contract/operation.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Parley } from '../../parley.ts'
import { type InvitationState, listPendingPeople, stateOf } from '../../queries/members/invitations.ts'
import { readPerson } from '../../queries/members/people.ts'
import { actorOf, auditOrganization, changesBetween } from '../organization/audit.ts'
import { mailInvitation } from './people.ts'

export type Asked = { role?: Role; search?: string; expired?: boolean }

/** Asks for an invitation of everybody who has none; a worker sends them, as limits allow. */
export async function askForInvitations(
  tx: Transaction,
  caller: Caller,
  { expired = false, ...filters }: Asked,
): Promise<void> {
  const wanted: readonly InvitationState[] = expired ? ['missing', 'expired'] : ['missing']
  const people = await listPendingPeople(caller, tx, filters)
  const ids = people.flatMap((person) => (wanted.includes(stateOf(person, tx.now())) ? [person.id] : []))
  if (ids.length === 0) return
  await tx.query(sql`
    update profiles set invite_at = ${tx.now()}, invite_by = ${caller.profileId}
    where org_id = ${tx.orgId} and id = any(${ids})`)
  const changes = changesBetween({}, { invitations: String(ids.length) })
  await auditOrganization(tx, actorOf(caller), 'organization.invitations_asked', changes)
}

/** Stops the invitations of the organization that have not gone out. */
export async function stopInvitations(tx: Transaction, caller: Caller): Promise<void> {
  const stopped = await tx.query(sql`
    update profiles set invite_at = null, invite_by = null
    where org_id = ${tx.orgId} and status = 'Pending' and invite_at is not null returning id`)
  if (stopped.length === 0) return
  const changes = changesBetween({ invitations: String(stopped.length) }, {})
  await auditOrganization(tx, actorOf(caller), 'organization.invitations_stopped', changes)
}

/**
 * Sends an invitation that was asked for, or puts it off where a limit is used up. Once the asking admin is an admin no more, all of
 * theirs are dropped.
 */
export async function sendAskedInvitation(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  personId: string,
): Promise<void> {
  const [asked] = await tx.query<{ by: string; role: Role; status: string }>(sql`
    select a.id as by, a.role, a.status from profiles p join profiles a on a.org_id = p.org_id and a.id = p.invite_by
    where p.org_id = ${tx.orgId} and p.id = ${personId} and p.status = 'Pending' and p.invite_at <= ${tx.now()}`)
  if (!asked) return
  if (!isAdminRole(asked.role) || asked.status !== 'Active') {
    await tx.query(sql`
      update profiles set invite_at = null, invite_by = null where org_id = ${tx.orgId} and invite_by = ${asked.by}`)
    return
  }
  const person = await readPerson(tx, tx, personId)
  if (!person) return
  const by = { kind: 'person', id: asked.by } as const
  const wait = await mailInvitation(tx, parley, by, person, LIMITS.askedInvitationsPerHour)
  if (wait > 0)
    await tx.query(sql`
      update profiles set invite_at = ${tx.now() + wait} where org_id = ${tx.orgId} and id = ${personId}`)
}
