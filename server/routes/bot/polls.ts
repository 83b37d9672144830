import * as contract from '../../../contract/polls.ts'
import { castVote, createPoll, retractVote } from '../../actions/work/polls.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { presentPoll, presentVote } from '../../presenters/polls.ts'

export function pollRoutes(api: ConversationApi): void {
  api.writes(contract.createPoll, async ({ caller, tx, body }) =>
    created(presentPoll(await createPoll(tx, caller, body))),
  )

  api.writes(contract.castVote, async ({ caller, tx, params, body }) => {
    const { vote, isNew } = await castVote(tx, caller, params.pollId, body.optionId)
    return isNew ? created(presentVote(vote)) : ok(presentVote(vote))
  })

  api.writes(contract.retractVote, async ({ caller, tx, params }) => {
    await retractVote(tx, caller, params.pollId, params.voteId)
    return noContent()
  })
}
