import * as contract from '../../../contract/reactions.ts'
import { addReaction, removeReaction } from '../../actions/messages/reactions.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'

export function reactionRoutes(api: ConversationApi): void {
  api.writes(contract.addReaction, async ({ caller, tx, params, body }) => {
    const { reaction, isNew } = await addReaction(tx, caller, params.messageId, body.reaction)
    return isNew ? created(reaction) : ok(reaction)
  })

  api.writes(contract.removeReaction, async ({ caller, tx, params }) => {
    await removeReaction(tx, caller, params.messageId, params.reactionId)
    return noContent()
  })
}
