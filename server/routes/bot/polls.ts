import * as contract from '../../../contract/polls.ts'
import { castVote, createPoll, retractVote } from '../../actions/polls.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { presentPoll, presentVote } from '../../presenters/polls.ts'

export function pollRoutes(bots: BotApi): void {
  bots.writes(contract.createPoll, async ({ caller, tx, body }) =>
    created(presentPoll(await createPoll(tx, caller, body))),
  )

  bots.writes(contract.castVote, async ({ caller, tx, params, body }) => {
    const { vote, isNew } = await castVote(tx, caller, params.pollId, body.optionId)
    return isNew ? created(presentVote(vote)) : ok(presentVote(vote))
  })

  bots.writes(contract.retractVote, async ({ caller, tx, params }) => {
    await retractVote(tx, caller, params.pollId, params.voteId)
    return noContent()
  })
}
