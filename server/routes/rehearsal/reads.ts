import { listCommands } from '../../../contract/commands.ts'
import { readContext } from '../../../contract/context.ts'
import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/messages.ts'
import { listPrompts } from '../../../contract/prompts.ts'
import { readTopic as readTopicContract } from '../../../contract/topics.ts'
import { requireShared } from '../../actions/rehearsals/sayings.ts'
import { refusal } from '../../errors.ts'
import { json, ok } from '../../http/answers.ts'
import { cursors } from '../../http/cursor.ts'
import { presentMessage } from '../../presenters/messages.ts'
import { presentTopic } from '../../presenters/topics.ts'
import {
  isTopicMember,
  listMessages,
  type MessageFilters,
  namedIn,
  readMessage,
  readNames,
} from '../../queries/messages/messages.ts'
import { readTopic } from '../../queries/topics/topics.ts'
import { contextOf } from '../bot/context.ts'
import { writeMessages } from '../bot/message-json.ts'
import type { RehearsalApi } from './api.ts'

/** Reads of conversations: topics that the bot and its admin are in, up to the event that the bot has. */
export function rehearsedReads(api: RehearsalApi): void {
  api.reads(readTopicContract, async ({ caller, params: { topicId }, parley: { db, links } }) => {
    const topic = await readTopic(caller, db, topicId)
    if (!topic) throw refusal('topic_not_found')
    await requireShared(caller, db, topic.id)
    return ok(presentTopic(topic, links.for(caller)))
  })

  api.reads(contract.readMessage, async ({ caller, params: { messageId }, parley: { db, links, clock } }) => {
    const { orgId, rehearsal } = caller
    const message = await readMessage(caller, db, messageId)
    const starter = { orgId, profileId: rehearsal.startedBy }
    const isHeard =
      message !== undefined &&
      message.created_at <= rehearsal.heardAt &&
      (await isTopicMember(starter, db, message.topic_id))
    if (!isHeard) throw refusal('message_not_found')
    const names = await readNames(caller, db, namedIn(message))
    const shown = presentMessage(message, { names, now: clock(), link: links.for(caller) })
    return ok({ ...shown, messageId: shown.id, channelId: shown.topicId })
  })

  api.reads(contract.listMessages, async ({ caller, params: { topicId }, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, ...wanted } = query
    if (wanted.before !== undefined && wanted.after !== undefined)
      throw refusal('fields_conflict', { fields: 'before and after' })
    if (!(await isTopicMember(caller, parley.db, topicId))) throw refusal('topic_not_found')
    await requireShared(caller, parley.db, topicId)
    const { id, heardAt } = caller.rehearsal
    const list = cursors<MessageFilters, string>(
      parley.secrets,
      caller,
      `rehearsed messages:${id} ${topicId.toLowerCase()}`,
    )
    const filters = { order: 'desc' as const, includeSystem: true, includeReactionUsers: false, ...wanted }
    const place = cursor === undefined ? { filters } : list.read(cursor)
    const before = Math.min(place.filters.before ?? Number.MAX_SAFE_INTEGER, heardAt + 1)
    const { messages, lastId } = await listMessages(caller, parley.db, topicId, {
      ...place,
      filters: { ...place.filters, before },
      limit,
    })
    const { includeReactionUsers } = place.filters
    const written = await writeMessages(parley, caller, messages, { includeReactionUsers })
    const next =
      lastId === undefined
        ? ',"hasMore":false}'
        : `,"nextCursor":${JSON.stringify(list.write({ filters: place.filters, after: lastId }))},"hasMore":true}`
    return json(200, `{"messages":[${written.join(',')}]${next}`)
  })

  api.reads(readContext, async ({ caller, params: { topicId }, query, parley }) => {
    if (!(await isTopicMember(caller, parley.db, topicId))) throw refusal('topic_not_found')
    await requireShared(caller, parley.db, topicId)
    const { heardAt } = caller.rehearsal
    if (query.message !== undefined) {
      const asked = await readMessage(caller, parley.db, query.message)
      if (!asked || asked.created_at > heardAt) throw refusal('message_not_found')
    }
    return ok(await contextOf(parley, caller, topicId, { ...query, until: heardAt + 1 }))
  })

  api.reads(listCommands, async () => ok({ commands: [] }))
  api.reads(listPrompts, async () => ok({ prompts: [] }))
}
