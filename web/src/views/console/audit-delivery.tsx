import type {
  makeAuditToken,
  readAuditAccess,
  revokeAuditToken,
} from '../../../../contract/people/service-tokens.ts'
import { call } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { BackLink, PageHead } from '../../kit/page.tsx'
import { auditDelivery } from '../../texts/audit-delivery.ts'
import { useTexts } from '../../texts/texts.ts'
import { AuditDestinations } from './audit-destinations.tsx'
import { ServiceTokens } from './service-tokens.tsx'

const ACCESS = '/people/organizations/{organizationId}/audit/access'

/** How the audit log gets to programs outside. */
export default function AuditDelivery() {
  const t = useTexts(auditDelivery)
  const { organizationId } = useMembership()
  return (
    <>
      <BackLink to={`/console/${organizationId}/audit`}>{t.back}</BackLink>
      <PageHead title={t.title} about={t.about} />
      <AuditDestinations />
      <ServiceTokens
        name="audit access"
        texts={t.token}
        calls={{
          read: () => call<typeof readAuditAccess>('GET', ACCESS, { params: { organizationId } }),
          make: (overlapHours) =>
            call<typeof makeAuditToken>('POST', `${ACCESS}/tokens`, {
              params: { organizationId },
              body: { overlapHours },
            }),
          revoke: (auditTokenId) =>
            call<typeof revokeAuditToken>('DELETE', `${ACCESS}/tokens/{auditTokenId}`, {
              params: { organizationId, auditTokenId },
            }),
        }}
      />
    </>
  )
}
