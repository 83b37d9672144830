import type { ScimToken } from '../../contract/people/scim.ts'
import type { ScimTokenRow } from '../queries/members/scim-tokens.ts'

export const presentScimToken = ({ lastUsedAt, validUntil, ...token }: ScimTokenRow): ScimToken => ({
  ...token,
  ...(lastUsedAt !== null && { lastUsedAt }),
  ...(validUntil !== null && { endsAt: validUntil }),
})
