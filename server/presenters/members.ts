import type { Member } from '../../contract/members.ts'
import type { MemberRow } from '../queries/members/members.ts'

export function presentMember(row: MemberRow): Member {
  return {
    id: row.id,
    type: row.kind,
    name: row.name,
    email: row.email,
    phone: row.phone,
    ...(row.external_id !== null && { externalId: row.external_id }),
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
