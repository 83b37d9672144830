import * as contract from '../../../contract/questions.ts'
import { askQuestion } from '../../actions/messages/open-questions.ts'
import { withdrawQuestion } from '../../actions/messages/question-ends.ts'
import { requireQuestion, waitForEnd } from '../../events/question-wait.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { presentQuestion } from '../../presenters/open-questions.ts'

export function questionRoutes(api: ConversationApi): void {
  api.writes(contract.askQuestion, async ({ caller, tx, body }) => {
    const { id, isNew } = await askQuestion(tx, caller, body)
    const question = presentQuestion(await requireQuestion(caller, tx, id))
    return isNew ? created(question) : ok(question)
  })

  api.reads(contract.readQuestion, async ({ caller, parley, params, query, onGone }) => {
    const { wait = 0 } = query
    return ok(presentQuestion(await waitForEnd(parley, caller, params.questionId, { wait, onGone })))
  })

  api.writes(contract.withdrawQuestion, async ({ caller, tx, params }) => {
    await withdrawQuestion(tx, caller, params.questionId)
    return noContent()
  })
}
