import { reportMessage as contract } from '../../../../contract/people/reports.ts'
import { reportMessage } from '../../../actions/organization/reports.ts'
import { noContent } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'

export function reportingRoutes(people: PeopleApi): void {
  people.writes(contract, async ({ caller, tx, params, body }) => {
    await reportMessage(tx, caller, params.messageId, body.reason)
    return noContent()
  })
}
