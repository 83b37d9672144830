import * as contract from '../../../contract/presence.ts'
import { refusal } from '../../errors.ts'
import { noContent } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { isTopicMember } from '../../queries/messages/messages.ts'

export function presenceRoutes(bots: BotApi): void {
  bots.reads(contract.tellWorking, async ({ caller, params, body, db, parley: { ephemeral } }) => {
    const topicId = params.topicId.toLowerCase()
    const parentId = body.parentId?.toLowerCase()
    const place = { topicId, ...(parentId !== undefined && { parentId }), forMs: contract.WORKING_MS }
    const isMember = () => isTopicMember(caller, db, topicId)
    if (!(await ephemeral.typing(caller, place, isMember))) throw refusal('topic_not_found')
    return noContent()
  })
}
