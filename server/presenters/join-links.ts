import type { JoinLink } from '../../contract/people/join-links.ts'
import type { JoinLinkRow } from '../queries/members/join-links.ts'

export const presentJoinLink = (
  { maxUses, token: _token, ...link }: JoinLinkRow,
  { baseUrl, token }: { baseUrl: string; token: string },
): JoinLink => ({ ...link, ...(maxUses !== null && { maxUses }), url: `${baseUrl}/invite#${token}` })
