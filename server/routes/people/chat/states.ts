import * as contract from '../../../../contract/people/chat.ts'
import { readEverything, saveDraft, setTopicState } from '../../../actions/chat-states.ts'
import { badRequest } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentDraft, presentTopicState } from '../../../presenters/chat.ts'

/** What is a person's own, and no event of the log. */
export function stateRoutes(people: PeopleApi): void {
  people.acts(contract.setTopicState, async ({ caller, params, body, parley: { db } }) => {
    if (body.readTo !== undefined && body.unreadFrom !== undefined)
      throw badRequest('readTo and unreadFrom cannot be used together')
    return ok(presentTopicState(await setTopicState(db, caller, params.topicId, body)))
  })

  people.acts(contract.readEverything, async ({ caller, parley: { db } }) =>
    ok({ states: (await readEverything(db, caller)).map(presentTopicState) }),
  )

  people.acts(contract.saveDraft, async ({ caller, body, parley: { db, clock } }) =>
    ok(presentDraft(await saveDraft(db, caller, body, clock()))),
  )
}
