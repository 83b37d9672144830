import * as contract from '../../../../contract/people/scim.ts'
import { SCIM_PATH } from '../../../../contract/scim.ts'
import { makeScimToken, revokeScimToken } from '../../../actions/members/scim-tokens.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentScimToken } from '../../../presenters/scim-tokens.ts'
import { listScimTokens } from '../../../queries/members/scim-tokens.ts'

const DEFAULT_OVERLAP_HOURS = 24

export function scimTokenRoutes(people: PeopleApi): void {
  people.reads(contract.readScim, async ({ caller, db, parley }) => {
    const rows = await listScimTokens(caller, db, parley.clock())
    return ok({ url: `${parley.config.baseUrl}${SCIM_PATH}`, tokens: rows.map(presentScimToken) })
  })

  people.writes(contract.makeScimToken, async ({ caller, tx, body }) =>
    created(await makeScimToken(tx, caller, body.overlapHours ?? DEFAULT_OVERLAP_HOURS)),
  )

  people.writes(contract.revokeScimToken, async ({ caller, tx, params }) => {
    await revokeScimToken(tx, caller, params.scimTokenId)
    return noContent()
  })
}
