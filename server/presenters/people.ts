import type { Person } from '../../contract/people/members.ts'
import type { PersonRow } from '../queries/members/people.ts'

export const presentPerson = ({
  id,
  name,
  email,
  phone,
  role,
  status,
  isErased,
  mayReadContent,
  secondFactor,
  invitationExpiresAt,
  lastSeenAt,
  sessions,
  createdAt,
  updatedAt,
}: PersonRow): Person => ({
  id,
  name,
  email,
  phone,
  role,
  status,
  ...(isErased && { erased: true as const }),
  mayReadContent,
  secondFactor,
  ...(invitationExpiresAt !== null && { invitationExpiresAt }),
  ...(lastSeenAt !== null && { lastSeenAt }),
  sessions,
  createdAt,
  updatedAt,
})
