import * as contract from '../../../../contract/people/chat.ts'
import { pinMessage, unpinMessage } from '../../../actions/messages/pins.ts'
import { refusal } from '../../../errors.ts'
import { json, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { isTopicVisible, listPinnedMessages } from '../../../queries/messages/messages.ts'
import { readReceipts } from '../../../queries/messages/receipts.ts'
import { writeMessages } from '../../bot/message-json.ts'

export function pinRoutes(people: PeopleApi): void {
  people.writes(contract.pinMessage, async ({ caller, tx, params }) => {
    await pinMessage(tx, caller, params.messageId)
    return noContent()
  })

  people.writes(contract.unpinMessage, async ({ caller, tx, params }) => {
    await unpinMessage(tx, caller, params.messageId)
    return noContent()
  })

  people.reads(contract.listPins, async ({ caller, db, params, parley }) => {
    const messages = await listPinnedMessages(caller, db, params.topicId)
    if (messages.length === 0 && !(await isTopicVisible(caller, db, params.topicId)))
      throw refusal('topic_not_found')
    const written = await writeMessages(parley, caller, messages, {
      includeReactionUsers: true,
      forPages: true,
    })
    return json(200, `{"messages":[${written.join(',')}]}`)
  })

  people.reads(contract.readReceipts, async ({ caller, db, params }) => {
    const receipts = await readReceipts(caller, db, params.messageId)
    if (!receipts) throw refusal('message_not_found')
    return ok(receipts)
  })
}
