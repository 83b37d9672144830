import * as contract from '../../../contract/emoji.ts'
import { ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { presentEmoji } from '../../presenters/emoji.ts'
import { listCustomEmoji } from '../../queries/organization/custom-emoji.ts'

export function emojiRoutes(api: ConversationApi): void {
  api.reads(contract.listEmoji, async ({ caller, db, parley: { links } }) => {
    const emoji = await listCustomEmoji(caller, db)
    return ok({ emoji: emoji.map((one) => presentEmoji(one, links.for(caller))) })
  })
}
