import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/chat.ts'
import { setBotReach } from '../../../actions/bots/bot-reach.ts'
import {
  createChatTopic,
  joinTopic,
  leaveTopic,
  openDirectMessage,
  updateChatTopic,
} from '../../../actions/topics/chat-topics.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentChatTopic } from '../../../presenters/chat.ts'
import { listOpenTopics, type OpenTopicPosition, readChatTopic } from '../../../queries/topics/chat-topics.ts'

export function topicRoutes(people: PeopleApi): void {
  people.reads(contract.readChatTopic, async ({ caller, db, params, parley }) =>
    ok(await show(parley, caller, db, params.topicId)),
  )

  people.writes(contract.createChatTopic, async ({ caller, tx, body, parley }) => {
    const topicId = await createChatTopic(tx, caller, body)
    return created(await show(parley, caller, tx, topicId))
  })

  people.writes(contract.updateChatTopic, async ({ caller, tx, params, body, parley }) => {
    await updateChatTopic(tx, caller, params.topicId, body)
    return ok(await show(parley, caller, tx, params.topicId))
  })

  people.writes(contract.setBotReach, async ({ caller, tx, params, body }) => {
    await setBotReach(tx, caller, params.topicId, { botId: params.botId, reach: body.reach })
    return noContent()
  })

  people.acts(contract.openDirectMessage, async ({ caller, body, parley }) => {
    const topicId = await openDirectMessage(parley.db, caller, body.memberIds)
    return ok(await show(parley, caller, parley.db, topicId))
  })

  people.writes(contract.joinTopic, async ({ caller, tx, params, parley }) => {
    await joinTopic(tx, caller, params.topicId)
    return ok(await show(parley, caller, tx, params.topicId))
  })

  people.writes(contract.leaveTopic, async ({ caller, tx, params }) => {
    await leaveTopic(tx, caller, params.topicId)
    return noContent()
  })

  people.reads(contract.listOpenTopics, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, search = '' } = query
    const list = cursors<string, OpenTopicPosition>(parley.secrets, caller, 'open-topics')
    const place = cursor === undefined ? { filters: search } : list.read(cursor)
    const { filters, ...after } = place
    const rows = await listOpenTopics(caller, db, { ...after, search: filters, limit })
    const { items, last } = cutPage(rows, limit)
    return ok({
      topics: items.map((topic) => presentChatTopic(topic, caller.profileId, parley.links.for(caller))),
      ...(last && { nextCursor: list.write({ filters, after: [last.name_key, last.id] }) }),
      hasMore: last !== undefined,
    })
  })
}

async function show(parley: Pick<Parley, 'links'>, caller: Caller, db: Queryable, topicId: string) {
  const topic = await readChatTopic(caller, db, topicId)
  if (!topic) throw refusal('topic_not_found')
  return presentChatTopic(topic, caller.profileId, parley.links.for(caller))
}
