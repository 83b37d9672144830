import type { ServiceToken } from '../../contract/people/service-tokens.ts'
import type { ServiceTokenRow } from '../queries/organization/service-tokens.ts'

export const presentServiceToken = ({ lastUsedAt, validUntil, ...token }: ServiceTokenRow): ServiceToken => ({
  ...token,
  ...(lastUsedAt !== null && { lastUsedAt }),
  ...(validUntil !== null && { endsAt: validUntil }),
})
