import type {
  makeScimToken,
  readScim,
  revokeScimToken,
} from '../../../../../contract/people/service-tokens.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { identity } from '../../../texts/identity.ts'
import { useTexts } from '../../../texts/texts.ts'
import { ServiceTokens } from '../service-tokens.tsx'

const SCIM = '/people/organizations/{organizationId}/scim'

/** The address and the tokens by which an identity provider manages people. */
export function Scim() {
  const { organizationId, role } = useMembership()
  return (
    <ServiceTokens
      name="scim"
      texts={useTexts(identity).scim}
      mayMake={role === 'owner'}
      calls={{
        read: () => call<typeof readScim>('GET', SCIM, { params: { organizationId } }),
        make: (overlapHours) =>
          call<typeof makeScimToken>('POST', `${SCIM}/tokens`, {
            params: { organizationId },
            body: { overlapHours },
          }),
        revoke: (scimTokenId) =>
          call<typeof revokeScimToken>('DELETE', `${SCIM}/tokens/{scimTokenId}`, {
            params: { organizationId, scimTokenId },
          }),
      }}
    />
  )
}
