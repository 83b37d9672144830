import { AUDIT_EVENTS_PATH } from '../../../../contract/audit-events.ts'
import * as contract from '../../../../contract/people/service-tokens.ts'
import { SCIM_PATH } from '../../../../contract/scim.ts'
import { makeServiceToken, revokeServiceToken } from '../../../actions/organization/service-tokens.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentServiceToken } from '../../../presenters/service-tokens.ts'
import { listServiceTokens } from '../../../queries/organization/service-tokens.ts'

const DEFAULT_OVERLAP_HOURS = 24

export function serviceTokenRoutes(people: PeopleApi): void {
  people.reads(contract.readScim, async ({ caller, db, parley }) => {
    const rows = await listServiceTokens(caller, db, 'scim', parley.clock())
    return ok({ url: `${parley.config.baseUrl}${SCIM_PATH}`, tokens: rows.map(presentServiceToken) })
  })

  people.writes(contract.makeScimToken, async ({ caller, tx, body }) =>
    created(await makeServiceToken(tx, caller, 'scim', body.overlapHours ?? DEFAULT_OVERLAP_HOURS)),
  )

  people.writes(contract.revokeScimToken, async ({ caller, tx, params }) => {
    await revokeServiceToken(tx, caller, 'scim', params.scimTokenId)
    return noContent()
  })

  people.reads(contract.readAuditAccess, async ({ caller, db, parley }) => {
    const rows = await listServiceTokens(caller, db, 'audit', parley.clock())
    return ok({ url: `${parley.config.baseUrl}${AUDIT_EVENTS_PATH}`, tokens: rows.map(presentServiceToken) })
  })

  people.writes(contract.makeAuditToken, async ({ caller, tx, body }) =>
    created(await makeServiceToken(tx, caller, 'audit', body.overlapHours ?? DEFAULT_OVERLAP_HOURS)),
  )

  people.writes(contract.revokeAuditToken, async ({ caller, tx, params }) => {
    await revokeServiceToken(tx, caller, 'audit', params.auditTokenId)
    return noContent()
  })
}
