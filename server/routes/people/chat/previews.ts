import * as contract from '../../../../contract/people/previews.ts'
import { removePreview } from '../../../actions/messages/link-previews.ts'
import { noContent } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'

export function previewRoutes(people: PeopleApi): void {
  people.writes(contract.removePreview, async ({ caller, tx, params }) => {
    await removePreview(tx, caller, params.messageId)
    return noContent()
  })
}
