import * as contract from '../../../contract/topics.ts'
import { startDirectMessage } from '../../actions/topics/bot-direct-messages.ts'
import { refusal } from '../../errors.ts'
import { created, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { presentTopic } from '../../presenters/topics.ts'
import { readTopic } from '../../queries/topics/topics.ts'

export function directMessageRoutes(api: ConversationApi): void {
  api.writes(contract.startDirectMessage, async ({ caller, tx, body, parley }) => {
    const { id, isNew } = await startDirectMessage(tx, caller, body.memberId)
    const topic = await readTopic(caller, tx, id)
    if (!topic) throw refusal('topic_not_found')
    const shown = presentTopic(topic, parley.links.for(caller))
    return isNew ? created(shown) : ok(shown)
  })
}
