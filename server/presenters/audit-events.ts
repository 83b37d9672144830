import { OCSF_CLASSES, OCSF_KINDS, OCSF_VERSION } from '../../contract/audit-events.ts'
import type { AuditAction } from '../../contract/people/organization.ts'
import type { AuditRow } from '../queries/organization/audit.ts'

const CATEGORY = { category_uid: 3, category_name: 'Identity & Access Management' } as const
const INFORMATIONAL = { severity_id: 1, severity: 'Informational' } as const
const MEDIUM = { severity_id: 3, severity: 'Medium' } as const

/** Actions that a reader of alerts wants to see before others: failed sign-ins, weaker accounts, new powers and ways out. */
const NOTABLE: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'member.sign_in_failed',
  'member.role_changed',
  'member.second_factor_disabled',
  'member.second_factor_reset',
  'member.recovery_code_used',
  'member.reading_allowed',
  'member.data_read',
  'bot.content_read',
  'topic.content_read',
  'hold.read',
  'organization.scim_token_made',
  'organization.audit_token_made',
  'organization.audit_destination_added',
  'organization.audit_destination_removed',
  'organization.message_check_set',
  'organization.message_check_removed',
  'held_message.read',
])

const FAILED: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'member.sign_in_failed',
  'member.data_deletion_failed',
])

export type AuditEvent = ReturnType<typeof presentAuditEvent>

/** An entry of the audit log as an event of OCSF. `metadata.uid` is the id of the entry, by which receivers know a repeat. */
export function presentAuditEvent(row: AuditRow, { orgId, version }: { orgId: string; version: string }) {
  const { action, targetType, targetId, targetName, changes, address, userAgent } = row
  const { className, ...kind } = kindOf(action, targetType)
  const isFailed = FAILED.has(action)
  const target = { uid: targetId, name: targetName }
  return {
    metadata: {
      version: OCSF_VERSION,
      uid: row.id,
      event_code: action,
      log_name: 'audit',
      tenant_uid: orgId,
      product: { name: 'Parley', vendor_name: 'Parley', version },
    },
    time: row.at,
    ...CATEGORY,
    ...kind,
    ...(NOTABLE.has(action) ? MEDIUM : INFORMATIONAL),
    status_id: isFailed ? 2 : 1,
    status: isFailed ? 'Failure' : 'Success',
    message: `${action} ${targetName}`,
    actor: actorOf(row),
    ...(className === 'entity' ? { entity: { type: targetType, ...target } } : { user: target }),
    ...(className === 'authentication' && { service: { name: 'Parley' } }),
    ...(address !== null && { src_endpoint: { ip: address } }),
    ...(userAgent !== null && userAgent !== '' && { http_request: { user_agent: userAgent } }),
    unmapped: { actor_kind: row.actorKind, target_type: targetType, changes },
  }
}

type OcsfClassWords = { uid: number; name: string; activities: Readonly<Record<number, string>> }

/** An action that this version does not know was written by a node of the next one. */
function kindOf(action: AuditAction, target: AuditRow['targetType']) {
  const [className, id] = Object.hasOwn(OCSF_KINDS, action)
    ? OCSF_KINDS[action]
    : ([target === 'member' ? 'account' : 'entity', 99] as const)
  const { uid, name, activities }: OcsfClassWords = OCSF_CLASSES[className]
  const activity = activities[id] ?? 'Other'
  return {
    className,
    class_uid: uid,
    class_name: name,
    activity_id: id,
    activity_name: activity,
    type_uid: uid * 100 + id,
    type_name: `${name}: ${activity}`,
  }
}

/** Kinds of users in OCSF: a person, or a program. */
const USER = { type_id: 1, type: 'User' } as const
const SYSTEM = { type_id: 3, type: 'System' } as const
const NAMES = { operator: 'Command on the server', server: 'Parley', scim: 'Identity provider' } as const

function actorOf({ actorKind, actorId, actorName, assistant }: AuditRow): object {
  const known = { ...(actorId !== null && { uid: actorId }), ...(actorName !== null && { name: actorName }) }
  if (actorKind === 'person')
    return { user: { ...USER, ...known }, ...(assistant !== null && { app_name: assistant }) }
  if (actorKind === 'bot') return { user: { ...SYSTEM, ...known } }
  return { user: { ...SYSTEM, name: NAMES[actorKind] } }
}
