import * as contract from '../../../contract/private-answers.ts'
import { answerPrivately, withdrawPrivateAnswer } from '../../actions/messages/private-answers.ts'
import { noContent } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'

export function privateAnswerRoutes(api: ConversationApi): void {
  api.writes(contract.answerPrivately, async ({ caller, tx, params, body }) => {
    await answerPrivately(tx, caller, params, body.text)
    return noContent()
  })

  api.writes(contract.withdrawPrivateAnswer, async ({ caller, tx, params }) => {
    await withdrawPrivateAnswer(tx, caller, params)
    return noContent()
  })
}
