import * as contract from '../../../../contract/people/actions.ts'
import { pressAction } from '../../../actions/messages/button-presses.ts'
import { created, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'

export function actionRoutes(people: PeopleApi): void {
  people.writes(contract.pressAction, async ({ caller, tx, params, body }) => {
    const { answered, isNew } = await pressAction(tx, caller, params.actionMessageId, body)
    return isNew ? created(answered) : ok(answered)
  })
}
