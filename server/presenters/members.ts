import type { Member } from '../../contract/members.ts'
import { type Caller, isGuest } from '../caller.ts'
import type { MemberRow } from '../queries/members/members.ts'

/** A member as the caller sees them. Guests see no address and no phone number but their own. */
export function presentMember(row: MemberRow, caller: Caller): Member {
  const isReachable = !isGuest(caller) || row.id === caller.profileId
  return {
    id: row.id,
    type: row.kind,
    name: row.name,
    email: isReachable ? row.email : '',
    phone: isReachable ? row.phone : '',
    ...(row.external_id !== null && isReachable && { externalId: row.external_id }),
    ...(row.role === 'guest' && { guest: true as const }),
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
