import type { AuditAction, AuditEntry, AuditTarget } from '../../../contract/people/organization.ts'
import { ADMIN_CHANGE, type AdminChange } from '../../../contract/people/stream.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller, Client } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { append } from '../../events/log.ts'

/** The topic of an event that belongs to none. */
export const NO_TOPIC = '00000000-0000-0000-0000-000000000000'

/**
 * The actor of a change: a person or a bot, a command on the server, Parley by itself, or an identity provider by SCIM; and the client it
 * came from.
 */
export type Actor = ({ kind: 'person' | 'bot'; id: string } | { kind: 'operator' | 'server' | 'scim' }) & {
  client?: Client
  assistant?: string
}

export const OPERATOR: Actor = { kind: 'operator' }
export const SERVER: Actor = { kind: 'server' }

export const actorOf = ({ profileId, client, assistant }: Caller & { client?: Client }): Actor => ({
  kind: isBotId(profileId) ? 'bot' : 'person',
  id: profileId,
  ...(client && { client }),
  ...(assistant && { assistant: assistant.name }),
})

export type Change = AuditEntry['changes'][number]

export type Audited = {
  action: AuditAction
  target: { type: AuditTarget; id: string; name: string }
  changes?: readonly Change[]
}

/**
 * Records who changed what, in the transaction of the change, and informs open consoles by an event without an
 * audience, which no bot ever sees.
 */
export async function audit(
  tx: Transaction,
  actor: Actor,
  { action, target, changes = [] }: Audited,
): Promise<void> {
  const { id, at } = tx.moment()
  const actorId = 'id' in actor ? actor.id : null
  await tx.query(sql`
    insert into audit_log (org_id, id, at, actor_kind, actor_id, actor_name, action, target_type, target_id, target_name, changes,
      client_address, client_user_agent, assistant_name)
    select l.org_id, ${id}, ${at}, ${actor.kind}, ${actorId},
      (select name from profiles where org_id = ${tx.orgId} and id = ${actorId}),
      ${action}, ${target.type}, ${target.id}, ${target.name}, ${JSON.stringify(changes.map(withoutQuery))},
      ${actor.client?.address}, ${actor.client?.userAgent}, ${actor.assistant}
    from organization_logs l where l.org_id = ${tx.orgId}`)
  const change: AdminChange = { action, target: { type: target.type, id: target.id } }
  await append(tx, { id, at, type: ADMIN_CHANGE, topicId: NO_TOPIC, data: change }, { ofTopic: false })
}

export type AuditedOrganization = Extract<AuditAction, `organization.${string}`>

/** Records a change of the organization itself. */
export async function auditOrganization(
  tx: Transaction,
  actor: Actor,
  action: AuditedOrganization,
  changes: readonly Change[],
): Promise<void> {
  const [row] = await tx.query<{ name: string }>(
    sql`select name from organizations where org_id = ${tx.orgId}`,
  )
  await audit(tx, actor, {
    action,
    target: { type: 'organization', id: tx.orgId, name: row?.name ?? '' },
    changes,
  })
}

/** The query of an address may be a secret. */
function withoutQuery({ field, ...values }: Change): Change {
  if (field !== 'webhookUrl') return { field, ...values }
  const shown = Object.entries(values).map(([name, url]) => [name, url?.replace(/\?.*/s, '?…')])
  return { field, ...Object.fromEntries(shown) }
}

type Named = { id: string; name: string }

/** A change that names a member on either side. The ids tell them from a namesake, once one of them has to become nameless. */
export const memberChange = (field: string, { from, to }: { from?: Named; to?: Named }): Change => ({
  field,
  ...(from && { from: from.name, fromId: from.id }),
  ...(to && { to: to.name, toId: to.id }),
})

/** Differences between two states of a thing, as texts; fields that are the same are left out. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Change[] {
  return Object.keys(after)
    .filter((field) => after[field] !== undefined && textOf(before[field]) !== textOf(after[field]))
    .map((field) => {
      const [from, to] = [textOf(before[field]), textOf(after[field])]
      return { field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    })
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? value.join(' ') : String(value)
}
