import type { Person } from '../../contract/people/members.ts'
import type { PersonRow } from '../queries/people.ts'

export const presentPerson = ({ invitationExpiresAt, ...row }: PersonRow): Person => ({
  ...row,
  ...(invitationExpiresAt !== null && { invitationExpiresAt }),
})
