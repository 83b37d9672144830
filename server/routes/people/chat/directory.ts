import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/chat.ts'
import { refusal } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentChatMember } from '../../../presenters/chat.ts'
import { type ChatMemberPosition, listChatMembers } from '../../../queries/members/chat-members.ts'
import { locateExternalTopic, locateMessage, locateTopic } from '../../../queries/messages/locate.ts'

export function directoryRoutes(people: PeopleApi): void {
  people.reads(contract.listChatMembers, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const list = cursors<null, ChatMemberPosition>(parley.secrets, caller, 'chat-members')
    const place = cursor === undefined ? {} : list.read(cursor)
    const { items, last } = cutPage(await listChatMembers(caller, db, { ...place, limit }), limit)
    return ok({
      members: items.map((member) => presentChatMember(member, parley.clock())),
      ...(last && { nextCursor: list.write({ filters: null, after: [last.created_at, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  people.account(contract.locate, async ({ signedIn, query, parley: { db } }) => {
    const { topicId, messageId, externalTopic } = query
    const place =
      messageId !== undefined
        ? await locateMessage(signedIn, db, messageId)
        : topicId !== undefined
          ? await locateTopic(signedIn, db, topicId)
          : externalTopic !== undefined
            ? await locateExternalTopic(signedIn, db, externalTopic)
            : refuseNothing()
    if (!place) throw refusal('not_found')
    return ok(place)
  })
}

function refuseNothing(): never {
  throw refusal('fields_missing', { fields: 'topicId, messageId or externalTopic' })
}
