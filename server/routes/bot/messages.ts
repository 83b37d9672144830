import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/messages.ts'
import type { BodyOf, MetaOf } from '../../../contract/operation.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import { deleteMessage, editMessage, markMessage } from '../../actions/messages/messages.ts'
import { acceptUpload } from '../../actions/messages/uploads.ts'
import type { Caller } from '../../caller.ts'
import { refusal } from '../../errors.ts'
import type { Page } from '../../events/recent-pages.ts'
import type { Link } from '../../files/links.ts'
import { inspectFiles, storeFiles } from '../../files/receive.ts'
import { json, noContent, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors } from '../../http/cursor.ts'
import type { Parley } from '../../parley.ts'
import { presentMessage } from '../../presenters/messages.ts'
import {
  isTopicMember,
  listMessages,
  type MessageFilters,
  type MessagePlace,
  namedIn,
  readNames,
  readVisibleMessage,
} from '../../queries/messages/messages.ts'
import { writeMessages } from './message-json.ts'
import { sendMessage } from './send-message.ts'

export function messageRoutes(api: ConversationApi): void {
  api.batches(contract.sendMessage, sendMessage, {
    turnsAway: ({ messages }, orgId) => messages.turnsAway(orgId),
    form: {
      prepare: async ({ caller, meta, files, parley }) => {
        const topicId = topicOf(meta)
        const inspected = await inspectFiles(parley.images, caller.orgId, files)
        if (!(await isTopicMember(caller, parley.db, topicId))) {
          await caller.authority?.renew() // refuses a caller who lost the right while the files were looked at
          throw refusal('topic_not_found')
        }
        const stored = await storeFiles(parley.files, caller.orgId, inspected)
        return { topicId, stored }
      },
      handler: async ({ caller, tx, meta, prepared: { topicId, stored } }) =>
        ok(await acceptUpload(tx, caller, { ...meta, topicId, attachments: stored })),
    },
  })

  api.reads(contract.readMessage, async ({ caller, db, params, parley }) => {
    const message = await readVisibleMessage(caller, db, params.messageId)
    if (!message) throw refusal('message_not_found')
    const names = await readNames(caller, db, namedIn(message))
    const shown = presentMessage(message, { names, now: parley.clock(), link: parley.links.for(caller) })
    return ok({ ...shown, messageId: shown.id, channelId: shown.topicId })
  })

  api.reads(contract.listMessages, async ({ caller, params, query, parley }) => {
    parley.botLoops.read(caller)
    const { limit = LIMITS.pageDefault, cursor, ...wanted } = query
    if (wanted.before !== undefined && wanted.after !== undefined) {
      throw refusal('fields_conflict', { fields: 'before and after' })
    }
    const list = cursors<MessageFilters, string>(
      parley.secrets,
      caller,
      `messages:${params.topicId.toLowerCase()}`,
    )
    const filters = { order: 'desc' as const, includeSystem: true, includeReactionUsers: false, ...wanted }
    const place = cursor === undefined ? { filters } : list.read(cursor)

    const { topicId } = params
    // People and bots get separate pages: links of bots are not bound to a member.
    const readers = isBotId(caller.profileId) ? 'bots' : 'people'
    const name = `${readers} ${topicId.toLowerCase()} ${limit} ${JSON.stringify(place)}`
    const payload = await parley.recentPages.read(caller, name, {
      isAllowed: () => isTopicMember(caller, parley.db, topicId),
      load: () => readPage(parley, caller, topicId, { ...place, limit }),
      end: ({ lastId }) => {
        if (lastId === undefined) return ',"hasMore":false}'
        const nextCursor = list.write({ filters: place.filters, after: lastId })
        return `,"nextCursor":${JSON.stringify(nextCursor)},"hasMore":true}`
      },
    })
    return json(200, payload)
  })

  api.writes(contract.editMessage, async ({ caller, tx, params, body }) =>
    ok(await editMessage(tx, caller, params.messageId, changeIn(body))),
  )

  api.writes(contract.deleteMessage, async ({ caller, tx, params }) => {
    await deleteMessage(tx, caller, params.messageId)
    return noContent()
  })

  api.writes(contract.markDelivered, async ({ caller, tx, params }) => {
    const { messageId, deliveredAt } = await markMessage(tx, caller, params.messageId, 'delivered')
    return ok({ messageId, deliveredAt })
  })

  api.writes(contract.markRead, async ({ caller, tx, params }) => {
    const { messageId, deliveredAt, readAt } = await markMessage(tx, caller, params.messageId, 'read')
    return ok({ messageId, readAt: readAt ?? deliveredAt })
  })
}

function changeIn(body: BodyOf<typeof contract.editMessage>) {
  if (body.text === undefined && body.actions === undefined)
    throw refusal('field_required', { field: 'text' })
  return body
}

/** Forms may name the topic by either field. */
function topicOf({ topicId, channelID }: MetaOf<typeof contract.sendMessage>): string {
  const named = topicId ?? channelID
  if (named === undefined) throw refusal('field_required', { field: 'topicId' })
  if (channelID !== undefined && channelID.toLowerCase() !== named.toLowerCase()) {
    throw refusal('topic_ids_differ')
  }
  return named
}

async function readPage(
  parley: Pick<Parley, 'clock' | 'db' | 'links'>,
  caller: Caller,
  topicId: string,
  place: MessagePlace,
): Promise<Page> {
  const { messages, lastId } = await listMessages(caller, parley.db, topicId, place)
  if (messages.length === 0 && !(await isTopicMember(caller, parley.db, topicId)))
    throw refusal('topic_not_found')
  const { includeReactionUsers } = place.filters
  const makeLink = parley.links.for(caller)
  let links = 0
  const link: Link = (target) => {
    links += 1
    return makeLink(target)
  }
  const written = await writeMessages(parley, caller, messages, { includeReactionUsers, link })
  const isForOne = links > 0 && !isBotId(caller.profileId)
  return {
    json: Buffer.from(`{"messages":[${written.join(',')}]`),
    lastId,
    ...(isForOne && { readerId: caller.profileId }),
  }
}
